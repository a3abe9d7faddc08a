//! Our own options that may stand before a face, and the IOGAUGE_* variables that say the same.

use std::{collections::BTreeMap, ffi::OsString, path::PathBuf};

use crate::{
    host::{Machine, MachineError, parse_machine},
    plan::{Content, ENGINES, EngineChoice, EngineKind, Law, OnError},
};

/// What options and variables say. Options win over variables.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// `IOGAUGE_ENGINE`, `--engine`.
    pub engine: Option<EngineChoice>,
    /// `IOGAUGE_ON_ERROR`, `--on-error`.
    pub on_error: Option<OnError>,
    /// `IOGAUGE_DESTROY`, `--destroy`: devices or files that may be destroyed.
    pub destroy: Vec<String>,
    /// `IOGAUGE_QUIET`, `-q`: no notes on standard error.
    pub quiet: bool,
    /// `IOGAUGE_DATA`.
    pub data: DataChoice,
    /// `IOGAUGE_DRIVES`: drive letters (upper case) and disk numbers to paths.
    pub drives: BTreeMap<String, PathBuf>,
    /// `XDG_RUNTIME_DIR`: the user's folder for files that live as long as processes.
    pub runtime_folder: Option<PathBuf>,
    /// `IOGAUGE_DISKSPD`: the version of `DiskSpd` whose text report is wanted.
    pub diskspd: DiskSpdVersion,
    /// `IOGAUGE_SYSBENCH`: the version of sysbench whose rules hold, whatever a line looks like.
    pub sysbench: Option<SysbenchVersion>,
    /// `IOGAUGE_MACHINE`: the machine that profiles are resolved for.
    pub machine: Option<Machine>,
    /// `$XDG_CONFIG_HOME/iogauge`, else `~/.config/iogauge`: the user's own settings and profiles.
    pub config_folder: Option<PathBuf>,
    /// Variables that are set and that this version does not act on.
    pub without_effect: Vec<&'static str>,
    /// What each of these variables was given as, where it was given: `--engine`, or its own name.
    pub given_as: BTreeMap<&'static str, String>,
    /// The value of each of these, as it was given.
    pub values: BTreeMap<&'static str, String>,
}

/// A value, and what it was given as: `IOGAUGE_ENGINE`, or `--engine`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The name that messages show.
    pub name: String,
    /// The value.
    pub value: OsString,
}

/// A value that is text.
struct Text {
    name: String,
    value: String,
}

impl Text {
    fn wrong(&self, right: &str) -> String {
        wrong(&self.name, &self.value, right)
    }

    /// The meaning among these.
    fn one_of<T: Copy>(&self, known: &[(&str, T)], right: &str) -> Result<T, String> {
        let found = known.iter().find(|(word, _)| *word == self.value);
        found
            .map(|(_, meaning)| *meaning)
            .ok_or_else(|| self.wrong(right))
    }
}

/// Variables that a setting comes from.
const VARIABLES: &[&str] = &[
    "IOGAUGE_ENGINE",
    "IOGAUGE_ON_ERROR",
    "IOGAUGE_DESTROY",
    "IOGAUGE_QUIET",
    "IOGAUGE_DATA",
    "IOGAUGE_DRIVES",
    "IOGAUGE_DISKSPD",
    "IOGAUGE_SYSBENCH",
    "IOGAUGE_MACHINE",
];

/// Variables of later versions, and a value that asks for nothing.
const LATER: &[(&str, &str)] = &[
    ("IOGAUGE_HISTORY", "off"),
    ("IOGAUGE_OUTPUT", ""),
    ("IOGAUGE_STRICT", "0"),
];

impl Settings {
    /// What the IOGAUGE_* variables say; an empty one says nothing.
    ///
    /// # Errors
    /// A sentence with the variable, its value, and what would be right.
    pub fn from_variables(lookup: &dyn Fn(&str) -> Option<OsString>) -> Result<Self, String> {
        Self::from_given(&|name| {
            lookup(name).map(|value| Given {
                name: name.to_owned(),
                value,
            })
        })
    }

