//! Which engine a group of workers uses. An automatic choice takes the best that works here and
//! says which; an explicit choice is taken as it is, or the run fails.

use ioengine::{
    Caching, EngineKind, OpenError, Setup,
    registry::{self, Law, Polling},
};

use crate::{
    plan::{EngineChoice, SharedSequence, Stream, TimeSpan, WorkerGroup},
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

/// The engine of each group, and what a reader must know of the choice.
///
/// # Errors
/// A sentence: the engine does not fit what the group does.
pub(super) fn choose(
    choice: &EngineChoice,
    span: &TimeSpan,
) -> Result<(Vec<EngineKind>, Vec<Finding>), String> {
    let mut kinds = Vec::new();
    let mut findings = Vec::new();
    for group in &span.groups {
        let (kind, reason) = choose_for(choice, span, group)?;
        if kind == EngineKind::IoUring && group.slots() > RING_MAX {
            return Err(too_deep(group.slots()));
        }
        findings.extend(reason.map(|reason| caution("engine-replaced", reason)));
        findings.extend(less_in_flight(kind, span, group));
        kinds.push(kind);
    }
    findings.dedup();
    Ok((kinds, findings))
}

/// IORING_MAX_ENTRIES of the kernel (io_uring/io_uring.h).
const RING_MAX: u32 = 32768;

fn caution(code: &'static str, message: String) -> Finding {
    Finding {
        severity: Severity::Caution,
        code,
        message,
    }
}

/// The engine does not keep as much in flight as was asked.
fn less_in_flight(kind: EngineKind, span: &TimeSpan, group: &WorkerGroup) -> Option<Finding> {
    let slots = group.slots();
    // The original does mapped I/O one at a time too.
    if slots < 2 || kind == EngineKind::Mmap {
        return None;
    }
    let able = kind.capabilities();
    if !able.asynchronous {
        return Some(not_kept(kind, slots));
    }
    let buffered = |stream: &Stream| span.targets[stream.target.0].caching == Caching::Buffered;
    let doubtful = able.uses_files && !able.buffered_asynchronous;
    (doubtful && group.streams.iter().any(buffered)).then(|| {
        caution(
            "asynchronous-in-name",
            format!(
                "the kernel does buffered I/O of engine {kind} while it is submitted: fewer than \
                 the {slots} I/Os asked for are in flight; io_uring keeps them"
            ),
        )
    })
}

/// The engine of a shared sequence, and what a reader must know of the choice.
///
/// # Errors
/// A sentence: the engine does not fit what the sequence does.
pub(super) fn choose_for_sequence(
    choice: &EngineChoice,
    span: &TimeSpan,
    sequence: &SharedSequence,
) -> Result<(EngineKind, Vec<Finding>), String> {
    let mapped = span.targets.iter().any(|target| target.mapped.is_some());
    let direct = span
        .targets
        .iter()
        .any(|target| target.caching == Caching::Direct);
    let depth = sequence.backlog.unwrap_or(1);
    let mut findings = Vec::new();
    let kind = match choice {
        EngineChoice::Simulated(_) => EngineKind::Sim,
        EngineChoice::Named(kind) => {
            fits(*kind, mapped, direct)?;
            *kind
        }
        EngineChoice::Auto if mapped => EngineKind::Mmap,
        EngineChoice::Auto if sequence.backlog.is_none() => EngineKind::Psync,
        // The kernel's own asynchronous I/O is what the original uses.
        EngineChoice::Auto if works(EngineKind::Libaio).is_ok() => EngineKind::Libaio,
        EngineChoice::Auto => {
            let (kind, reason) = best_asynchronous(direct);
            findings.extend(reason.map(|reason| caution("engine-replaced", reason)));
            kind
        }
    };
    if kind == EngineKind::IoUring && depth >= RING_MAX {
        return Err(too_deep(depth));
    }
    if depth > 1 && !kind.capabilities().asynchronous {
        findings.push(not_kept(kind, depth));
    }
    Ok((kind, findings))
}

fn too_deep(slots: u32) -> String {
    format!(
        "{slots} I/Os outstanding in one thread are more than a ring of io_uring holds \
         ({RING_MAX}): use more threads and a lower queue depth"
    )
}

fn not_kept(kind: EngineKind, slots: u32) -> Finding {
    caution(
        "depth-not-kept",
        format!(
            "{slots} I/Os outstanding in a thread were asked for, but engine {kind} does one at a \
             time: the figures are those of queue depth 1"
        ),
    )
}

/// A named engine is taken as it is, or not at all.
fn fits(kind: EngineKind, mapped: bool, direct: bool) -> Result<(), String> {
    let able = kind.capabilities();
    if mapped && able.uses_files && kind != EngineKind::Mmap {
        return Err(format!(
            "memory-mapped I/O was asked for, which engine {kind} cannot do"
        ));
    }
    if !able.direct && direct {
        return Err(format!(
            "unbuffered I/O was asked for, which engine {kind} cannot do"
        ));
    }
    Ok(())
}

fn choose_for(
    choice: &EngineChoice,
    span: &TimeSpan,
    group: &WorkerGroup,
) -> Result<(EngineKind, Option<String>), String> {
    let targets = || {
        group
            .streams
            .iter()
            .map(|stream| &span.targets[stream.target.0])
    };
    let mapped = targets().filter(|target| target.mapped.is_some()).count();
    match choice {
        EngineChoice::Simulated(_) => Ok((EngineKind::Sim, None)),
        EngineChoice::Named(kind) => {
            let direct = targets().any(|target| target.caching == Caching::Direct);
            fits(*kind, mapped > 0, direct)?;
            Ok((*kind, None))
        }
        EngineChoice::Auto if mapped == group.streams.len() => Ok((EngineKind::Mmap, None)),
        EngineChoice::Auto if mapped > 0 => Err(
            "one thread cannot mix memory-mapped and ordinary targets; give them threads of their \
             own"
            .to_owned(),
        ),
        EngineChoice::Auto if group.slots() == 1 => Ok((EngineKind::Psync, None)),
        EngineChoice::Auto => {
            let direct = targets().all(|target| target.caching == Caching::Direct);
            Ok(best_asynchronous(direct))
        }
    }
}

/// io_uring where it works; else libaio, which stays asynchronous on direct I/O only; else psync.
/// What is not io_uring comes with the reason.
fn best_asynchronous(direct: bool) -> (EngineKind, Option<String>) {
    let refused = match works(EngineKind::IoUring) {
        Ok(()) => return (EngineKind::IoUring, None),
        // A system without it is no surprise.
        Err(OpenError::NotHere(_)) => None,
        Err(error) => Some(error),
    };
    let kind = if direct && works(EngineKind::Libaio).is_ok() {
        EngineKind::Libaio
    } else {
        EngineKind::Psync
    };
    (
        kind,
        refused.map(|error| format!("engine {kind} was taken: {error}")),
    )
}

fn works(kind: EngineKind) -> Result<(), OpenError> {
    if kind.capabilities().here {
        probe(kind)
    } else {
        Err(OpenError::NotHere(kind))
    }
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
