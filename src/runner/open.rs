//! Opens the targets of a time span and checks, before any I/O, what would fail in every I/O.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use ioengine::{Access, EngineKind, Errno, File, FileKind, OpenOptions};

use super::{alignment, engine};
use crate::{
    host::{self, Device, Filesystem},
    offsets::{self, Window},
    plan::{EngineChoice, Opening, Priority, Target, TimeSpan},
    results::{Event, Failure, Observer, Stage, Subject, TargetResult},
};

/// What the workers share: one entry for each target of the span.
#[derive(Debug, Default)]
pub(super) struct Targets {
    /// Empty for engines that open nothing.
    pub(super) files: Vec<Arc<File>>,
    pub(super) windows: Vec<Window>,
    pub(super) results: Vec<TargetResult>,
    /// What the user should know before the run.
    pub(super) warnings: Vec<String>,
}

/// A size for targets of engines that open nothing and whose plan names none.
const IMAGINED_SIZE: u64 = 1 << 30;

/// Opens every target, or says what is wrong with each that cannot be used.
pub(super) fn targets(
    span: &TimeSpan,
    choice: &EngineChoice,
    kinds: &[EngineKind],
    observer: &mut dyn Observer,
) -> Result<Targets, Vec<Failure>> {
    let uses_files = engine::uses_files(choice);
    let mapped = kinds.contains(&EngineKind::Mmap);
    if uses_files && makes_anew_in_vain(span) {
        return Err(vec![too_few_descriptors(span)]);
    }
    let mut opened = Targets::default();
    let mut failures = Vec::new();
    let mut places = Places::default();
    for (index, target) in span.targets.iter().enumerate() {
        observer.observe(&Event::Opening {
            label: &target.label,
        });
        let result = if uses_files {
            make_anew(target).and_then(|()| open(target, mapped, &mut places))
        } else {
            Ok(imagine(target))
        };
        match result.and_then(|(file, result)| {
            // A file made anew is empty; a sequence knows what it uses.
            let window = window(target, result.size)
                .map_err(|error| fail(target, None, Subject::Other, error.to_string()))?;
            if let Some(file) = &file {
                alignment::check(span, index, file.alignment())?;
            }
            Ok((file, result, window))
        }) {
            Ok((file, result, window)) => {
                opened
                    .warnings
                    .extend(shorter_than_asked(target, result.size));
                opened.files.extend(file);
                opened.results.push(result);
                opened.windows.push(window);
            }
            Err(failure) if failure.errno == Some(EMFILE) => {
                return Err(vec![too_few_descriptors(span)]);
            }
            Err(failure) => {
                failures.push(failure);
                // Where one file of a set is wrong, the others most often are too, and alike.
                if span.sequence.is_some() {
                    break;
                }
            }
        }
    }
    if failures.is_empty() {
        Ok(opened)
    } else {
        Err(failures)
    }
}

/// The part of a target that is used.
fn window(target: &Target, size: u64) -> Result<Window, offsets::SequenceError> {
    match target.opening {
        Opening::Anew { .. } => Ok(Window {
            base: 0,
            length: size,
            direct: target.is_direct(),
        }),
        Opening::AtLeast(_) => offsets::window(target, size),
    }
}

/// Where targets are, looked up once for the files of a folder: thousands of them lie in one.
#[derive(Debug, Default)]
struct Places {
    folder: Option<PathBuf>,
    found: (Option<Filesystem>, Option<Device>),
}

impl Places {
    /// The filesystem of a path, and the device under it.
    fn of(&mut self, path: &Path) -> (Option<Filesystem>, Option<Device>) {
        let look = || (host::filesystem(path), host::device_of(path));
        let Some(folder) = folder_of(path) else {
            return look();
        };
        if self.folder.as_deref() != Some(folder) {
            self.found = look();
            self.folder = Some(folder.to_path_buf());
        }
        self.found.clone()
    }
}

