//! Making a ring: the best set-up flags that the kernel has, and a sentence when it refuses.

use std::{fs, io};

use io_uring::{Builder, IoUring};

use crate::{EngineKind, OpenError, Setup, registry::Polling, sys};

/// IORING_MAX_ENTRIES (io_uring/io_uring.c).
const ENTRIES_MAX: u32 = 32_768;

/// How far the set-up steps down on kernels that lack the newer flags.
const STEPS: &[(Step, &str)] = &[
    (Step::Direct, ""),
    (Step::Deferred, ""),
    (
        Step::Cooperative,
        "deferred task run: not in this kernel (Linux 6.1), cooperative instead",
    ),
    (
        Step::Plain,
        "cooperative task run: not in this kernel (Linux 5.19), completions interrupt the worker",
    ),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// As `Deferred`, without the index array that we do not use (Linux 6.6).
    Direct,
    /// One thread submits, and completions are worked off when it waits (Linux 6.1).
    Deferred,
    /// Completions are worked off at the next call (Linux 5.19).
    Cooperative,
    /// As in the first kernels.
    Plain,
}

/// Makes the ring.
pub(super) fn build(setup: &Setup, notes: &mut Vec<String>) -> Result<IoUring, OpenError> {
    if setup.depth > ENTRIES_MAX {
        return Err(OpenError::Unfit {
            engine: EngineKind::IoUring,
            reason: format!(
                "a ring has at most {ENTRIES_MAX} entries, not {}",
                setup.depth
            ),
        });
    }
    let entries = setup.depth.next_power_of_two();
    let mut failure = io::Error::from_raw_os_error(libc::EINVAL);
    for (step, note) in STEPS {
        match attempt(*step, setup.polling, entries) {
            Ok(ring) if !ring.params().is_feature_rw_cur_pos() => {
                failure = io::Error::from_raw_os_error(libc::ENOSYS);
                break;
            }
            Ok(ring) => {
                if !note.is_empty() && setup.polling != Polling::Submission {
                    notes.push((*note).to_owned());
                }
                if !ring.params().is_feature_ext_arg() {
                    notes.push("waiting with a time limit: not in this kernel (Linux 5.11), short sleeps instead".to_owned());
                }
                if setup.polling == Polling::Device {
                    notes
                        .push("flushes: by call, a ring that polls the device has none".to_owned());
                }
                return Ok(ring);
            }
            Err(error) => {
                let older = error.raw_os_error() == Some(libc::EINVAL);
                failure = error;
                if !older {
                    break;
                }
            }
        }
    }
    Err(refused(failure, setup.polling))
}

/// One try at one step.
fn attempt(step: Step, polling: Polling, entries: u32) -> io::Result<IoUring> {
    let mut builder: Builder = IoUring::builder();
    // At most `entries` are in flight, so that many completions are all there can be.
    builder.setup_cqsize(entries);
    match polling {
        Polling::Interrupt => {}
        Polling::Device => {
            builder.setup_iopoll();
        }
        Polling::Submission => {
            builder.setup_sqpoll(1000);
        }
    }
    if step == Step::Direct {
        builder.setup_no_sqarray();
    }
    if step != Step::Plain {
        builder.setup_submit_all();
    }
    // Task work of a submission-polled ring is run by its thread: the kernel refuses both flags.
    if polling != Polling::Submission {
        match step {
            Step::Direct | Step::Deferred => {
                builder.setup_defer_taskrun().setup_taskrun_flag();
            }
            Step::Cooperative => {
                builder.setup_coop_taskrun().setup_taskrun_flag();
            }
            Step::Plain => {}
        }
    }
    if matches!(step, Step::Direct | Step::Deferred) {
        builder.setup_single_issuer();
    }
    builder.build(entries)
}

