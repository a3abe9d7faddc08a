//! Makes files: real data in every block, by large direct writes at depth where the filesystem
//! allows it, synced and dropped from the page cache, before anything is measured.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use ioengine::{
    Access, Buffer, Caching, Durability, Engine, EngineKind, File, FileKind, Nanos, OpenOptions,
    Operation, PageSize, Region, Request, Setup, Wait, clock, registry, sys,
};

use super::{
    Surroundings, engine,
    payload::{self, Noise},
};
use crate::{
    plan::{FilePreparation, Policy},
    results::{Event, Failure, Observer, Stage, Subject},
};

/// Bytes of one write.
const BLOCK: usize = 1 << 20;

/// Writes in flight: enough to keep a device busy, few enough to stay polite.
const DEPTH: u32 = 8;

/// The file's size runs ahead of the writes by this much: direct writes that extend a file wait for
/// each other, and a kill must not leave a file that is mostly unwritten.
const AHEAD: u64 = 64 << 20;

/// Progress is told at most this often.
const TOLD_EVERY: Duration = Duration::from_millis(200);

/// Files that this run made, and the time it took.
#[derive(Debug, Default)]
pub(super) struct Made {
    created: BTreeSet<PathBuf>,
    time: Duration,
}

impl Made {
    /// Time spent since the last call.
    pub(super) fn take_time(&mut self) -> Duration {
        std::mem::take(&mut self.time)
    }