/// The folder of a plain file; a link may lead elsewhere, and a device is under itself.
fn folder_of(path: &Path) -> Option<&Path> {
    let plain = std::fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
    path.parent().filter(|_| plain)
}

/// A range that ends behind the target is used up to the target's end.
fn shorter_than_asked(target: &Target, size: u64) -> Option<String> {
    let end = target.end.filter(|end| *end > size)?;
    let label = &target.label;
    Some(format!(
        "WARNING: {label}: the range was asked to end at byte {end}, but the target has only \
         {size} bytes: its end is used"
    ))
}

fn fail(target: &Target, error: Option<&io::Error>, subject: Subject, message: String) -> Failure {
    Failure {
        stage: Stage::Open,
        worker: None,
        target: Some(target.label.clone()),
        errno: error.and_then(io::Error::raw_os_error),
        subject,
        message,
    }
}

fn imagine(target: &Target) -> (Option<Arc<File>>, TargetResult) {
    let existing = std::fs::metadata(&target.path).ok().map(|data| data.len());
    let needed = match target.opening {
        Opening::AtLeast(needed) => needed,
        Opening::Anew { size } => size,
    };
    let size = target
        .planned_size
        .or(existing.filter(|size| *size > 0))
        .unwrap_or(IMAGINED_SIZE)
        .max(needed);
    let result = TargetResult {
        label: target.label.clone(),
        size,
        kind: None,
        filesystem: None,
        device: None,
    };
    (None, result)
}

fn open(
    target: &Target,
    mapped: bool,
    places: &mut Places,
) -> Result<(Option<Arc<File>>, TargetResult), Failure> {
    let label = &target.label;
    let (filesystem, storage) = places.of(&target.path);
    if target.remote_only
        && !filesystem
            .as_ref()
            .is_some_and(|fs| host::is_remote(&fs.kind))
    {
        let kind = filesystem.map_or_else(|| "unknown".to_owned(), |fs| fs.kind);
        let message = format!(
            "{label}: disabling the local cache only works on network filesystems; this is {kind}"
        );
        return Err(fail(target, None, Subject::RemoteCache, message));
    }
    let device = ioengine::sys::path_kind(&target.path, true)
        .is_ok_and(|kind| kind == FileKind::BlockDevice);
    let options = OpenOptions {
        // A mapping that is written must be readable too.
        access: if mapped && target.access.writes() {
            Access::ReadWrite
        } else {
            target.access
        },
        caching: target.caching,
        durability: target.durability,
        exclusive: device && target.access.writes(),
        no_follow: !device && target.access.writes(),
        create: false,
        truncate: false,
    };
    let file = File::open(&target.path, options).map_err(|error| {
        let message = cannot_open(target, &error);
        fail(target, Some(&error), Subject::Opening, message)
    })?;
    check_size(target, file.size())?;
    advise(target, &file)?;
    let result = TargetResult {
        label: label.clone(),
        size: file.size(),
        kind: Some(file.kind()),
        device: storage,
        filesystem,
    };
    Ok((Some(Arc::new(file)), result))
}

/// Removes a file that the plan makes anew, and makes it.
fn make_anew(target: &Target) -> Result<(), Failure> {
    let Opening::Anew { size } = target.opening else {
        return Ok(());
    };
    let label = &target.label;
    let failed = |what: &str, error: &io::Error| {
        let why = Errno::from_io(error);
        let message = format!("{label}: cannot {what}: {why}");
        fail(target, Some(error), Subject::Opening, message)
    };
    match std::fs::remove_file(&target.path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(failed("remove it to make it anew", &error));
        }
        _ => {}
    }
    let file =
        ioengine::sys::create_private(&target.path).map_err(|error| failed("create it", &error))?;
    if size > 0 {
        file.set_len(size)
            .map_err(|error| failed("set its size", &error))?;
    }
    Ok(())
}

