//! What a line of `versus` asks for: two sides, a load, how often, and which differences matter.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use crate::{
    personality::{
        Environment, NAMES,
        native::{
            commands::{
                load::{CommonArgs, LoadArgs},
                quick::QuickArgs,
                versus::VersusArgs,
            },
            common, line, split,
        },
    },
    results::compare::Rule,
    units::{names::shown, number},
};

/// Cycles of A B B A where nobody says otherwise.
const CYCLES: u32 = 3;

/// The word of `quick`'s rows.
const QUICK: &str = "quick";

/// A line of `versus`, complete.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// A and B as typed.
    pub sides: [PathBuf; 2],
    /// What both do.
    pub load: Load,
    /// How often A B B A.
    pub cycles: u32,
    /// Which differences matter.
    pub rule: Rule,
}

/// What both sides do.
#[derive(Debug, Clone, PartialEq)]
pub enum Load {
    /// A load of our own.
    Own(Own),
    /// A line of a face, in each folder.
    Line {
        /// Which face.
        face: String,
        /// Its arguments.
        args: Vec<OsString>,
    },
}

/// A load of our own, but for its targets.
#[derive(Debug, Clone, PartialEq)]
pub enum Own {
    /// The corners of a disk; the path is each side's.
    Quick(Box<QuickArgs>),
    /// A profile or plan file, or options alone.
    Run {
        /// The profile or plan file.
        what: Option<PathBuf>,
        /// The options.
        options: Box<LoadArgs>,
    },
}

impl Asked {
    /// What the options say.
    ///
    /// # Errors
    /// A sentence with the option or word as typed.
    pub fn new(args: &VersusArgs) -> Result<Self, String> {
        let cycles = match &args.rounds {
            None => CYCLES,
            Some(text) => cycles(text)?,
        };
        let mut rule = Rule::default();
        if let Some(text) = &args.threshold {
            rule.threshold = threshold(text)?;
        }
        let (what, [a, b]) = match args.words.as_slice() {
            // The name alone is a forgotten side.
            [a, b] if a.as_os_str() != QUICK => (None, [a, b]),
            [what, a, b] if !is_target(what) => (Some(what), [a, b]),
            words => return Err(not_two(words)),
        };
        let load = if !args.line.is_empty() {
            if let Some(what) = what {
                return Err(format!(
                    "'{}' and a line behind -- are two loads: leave one out",
                    shown(what.as_os_str())
                ));
            }
            line_of_a_face(args)?
        } else if let Some(what) = what.filter(|what| what.as_os_str() == QUICK) {
            Load::Own(quick(&args.load, what)?)
        } else {
            Load::Own(options(&args.load, what)?)
        };
        Ok(Self {
            sides: [a.clone(), b.clone()],
            load,
            cycles,
            rule,
        })
    }

    /// The surroundings with what the options say of them.
    ///
    /// # Errors
    /// A sentence with the option as typed.
    pub fn settled(args: &VersusArgs, around: Environment) -> Result<Environment, String> {
        let common = line::common(&args.load)?;
        Ok(Environment {
            settings: common::heard(&common, around.settings.clone())?,
            ..around
        })
    }

    /// How the sides take turns, as the page says it.
    pub fn turns(&self) -> String {
        format!("A B B A, {} times", self.cycles)
    }
}

/// True for a first word that names neither a profile nor a plan.
fn is_target(word: &Path) -> bool {
    let plan = word.extension().is_some_and(|ending| ending == "toml");
    !plan && word.to_string_lossy().starts_with(['/', '.', '~'])
}

pub(super) fn not_two(words: &[PathBuf]) -> String {
    let typed: Vec<String> = words
        .iter()
        .map(|word| format!("'{}'", shown(word.as_os_str())))
        .collect();
    let given = if typed.is_empty() {
        "none was named".to_owned()
    } else {
        format!("{} is what was typed", typed.join(" "))
    };
    format!("versus compares two targets, and {given}: try iogauge versus quick /mnt/old /mnt/new")
}

