//! What the options of `profiles` mean: for which machine, and what else, workloads are resolved.

use super::{
    commands::{profiles::ProfilesArgs, workload::WorkloadArgs},
    line::{Typed, workload},
};
use crate::{
    host::{Machine, parse_machine},
    profiles::{Generation, Rate, SqlFlush, Wanted},
};

/// The variable that says what `--machine` says.
pub const MACHINE_VARIABLE: &str = "IOGAUGE_MACHINE";
/// More than anything does, as the resolving has it.
const RATE_MAX: u64 = 100_000_000;

/// Options of `profiles`, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Wishes {
    machine: Option<Machine>,
    generation: Generation,
    flush: SqlFlush,
    max_dop: Option<u32>,
    transfer: Option<u32>,
    stripes: Option<u32>,
    compression: f64,
    rate: Option<Rate>,
    queue_depth: Option<u32>,
    threads: Option<u32>,
}

impl Wishes {
    /// Reads them; `machine` is the variable's value.
    ///
    /// # Errors
    /// A sentence with option (or variable), value and what would be right.
    pub fn new(args: &ProfilesArgs, machine: Option<&str>) -> Result<Self, String> {
        let typed = WorkloadArgs {
            generation: args.generation.clone(),
            machine: args.machine.clone(),
            sql_flush: args.sql_flush.clone(),
            transfer: args.transfer.clone(),
            stripes: args.stripes.clone(),
            compression: args.compression.clone(),
            db_size: None,
            maxdop: args.maxdop.clone(),
        };
        let asked = workload(&typed, &mut Vec::new())?;
        let injected = machine.filter(|facts| !facts.is_empty()).map(|facts| {
            parse_machine(facts)
                .map_err(|error| format!("{MACHINE_VARIABLE}='{}': {error}", facts.escape_debug()))
        });
        let number = |name, value: &Option<String>| {
            let typed = Typed::new(name, value.as_ref());
            typed.map(|typed| typed.small(1, 1 << 16)).transpose()
        };
        Ok(Self {
            machine: match asked.machine {
                Some(machine) => Some(machine),
                None => injected.transpose()?,
            },
            generation: asked.generation.unwrap_or_default(),
            flush: asked.flush.unwrap_or_default(),
            max_dop: asked.max_dop,
            transfer: asked.transfer,
            stripes: asked.stripes,
            compression: asked.compression.unwrap_or(1.0),
            rate: args.rate.as_deref().map(rate).transpose()?,
            queue_depth: number("--qd", &args.qd)?,
            threads: number("--threads", &args.threads)?,
        })
    }

    /// The machine that was named.
    pub fn machine(&self) -> Option<&Machine> {
        self.machine.as_ref()
    }

    /// For resolving on this machine.
    pub fn wanted<'a>(&self, machine: &'a Machine) -> Wanted<'a> {
        Wanted {
            max_dop: self.max_dop,
            generation: self.generation,
            flush: self.flush,
            transfer: self.transfer,
            stripes: self.stripes,
            compression: self.compression,
            rate: self.rate,
            queue_depth: self.queue_depth,
            threads: self.threads,
            ..Wanted::on(machine)
        }
    }
}

impl ProfilesArgs {
    /// The first option that changes numbers.
    pub fn first_wish(&self) -> Option<&'static str> {
        let all = [
            ("--machine", &self.machine),
            ("--generation", &self.generation),
            ("--maxdop", &self.maxdop),
            ("--sql-flush", &self.sql_flush),
            ("--transfer", &self.transfer),
            ("--stripes", &self.stripes),
            ("--compression", &self.compression),
            ("--rate", &self.rate),
            ("--qd", &self.qd),
            ("--threads", &self.threads),
        ];
        let given = all.into_iter().find(|(_, value)| value.is_some());
        given.map(|(name, _)| name)
    }
}