    /// The same, where the value of a variable may have been given as something else.
    ///
    /// # Errors
    /// A sentence with the name of what was given, its value, and what would be right.
    pub fn from_given(lookup: &dyn Fn(&str) -> Option<Given>) -> Result<Self, String> {
        let mut settings = Self::default();
        for variable in VARIABLES {
            if let Some(given) = lookup(variable) {
                settings.set(variable, given)?;
            }
        }
        // The rules of these variables say that a relative path means nothing.
        let folder = |variable| {
            lookup(variable)
                .map(|given| PathBuf::from(given.value))
                .filter(|folder| folder.is_absolute())
        };
        settings.runtime_folder = folder("XDG_RUNTIME_DIR");
        settings.config_folder = folder("XDG_CONFIG_HOME")
            .or_else(|| Some(folder("HOME")?.join(".config")))
            .map(|folder| folder.join("iogauge"));
        let asks = |(name, nothing): &(&str, &str)| {
            lookup(name).is_some_and(|given| !given.value.is_empty() && given.value != *nothing)
        };
        settings.without_effect = LATER
            .iter()
            .filter(|later| asks(later))
            .map(|(name, _)| *name)
            .collect();
        Ok(settings)
    }

    /// What one variable says, or an option in its place; it replaces what was said before. An empty
    /// value says nothing.
    ///
    /// # Errors
    /// A sentence with the name of what was given, its value, and what would be right.
    pub fn set(&mut self, variable: &'static str, given: Given) -> Result<(), String> {
        let Given { name, value } = given;
        let text = match value.into_string() {
            Ok(value) if value.is_empty() => return Ok(()),
            Ok(value) => Text { name, value },
            Err(value) => return Err(wrong(&name, &value.to_string_lossy(), "valid UTF-8")),
        };
        match variable {
            "IOGAUGE_ENGINE" => {
                self.engine = Some(engine(&text.value).map_err(|right| text.wrong(&right))?);
            }
            "IOGAUGE_ON_ERROR" => {
                let known = [("stop", OnError::Stop), ("continue", OnError::Continue)];
                self.on_error = Some(text.one_of(&known, "stop or continue")?);
            }
            "IOGAUGE_DESTROY" => self.destroy = names(&text.value),
            "IOGAUGE_QUIET" => {
                self.quiet = text.one_of(&[("1", true), ("0", false)], "1 (quiet) or 0")?;
            }
            "IOGAUGE_DATA" => {
                let known = [
                    ("original", DataChoice::Original),
                    ("zeros", DataChoice::Zeros),
                    ("random", DataChoice::Random),
                ];
                self.data = text.one_of(&known, "original, zeros or random")?;
            }
            "IOGAUGE_DRIVES" => {
                self.drives = drives(&text.value).map_err(|right| text.wrong(&right))?;
            }
            "IOGAUGE_MACHINE" => {
                let machine = parse_machine(&text.value);
                self.machine = Some(machine.map_err(|error| text.wrong(&right(&error)))?);
            }
            "IOGAUGE_DISKSPD" => {
                let known = [
                    ("2.0", DiskSpdVersion::V2_0),
                    ("2.1", DiskSpdVersion::V2_1),
                    ("2.2", DiskSpdVersion::V2_2),
                ];
                self.diskspd = text.one_of(&known, "2.0, 2.1 or 2.2")?;
            }
            _ => {
                let known = [
                    ("0.4", SysbenchVersion::V0_4),
                    ("1.0", SysbenchVersion::V1_0),
                ];
                self.sysbench = Some(text.one_of(&known, "0.4 or 1.0")?);
            }
        }
        self.values.insert(variable, text.value);
        self.given_as.insert(variable, text.name);
        Ok(())
    }

    /// Lines for standard error, whatever is done with the settings.
    pub fn warnings(&self) -> Vec<String> {
        let warning = |name: &&str| format!("WARNING: {name} has no effect in this version");
        self.without_effect.iter().map(warning).collect()
    }
}

/// What a machine in words must be.
fn right(error: &MachineError) -> String {
    format!("facts such as lp=32,numa=2,sock=2,soft=4 ({error})")
}

/// A sentence about a value that means nothing.
pub(super) fn wrong(name: &str, value: &str, right: &str) -> String {
    let value = value.escape_debug();
    format!("{name}='{value}' is not understood: it must be {right}")
}

/// What can be said of a simulated device.
const LAW_KEYS: &[&str] = &[
    "seed",
    "servers",
    "read",
    "write",
    "flush",
    "per_byte",
    "submit",
    "error_every",
    "short_every",
    "hang_after",
    "order",
    "stall",
    "size",
];