    /// Removes those of `paths` that this run made.
    pub(super) fn remove(&mut self, paths: &[PathBuf]) {
        for path in paths {
            if self.created.remove(path) {
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

/// Why a file was not made.
#[derive(Debug)]
pub(super) enum Stopped {
    Interrupted,
    Failed(Failure),
}

/// Makes one file. What it began and could not finish is removed, unless it was there before.
pub(super) fn make(
    file: &FilePreparation,
    around: Surroundings<'_>,
    observer: &mut dyn Observer,
    made: &mut Made,
) -> Result<(), Stopped> {
    let existing = std::fs::metadata(&file.path).ok();
    let kept = existing.as_ref().map_or(0, std::fs::Metadata::len);
    let from = match file.policy {
        Policy::Extend if kept >= file.size => return Ok(()),
        Policy::Extend => kept,
        Policy::Rebuild | Policy::Replace => 0,
    };
    let begin = clock::now();
    observer.observe(&Event::Preparing {
        label: &file.label,
        size: file.size - from,
        kept: from,
    });
    let mut making = Making {
        file,
        around,
        observer,
        told: begin,
        whole: from,
    };
    let result = making.write(from);
    made.time += Duration::from_nanos(clock::now().since(begin));
    match result {
        Ok(()) => {
            if existing.is_none() {
                made.created.insert(file.path.clone());
            }
            let took = Duration::from_nanos(clock::now().since(begin));
            let size = file.size - from;
            observer.observe(&Event::Prepared {
                label: &file.label,
                size,
                took,
            });
            Ok(())
        }
        Err(stopped) => {
            making.leave_only_what_was_written(existing.is_none());
            Err(stopped)
        }
    }
}

struct Making<'a, 'o> {
    file: &'a FilePreparation,
    around: Surroundings<'a>,
    observer: &'o mut dyn Observer,
    told: Nanos,
    /// Every byte before this one was written.
    whole: u64,
}

impl Making<'_, '_> {
    /// A file of this run's own is removed; one that was there before is cut to what was written,
    /// so that nobody measures reads of space that nobody wrote.
    fn leave_only_what_was_written(&mut self, own: bool) {
        let path = &self.file.path;
        if own {
            let _ = std::fs::remove_file(path);
            return;
        }
        let file = File::open(
            path,
            OpenOptions {
                truncate: false,
                ..self.options(Caching::Buffered)
            },
        );
        let cut = file.is_ok_and(|file| file.std().set_len(self.whole).is_ok());
        let (label, whole) = (&self.file.label, self.whole);
        let message = if cut {
            format!("WARNING: {label} was not finished: it was cut to the {whole} bytes written")
        } else {
            format!("WARNING: {label} was not finished: only its first {whole} bytes were written")
        };
        self.observer.observe(&Event::Warning { message: &message });
    }

    fn write(&mut self, from: u64) -> Result<(), Stopped> {
        let size = self.file.size;
        let buffered = self.open_buffered()?;
        sys::reserve(buffered.std(), size)
            .map_err(|error| self.fail("cannot reserve space", &error))?;
        // The head up to the first whole block and the tail behind the last one go through the
        // page cache; what is between goes past it.
        let block = BLOCK as u64;
        let (first, last) = (from.next_multiple_of(block).min(size), size - size % block);
        let direct = if last > first {
            self.open_direct()
        } else {
            None
        };
        match direct {
            Some(direct) => {
                self.rest(&buffered, from, first)?;
                self.pump(&Arc::new(direct), first, last)?;
                self.rest(&buffered, last.max(first), size)?;
            }
            None => self.rest(&buffered, from, size)?,
        }
        let std = buffered.std();
        std.sync_all().map_err(|error| self.fail("fsync", &error))?;
        let _ = sys::advise(std, sys::CacheAdvice::DontNeed);
        Ok(())
    }

    fn options(&self, caching: Caching) -> OpenOptions {
        OpenOptions {
            access: Access::Write,
            caching,
            durability: Durability::None,
            exclusive: false,
            no_follow: true,
            create: caching == Caching::Buffered,
            truncate: caching == Caching::Buffered && self.file.policy == Policy::Rebuild,
        }
    }

    fn open_buffered(&self) -> Result<File, Stopped> {
        let path = &self.file.path;
        // What is no plain file is refused before O_TRUNC can touch it.
        if let Ok(kind) = sys::path_kind(path, true)
            && kind != FileKind::Regular
        {
            let error = io::Error::from(io::ErrorKind::InvalidInput);
            return Err(self.fail("only plain files can be created", &error));
        }
        File::open(path, self.options(Caching::Buffered)).map_err(|error| {
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            let what = match folder {
                Some(folder) if error.kind() == io::ErrorKind::NotFound && !folder.exists() => {
                    format!(
                        "cannot create: the folder {} does not exist",
                        folder.display()
                    )
                }
                _ => "cannot create".to_owned(),
            };
            self.fail(&what, &error)
        })
    }

    /// `None` where the filesystem has no direct I/O.
    fn open_direct(&self) -> Option<File> {
        let file = File::open(&self.file.path, self.options(Caching::Direct)).ok()?;
        (BLOCK as u64)
            .is_multiple_of(u64::from(file.alignment().offset.max(1)))
            .then_some(file)
    }

    /// Keeps [`DEPTH`] writes in flight over `[from, to)`, whole blocks.
    fn pump(&mut self, file: &Arc<File>, from: u64, to: u64) -> Result<(), Stopped> {
        let region = Region::allocate(BLOCK * DEPTH as usize, PageSize::Base)
            .map_err(|error| self.fail("cannot allocate buffers", &error))?;
        let (mut idle, region) = region.split(BLOCK, 0);
        let mut engine = open_engine(file, region)
            .map_err(|error| self.fail("cannot open an engine", &io::Error::other(error)))?;
        let mut noise = Noise::fresh(u64::from(u32::MAX));
        let mut completions = Vec::with_capacity(DEPTH as usize);
        let (mut next, mut done, mut sized) = (from, from, from);
        while done < to {
            if self.around.interrupted() {
                return Err(Stopped::Interrupted);
            }
            while next < to {
                let Some(mut buffer) = idle.pop() else { break };
                if next + BLOCK as u64 > sized {
                    sized = to.min(next + AHEAD);
                    let grown = file.std().set_len(sized);
                    grown.map_err(|error| self.fail("cannot set the size", &error))?;
                }
                payload::fill_content(self.file.content, &mut noise, buffer.as_mut_slice());
                let request = write_request(next, buffer);
                let submitted = engine.submit(request);
                submitted.map_err(|rejected| self.fail("write", &rejected.reason))?;
                next += BLOCK as u64;
                if engine.in_flight() >= DEPTH as usize {
                    break;
                }
            }
            engine
                .reap(Wait::ONE, &mut completions)
                .map_err(|error| self.fail("write", &error))?;
            for completion in completions.drain(..) {
                match completion.result {
                    Ok(written) if written as usize == BLOCK => done += BLOCK as u64,
                    Ok(_) => return Err(self.fail("write", &io::ErrorKind::WriteZero.into())),
                    Err(errno) => return Err(self.fail("write", &errno.into())),
                }
                idle.push(completion.request.buffer);
            }
            // Writes go out in order; those in flight may have overtaken each other.
            self.whole = self
                .whole
                .max(done.saturating_sub(u64::from(DEPTH) * BLOCK as u64));
            self.tell(done);
        }
        self.whole = to;
        Ok(())
    }

    /// Writes `[from, to)` through the page cache.
    fn rest(&mut self, file: &File, from: u64, to: u64) -> Result<(), Stopped> {
        let mut noise = Noise::fresh(to);
        let mut block = vec![0; BLOCK];
        let mut at = from;
        while at < to {
            if self.around.interrupted() {
                return Err(Stopped::Interrupted);
            }
            let length = (to - at).min(BLOCK as u64 - at % BLOCK as u64) as usize;
            payload::fill_content(self.file.content, &mut noise, &mut block);
            // The pattern counts from the start of each block of the file.
            let skip = (at % BLOCK as u64) as usize;
            sys::write_all_at(file.std(), &block[skip..skip + length], at)
                .map_err(|error| self.fail("write", &error))?;
            at += length as u64;
            self.whole = self.whole.max(at);
            self.tell(at);
        }
        Ok(())
    }

    fn tell(&mut self, done: u64) {
        let now = clock::now();
        if now >= self.told.after(TOLD_EVERY) {
            self.told = now;
            let (label, size) = (self.file.label.as_str(), self.file.size);
            self.observer
                .observe(&Event::PrepareProgress { label, done, size });
        }
    }

    fn fail(&self, what: &str, error: &io::Error) -> Stopped {
        let label = &self.file.label;
        let hint = if error.kind() == io::ErrorKind::StorageFull {
            let free = sys::free_space(self.file.path.parent().unwrap_or(Path::new(".")));
            match free {
                Ok(space) => {
                    format!(
                        " ({} bytes needed, {} free)",
                        self.file.size, space.available
                    )
                }
                Err(_) => format!(" ({} bytes needed)", self.file.size),
            }
        } else {
            String::new()
        };
        Stopped::Failed(Failure {
            stage: Stage::Prepare,
            worker: None,
            target: Some(label.clone()),
            errno: error.raw_os_error(),
            subject: Subject::Other,
            message: format!("{label}: {what}: {error}{hint}"),
        })
    }
}

fn write_request(offset: u64, buffer: Buffer) -> Request {
    Request {
        operation: Operation::Write,
        file: 0,
        length: BLOCK as u32,
        tag: 0,
        offset,
        buffer,
        source: None,
    }
}

fn open_engine(
    file: &Arc<File>,
    region: Arc<Region>,
) -> Result<Box<dyn Engine>, registry::OpenError> {
    let setup = |files, regions| Setup {
        files,
        regions,
        depth: DEPTH,
        ..Setup::default()
    };
    let kind = if engine::probe(EngineKind::IoUring).is_ok() {
        EngineKind::IoUring
    } else {
        EngineKind::Psync
    };
    registry::open(kind, setup(vec![Arc::clone(file)], vec![region]))
}
