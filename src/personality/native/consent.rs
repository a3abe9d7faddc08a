//! `--destroy NAME` where nothing of the line has this name: a typing error, most often.

use std::path::Path;

use super::planning::usage_error;
use crate::{
    host,
    personality::{Environment, UsageError, plain},
    plan::Plan,
    units::names::shown,
};

/// Refuses a consent that was typed and that gives nothing away. A variable may stand for many lines.
///
/// # Errors
/// The first name that is no target.
pub(super) fn check(plan: &Plan, around: &Environment) -> Result<(), UsageError> {
    let settings = &around.settings;
    let typed = settings.given_as.get("IOGAUGE_DESTROY").map(String::as_str) == Some("--destroy");
    if !typed {
        return Ok(());
    }
    let idle = |name: &&String| !plan.paths().any(|path| same(Path::new(name), path));
    match settings.destroy.iter().find(idle) {
        None => Ok(()),
        Some(name) => {
            let name = shown(name.as_ref());
            Err(usage_error(&format!(
                "--destroy {name} names nothing that this line loads: name the target itself, or \
                 leave it out"
            )))
        }
    }
}

/// One name for both, or one file or device under two names.
fn same(name: &Path, path: &Path) -> bool {
    let identity = |path: &Path| host::look(path).ok().and_then(|look| look.identity);
    let named = identity(name);
    plain(name) == plain(path) || (named.is_some() && named == identity(path))
}
