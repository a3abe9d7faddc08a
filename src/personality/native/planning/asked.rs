//! The options of a line together with what variables and the configuration file say.

use std::path::PathBuf;

use crate::personality::{
    DataChoice, Environment,
    native::{
        commands::{load::CommonArgs, run::RunArgs},
        config::{self, Config},
        line::{self, Asked, Data},
    },
};

/// What a line asks for, and the settings around it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Settled {
    /// The options of the line.
    pub(super) asked: Asked,
    /// The configuration file.
    pub(super) config: Config,
    /// Chance begins with it.
    pub(super) seed: u64,
    /// Test files stay.
    pub(super) keep: bool,
    /// What is written.
    pub(super) data: Data,
    /// Size of test files, where it was said.
    pub(super) size: Option<u64>,
}

impl Settled {
    /// Of a line of `run`.
    pub(super) fn new(args: &RunArgs, around: &Environment) -> Result<Self, String> {
        Self::of(line::read(&args.load)?, around)
    }

    /// Of a line that has nothing but what every load has.
    pub(super) fn common(args: &CommonArgs, around: &Environment) -> Result<Self, String> {
        let asked = Asked {
            seed: line::seed(args, None)?,
            keep: line::keep(args)?,
            ..Asked::default()
        };
        Self::of(asked, around)
    }

    fn of(asked: Asked, around: &Environment) -> Result<Self, String> {
        let settings = &around.settings;
        let config = config::load(settings.config_folder.as_deref(), &around.files)?;
        let variable = match settings.data {
            DataChoice::Default => None,
            DataChoice::Zeros => Some(Data::Zeros),
            // What we write ourselves is random.
            DataChoice::Random | DataChoice::Original => Some(Data::Random),
        };
        let data = asked.data.clone().or(variable).or(config.data.clone());
        Ok(Self {
            seed: asked.seed.unwrap_or(u64::from(around.clock_seed)),
            keep: asked.keep.or(config.keep).unwrap_or(false),
            data: data.unwrap_or(Data::Random),
            size: asked.size.or(config.size),
            config,
            asked,
        })
    }

    /// Notes of the report: how the same offsets are had again, and what is left behind.
    pub(super) fn notes(&self, made: &[PathBuf]) -> Vec<String> {
        let mut notes = self.asked.notes.clone();
        if self.asked.seed.is_none() {
            notes.push(format!("--seed {} gives the same offsets again", self.seed));
        }
        if self.keep && !made.is_empty() {
            let shown: Vec<String> = made.iter().map(|path| path.display().to_string()).collect();
            notes.push(format!("kept: {}", shown.join(", ")));
        }
        notes
    }
}