/// A target must hold what the plan uses of it.
fn check_size(target: &Target, size: u64) -> Result<(), Failure> {
    let Opening::AtLeast(needed) = target.opening else {
        return Ok(());
    };
    let label = &target.label;
    if size == 0 && needed == 0 {
        let message = format!("{label}: the target is empty (0 bytes)");
        return Err(fail(target, None, Subject::EmptyTarget, message));
    }
    if size < needed {
        let message = format!("{label}: the file has {size} bytes, but {needed} are needed");
        let subject = Subject::SmallTarget { size, needed };
        return Err(fail(target, None, subject, message));
    }
    Ok(())
}

/// Advice changes how fast it goes, never what is read; but it was asked for.
fn advise(target: &Target, file: &File) -> Result<(), Failure> {
    use ioengine::sys::{CacheAdvice, advise};
    let asked = [
        (
            target.hints.sequential,
            CacheAdvice::Sequential,
            Subject::SequentialAdvice,
            "sequential",
        ),
        (
            target.hints.random,
            CacheAdvice::Random,
            Subject::RandomAdvice,
            "random",
        ),
    ];
    for (wanted, advice, subject, what) in asked {
        if wanted {
            advise(file.std(), advice).map_err(|error| {
                let label = &target.label;
                let why = Errno::from_io(&error);
                let message = format!("{label}: cannot announce {what} access: {why}");
                fail(target, Some(&error), subject, message)
            })?;
        }
    }
    Ok(())
}

/// Why a target did not open, and what to try.
fn cannot_open(target: &Target, error: &io::Error) -> String {
    let label = &target.label;
    if error.raw_os_error().is_none() {
        return format!("{label}: cannot open: {error}");
    }
    let access = match target.access {
        Access::Read => "reading",
        Access::Write => "writing",
        Access::ReadWrite => "reading and writing",
    };
    let hint = match error.kind() {
        io::ErrorKind::PermissionDenied => {
            let user = ioengine::sys::effective_user_id();
            user.map_or_else(String::new, |user| {
                format!(" (user {user} has no right to it)")
            })
        }
        _ => String::new(),
    };
    format!(
        "{label}: cannot open for {access}: {}{hint}",
        Errno::from_io(error)
    )
}

/// So many targets, rings and a few of the program's own are open at once.
fn descriptors_needed(span: &TimeSpan) -> u64 {
    span.targets.len() as u64 + u64::from(span.worker_count()) + 8
}

/// Files would be removed to be made anew, and then not all of them could be opened. Where nothing
/// is lost by trying, opening itself tells.
fn makes_anew_in_vain(span: &TimeSpan) -> bool {
    let anew = |target: &Target| matches!(target.opening, Opening::Anew { .. });
    let limit = ioengine::sys::open_files_limit().ok();
    let limit = limit.and_then(|limit| limit.soft);
    span.targets.iter().any(anew) && limit.is_some_and(|limit| limit < descriptors_needed(span))
}

/// Told with what is needed and what there is.
fn too_few_descriptors(span: &TimeSpan) -> Failure {
    let targets = span.targets.len();
    let threads = span.worker_count();
    let limit = ioengine::sys::open_files_limit()
        .ok()
        .and_then(|limit| limit.soft);
    let limit = limit.map_or_else(
        || "the limit".to_owned(),
        |limit| format!("the limit of {limit}"),
    );
    Failure {
        stage: Stage::Open,
        worker: None,
        target: None,
        errno: Some(EMFILE),
        subject: Subject::Other,
        message: format!(
            "{targets} targets and {threads} threads need about {} open files, which {limit} does \
             not allow (ulimit -n)",
            descriptors_needed(span)
        ),
    }
}

/// "Too many open files" of this process.
const EMFILE: i32 = 24;

/// Sets the calling thread's I/O scheduling class.
///
/// # Errors
/// As the system says.
pub(super) fn set_priority(priority: Priority) -> io::Result<()> {
    use ioengine::sys::{IoPriority, set_io_priority};
    match priority {
        Priority::Normal => Ok(()),
        Priority::Low => set_io_priority(IoPriority::BestEffort(7)),
        Priority::Idle => set_io_priority(IoPriority::Idle),
    }
}