/// An engine's name, or `sim:` and the law of the simulated device.
fn engine(value: &str) -> Result<EngineChoice, String> {
    if let Some(law) = value.strip_prefix("sim:") {
        return law
            .parse()
            .map(EngineChoice::Simulated)
            .map_err(|problem: String| {
                let keys = LAW_KEYS.join(", ");
                format!(
                    "sim or sim:<key>=<value>,<key>=<value>... with keys of {keys}, as in \
                     sim:read=fixed:100us,servers=8 ({problem})"
                )
            });
    }
    match value {
        "auto" => Ok(EngineChoice::Auto),
        "sim" => Ok(EngineChoice::Simulated(Law::default())),
        name => name
            .parse::<EngineKind>()
            .map(EngineChoice::Named)
            .map_err(|_| {
                let known = ENGINES.iter().map(|(_, c)| c.name);
                let known: Vec<&str> = known.collect();
                format!("auto, sim:<law> or one of {}", known.join(", "))
            }),
    }
}

fn names(value: &str) -> Vec<String> {
    let names = value.split(',').filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

/// `E=/mnt/e,9=/dev/sdb`: letters and numbers to paths.
fn drives(value: &str) -> Result<BTreeMap<String, PathBuf>, String> {
    let right =
        |what: &str| format!("entries like E=/mnt/e or 9=/dev/sdb, with commas between; {what}");
    let mut drives = BTreeMap::new();
    for entry in value.split(',').filter(|entry| !entry.is_empty()) {
        let Some((name, path)) = entry.split_once('=') else {
            return Err(right(&format!("'{entry}' has no '='")));
        };
        let name = name.strip_suffix(':').unwrap_or(name);
        let letter = name.len() == 1 && name.bytes().all(|b| b.is_ascii_alphabetic());
        let number = !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
        if !letter && !number {
            return Err(right(&format!(
                "'{name}' is neither a drive letter nor a disk number"
            )));
        }
        if path.is_empty() {
            return Err(right(&format!("'{entry}' has no path")));
        }
        if drives
            .insert(name.to_ascii_uppercase(), PathBuf::from(path))
            .is_some()
        {
            return Err(right(&format!("'{name}' is there twice")));
        }
    }
    Ok(drives)
}

/// A version of `DiskSpd` with a text report of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum DiskSpdVersion {
    /// 2.0.11 to 2.0.15: decimal names of units, one line on caches, no system information.
    V2_0,
    /// 2.1: before the topology of the machine.
    V2_1,
    /// 2.2.
    #[default]
    V2_2,
}

/// A version of sysbench with rules and reports of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SysbenchVersion {
    /// 0.4.12.
    V0_4,
    /// 1.0.20.
    V1_0,
}

/// Content of files that a face creates, and of write buffers where the line does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DataChoice {
    /// Random bytes, told once on standard error.
    #[default]
    Default,
    /// Random bytes, asked for.
    Random,
    /// Zeros.
    Zeros,
    /// What the original wrote.
    Original,
}

