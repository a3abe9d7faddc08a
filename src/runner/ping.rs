//! Small reads, one at a time: what `ping` does. Nothing that has a name is ever written.

use std::{
    fs, io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use ioengine::{
    Buffer, Caching, Completion, Engine, EngineKind, Errno, File, FileKind, Nanos, OpenOptions,
    Operation, PageSize, Region, Request, Setup, Wait, clock, registry, sys,
};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::payload::Noise;
use crate::{
    host::{self, Device, Filesystem},
    measure::OperationStats,
    plan::Ping,
    results::milliseconds,
    units::names::shown,
};

/// Bytes of the file that is made in a folder.
const MADE: u64 = 1 << 20;

/// So many such files must fit before one is made.
const ROOM: u64 = 16;

/// How often signals are looked at between two reads.
const TICK: Duration = Duration::from_millis(20);

/// A target that is ready to be read.
pub struct Pinger {
    engine: Box<dyn Engine>,
    buffer: Option<Buffer>,
    random: Xoshiro256PlusPlus,
    /// Places of a read, each as long as the device's blocks ask for.
    places: u64,
    step: u64,
    size: u32,
    /// What it is.
    pub kind: FileKind,
    /// The filesystem that it is on.
    pub filesystem: Option<Filesystem>,
    /// The block device under it, or itself.
    pub device: Option<Device>,
    /// How it is read.
    pub caching: Caching,
    /// What is to be told before the first read.
    pub notes: Vec<String>,
}

/// What became of a read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Its number, from 1.
    pub number: u64,
    /// Where it read.
    pub offset: u64,
    /// The time that it took, or why there was none.
    pub result: Result<Duration, String>,
}

/// What became of all reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Pinged {
    /// Those that went well, and how many did not.
    pub reads: OperationStats,
    /// From the first to the last.
    pub took: Duration,
    /// A signal ended it.
    pub interrupted: bool,
}

impl Pinged {
    /// Reads that failed or fell short.
    pub fn failed(&self) -> u64 {
        self.reads.error_count() + self.reads.short
    }

    /// The shortest.
    pub fn min_ms(&self) -> Option<f64> {
        self.reads
            .latency
            .min_ns()
            .map(|ns| milliseconds(ns as f64))
    }
}

/// Makes a target ready.
///
/// # Errors
/// A sentence: it cannot be read, or not like that.
pub fn open(ping: &Ping) -> Result<Pinger, String> {
    let label = shown(ping.path.as_os_str());
    // Looked at before it is opened: opening a device can be an act.
    let kind = sys::path_kind(&ping.path, true)
        .map_err(|error| format!("{label}: {}", Errno::from_io(&error)))?;
    let mut notes = Vec::new();
    let file = match kind {
        FileKind::Folder => {
            notes.push(format!(
                "a file of 1 MiB was made in {label} for this; it has no name, and is gone with this \
                 command"
            ));
            unnamed(&ping.path, ping)?
        }
        FileKind::Regular | FileKind::BlockDevice => open_past(&ping.path, ping.caching)
            .map_err(|error| format!("{label}: cannot open it: {}", reason(&error)))?,
        FileKind::Fifo => return Err(refused(ping, "a named pipe")),
        FileKind::Socket => return Err(refused(ping, "a socket")),
        FileKind::CharacterDevice => return Err(refused(ping, "a character device")),
        FileKind::Other => return Err(refused(ping, "neither a file nor a block device")),
    };
    let caching = file.options().caching;
    if caching != ping.caching {
        notes.push(
            "there is no direct I/O here: the page cache takes part, and may answer alone".into(),
        );
    }
    let (places, step) = places(ping, &file)?;
    let (engine, buffer) = engine(file, ping.size).map_err(|error| format!("{label}: {error}"))?;
    Ok(Pinger {
        engine,
        buffer: Some(buffer),
        random: Xoshiro256PlusPlus::seed_from_u64(ping.seed),
        places,
        step,
        size: ping.size,
        filesystem: host::filesystem(&ping.path),
        device: host::device_of(&ping.path),
        kind,
        caching,
        notes,
    })
}

fn refused(ping: &Ping, kind: &str) -> String {
    format!(
        "{} is {kind}: name a file, a folder or a block device",
        shown(ping.path.as_os_str())
    )
}

/// An error by the system's name for it; ours are sentences.
fn reason(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(_) => Errno::from_io(error).to_string(),
        None => error.to_string(),
    }
}

/// Past the page cache where that is asked for and to be had.
fn open_past(path: &Path, caching: Caching) -> io::Result<Arc<File>> {
    let options = OpenOptions {
        caching,
        ..OpenOptions::READ
    };
    let file = match File::open(path, options) {
        Err(error) if caching == Caching::Direct && no_direct_io(&error) => {
            File::open(path, OpenOptions::READ)
        }
        other => other,
    };
    file.map(Arc::new)
}

fn no_direct_io(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
    )
}

/// A small file in a folder, whose name is gone before anything is read.
fn unnamed(folder: &Path, ping: &Ping) -> Result<Arc<File>, String> {
    let label = shown(folder.as_os_str());
    let bytes = MADE.max(u64::from(ping.size));
    let free = sys::free_space(folder).map_or(u64::MAX, |space| space.available);
    if free < bytes.saturating_mul(ROOM) {
        return Err(format!(
            "{label}: only {free} bytes are free there, too few to make a file: name an existing \
             file to read"
        ));
    }
    let failed = |doing: &str, error: &io::Error| {
        let why = reason(error);
        format!("{label}: cannot {doing} a file there ({why}): name an existing file to read")
    };
    let name = format!(
        ".iogauge-ping-{}-{}",
        std::process::id(),
        clock::wall().as_nanos()
    );
    let path = folder.join(name);
    let made = sys::create_private(&path).map_err(|error| failed("make", &error))?;
    let file = fill(&made, bytes)
        .map_err(|error| failed("write", &error))
        .and_then(|()| {
            let file = open_past(&path, ping.caching);
            file.map_err(|error| failed("open", &error))
        });
    let _ = fs::remove_file(&path);
    file
}