/// A line behind `--`, with the options that hold for every load.
fn line_of_a_face(args: &VersusArgs) -> Result<Load, String> {
    let common = CommonArgs {
        seed: args.load.common.seed.clone(),
        keep: args.load.common.keep.clone(),
        ..CommonArgs::default()
    };
    let rest = LoadArgs {
        common,
        ..args.load.clone()
    };
    if rest != LoadArgs::default() {
        return Err(
            "a line behind -- is the whole load: of a load's options it leaves room for --engine, \
             --on-error, --destroy and --quiet"
                .to_owned(),
        );
    }
    let (face, args) = split(args.line.clone());
    if NAMES.contains(&face.as_str()) {
        return Ok(Load::Line { face, args });
    }
    Err(format!(
        "'{}' behind -- is no face: a line begins with {}",
        shown(face.as_ref()),
        NAMES.join(", ")
    ))
}

/// The rows of `quick`, shorter, as there are many rounds of each.
fn quick(load: &LoadArgs, word: &std::path::Path) -> Result<Own, String> {
    let own = LoadArgs {
        size: load.size.clone(),
        duration: load.duration.clone(),
        warmup: load.warmup.clone(),
        common: load.common.clone(),
        ..LoadArgs::default()
    };
    if own != *load {
        return Err(format!(
            "'{}' has rows of its own: of a load's options it takes --size, --duration, --warmup, \
             --engine, --seed, --on-error, --keep, --destroy and --quiet",
            shown(word.as_os_str())
        ));
    }
    let or = |typed: &Option<String>, short: &str| {
        let typed = typed.clone();
        Some(typed.unwrap_or_else(|| short.to_owned()))
    };
    Ok(Own::Quick(Box::new(QuickArgs {
        path: None,
        size: load.size.clone(),
        duration: or(&load.duration, "2s"),
        warmup: or(&load.warmup, "500ms"),
        common: load.common.clone(),
    })))
}

/// A profile keeps its own times, since they belong to what it is; options alone are shorter.
fn options(load: &LoadArgs, what: Option<&PathBuf>) -> Result<Own, String> {
    if load.verify.is_some() {
        return Err("--verify is for run: versus compares speed".to_owned());
    }
    if load.repeat.is_some() {
        return Err("--repeat is for run: versus has --rounds".to_owned());
    }
    if load.pause.is_some() {
        return Err("--pause is for the repetitions of run: versus takes turns".to_owned());
    }
    if load.until_steady.is_some() || !load.stop_if.is_empty() {
        return Err(
            "--until-steady and --stop-if are for run: both sides of versus are measured alike"
                .to_owned(),
        );
    }
    let mut options = load.clone();
    let limits = [&load.bytes, &load.ops, &load.passes];
    let timed = limits.iter().all(|limit| limit.is_none());
    if what.is_none() && timed {
        if load.duration.is_none() && load.fio.runtime.is_none() {
            options.duration = Some("5s".to_owned());
        }
        if load.warmup.is_none() && load.fio.ramp_time.is_none() {
            options.warmup = Some("1s".to_owned());
        }
    }
    Ok(Own::Run {
        what: what.cloned(),
        options: Box::new(options),
    })
}

fn cycles(text: &str) -> Result<u32, String> {
    number::within(text, 2, 100)
        .map(|number| number as u32)
        .map_err(|right| {
            format!(
                "--rounds '{}' is not {right}: an interval needs several pairs, and each round is \
                 two of them",
                shown(text.as_ref())
            )
        })
}

