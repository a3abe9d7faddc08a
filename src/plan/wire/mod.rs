//! Plans as TOML: what `explain --as toml` writes and `run plan.toml` reads; for people, and for
//! keeping.
//!
//! The types here are the format, apart from the plan's own, so that the plan may change without
//! the format. A file begins with the format's version. Everything but the essence of a load may be
//! left out when a person writes a plan; what that means is in `docs/plans.md`.
//!
//! Consent is no part of a plan file, so that nobody destroys anything by running a file that came
//! from somewhere else: neither names that may be destroyed nor the rule that naming a file is the
//! consent ([`WriteRules::Named`]) are written or read.

mod emit;
mod load;
mod locate;
mod pattern;
mod sequence;
mod sizes;
mod span;
mod target;
#[cfg(test)]
mod tests;
mod values;
mod via;
mod words;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::{
    span::SpanWire,
    target::{CleanupWire, PrepareWire},
    values::{Count, Name},
    via::ViaOption,
};
use super::{
    EngineChoice, Events, OnError, Origin, Plan, Step, WriteRules,
    validate::{PlanError, validate},
};

/// The version of the format that is written, and the only one that is read.
pub const VERSION: u32 = 1;
/// Bytes of a plan file at most.
pub const SIZE_MAX: usize = 16 << 20;
/// The key of the version, which every plan file begins with.
pub const VERSION_KEY: &str = "iogauge-plan";

/// Why a text is no plan, or a plan no text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WireError {
    /// More than any plan needs.
    #[error("a plan file has at most {SIZE_MAX} bytes, and this one has {0}")]
    TooLarge(usize),
    /// No version.
    #[error("this is no plan file: its first line must be {VERSION_KEY} = {VERSION}")]
    NoVersion,
    /// Another version.
    #[error(
        "line {line}: {VERSION_KEY} = {found} is a version that this program does not know: \
         {VERSION} is right"
    )]
    Version {
        /// Where.
        line: usize,
        /// What is there.
        found: String,
    },
    /// Something in the text.
    #[error("line {line}{}: {message}", at(.key))]
    Text {
        /// From 1.
        line: usize,
        /// The path of keys, `step[1].run.duration`; empty where the text is no TOML.
        key: String,
        /// What is wrong and what would be right.
        message: String,
    },
    /// A whole that does not fit together.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A plan that has no text.
    #[error("{0}")]
    Unwritable(String),
}

fn at(key: &str) -> String {
    if key.is_empty() {
        String::new()
    } else {
        format!(", {key}")
    }
}

/// A whole file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct PlanWire {
    iogauge_plan: Count<u32>,
    #[serde(with = "EngineWire", default = "auto")]
    engine: EngineChoice,
    #[serde(with = "OnErrorWire", default = "stop")]
    on_error: OnError,
    #[serde(with = "OriginWire", default = "by_hand")]
    origin: Origin,
    #[serde(with = "EventsWire", default, skip_serializing_if = "is_default")]
    events: Events,
    #[serde(default)]
    step: Vec<StepWire>,
}

/// `[[step]]`: a table with one of these keys.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StepWire {
    Prepare(PrepareWire),
    Run(Box<SpanWire>),
    Cleanup(CleanupWire),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "OnError", rename_all = "kebab-case")]
enum OnErrorWire {
    Stop,
    Continue,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Origin", rename_all = "kebab-case", deny_unknown_fields)]
struct OriginWire {
    personality: String,
    #[serde(default)]
    command_line: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Events", rename_all = "kebab-case", deny_unknown_fields)]
struct EventsWire {
    #[serde(
        with = "ViaOption::<Name>",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    wait_before_start: Option<PathBuf>,
    #[serde(
        with = "ViaOption::<Name>",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    stop_when: Option<PathBuf>,
    #[serde(
        with = "ViaOption::<Name>",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    signal_started: Option<PathBuf>,
    #[serde(
        with = "ViaOption::<Name>",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    signal_finished: Option<PathBuf>,
}

/// `auto`, an engine's name, or `sim:` and the law of the simulated device.
struct EngineWire;

impl EngineWire {
    fn serialize<S: serde::Serializer>(engine: &EngineChoice, to: S) -> Result<S::Ok, S::Error> {
        match engine {
            EngineChoice::Auto => to.serialize_str("auto"),
            EngineChoice::Named(kind) => to.collect_str(kind),
            EngineChoice::Simulated(law) => to.collect_str(&format_args!("sim:{law}")),
        }
    }

    fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<EngineChoice, D::Error> {
        let text = String::deserialize(from)?;
        if text == "auto" {
            return Ok(EngineChoice::Auto);
        }
        let choice = match text.strip_prefix("sim:") {
            Some(law) => law.parse().map(EngineChoice::Simulated),
            None => text.parse().map(EngineChoice::Named),
        };
        choice.map_err(|problem| serde::de::Error::custom(format_args!("{problem}, or auto")))
    }
}

fn auto() -> EngineChoice {
    EngineChoice::Auto
}

fn stop() -> OnError {
    OnError::Stop
}

fn by_hand() -> Origin {
    Origin {
        personality: "iogauge".to_owned(),
        command_line: String::new(),
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl From<&Plan> for PlanWire {
    fn from(plan: &Plan) -> Self {
        let step = |step: &Step| match step {
            Step::Prepare(prepare) => StepWire::Prepare(prepare.into()),
            Step::Run(span) => StepWire::Run(Box::new(span.into())),
            Step::Cleanup(cleanup) => StepWire::Cleanup(cleanup.into()),
        };
        Self {
            iogauge_plan: Count(VERSION),
            engine: plan.engine.clone(),
            on_error: plan.on_error,
            origin: plan.origin.clone(),
            events: plan.events.clone(),
            step: plan.steps.iter().map(step).collect(),
        }
    }
}

impl From<PlanWire> for Plan {
    fn from(wire: PlanWire) -> Self {
        let step = |step: StepWire| match step {
            StepWire::Prepare(prepare) => Step::Prepare(prepare.into()),
            StepWire::Run(span) => Step::Run((*span).into()),
            StepWire::Cleanup(cleanup) => Step::Cleanup(cleanup.into()),
        };
        Self {
            steps: wire.step.into_iter().map(step).collect(),
            origin: wire.origin,
            engine: wire.engine,
            on_error: wire.on_error,
            consent: Vec::new(),
            rules: WriteRules::Own,
            events: wire.events,
        }
    }
}

/// The plan as TOML.
///
/// # Errors
/// [`WireError::Unwritable`]: a file has a name that is not valid UTF-8.
pub fn to_toml(plan: &Plan) -> Result<String, WireError> {
    toml::Table::try_from(PlanWire::from(plan))
        .map(|table| emit::emit(&table))
        .map_err(|error| WireError::Unwritable(error.to_string().trim_end().to_owned()))
}

/// The plan that a text says, validated. It has no consent to destroy anything, and our own rules
/// of what may be written, whatever plan was written into the text.
///
/// # Errors
/// What is wrong, where, and what would be right.
pub fn from_toml(text: &str) -> Result<Plan, WireError> {
    let plan = read(text)?;
    validate(&plan)?;
    Ok(plan)
}

/// The plan, whether or not its parts fit together.
fn read(text: &str) -> Result<Plan, WireError> {
    if text.len() > SIZE_MAX {
        return Err(WireError::TooLarge(text.len()));
    }
    let document = toml::de::DeTable::parse(text).map_err(|error| located(text, None, &error))?;
    version(text, document.get_ref())?;
    let wire: PlanWire =
        toml::from_str(text).map_err(|error| located(text, Some(document.get_ref()), &error))?;
    Ok(wire.into())
}

/// Before anything else, so that a file of a later version is not blamed for keys of its own.
fn version(text: &str, document: &toml::de::DeTable<'_>) -> Result<(), WireError> {
    let Some((_, value)) = document
        .iter()
        .find(|(key, _)| key.get_ref() == VERSION_KEY)
    else {
        return Err(WireError::NoVersion);
    };
    let found = text.get(value.span()).unwrap_or_default();
    if found.parse() == Ok(VERSION) {
        return Ok(());
    }
    Err(WireError::Version {
        line: locate::line(text, value.span().start),
        found: crate::units::names::shown(found.as_ref()),
    })
}

fn located(
    text: &str,
    document: Option<&toml::de::DeTable<'_>>,
    error: &toml::de::Error,
) -> WireError {
    let at = error.span().map_or(0, |span| span.start);
    WireError::Text {
        line: locate::line(text, at),
        key: document.map_or_else(String::new, |document| locate::key_path(document, at)),
        message: crate::units::names::escaped(error.message().trim_end()),
    }
}
