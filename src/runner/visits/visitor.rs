//! One visitor: opens a file, reads it to its end, closes it, and asks for the next.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering::Relaxed},
};

use ioengine::{
    Errno, Nanos, clock,
    sys::{self, AccessTime, CacheAdvice},
};

use super::super::{
    timeline::Timeline,
    worker::{Counted, Progress},
};
use crate::{
    offsets::Choices,
    plan::{Cached, OnError},
    results::{Failure, OperationKind, Stage, StreamResult, Subject, Waits},
};

/// One visitor, ready to start.
pub(super) struct Visitor {
    pub(super) number: usize,
    pub(super) files: Arc<[PathBuf]>,
    pub(super) choices: Choices,
    /// What the page cache is to know of a file that is opened.
    pub(super) cached: Cached,
    pub(super) buffer: Vec<u8>,
    pub(super) result: StreamResult,
    pub(super) timeline: Arc<Timeline>,
    pub(super) progress: Arc<Progress>,
    pub(super) on_error: OnError,
}

/// A visit that went well.
struct Visit {
    began: Nanos,
    opened: Nanos,
    ended: Nanos,
    bytes: u64,
}

/// A visit that went wrong.
#[derive(Debug)]
enum Trouble {
    /// The system refused something.
    System { doing: &'static str, errno: Errno },
    /// The name is no regular file any more.
    NoFile,
    /// It ended before the size that it had when it was opened, or has no bytes any more.
    Short { size: u64, read: u64 },
}

impl Trouble {
    fn system(doing: &'static str, error: &io::Error) -> Self {
        Self::System {
            doing,
            errno: Errno::from_io(error),
        }
    }

    /// By which it is counted; 0 for a file that fell short.
    fn errno(&self) -> Errno {
        match self {
            Self::System { errno, .. } => *errno,
            Self::NoFile => Errno::EINVAL,
            Self::Short { .. } => Errno(0),
        }
    }

    fn sentence(&self) -> String {
        match self {
            Self::System { doing, errno } => format!("{doing}: {errno}"),
            Self::NoFile => "it is no regular file any more".to_owned(),
            Self::Short { size: 0, .. } => "it is empty now (was it cut?)".to_owned(),
            Self::Short { size, read } => format!(
                "it had {size} bytes when it was opened and ended after {read} (was it cut?)"
            ),
        }
    }
}

impl Visitor {
    /// Visits until the timeline says stop.
    pub(super) fn run(self) -> Counted {
        let files = Arc::clone(&self.files);
        let mut run = Run {
            visitor: self,
            time: AccessTime::Kept,
            failures: Vec::new(),
            told: BTreeSet::new(),
            late_ns: 0,
        };
        let mut completed = 0;
        while clock::now() < run.visitor.timeline.stop_at() {
            let Some(path) = files.get(run.visitor.choices.choose()) else {
                break;
            };
            match run.visit(path) {
                Ok(visit) => run.count(&visit),
                Err(trouble) => run.trouble(path, &trouble),
            }
            completed += 1;
            run.visitor.progress.completions.store(completed, Relaxed);
        }
        Counted {
            streams: vec![run.visitor.result],
            waits: Waits::default(),
            failures: run.failures,
            notes: Vec::new(),
            late_ns: run.late_ns,
            verified: None,
        }
    }
}

/// A visitor at work.
struct Run {
    visitor: Visitor,
    /// Whether files are opened without a trace.
    time: AccessTime,
    failures: Vec<Failure>,
    /// Kinds of trouble that were told.
    told: BTreeSet<Errno>,
    /// The longest visit that was under way at the end of the measured time.
    late_ns: u64,
}

impl Run {
    #[inline]
    fn count(&mut self, visit: &Visit) {
        let timeline = &self.visitor.timeline;
        let (from, to) = (timeline.measure_from(), timeline.measure_to());
        let latency = visit.ended.since(visit.began);
        if visit.ended >= to {
            if visit.began < to {
                self.late_ns = self.late_ns.max(latency);
            }
        } else if visit.ended >= from {
            let stats = &mut self.visitor.result.read;
            stats.record(visit.ended.since(from), latency, visit.bytes);
            stats.initiation.record(visit.opened.since(visit.began));
        }
    }

    #[cold]
    fn trouble(&mut self, path: &Path, trouble: &Trouble) {
        let now = clock::now();
        let timeline = &self.visitor.timeline;
        if now >= timeline.measure_from() && now < timeline.measure_to() {
            let stats = &mut self.visitor.result.read;
            match trouble {
                Trouble::Short { .. } => stats.short += 1,
                Trouble::System { .. } | Trouble::NoFile => {
                    *stats.errors.entry(trouble.errno().0).or_default() += 1;
                }
            }
        }
        if self.visitor.on_error == OnError::Stop {
            timeline.fail(now);
        }
        if self.told.insert(trouble.errno()) {
            let failure = failure(self.visitor.number, path, trouble);
            self.failures.push(failure);
        }
    }

    /// Opens, reads to the end and closes. What keeps the file out of the page cache comes before.
    fn visit(&mut self, path: &Path) -> Result<Visit, Trouble> {
        if self.visitor.cached == Cached::Dropped {
            let file = self.open(path)?;
            sys::advise(&file, CacheAdvice::DontNeed)
                .map_err(|error| Trouble::system("posix_fadvise", &error))?;
        }
        let began = clock::now();
        let mut file = self.open(path)?;
        let opened = clock::now();
        let data = file
            .metadata()
            .map_err(|error| Trouble::system("fstat", &error))?;
        // Whatever took the file's place: reading it could wait for somebody else.
        if !data.is_file() {
            return Err(Trouble::NoFile);
        }
        let mut bytes = 0;
        loop {
            match file.read(&mut self.visitor.buffer) {
                Ok(0) => break,
                Ok(count) => bytes += count as u64,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Trouble::system("read", &error)),
            }
        }
        drop(file);
        let ended = clock::now();
        let size = data.len();
        if bytes < size || bytes == 0 {
            return Err(Trouble::Short { size, read: bytes });
        }
        Ok(Visit {
            began,
            opened,
            ended,
            bytes,
        })
    }

    fn open(&mut self, path: &Path) -> Result<fs::File, Trouble> {
        open(path, &mut self.time).map_err(|error| Trouble::system("open", &error))
    }
}

/// Opens without a trace where that is allowed; after one file of somebody else's it is tried no
/// more.
pub(super) fn open(path: &Path, time: &mut AccessTime) -> io::Result<fs::File> {
    let opened = sys::open_to_read(path, *time);
    let denied = |error: &io::Error| error.kind() == io::ErrorKind::PermissionDenied;
    if *time == AccessTime::AsUsual || !opened.as_ref().is_err_and(denied) {
        return opened;
    }
    let again = sys::open_to_read(path, AccessTime::AsUsual);
    if again.is_ok() {
        *time = AccessTime::AsUsual;
    }
    again
}

/// As it is told, once for each kind.
fn failure(number: usize, path: &Path, trouble: &Trouble) -> Failure {
    let label = path.display().to_string();
    let errno = trouble.errno().0;
    Failure {
        stage: Stage::Io,
        worker: Some(number),
        message: format!("{label}: {}", trouble.sentence()),
        target: Some(label),
        errno: (errno != 0).then_some(errno),
        subject: Subject::Operation {
            kind: OperationKind::Read,
            offset: 0,
            transferred: None,
            cut_to: None,
        },
    }
}
