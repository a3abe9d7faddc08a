//! What an I/O costs through each engine, beside a loop of nothing but `pread`.
//!
//! `cargo bench -p ioengine --bench bare -- TARGET [SECONDS]` reads 4 KiB at random offsets of a
//! file or device of your own, past the page cache where it can; without a target only the null
//! engine is measured. Each I/O draws an offset and records its latency, as a worker does.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a program for developers: it prints, and ends where it cannot go on"
)]

use std::{hint::black_box, path::Path, sync::Arc, time::Duration};

use hdrhistogram::Histogram;
use ioengine::{
    Access, Buffer, Caching, Completion, Engine, EngineKind, File, Nanos, OpenOptions, Operation,
    PageSize, Region, Request, Setup, Wait, clock, registry,
};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const BLOCK: u32 = 4096;

/// Chance and record of one measurement.
struct Meter {
    chance: Xoshiro256PlusPlus,
    latency: Histogram<u64>,
    blocks: u64,
}

impl Meter {
    fn new(bytes: u64) -> Self {
        Self {
            chance: Xoshiro256PlusPlus::seed_from_u64(1),
            latency: Histogram::new_with_bounds(1, 3_600_000_000_000, 3).unwrap(),
            blocks: (bytes / u64::from(BLOCK)).max(1),
        }
    }

    #[inline]
    fn offset(&mut self) -> u64 {
        let wide = u128::from(self.chance.next_u64()) * u128::from(self.blocks);
        (wide >> 64) as u64 * u64::from(BLOCK)
    }
}

fn open(path: &Path) -> File {
    let mut options = OpenOptions {
        access: Access::Read,
        caching: Caching::Direct,
        ..OpenOptions::READ
    };
    File::open(path, options).unwrap_or_else(|_| {
        options.caching = Caching::Buffered;
        File::open(path, options).unwrap()
    })
}

/// Nanoseconds that this thread has spent on a processor, where the system says: on a machine
/// that does other things too, this is the figure to compare.
fn processor_time() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// When a measurement began, on both clocks.
struct Stopwatch {
    wall: Nanos,
    processor: Option<u64>,
}

impl Stopwatch {
    fn start() -> Self {
        Self {
            wall: clock::now(),
            processor: processor_time(),
        }
    }

    fn report(&self, name: &str, count: u64) {
        let each = clock::now().since(self.wall) as f64 / count as f64;
        print!("{name:<20} {each:8.1} ns an I/O, {:8.0} IOPS", 1e9 / each);
        if let (Some(before), Some(after)) = (self.processor, processor_time()) {
            print!(
                ", {:8.1} ns of processor",
                (after - before) as f64 / count as f64
            );
        }
        println!();
    }
}

/// Nothing but the call, with an offset drawn for each.
fn bare(path: &Path, seconds: u64) {
    use std::os::unix::fs::FileExt;
    let file = open(path);
    let mut meter = Meter::new(file.size());
    let mut region = Region::allocate(BLOCK as usize, PageSize::Base).unwrap();
    let watch = Stopwatch::start();
    let end = watch.wall.after(Duration::from_secs(seconds));
    let mut count = 0;
    while count % 1024 != 0 || clock::now() < end {
        let offset = meter.offset();
        let bytes = &mut region.bytes_mut()[..BLOCK as usize];
        black_box(file.std().read_at(bytes, offset).unwrap());
        count += 1;
    }
    watch.report("bare pread", count);
}

/// A worker's loop: refill every free place, wait for one, take all.
fn engine(kind: EngineKind, path: Option<&Path>, depth: u32, seconds: u64) {
    let files: Vec<_> = path.map(|path| Arc::new(open(path))).into_iter().collect();
    let mut meter = Meter::new(files.first().map_or(1 << 30, |file| file.size()));
    let region = Region::allocate((BLOCK * depth) as usize, PageSize::Base).unwrap();
    let (buffers, region) = region.split(BLOCK as usize, 0);
    let setup = Setup {
        files,
        regions: vec![region],
        depth,
        ..Setup::default()
    };
    let mut engine = match registry::open(kind, setup) {
        Ok(engine) => engine,
        Err(error) => return println!("{error}"),
    };
    for note in engine.notes() {
        println!("{kind}: {note}");
    }
    let watch = Stopwatch::start();
    let end = watch.wall.after(Duration::from_secs(seconds));
    let count = work(engine.as_mut(), buffers, &mut meter, end.0);
    watch.report(&format!("{kind} depth {depth}"), count);
    black_box(meter.latency.len());
}

fn work(engine: &mut dyn Engine, mut free: Vec<Buffer>, meter: &mut Meter, end: u64) -> u64 {
    let mut out: Vec<Completion> = Vec::with_capacity(free.len());
    let mut count = 0;
    let mut last = 0;
    while last < end {
        while let Some(buffer) = free.pop() {
            let request = Request {
                operation: Operation::Read,
                file: 0,
                length: BLOCK,
                tag: 0,
                offset: meter.offset(),
                buffer,
                source: None,
            };
            engine.submit(request).unwrap();
        }
        engine.reap(Wait::ONE, &mut out).unwrap();
        for done in out.drain(..) {
            assert_eq!(done.result, Ok(BLOCK));
            meter
                .latency
                .saturating_record(done.completed.since(done.issued));
            last = done.completed.0;
            count += 1;
            free.push(done.request.buffer);
        }
    }
    count
}

fn main() {
    // Cargo itself adds an argument that begins with two dashes.
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let seconds = words.get(1).map_or(1, |text| text.parse().unwrap());
    if let Some(path) = words.first().map(Path::new) {
        for _ in 0..3 {
            bare(path, seconds);
            engine(EngineKind::Psync, Some(path), 1, seconds);
            engine(EngineKind::IoUring, Some(path), 1, seconds);
            engine(EngineKind::IoUring, Some(path), 32, seconds);
            engine(EngineKind::Libaio, Some(path), 1, seconds);
            engine(EngineKind::Libaio, Some(path), 32, seconds);
        }
    }
    engine(EngineKind::Null, None, 1, seconds);
    engine(EngineKind::Null, None, 32, seconds);
}
