//! Makes files before anything is measured: real data in every block.
//!
//! A file of a plan's own ([`Through::Past`]) is written by large direct writes at depth where the
//! filesystem allows it, synced and dropped from the page cache. A file that is written as the load
//! itself would ([`Through::As`]) is written that way or not at all, with larger requests.

mod content;
mod made;
mod write;

use std::{fs, io, path::Path, time::Duration};

use ioengine::{
    Access, Caching, Durability, Errno, File, FileKind, Nanos, OpenOptions, clock, sys,
};

pub(super) use self::made::Made;
use self::made::Marking;
use super::{Surroundings, verification::Tables};
use crate::{
    host,
    plan::{Content, FilePreparation, Policy, Through},
    results::{Event, Failure, Number, Observer, OperationKind, Stage, Subject},
};

/// Progress is told at most this often.
const TOLD_EVERY: Duration = Duration::from_millis(200);

/// Why a file was not made.
#[derive(Debug)]
pub(super) enum Stopped {
    Interrupted,
    Failed(Failure),
}

/// Makes one file and returns how many bytes were written. What it began and could not finish is
/// removed, unless it was there before.
pub(super) fn make(
    file: &FilePreparation,
    around: Surroundings<'_>,
    observer: &mut dyn Observer,
    (made, tables): (&mut Made, &mut Tables),
) -> Result<u64, Stopped> {
    let label = &file.label;
    let existing = fs::metadata(&file.path).ok().map(|data| data.len());
    let from = match (file.policy, existing) {
        (Policy::Extend, Some(kept)) if kept >= file.size => {
            observer.observe(&Event::Kept { label });
            return Ok(0);
        }
        (Policy::Extend, kept) => kept.unwrap_or(0),
        (Policy::Rebuild | Policy::Replace, _) => 0,
    };
    let begin = clock::now();
    let to = file.size_from(from);
    let size = to.unwrap_or(file.size) - from;
    observer.observe(&Event::Preparing {
        label,
        size,
        kept: from,
    });
    let mut making = Making {
        file,
        around,
        observer,
        to: to.unwrap_or(file.size),
        told: begin,
        from,
        whole: from,
        own: existing.is_none(),
        begun: false,
        marking: made.marking(&file.path),
        table: tables.next(),
    };
    let result = match to {
        Some(_) => making.make(),
        None => Err(making.fail("cannot grow by whole blocks", &Errno::EFBIG.into())),
    };
    let took = Duration::from_nanos(clock::now().since(begin));
    made.took(took);
    if making.marking != made.marking(&file.path) {
        made.told();
    }
    match result {
        Ok(()) => {
            if making.own {
                made.add(&file.path);
            }
            if file.content == Content::Verifiable {
                tables.prepared(&file.path, from, making.table.1);
            }
            observer.observe(&Event::Prepared { label, size, took });
            Ok(size)
        }
        Err(stopped) => {
            making.leave_only_what_was_written();
            Err(stopped)
        }
    }
}

/// One file while it is made.
struct Making<'a, 'o> {
    file: &'a FilePreparation,
    around: Surroundings<'a>,
    observer: &'o mut dyn Observer,
    told: Nanos,
    /// Bytes that it had and keeps.
    from: u64,
    /// Bytes that it is to have.
    to: u64,
    /// Every byte before this one was written.
    whole: u64,
    /// There was no file, or there is none any more: whatever is there now, this run made.
    own: bool,
    /// It is open, and what becomes of it is this run's doing.
    begun: bool,
    /// Whether it is to be known as ours by later runs.
    marking: Marking,
    /// Run and table of labelled sectors.
    table: (u64, u32),
}

impl Making<'_, '_> {
    fn make(&mut self) -> Result<(), Stopped> {
        // What is no plain file is refused before anything can touch it.
        if let Ok(kind) = sys::path_kind(&self.file.path, true)
            && kind != FileKind::Regular
        {
            let error = io::Error::from(io::ErrorKind::InvalidInput);
            return Err(self.fail("only plain files can be created", &error));
        }
        if self.file.policy == Policy::Replace && !self.own {
            fs::remove_file(&self.file.path)
                .map_err(|error| self.fail("cannot remove the old file", &error))?;
            self.own = true;
        }
        if self.own && (self.marking != Marking::Not || self.file.through != Through::Past) {
            self.create()?;
        }
        match self.file.through {
            Through::Past => self.write_past_the_cache(),
            Through::As {
                caching,
                durability,
            } => {
                let file = self.open(self.options(caching, durability))?;
                match caching {
                    Caching::Buffered => self.write_through_the_cache(&file),
                    Caching::Direct => self.write_directly(file),
                }
            }
        }
    }

    /// Makes the empty file. Whoever measures alone reads alone; and what appeared meanwhile is not
    /// ours. The mark comes first: what a kill leaves behind is known as ours from here on.
    fn create(&mut self) -> Result<(), Stopped> {
        let file = sys::create_private(&self.file.path);
        let file = file.map_err(|error| self.cannot_create(&error))?;
        self.begun = true;
        if self.marking == Marking::Not {
            return Ok(());
        }
        if let Err(error) = host::mark(&file)
            && self.marking == Marking::Told
        {
            self.marking = Marking::Quietly;
            let why = Errno::from_io(&error);
            let message = format!(
                "{} cannot be marked as ours on this filesystem ({why}): to use it again, a later \
                 run needs --destroy with its name, and clean does not find it",
                self.file.label
            );
            self.observer.observe(&Event::Warning { message: &message });
        }
        Ok(())
    }

