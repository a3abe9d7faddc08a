//! Options as typed: each value read, none of them given a default yet.

use std::ops::RangeInclusive;

use super::{
    number::{mask, small, whole},
    raw,
};
use crate::{
    personality::sqlio::{
        flags::{BLOCK_KIB_MAX, DEPTH_MAX, THREADS_MAX},
        load::{Binding, Buffering, CpuTable, Pattern, Timer, Timing},
    },
    plan::Assembly,
};

/// Bytes of a page, which scattered pieces are.
const PAGE: u64 = 4096;

/// Values of options; `None` where the line does not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) write: Option<bool>,
    pub(crate) threads: Option<u32>,
    pub(crate) seconds: Option<u32>,
    pub(crate) drives: Option<Vec<char>>,
    pub(crate) raw: Option<Vec<String>>,
    pub(crate) pattern: Option<Pattern>,
    pub(crate) binding: Option<Binding>,
    pub(crate) depth: Option<u32>,
    pub(crate) block_kib: Option<u32>,
    pub(crate) rows: Option<u64>,
    pub(crate) assembly: Option<Assembly>,
    pub(crate) timing: Option<Timing>,
    pub(crate) cpu_table: Option<CpuTable>,
    pub(crate) buffering: Option<Buffering>,
    pub(crate) start: Option<u64>,
    pub(crate) again: bool,
    pub(crate) parameter_file: Option<String>,
    /// Something about the last value that its writer may not expect.
    pub(crate) remark: Option<String>,
}

/// Any number of blocks or I/Os; products are checked where they are made.
const ANY: RangeInclusive<u64> = 1..=i64::MAX as u64;

impl Draft {
    /// Takes the value of an option.
    ///
    /// # Errors
    /// A sentence that says what would be accepted.
    pub(crate) fn apply(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.remark = None;
        match name {
            "-k" => self.write = Some(self.direction(value)?),
            "-t" => {
                let range = 1..=THREADS_MAX;
                self.threads = Some(small(value, "the number of threads", &range)?);
            }
            "-s" => {
                let range = 1..=u64::from(u32::MAX);
                self.seconds = Some(small(value, "the number of seconds", &range)?);
            }
            "-d" => self.drives = Some(letters(value)?),
            "-R" => self.raw = Some(raw::targets(value)?),
            "-f" => self.pattern = Some(pattern(value)?),
            "-p" => self.binding = Some(cpu(value)?),
            "-a" => self.binding = Some(cpus(value)?),
            "-o" => {
                let depth = small(value, "the number of outstanding I/Os", &(0..=DEPTH_MAX))?;
                self.depth = Some(depth);
            }
            "-b" => {
                let range = 1..=BLOCK_KIB_MAX;
                self.block_kib = Some(small(value, "the size of an I/O in KiB", &range)?);
            }
            "-i" => self.rows = Some(whole(value, "the number of I/Os of a run", &ANY)?),
            "-m" => self.assembly = Some(assembly(value)?),
            "-L" => self.timing = Some(timing(value)?),
            "-U" => self.cpu_table = Some(cpu_table(value)?),
            "-B" => self.buffering = Some(buffering(value)?),
            "-S" => {
                let range = 0..=*ANY.end();
                self.start = Some(whole(value, "the number of the first block", &range)?);
            }
            "-v1.1.1" => {
                nothing(value)?;
                self.again = true;
            }
            "-64" | "-?" => nothing(value)?,
            "-F" => self.parameter_file = Some(parameter_file(value)?),
            "-D" => {
                small(value, "the level", &(0..=u64::from(u32::MAX)))?;
            }
            _ => return Err("there is no such option".to_owned()),
        }
        Ok(())
    }

    /// `-kWR` is in scripts: the original has no mix, and the first letter counts.
    fn direction(&mut self, value: &str) -> Result<bool, String> {
        let known = !value.is_empty() && value.chars().all(|letter| matches!(letter, 'R' | 'W'));
        let first = value.chars().next().filter(|_| known).ok_or_else(|| {
            format!("the direction must be R (reads) or W (writes), not '{value}'")
        })?;
        if value.len() > 1 {
            self.remark = Some(format!(
                "there is no mix of reads and writes: of '{value}' the first letter counts, {first}"
            ));
        }
        Ok(first == 'W')
    }
}

