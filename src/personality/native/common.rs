//! Options of every load that are settings too: they win over variables and over what stands before
//! the command.

use super::{commands::load::CommonArgs, planning::usage_error};
use crate::personality::{Environment, Settings, UsageError, settings::Given};

/// The settings once these options are heard.
///
/// # Errors
/// A sentence with the option as typed.
pub(super) fn heard(args: &CommonArgs, mut settings: Settings) -> Result<Settings, String> {
    let destroy = (!args.destroy.is_empty()).then(|| args.destroy.join(","));
    let quiet = args.quiet.then(|| "1".to_owned());
    for (variable, name, value) in [
        ("IOGAUGE_ENGINE", "--engine", args.engine.clone()),
        ("IOGAUGE_ON_ERROR", "--on-error", args.on_error.clone()),
        ("IOGAUGE_DESTROY", "--destroy", destroy),
        ("IOGAUGE_QUIET", "--quiet", quiet),
    ] {
        if let Some(value) = value {
            let name = name.to_owned();
            settings.set(
                variable,
                Given {
                    name,
                    value: value.into(),
                },
            )?;
        }
    }
    Ok(settings)
}

/// The surroundings with these options.
pub(super) fn settled(args: &CommonArgs, around: &Environment) -> Result<Environment, UsageError> {
    let settings = heard(args, around.settings.clone());
    Ok(Environment {
        settings: settings.map_err(|sentence| usage_error(&sentence))?,
        ..around.clone()
    })
}