impl DataChoice {
    /// The content of new files, where the original wrote `original`.
    pub fn content(self, original: Content) -> Content {
        match self {
            Self::Default | Self::Random => Content::Random,
            Self::Zeros => Content::Zeros,
            Self::Original => original,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &'static str, value: &'static str) -> Result<Settings, String> {
        Settings::from_variables(&|asked| (asked == name).then(|| OsString::from(value)))
    }

    #[test]
    fn variables_say_what_options_say() {
        assert_eq!(Settings::from_variables(&|_| None), Ok(Settings::default()));
        let engine = |value| with("IOGAUGE_ENGINE", value).unwrap().engine;
        assert_eq!(
            engine("libaio"),
            Some(EngineChoice::Named(EngineKind::Libaio))
        );
        assert_eq!(engine("sim"), Some(EngineChoice::Simulated(Law::default())));
        assert_eq!(engine("auto"), Some(EngineChoice::Auto));
        assert!(matches!(engine("sim:"), Some(EngineChoice::Simulated(_))));
        let on_error = with("IOGAUGE_ON_ERROR", "continue").unwrap().on_error;
        assert_eq!(on_error, Some(OnError::Continue));
        let destroy = with("IOGAUGE_DESTROY", "/dev/sdb,x.dat").unwrap().destroy;
        assert_eq!(destroy, ["/dev/sdb", "x.dat"]);
        assert!(with("IOGAUGE_QUIET", "1").unwrap().quiet);
        assert!(!with("IOGAUGE_QUIET", "").unwrap().quiet);
        let data = |value| with("IOGAUGE_DATA", value).unwrap().data;
        assert_eq!(data("original"), DataChoice::Original);
        assert_eq!(data("zeros"), DataChoice::Zeros);
        assert_eq!(data("random"), DataChoice::Random);
        let version = |value| with("IOGAUGE_DISKSPD", value).unwrap().diskspd;
        assert_eq!(version("2.0"), DiskSpdVersion::V2_0);
        assert_eq!(version("2.1"), DiskSpdVersion::V2_1);
        assert_eq!(version("2.2"), DiskSpdVersion::default());
        let rules = |value| with("IOGAUGE_SYSBENCH", value).unwrap().sysbench;
        assert_eq!(rules("0.4"), Some(SysbenchVersion::V0_4));
        assert_eq!(rules("1.0"), Some(SysbenchVersion::V1_0));
        assert_eq!(rules(""), None);
        let machine = with("IOGAUGE_MACHINE", "lp=32,sock=2").unwrap().machine;
        assert_eq!(machine.map(|machine| machine.sockets()), Some(2));
        let folder = |value| with("XDG_RUNTIME_DIR", value).unwrap().runtime_folder;
        assert_eq!(folder("/run/user/7"), Some(PathBuf::from("/run/user/7")));
        assert_eq!(folder("run"), None);
        let drives = with("IOGAUGE_DRIVES", "e=/mnt/e,9=/dev/sdb,D:=.")
            .unwrap()
            .drives;
        let drives: Vec<_> = drives
            .iter()
            .map(|(k, v)| (k.as_str(), v.to_str()))
            .collect();
        assert_eq!(
            drives,
            [
                ("9", Some("/dev/sdb")),
                ("D", Some(".")),
                ("E", Some("/mnt/e"))
            ]
        );
    }

    #[test]
    fn bad_values_name_variable_value_and_remedy() {
        for (name, value, right) in [
            ("IOGAUGE_ENGINE", "fast", "io_uring"),
            ("IOGAUGE_ENGINE", "sim:foo", "servers, read, write"),
            ("IOGAUGE_ON_ERROR", "ignore", "continue"),
            ("IOGAUGE_QUIET", "yes", "1"),
            ("IOGAUGE_DATA", "noise", "original"),
            ("IOGAUGE_DISKSPD", "2.3", "2.2"),
            ("IOGAUGE_SYSBENCH", "0.5", "1.0"),
            ("IOGAUGE_MACHINE", "lp=x", "lp=32,numa=2"),
            ("IOGAUGE_DRIVES", "EE=/mnt", "E=/mnt/e"),
            ("IOGAUGE_DRIVES", "E", "E=/mnt/e"),
            ("IOGAUGE_DRIVES", "E=", "E=/mnt/e"),
            ("IOGAUGE_DRIVES", "E=/a,e=/b", "E=/mnt/e"),
        ] {
            let message = with(name, value).unwrap_err();
            assert!(
                message.contains(name) && message.contains(value) && message.contains(right),
                "{message}"
            );
        }
    }

    #[test]
    fn the_keys_of_a_law_are_those_that_it_takes() {
        let problem = "foo=1".parse::<Law>().unwrap_err();
        assert!(problem.ends_with(&LAW_KEYS.join(", ")), "{problem}");
        let example = engine("sim:read=fixed:100us,servers=8");
        assert!(matches!(example, Ok(EngineChoice::Simulated(law)) if law.servers == 8));
    }

    #[test]
    fn variables_of_later_versions_are_told() {
        for (name, value) in [
            ("IOGAUGE_STRICT", "1"),
            ("IOGAUGE_OUTPUT", "x.json"),
            ("IOGAUGE_HISTORY", "all"),
        ] {
            let warnings = with(name, value).unwrap().warnings();
            assert!(
                warnings.len() == 1 && warnings[0].contains(name),
                "{warnings:?}"
            );
            assert!(with(name, "").unwrap().warnings().is_empty());
        }
        let off = with("IOGAUGE_HISTORY", "off").unwrap();
        assert!(off.warnings().is_empty());
    }
}