/// Pieces of an I/O must come out even.
///
/// # Errors
/// A sentence that names the option.
pub(crate) fn check_pieces(assembly: Assembly, block: u64) -> Result<(), String> {
    let even = |pieces: u32| block.is_multiple_of(u64::from(pieces));
    match assembly {
        Assembly::Copied { pieces } if !even(pieces) => Err(format!(
            "-mC{pieces}: {block} bytes cannot be cut into {pieces} equal pieces"
        )),
        Assembly::Scattered { pieces } if u64::from(pieces) * PAGE != block => Err(format!(
            "-mS{pieces}: pieces must be pages of {PAGE} bytes: {} for an I/O of {block} bytes",
            if block.is_multiple_of(PAGE) {
                format!("-mS{}", block / PAGE)
            } else {
                "choose a multiple of 4 with -b".to_owned()
            }
        )),
        _ => Ok(()),
    }
}

fn nothing(value: &str) -> Result<(), String> {
    if value.is_empty() {
        return Ok(());
    }
    Err(format!("'{value}' follows an option without a value"))
}

fn letters(value: &str) -> Result<Vec<char>, String> {
    let letters: Vec<char> = value.chars().collect();
    if !letters.is_empty() && letters.iter().all(char::is_ascii_alphabetic) {
        return Ok(letters);
    }
    Err(format!(
        "drive letters must follow, with nothing between, as in -dEF, not '{value}'"
    ))
}

fn pattern(value: &str) -> Result<Pattern, String> {
    match value.trim_matches([' ', '\t']) {
        "random" => Ok(Pattern::Random),
        "sequential" => Ok(Pattern::Sequential),
        factor => whole(factor, "the stripe factor", &ANY)
            .map(Pattern::Striped)
            .map_err(|problem| format!("{problem}, or one of random and sequential")),
    }
}

fn cpu(value: &str) -> Result<Binding, String> {
    let (ideal, number) = match value.strip_prefix('I') {
        Some(number) => (true, number),
        None => (false, value),
    };
    let number = whole(number, "the CPU", &(0..=63))?;
    Ok(Binding {
        mask: 1 << number,
        dealt: false,
        ideal,
    })
}

fn cpus(value: &str) -> Result<Binding, String> {
    let (dealt, rest) = match value.strip_prefix('R') {
        Some(rest) => (true, rest),
        None => (false, value),
    };
    let (ideal, rest) = match rest.strip_prefix('I') {
        Some(rest) if dealt => (true, rest),
        _ => (false, rest),
    };
    Ok(Binding {
        mask: mask(rest)?,
        dealt,
        ideal,
    })
}

fn assembly(value: &str) -> Result<Assembly, String> {
    let mut chars = value.chars();
    let how = chars.next();
    let pieces = || {
        let range = 1..=BLOCK_KIB_MAX << 10;
        small(chars.as_str(), "the number of pieces", &range)
    };
    match how {
        Some('C') => Ok(Assembly::Copied { pieces: pieces()? }),
        Some('S') => Ok(Assembly::Scattered { pieces: pieces()? }),
        _ => Err(format!(
            "C (copied) or S (scattered) and the number of pieces must follow, not '{value}'"
        )),
    }
}

fn timing(value: &str) -> Result<Timing, String> {
    let (timer, initiation) = match value {
        "S" => (Timer::System, false),
        "Si" => (Timer::System, true),
        "P" => (Timer::Processor, false),
        "Pi" => (Timer::Processor, true),
        _ => {
            return Err(format!(
                "the timer must be S (system) or P (processor), with i for initiation times too, \
                 not '{value}'"
            ));
        }
    };
    Ok(Timing { timer, initiation })
}

fn cpu_table(value: &str) -> Result<CpuTable, String> {
    match value {
        "" => Ok(CpuTable::Together),
        "p" => Ok(CpuTable::Each),
        _ => Err(format!("only p (each CPU) may follow, not '{value}'")),
    }
}

fn buffering(value: &str) -> Result<Buffering, String> {
    match value {
        "N" => Ok(Buffering::Nothing),
        "Y" => Ok(Buffering::Everything),
        "H" => Ok(Buffering::Disk),
        "S" => Ok(Buffering::File),
        _ => Err(format!(
            "the caches must be N (none), Y (all), H (the disk's) or S (the file system's), not \
             '{value}'"
        )),
    }
}

fn parameter_file(value: &str) -> Result<String, String> {
    if value.is_empty() {
        return Err("the name of a parameter file must follow without a blank".to_owned());
    }
    Ok(value.to_owned())
}
