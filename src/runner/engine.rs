//! Which engine a group of workers uses. An automatic choice takes the best that works here and
//! says which; an explicit choice is taken as it is, or the run fails.

use ioengine::{
    Caching, EngineKind, OpenError, Setup,
    registry::{self, Law, Polling},
};

use crate::{
    plan::{EngineChoice, TimeSpan, WorkerGroup},
    results::{Finding, Severity, SpanResult},
};

/// False if the choice opens no target at all.
pub(super) fn uses_files(choice: &EngineChoice) -> bool {
    match choice {
        EngineChoice::Auto => true,
        EngineChoice::Named(kind) => kind.capabilities().uses_files,
        EngineChoice::Simulated(_) => false,
    }
}

/// The law of a simulated device; the default one for all others.
pub(super) fn law(choice: &EngineChoice) -> Law {
    match choice {
        EngineChoice::Simulated(law) => law.clone(),
        EngineChoice::Auto | EngineChoice::Named(_) => Law::default(),
    }
}

/// The engine of each group.
///
/// # Errors
/// A sentence: the engine does not fit what the group does.
pub(super) fn choose(choice: &EngineChoice, span: &TimeSpan) -> Result<Vec<EngineKind>, String> {
    span.groups
        .iter()
        .map(|group| choose_for(choice, span, group))
        .collect()
}

fn choose_for(
    choice: &EngineChoice,
    span: &TimeSpan,
    group: &WorkerGroup,
) -> Result<EngineKind, String> {
    let targets = || {
        group
            .streams
            .iter()
            .map(|stream| &span.targets[stream.target.0])
    };
    let mapped = targets().filter(|target| target.mapped.is_some()).count();
    match choice {
        EngineChoice::Simulated(_) => Ok(EngineKind::Sim),
        EngineChoice::Named(kind) => {
            let able = kind.capabilities();
            if mapped > 0 && able.uses_files && *kind != EngineKind::Mmap {
                return Err(format!(
                    "memory-mapped I/O was asked for, which engine {kind} cannot do"
                ));
            }
            if !able.direct && targets().any(|target| target.caching == Caching::Direct) {
                return Err(format!(
                    "unbuffered I/O was asked for, which engine {kind} cannot do"
                ));
            }
            Ok(*kind)
        }
        EngineChoice::Auto if mapped == group.streams.len() => Ok(EngineKind::Mmap),
        EngineChoice::Auto if mapped > 0 => Err(
            "one thread cannot mix memory-mapped and ordinary targets; give them threads of their \
             own"
            .to_owned(),
        ),
        EngineChoice::Auto if group.slots() == 1 => Ok(EngineKind::Psync),
        EngineChoice::Auto => {
            let direct = targets().all(|target| target.caching == Caching::Direct);
            Ok(best_asynchronous(direct))
        }
    }
}

/// io_uring where it works; else libaio, which stays asynchronous on direct I/O only; else psync.
fn best_asynchronous(direct: bool) -> EngineKind {
    if works(EngineKind::IoUring) {
        EngineKind::IoUring
    } else if direct && works(EngineKind::Libaio) {
        EngineKind::Libaio
    } else {
        EngineKind::Psync
    }
}

fn works(kind: EngineKind) -> bool {
    kind.capabilities().here && probe(kind).is_ok()
}

/// Opens and closes the smallest engine of this kind.
pub(super) fn probe(kind: EngineKind) -> Result<(), OpenError> {
    let setup = Setup {
        depth: 1,
        polling: Polling::Interrupt,
        ..Setup::default()
    };
    registry::open(kind, setup).map(drop)
}

/// What a reader must know about the engine that was used.
pub(super) fn findings(result: &SpanResult) -> Vec<Finding> {
    let mut findings = Vec::new();
    if result.simulated {
        findings.push(Finding {
            severity: Severity::Misleading,
            code: "simulated",
            message: format!(
                "engine {} touches no storage: the figures are those of a simulation",
                result.engine
            ),
        });
    }
    findings.extend(result.engine_notes.iter().map(|note| Finding {
        severity: Severity::Note,
        code: "engine",
        message: note.clone(),
    }));
    findings
}
