//! Who would suffer from the load itself, though no byte of theirs is touched: a database server on
//! the same disk.

use std::path::Path;

use super::{Consent, Intent, Probe, consent};
use crate::plan::{Plan, Step, WriteRules};

/// Why a load of writes needs consent there, in one sentence; `None` if it does not. A face's lines
/// are run as its original would.
pub(super) fn judge(
    path: &Path,
    intent: Intent,
    given: Consent<'_>,
    probe: &dyn Probe,
) -> Option<String> {
    if given.rules == WriteRules::Named || intent == Intent::Read {
        return None;
    }
    let (process, file) = probe.database_beside(path)?;
    let covered = match probe.look(path) {
        Ok(look) => given.covers(path, &look, probe),
        Err(_) => given.covers_new(path, probe),
    };
    (!covered).then(|| {
        format!(
            "{} is on the disk on which {process} has {} open, and whoever uses that database \
             would wait for a load of writes: {}",
            consent::shown(path),
            consent::shown(&file),
            given.remedy(path)
        )
    })
}

/// Servers whose files only root sees may be anywhere.
pub(super) fn unseen(plan: &Plan, probe: &dyn Probe) -> Vec<String> {
    let makes = plan
        .steps
        .iter()
        .any(|step| matches!(step, Step::Prepare(_)));
    let targets = || plan.spans().flat_map(|span| &span.targets);
    let writes = || targets().any(|target| Intent::of_target(target) != Intent::Read);
    if plan.rules == WriteRules::Named || !(makes || writes()) {
        return Vec::new();
    }
    let line = |process| {
        format!(
            "{process} is a database server, and only root sees on which disk its files are: \
             a load of writes there would keep its users waiting"
        )
    };
    probe.unseen_databases().into_iter().map(line).collect()
}