/// Bytes that neither a device nor a filesystem can make less of.
fn fill(file: &fs::File, bytes: u64) -> io::Result<()> {
    let mut content = vec![0; bytes as usize];
    Noise::fresh(0).fill(&mut content);
    sys::write_all_at(file, &content, 0)?;
    file.sync_all()?;
    // Where the cache keeps it all the same, direct reads go past it.
    let _ = sys::advise(file, sys::CacheAdvice::DontNeed);
    Ok(())
}

/// How many places there are to read at, and how far apart.
fn places(ping: &Ping, file: &File) -> Result<(u64, u64), String> {
    let label = shown(ping.path.as_os_str());
    let (size, length) = (u64::from(ping.size), file.size());
    let direct = file.options().caching == Caching::Direct;
    let needed = u64::from(if direct { file.alignment().offset } else { 1 }.max(1));
    if !size.is_multiple_of(needed) {
        return Err(format!(
            "{label}: reads past the page cache need multiples of {needed} bytes here, and --size is \
             {size}: choose such a size, or --buffered"
        ));
    }
    if length < size {
        return Err(format!(
            "{label} has {length} bytes, too few for a read of {size}: name a larger file, or a \
             smaller --size"
        ));
    }
    // Reads begin at multiples of their size, as programs and filesystems have it.
    Ok((length / size, size))
}

fn engine(file: Arc<File>, size: u32) -> Result<(Box<dyn Engine>, Buffer), String> {
    let length = (size as usize).next_multiple_of(sys::page_size());
    let region = Region::allocate(length, PageSize::Base)
        .map_err(|error| format!("cannot allocate a buffer: {error}"))?;
    let (buffers, region) = region.split(length, 0);
    let buffer = buffers.into_iter().next();
    let setup = Setup {
        files: vec![file],
        regions: vec![region],
        depth: 1,
        ..Setup::default()
    };
    let engine = registry::open(EngineKind::Psync, setup).map_err(|error| error.to_string())?;
    let buffer = buffer.ok_or("there is no buffer")?;
    Ok((engine, buffer))
}

impl Pinger {
    /// Reads until the count is reached, `interrupt` becomes true, or `told`, which hears each reply
    /// at once, says false.
    pub fn run(
        &mut self,
        ping: &Ping,
        interrupt: &AtomicBool,
        told: &mut dyn FnMut(&Reply) -> bool,
    ) -> Pinged {
        let begin = clock::now();
        let mut pinged = Pinged {
            reads: OperationStats::default(),
            took: Duration::ZERO,
            interrupted: false,
        };
        let mut number = 0;
        while ping.count.is_none_or(|count| number < count) {
            let due = clock::now().after(ping.interval);
            number += 1;
            let reply = self.read(number, &mut pinged.reads);
            pinged.took = Duration::from_nanos(clock::now().since(begin));
            let heard = told(&reply);
            let last = ping.count == Some(number);
            if !heard || interrupt.load(Relaxed) || (!last && rest(due, interrupt)) {
                pinged.interrupted = !last;
                break;
            }
        }
        pinged
    }

    fn read(&mut self, number: u64, reads: &mut OperationStats) -> Reply {
        let place = (u128::from(self.random.next_u64()) * u128::from(self.places)) >> 64;
        let offset = place as u64 * self.step;
        let result = match self.complete(offset) {
            Ok(completion) => {
                let latency = completion.completed.since(completion.issued);
                let size = self.size;
                let result = match completion.result {
                    Ok(read) if read == size => {
                        reads.record(0, latency, u64::from(size));
                        Ok(Duration::from_nanos(latency))
                    }
                    Ok(read) => {
                        reads.short += 1;
                        Err(format!("only {read} bytes were there (was it cut?)"))
                    }
                    Err(errno) => {
                        *reads.errors.entry(errno.0).or_default() += 1;
                        Err(errno.to_string())
                    }
                };
                self.buffer = Some(completion.request.buffer);
                result
            }
            Err(error) => {
                let errno = Errno::from_io(&error);
                *reads.errors.entry(errno.0).or_default() += 1;
                Err(reason(&error))
            }
        };
        Reply {
            number,
            offset,
            result,
        }
    }

    fn complete(&mut self, offset: u64) -> io::Result<Completion> {
        let lost = || io::Error::other("the engine lost the buffer");
        let request = Request {
            operation: Operation::Read,
            file: 0,
            length: self.size,
            tag: 0,
            offset,
            buffer: self.buffer.take().ok_or_else(lost)?,
            source: None,
        };
        if let Err(rejected) = self.engine.submit(request) {
            self.buffer = Some(rejected.request.buffer);
            return Err(rejected.reason);
        }
        let mut completions = Vec::with_capacity(1);
        self.engine.reap(Wait::ONE, &mut completions)?;
        completions.pop().ok_or_else(lost)
    }
}

/// Waits for the time of the next read; true if a signal came first.
fn rest(due: Nanos, interrupt: &AtomicBool) -> bool {
    loop {
        if interrupt.load(Relaxed) {
            return true;
        }
        let now = clock::now();
        if now >= due {
            return false;
        }
        clock::sleep_until(due.min(now.after(TICK)));
    }
}

#[cfg(test)]
mod tests;