fn threshold(text: &str) -> Result<f64, String> {
    let wrong = || {
        format!(
            "--threshold '{}' is not a share from 0.1% to 1000%, such as 5%",
            shown(text.as_ref())
        )
    };
    let digits = text.strip_suffix('%').ok_or_else(wrong)?.trim_end();
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let percent: Option<f64> = digits.parse().ok();
    percent
        .filter(|percent| plain(whole) && plain(part) && (0.1..=1000.0).contains(percent))
        .map(|percent| percent / 100.0)
        .ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::number::STRANGE;

    fn args(words: &[&str], line: &str) -> VersusArgs {
        VersusArgs {
            words: words.iter().map(PathBuf::from).collect(),
            line: line.split_whitespace().map(OsString::from).collect(),
            ..VersusArgs::default()
        }
    }

    fn refused(args: &VersusArgs) -> String {
        Asked::new(args).unwrap_err()
    }

    #[test]
    fn a_line_of_a_face_for_two_folders() {
        let mut args = args(&["a", "b"], "diskspd.exe -b8K x");
        args.load.common.engine = Some("psync".to_owned());
        let asked = Asked::new(&args).unwrap();
        assert_eq!(asked.sides, ["a", "b"].map(PathBuf::from));
        let Load::Line { face, args: words } = &asked.load else {
            panic!("{asked:?}")
        };
        assert_eq!((face.as_str(), words.len()), ("diskspd", 2));
        assert_eq!(asked.turns(), "A B B A, 3 times");
        args.load.qd = Some("8".to_owned());
        assert!(refused(&args).starts_with("a line behind -- is the whole load"));
    }

    #[test]
    fn quick_is_short_and_has_its_own_rows() {
        let mut args = args(&["quick", "a", "b"], "");
        args.load.size = Some("64M".to_owned());
        let asked = Asked::new(&args).unwrap();
        let Load::Own(Own::Quick(quick)) = &asked.load else {
            panic!("{asked:?}")
        };
        assert_eq!(quick.duration.as_deref(), Some("2s"));
        assert_eq!(quick.warmup.as_deref(), Some("500ms"));
        assert_eq!(quick.size.as_deref(), Some("64M"));
        args.load.qd = Some("8".to_owned());
        assert!(refused(&args).starts_with("'quick' has rows of its own"));
    }

    #[test]
    fn options_are_short_and_profiles_keep_their_times() {
        let run = |args: &VersusArgs| match Asked::new(args).unwrap().load {
            Load::Own(Own::Run { what, options }) => (what, options.duration, options.warmup),
            other => panic!("{other:?}"),
        };
        let mut alone = args(&["a", "b"], "");
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(run(&alone), (None, some("5s"), some("1s")));
        alone.load.fio.runtime = some("7");
        assert_eq!(run(&alone), (None, None, some("1s")));
        alone.load.fio.runtime = None;
        alone.load.ops = some("1000");
        assert_eq!(run(&alone), (None, None, None));
        let profile = args(&["sqlserver/log", "a", "b"], "");
        assert_eq!(run(&profile), (Some("sqlserver/log".into()), None, None));
        alone.load.repeat = some("3");
        assert!(refused(&alone).contains("--rounds"));
    }

    #[test]
    fn numbers_out_of_range_are_refused_by_name() {
        for bad in ["0", "1", "101", "3.0", "9223372036854775808"]
            .iter()
            .chain(STRANGE)
        {
            let mut args = args(&["a", "b"], "sqlio x");
            args.rounds = Some((*bad).to_owned());
            let error = refused(&args);
            assert!(error.starts_with(&format!("--rounds '{bad}'")), "{error}");
            assert!(error.contains("from 2 to 100"), "{error}");
        }
        for bad in [
            "%", "5", "0%", "0.09%", "1001%", "-5%", "1e1%", "inf%", "NaN%", ".%", "5.%",
        ]
        .iter()
        .chain(STRANGE)
        {
            let mut args = args(&["a", "b"], "sqlio x");
            args.threshold = Some((*bad).to_owned());
            let error = refused(&args);
            assert!(
                error.starts_with(&format!("--threshold '{bad}'")),
                "{error}"
            );
        }
        for (good, share) in [("5%", 0.05), ("2.5 %", 0.025), ("1000%", 10.0)] {
            let mut args = args(&["a", "b"], "sqlio x");
            args.threshold = Some(good.to_owned());
            let asked = Asked::new(&args).unwrap();
            assert!((asked.rule.threshold - share).abs() < 1e-12);
        }
    }

    #[test]
    fn two_sides_and_one_load_are_needed() {
        for words in [
            &[][..],
            &["a"],
            &["quick", "a"],
            &["x", "a", "b", "c"],
            &["./a", "./b", "./c"],
            &["/mnt/a", "/mnt/b", "/mnt/c"],
        ] {
            let error = refused(&args(words, ""));
            assert!(error.starts_with("versus compares two targets"), "{error}");
        }
        let error = refused(&args(&["a", "b"], "fio x"));
        assert!(error.starts_with("'fio' behind -- is no face"), "{error}");
        let error = refused(&args(&["quick", "a", "b"], "sqlio x"));
        assert!(error.contains("are two loads"), "{error}");
    }
}