fn refused(source: io::Error, polling: Polling) -> OpenError {
    let disabled = fs::read_to_string("/proc/sys/kernel/io_uring_disabled")
        .ok()
        .and_then(|text| text.trim().parse().ok());
    let soft = |limit: io::Result<sys::Limit>| limit.ok().and_then(|limit| limit.soft);
    let why = Why {
        errno: source.raw_os_error().unwrap_or_default(),
        disabled,
        polling,
        open_files: soft(sys::open_files_limit()),
        locked_memory: soft(sys::locked_memory_limit()),
    };
    OpenError::Refused {
        engine: EngineKind::IoUring,
        reason: format!("{}; psync and libaio do without it", why.sentence()),
        source,
    }
}

/// What is known when the kernel refuses a ring.
struct Why {
    errno: i32,
    disabled: Option<i32>,
    polling: Polling,
    open_files: Option<u64>,
    locked_memory: Option<u64>,
}

impl Why {
    fn sentence(&self) -> String {
        let limit = |value: Option<u64>| {
            value.map_or_else(|| "unlimited".to_owned(), |value| value.to_string())
        };
        match (self.errno, self.disabled) {
            (libc::EPERM | libc::EACCES, Some(2)) => {
                "the sysctl kernel.io_uring_disabled is 2 (off for everybody); \
                 `sysctl kernel.io_uring_disabled=0` as root allows it"
                    .to_owned()
            }
            (libc::EPERM | libc::EACCES, Some(1)) => {
                "the sysctl kernel.io_uring_disabled is 1 (only for root and the group in \
                 kernel.io_uring_group); `sysctl kernel.io_uring_disabled=0` as root allows it"
                    .to_owned()
            }
            (libc::EPERM | libc::EACCES, _) if self.polling == Polling::Submission => {
                "a seccomp filter forbids it (as in most containers), or this kernel (before \
                 Linux 5.11) keeps submission polling for root"
                    .to_owned()
            }
            (libc::EPERM | libc::EACCES, _) => {
                "the sysctl kernel.io_uring_disabled allows it, so a seccomp filter forbids it (as \
                 in most containers: `--security-opt seccomp=unconfined` or a profile that allows \
                 io_uring_setup, io_uring_enter and io_uring_register)"
                    .to_owned()
            }
            (libc::ENOSYS, _) => "this kernel has none, or one too old (Linux 5.6 or later is \
                 needed), or a seccomp filter hides it"
                .to_owned(),
            (libc::EMFILE, _) => format!(
                "a ring is an open file and the limit of open files is {} (ulimit -n)",
                limit(self.open_files)
            ),
            (libc::ENFILE, _) => {
                "the whole system has no open file left (sysctl fs.file-max)".to_owned()
            }
            (libc::ENOMEM, _) => format!(
                "not enough memory; before Linux 5.12 rings count as locked memory, whose limit \
                 is {} bytes (ulimit -l)",
                limit(self.locked_memory)
            ),
            (libc::EINVAL, _) if self.polling != Polling::Interrupt => {
                "this kernel has no such polling".to_owned()
            }
            (errno, _) => io::Error::from_raw_os_error(errno).to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(errno: i32, disabled: Option<i32>) -> String {
        Why {
            errno,
            disabled,
            polling: Polling::Interrupt,
            open_files: Some(1024),
            locked_memory: Some(65_536),
        }
        .sentence()
    }

    #[test]
    fn each_refusal_names_its_cause() {
        for (errno, disabled, words) in [
            (libc::EPERM, Some(2), "io_uring_disabled is 2"),
            (libc::EPERM, Some(1), "io_uring_disabled is 1"),
            (libc::EPERM, Some(0), "seccomp"),
            (libc::EPERM, None, "seccomp"),
            (libc::ENOSYS, Some(0), "5.6"),
            (libc::EMFILE, Some(0), "1024 (ulimit -n)"),
            (libc::ENOMEM, Some(0), "65536 bytes (ulimit -l)"),
        ] {
            let text = sentence(errno, disabled);
            assert!(text.contains(words), "{text}");
        }
    }

    #[test]
    fn a_depth_past_the_kernels_limit_is_unfit() {
        let setup = Setup {
            depth: ENTRIES_MAX + 1,
            ..Setup::default()
        };
        assert!(matches!(
            build(&setup, &mut Vec::new()),
            Err(OpenError::Unfit { .. })
        ));
    }
}