/// `5000` or `5000,poisson`.
fn rate(value: &str) -> Result<Rate, String> {
    let (number, poisson) = match value.strip_suffix(",poisson") {
        Some(number) => (number, true),
        None => (value, false),
    };
    let right = format!("a whole number from 1 to {RATE_MAX}, or that and ',poisson'");
    let typed = |value| Typed {
        name: "--rate",
        value,
    };
    typed(number)
        .number(1, RATE_MAX)
        .map(|number| Rate {
            per_second: number as f64,
            poisson,
        })
        .map_err(|_| typed(value).wrong(&right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_mean_what_they_say() {
        let args = ProfilesArgs {
            machine: Some("lp=32,numa=2".into()),
            generation: Some("2016".into()),
            maxdop: Some("3".into()),
            sql_flush: Some("fdatasync".into()),
            transfer: Some("4M".into()),
            stripes: Some("2".into()),
            compression: Some("0.3".into()),
            rate: Some("500,poisson".into()),
            qd: Some("7".into()),
            threads: Some("9".into()),
            ..ProfilesArgs::default()
        };
        assert_eq!(args.first_wish(), Some("--machine"));
        let wishes = Wishes::new(&args, Some("lp=1")).unwrap();
        // The option wins over the variable.
        assert_eq!(wishes.machine().unwrap().usable.len(), 32);
        let machine = Machine::default();
        let wanted = wishes.wanted(&machine);
        assert_eq!(wanted.generation, Generation::Sql2016);
        assert_eq!((wanted.max_dop, wanted.stripes), (Some(3), Some(2)));
        assert_eq!((wanted.queue_depth, wanted.threads), (Some(7), Some(9)));
        assert_eq!(
            (wanted.flush, wanted.transfer),
            (SqlFlush::FdataSync, Some(4 << 20))
        );
        assert!((wanted.compression - 0.3).abs() < 1e-9);
        let rate = wanted.rate.unwrap();
        assert!((rate.per_second - 500.0).abs() < 1e-9 && rate.poisson);
        assert_eq!(ProfilesArgs::default().first_wish(), None);
        let variable = Wishes::new(&ProfilesArgs::default(), Some("lp=7")).unwrap();
        assert_eq!(variable.machine().unwrap().usable.len(), 7);
        let empty = Wishes::new(&ProfilesArgs::default(), Some("")).unwrap();
        assert_eq!(empty.machine(), None);
    }

    #[test]
    fn values_that_mean_nothing_are_named() {
        let numbers = [
            "0",
            "-1",
            "",
            "4X",
            "1e3",
            "0x10",
            "9223372036854775808",
            "18446744073709551616",
            "100000000000000000000",
        ];
        for value in numbers {
            let given = Some(value.to_owned());
            for (name, args) in [
                (
                    "--rate",
                    ProfilesArgs {
                        rate: given.clone(),
                        ..ProfilesArgs::default()
                    },
                ),
                (
                    "--qd",
                    ProfilesArgs {
                        qd: given.clone(),
                        ..ProfilesArgs::default()
                    },
                ),
                (
                    "--threads",
                    ProfilesArgs {
                        threads: given.clone(),
                        ..ProfilesArgs::default()
                    },
                ),
                (
                    "--maxdop",
                    ProfilesArgs {
                        maxdop: given.clone(),
                        ..ProfilesArgs::default()
                    },
                ),
                (
                    "--stripes",
                    ProfilesArgs {
                        stripes: given.clone(),
                        ..ProfilesArgs::default()
                    },
                ),
                (
                    "--transfer",
                    ProfilesArgs {
                        transfer: given.clone(),
                        ..ProfilesArgs::default()
                    },
                ),
                (
                    "--machine",
                    ProfilesArgs {
                        machine: Some(format!("lp={value}")),
                        ..ProfilesArgs::default()
                    },
                ),
            ] {
                let error = Wishes::new(&args, None).unwrap_err();
                assert!(error.contains(name) && error.contains(value), "{error}");
            }
        }
        let error = Wishes::new(&ProfilesArgs::default(), Some("lp=0")).unwrap_err();
        assert!(error.starts_with("IOGAUGE_MACHINE='lp=0': "), "{error}");
    }
}