    /// A file of this run's own is removed; one that was there before is cut to what was written,
    /// so that nobody measures reads of space that nobody wrote.
    fn leave_only_what_was_written(&mut self) {
        let path = &self.file.path;
        if !self.begun {
            return;
        }
        if self.own {
            let _ = fs::remove_file(path);
            return;
        }
        // Whatever goes on behind this end goes on where a block began.
        let block = u64::from(self.file.block.unwrap_or(1).max(1));
        let whole = self.whole - (self.whole - self.from) % block;
        let options = OpenOptions {
            truncate: false,
            create: false,
            ..self.options(Caching::Buffered, Durability::None)
        };
        let file = File::open(path, options);
        let untouched = self.file.policy == Policy::Extend
            && self.whole == self.from
            && file.as_ref().is_ok_and(|file| file.size() == self.from);
        // Also where no byte came: space may be set aside behind the end.
        let cut = file.is_ok_and(|file| file.std().set_len(whole).is_ok());
        if cut && untouched {
            return;
        }
        let label = &self.file.label;
        let message = if cut {
            format!("WARNING: {label} was not finished: it was cut to the {whole} bytes written")
        } else {
            format!("WARNING: {label} was not finished: only its first {whole} bytes were written")
        };
        self.observer.observe(&Event::Warning { message: &message });
    }

    fn options(&self, caching: Caching, durability: Durability) -> OpenOptions {
        let first = self.file.through == Through::Past && caching == Caching::Buffered;
        OpenOptions {
            access: Access::Write,
            caching,
            durability,
            exclusive: false,
            no_follow: true,
            create: first && !self.begun,
            truncate: self.file.policy == Policy::Rebuild
                && (first || self.file.through != Through::Past),
        }
    }

    fn open(&mut self, options: OpenOptions) -> Result<File, Stopped> {
        let file = File::open(&self.file.path, options);
        let file = file.map_err(|error| self.cannot_create(&error))?;
        self.begun = true;
        Ok(file)
    }

    fn tell(&mut self, done: u64) {
        let now = clock::now();
        if now >= self.told.after(TOLD_EVERY) {
            self.told = now;
            let (label, size) = (self.file.label.as_str(), self.to);
            self.observer
                .observe(&Event::PrepareProgress { label, done, size });
        }
    }

    /// The folder as named; `None` for the one that the process is in.
    fn folder(&self) -> Option<&Path> {
        let folder = self.file.path.parent();
        folder.filter(|folder| *folder != Path::new(""))
    }

    fn cannot_create(&self, error: &io::Error) -> Stopped {
        let what = match self.folder() {
            Some(folder) if error.kind() == io::ErrorKind::NotFound && !folder.exists() => {
                format!(
                    "cannot create: the folder {} does not exist",
                    folder.display()
                )
            }
            _ if self.file.path.exists() => "cannot open it for writing".to_owned(),
            _ => "cannot create".to_owned(),
        };
        self.fail_about(Subject::Opening, &what, error)
    }

    fn cannot_write(&self, at: u64, error: &io::Error) -> Stopped {
        let subject = Subject::Operation {
            kind: OperationKind::Write,
            offset: at,
            transferred: None,
            cut_to: None,
        };
        self.fail_about(subject, "write", error)
    }

    /// Direct writes need multiples of what the device needs; nothing else is written instead.
    fn unaligned(&self, needed: u64) -> Option<Stopped> {
        let block = self.file.block.map_or(self.to, u64::from);
        let (number, what, value) = if !block.is_multiple_of(needed) && self.file.block.is_some() {
            (Number::BlockSize, "block size", block)
        } else if !self.from.is_multiple_of(needed) {
            (
                Number::FileSize,
                "size of the file that is there",
                self.from,
            )
        } else if !self.to.is_multiple_of(needed) {
            (Number::FileSize, "size of the file", self.to)
        } else {
            return None;
        };
        let label = &self.file.label;
        let mut failure = self.failure(format!(
            "{label}: unbuffered I/O needs multiples of {needed} bytes here, but the {what} is \
             {value}"
        ));
        failure.errno = Some(Errno::EINVAL.0);
        failure.subject = Subject::Number(number);
        Some(Stopped::Failed(failure))
    }

    fn fail(&self, what: &str, error: &io::Error) -> Stopped {
        self.fail_about(Subject::Other, what, error)
    }

    fn fail_about(&self, subject: Subject, what: &str, error: &io::Error) -> Stopped {
        let label = &self.file.label;
        let hint = if error.kind() == io::ErrorKind::PermissionDenied {
            sys::effective_user_id().map_or_else(String::new, |user| {
                format!(" (user {user} has no right to write it)")
            })
        } else if error.kind() == io::ErrorKind::StorageFull {
            let free = sys::free_space(self.folder().unwrap_or(Path::new(".")));
            match free {
                Ok(space) => {
                    format!(" ({} bytes needed, {} free)", self.to, space.available)
                }
                Err(_) => format!(" ({} bytes needed)", self.to),
            }
        } else {
            String::new()
        };
        // An error of the system by its name; ours are sentences.
        let why = match error.raw_os_error() {
            Some(_) => Errno::from_io(error).to_string(),
            None => error.to_string(),
        };
        let mut failure = self.failure(format!("{label}: {what}: {why}{hint}"));
        failure.subject = subject;
        failure.errno = error.raw_os_error().or_else(|| no_direct_io(error));
        Stopped::Failed(failure)
    }

    fn failure(&self, message: String) -> Failure {
        Failure {
            stage: Stage::Prepare,
            worker: None,
            target: Some(self.file.label.clone()),
            errno: None,
            subject: Subject::Other,
            message,
        }
    }
}

/// What the system said to direct I/O that is not to be had.
fn no_direct_io(error: &io::Error) -> Option<i32> {
    let source = error.get_ref()?.downcast_ref::<sys::NoDirectIo>()?;
    Some(source.errno.0)
}

#[cfg(test)]
mod tests;
