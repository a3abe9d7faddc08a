//! One suite over every engine in the registry: what each must do whatever it is made of.
#![expect(clippy::unwrap_used, reason = "what fails in a helper fails its test")]

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use ioengine::{
    Access, Buffer, Caching, Completion, Engine, EngineKind, Errno, File, OpenError, OpenOptions,
    Operation, PageSize, Region, Request, Setup, SourceSlice, Wait, clock,
    registry::{self, ENGINES, Law, MappedFlush, Polling},
};

/// A folder, a file of a given size with known content, and what an engine needs to work on it.
struct Bench {
    folder: tempfile::TempDir,
    kind: EngineKind,
}

/// An open engine with buffers.
struct Rig {
    engine: Box<dyn Engine>,
    buffers: Vec<Buffer>,
}

/// Byte `offset` of every test file.
fn pattern(offset: usize) -> u8 {
    (offset as u64)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .to_be_bytes()[0]
}

fn say(text: &str) {
    // The test harness swallows what `eprintln` writes.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Opens an engine or prints why not.
fn open(kind: EngineKind, setup: Setup) -> Option<Box<dyn Engine>> {
    match registry::open(kind, setup) {
        Ok(engine) => Some(engine),
        Err(error @ (OpenError::NotHere(_) | OpenError::Refused { .. })) => {
            say(&format!("skipped: {error}"));
            None
        }
        Err(error) => panic!("{kind}: {error}"),
    }
}

/// A set-up with one file.
fn on(path: &Path, access: Access) -> Setup {
    let options = OpenOptions {
        access,
        ..OpenOptions::READ
    };
    Setup {
        files: vec![Arc::new(File::open(path, options).unwrap())],
        ..Setup::default()
    }
}

/// Runs `body` for each engine; `real` leaves out those that touch no file.
fn each(real: bool, body: impl Fn(&Bench)) {
    for (kind, capabilities) in ENGINES {
        if capabilities.here && (!real || capabilities.uses_files) {
            body(&Bench {
                folder: tempfile::tempdir().unwrap(),
                kind: *kind,
            });
        }
    }
}

impl Bench {
    /// A file of `size` bytes of the pattern.
    fn file(&self, size: usize) -> PathBuf {
        let path = self.folder.path().join("data");
        let bytes: Vec<u8> = (0..size).map(pattern).collect();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// An engine of this kind with `depth` buffers of `size` bytes.
    fn rig(&self, mut setup: Setup, depth: u32, size: usize) -> Option<Rig> {
        let region = Region::allocate(size * (depth as usize + 1), PageSize::Base).unwrap();
        let (buffers, region) = region.split(size, 0);
        setup.depth = depth;
        setup.regions = vec![region];
        let engine = open(self.kind, setup)?;
        for note in engine.notes() {
            say(&format!("{}: {note}", self.kind));
        }
        Some(Rig { engine, buffers })
    }
}

impl Rig {
    fn request(&mut self, operation: Operation, offset: u64, length: u32) -> Request {
        Request {
            operation,
            file: 0,
            length,
            tag: 0,
            offset,
            buffer: self.buffers.pop().unwrap(),
            source: None,
        }
    }

    /// Submits one request and waits for it.
    fn one(&mut self, request: Request) -> Completion {
        let mut out = Vec::new();
        self.engine.submit(request).unwrap();
        assert_eq!(self.engine.in_flight(), 1);
        while out.is_empty() {
            self.engine.reap(Wait::ONE, &mut out).unwrap();
        }
        assert_eq!(self.engine.in_flight(), 0);
        out.pop().unwrap()
    }

    fn back(&mut self, completion: Completion) {
        self.buffers.push(completion.request.buffer);
    }

    /// Reads and gives the bytes.
    fn read(&mut self, offset: u64, length: u32) -> Result<Vec<u8>, Errno> {
        let request = self.request(Operation::Read, offset, length);
        let done = self.one(request);
        let result = done
            .result
            .map(|count| done.request.buffer.as_slice()[..count as usize].to_vec());
        self.back(done);
        result
    }
}

#[test]
fn what_is_written_is_read_back() {
    each(true, |bench| {
        let path = bench.file(65_536);
        let setup = on(&path, Access::ReadWrite);
        let Some(mut rig) = bench.rig(setup, 4, 8192) else {
            return;
        };
        let mut request = rig.request(Operation::Write, 12_288, 8000);
        request.buffer.as_mut_slice().fill(0xA5);
        let done = rig.one(request);
        assert_eq!(done.result, Ok(8000), "{}", bench.kind);
        rig.back(done);
        for operation in [Operation::Flush, Operation::FlushData] {
            let request = rig.request(operation, 0, 0);
            let done = rig.one(request);
            assert_eq!(done.result, Ok(0), "{} {operation:?}", bench.kind);
            rig.back(done);
        }
        let mut expected: Vec<u8> = (0..65_536).map(pattern).collect();
        expected[12_288..20_288].fill(0xA5);
        for offset in (0..65_536).step_by(8192) {
            let bytes = rig.read(offset as u64, 8192).unwrap();
            assert_eq!(bytes, expected[offset..offset + 8192], "{}", bench.kind);
        }
        drop(rig);
        assert!(std::fs::read(&path).unwrap() == expected, "{}", bench.kind);
    });
}

#[test]
fn a_write_can_send_from_a_source() {
    each(true, |bench| {
        let path = bench.file(16_384);
        let mut source = Region::allocate(16_384, PageSize::Base).unwrap();
        for (index, byte) in source.bytes_mut().iter_mut().enumerate() {
            *byte = !pattern(index);
        }
        let mut setup = on(&path, Access::ReadWrite);
        setup.sources = vec![Arc::new(source)];
        let Some(mut rig) = bench.rig(setup, 2, 4096) else {
            return;
        };
        // Longer than its own buffer, which it does not use.
        let mut request = rig.request(Operation::Write, 1000, 9000);
        request.source = Some(SourceSlice {
            region: 0,
            offset: 333,
        });
        let done = rig.one(request);
        assert_eq!(done.result, Ok(9000), "{}", bench.kind);
        rig.back(done);
        drop(rig);
        let bytes = std::fs::read(&path).unwrap();
        for (index, byte) in bytes.iter().enumerate() {
            let wanted = if (1000..10_000).contains(&index) {
                !pattern(index - 1000 + 333)
            } else {
                pattern(index)
            };
            assert_eq!(*byte, wanted, "{} byte {index}", bench.kind);
        }
    });
}

#[test]
fn reads_end_with_the_file() {
    each(true, |bench| {
        let path = bench.file(10_000);
        let setup = on(&path, Access::Read);
        let Some(mut rig) = bench.rig(setup, 1, 4096) else {
            return;
        };
        let tail: Vec<u8> = (8192..10_000).map(pattern).collect();
        assert_eq!(rig.read(8192, 4096), Ok(tail), "{}", bench.kind);
        for offset in [10_000, 12_288, 1 << 40] {
            assert_eq!(rig.read(offset, 4096), Ok(Vec::new()), "{}", bench.kind);
        }
    });
}

#[test]
fn an_empty_file_reads_as_nothing() {
    each(true, |bench| {
        let path = bench.file(0);
        let setup = on(&path, Access::Read);
        if let Some(mut rig) = bench.rig(setup, 1, 4096) {
            assert_eq!(rig.read(0, 4096), Ok(Vec::new()), "{}", bench.kind);
        }
    });
}

#[test]
fn no_more_than_the_depth_is_taken_and_tags_come_back() {
    each(false, |bench| {
        let path = bench.file(65_536);
        let setup = on(&path, Access::Read);
        let Some(mut rig) = bench.rig(setup, 8, 4096) else {
            return;
        };
        for tag in 0..8 {
            let mut request = rig.request(Operation::Read, u64::from(tag) * 4096, 4096);
            request.tag = tag + 100;
            rig.engine.submit(request).unwrap();
        }
        assert_eq!(rig.engine.in_flight(), 8);
        let mut request = rig.request(Operation::Read, 0, 512);
        request.tag = 77;
        let address = request.buffer.as_slice().as_ptr();
        let rejected = rig.engine.submit(request).unwrap_err();
        assert_eq!(rejected.reason.kind(), std::io::ErrorKind::WouldBlock);
        assert_eq!(rejected.request.tag, 77);
        assert_eq!(rejected.request.buffer.as_slice().as_ptr(), address);
        let mut out = Vec::new();
        let all = Wait {
            at_least: 8,
            until: None,
        };
        while rig.engine.in_flight() > 0 {
            rig.engine.reap(all, &mut out).unwrap();
        }
        let mut tags: Vec<u32> = out.iter().map(|done| done.request.tag).collect();
        tags.sort_unstable();
        assert_eq!(tags, (100..108).collect::<Vec<_>>(), "{}", bench.kind);
        for done in &out {
            assert_eq!(done.result, Ok(4096), "{}", bench.kind);
            assert!(done.issued <= done.completed, "{}", bench.kind);
            if bench.kind.capabilities().uses_files {
                let offset = done.request.offset as usize;
                let bytes = done.request.buffer.as_slice();
                assert!((0..4096).all(|i| bytes[i] == pattern(offset + i)));
            }
        }
        // With nothing in flight a wait for one returns at once.
        rig.engine.reap(Wait::ONE, &mut out).unwrap();
        assert_eq!(out.len(), 8);
    });
}

#[test]
fn wrong_numbers_are_given_back() {
    each(false, |bench| {
        let path = bench.file(8192);
        let mut setup = on(&path, Access::ReadWrite);
        let source = Region::allocate(4096, PageSize::Base).unwrap();
        let end = source.len() as u32;
        setup.sources = vec![Arc::new(source)];
        let Some(mut rig) = bench.rig(setup, 2, 4096) else {
            return;
        };
        let slice = |region, offset| Some(SourceSlice { region, offset });
        let mut wrong: Vec<(Operation, u32, u64, u32, Option<SourceSlice>)> = vec![
            (Operation::Read, 0, 0, 4097, None),
            (Operation::Write, 0, 0, 4097, None),
            (Operation::Read, 0, u64::MAX, 1, None),
            (Operation::Read, 0, i64::MAX as u64, 4096, None),
            (Operation::Write, 0, 0, 512, slice(1, 0)),
            (Operation::Write, 0, 0, 512, slice(0, end - 511)),
            (Operation::Write, 0, 0, u32::MAX, slice(0, u32::MAX)),
        ];
        if bench.kind.capabilities().uses_files {
            wrong.push((Operation::Read, 1, 0, 512, None));
            wrong.push((Operation::Flush, u32::MAX, 0, 0, None));
        }
        for (operation, file, offset, length, source) in wrong {
            let mut request = rig.request(operation, offset, length);
            request.file = file;
            request.source = source;
            request.tag = 9;
            let rejected = rig.engine.submit(request).unwrap_err();
            assert_eq!(rejected.reason.kind(), std::io::ErrorKind::InvalidInput);
            assert_eq!(rejected.request.tag, 9);
            assert_eq!(rejected.request.offset, offset);
            rig.buffers.push(rejected.request.buffer);
        }
        assert_eq!(rig.engine.in_flight(), 0, "{}", bench.kind);
    });
}

#[test]
fn a_write_to_what_is_open_for_reading_completes_with_an_error() {
    each(true, |bench| {
        let path = bench.file(8192);
        let setup = on(&path, Access::Read);
        let Some(mut rig) = bench.rig(setup, 2, 4096) else {
            return;
        };
        let request = rig.request(Operation::Write, 0, 4096);
        let done = rig.one(request);
        assert_eq!(done.result, Err(Errno::EBADF), "{}", bench.kind);
        assert!(done.issued <= done.completed);
        rig.back(done);
        // The engine goes on, also when the bad one is among good ones.
        let mut out = Vec::new();
        let bad = rig.request(Operation::Write, 0, 4096);
        rig.engine.submit(bad).unwrap();
        let good = rig.request(Operation::Read, 0, 4096);
        rig.engine.submit(good).unwrap();
        while rig.engine.in_flight() > 0 {
            rig.engine.reap(Wait::ONE, &mut out).unwrap();
        }
        out.sort_by_key(|done| done.request.operation == Operation::Read);
        let results: Vec<_> = out.iter().map(|done| done.result).collect();
        assert_eq!(results, [Err(Errno::EBADF), Ok(4096)], "{}", bench.kind);
    });
}

#[test]
fn a_time_limit_is_kept_with_nothing_in_flight() {
    each(false, |bench| {
        let path = bench.file(4096);
        let setup = on(&path, Access::Read);
        let Some(mut rig) = bench.rig(setup, 2, 4096) else {
            return;
        };
        let before = rig.engine.now();
        let until = before.after(Duration::from_millis(20));
        let mut out = Vec::new();
        rig.engine.reap(Wait::one_until(until), &mut out).unwrap();
        assert!(out.is_empty());
        assert!(rig.engine.now() >= until, "{}", bench.kind);
        assert!(rig.engine.now().since(before) < 2_000_000_000);
        // A limit already past, with one in flight, does not lose it.
        let request = rig.request(Operation::Read, 0, 4096);
        rig.engine.submit(request).unwrap();
        rig.engine.reap(Wait::one_until(before), &mut out).unwrap();
        while rig.engine.in_flight() > 0 {
            rig.engine.reap(Wait::ONE, &mut out).unwrap();
        }
        assert_eq!(out.len(), 1, "{}", bench.kind);
    });
}

/// A read of an empty pipe does not complete: the only I/O that surely outlasts a limit.
#[cfg(target_os = "linux")]
#[test]
fn a_time_limit_ends_the_wait_for_what_does_not_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &path,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    let bench = Bench {
        folder,
        kind: EngineKind::IoUring,
    };
    let setup = on(&path, Access::ReadWrite);
    let Some(mut rig) = bench.rig(setup, 2, 4096) else {
        return;
    };
    let mut request = rig.request(Operation::Read, 0, 5);
    request.tag = 3;
    rig.engine.submit(request).unwrap();
    let mut out = Vec::new();
    let before = clock::now();
    let until = before.after(Duration::from_millis(30));
    rig.engine.reap(Wait::one_until(until), &mut out).unwrap();
    let took = clock::now().since(before);
    assert!(out.is_empty());
    assert!((30_000_000..2_000_000_000).contains(&took), "{took} ns");
    rig.engine.reap(Wait::POLL, &mut out).unwrap();
    assert_eq!(rig.engine.in_flight(), 1);
    std::fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .unwrap()
        .write_all(b"hello")
        .unwrap();
    rig.engine.reap(Wait::ONE, &mut out).unwrap();
    assert_eq!(out[0].result, Ok(5));
    assert_eq!(&out[0].request.buffer.as_slice()[..5], b"hello");
    assert_eq!(out[0].request.tag, 3);
}

#[test]
fn dropping_with_requests_in_flight_is_clean() {
    each(false, |bench| {
        let path = bench.file(1 << 20);
        for reaped in [false, true] {
            let setup = on(&path, Access::Read);
            let Some(mut rig) = bench.rig(setup, 16, 65_536) else {
                return;
            };
            for index in 0..16 {
                let request = rig.request(Operation::Read, index * 65_536, 65_536);
                rig.engine.submit(request).unwrap();
            }
            if reaped {
                rig.engine.reap(Wait::POLL, &mut Vec::new()).unwrap();
            }
            drop(rig);
        }
    });
}

#[test]
fn an_engine_moved_to_another_thread_is_sound() {
    each(false, |bench| {
        let path = bench.file(65_536);
        let setup = on(&path, Access::Read);
        let Some(mut rig) = bench.rig(setup, 4, 4096) else {
            return;
        };
        let request = rig.request(Operation::Read, 0, 4096);
        rig.engine.submit(request).unwrap();
        std::thread::spawn(move || {
            let mut out = Vec::new();
            // A ring with a single issuer refuses; all others work.
            if rig.engine.reap(Wait::ONE, &mut out).is_ok() {
                assert_eq!(out.len(), 1);
            }
        })
        .join()
        .unwrap();
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_mapped_file_cut_short_gives_errors_and_mends() {
    let bench = Bench {
        folder: tempfile::tempdir().unwrap(),
        kind: EngineKind::Mmap,
    };
    let path = bench.file(65_536);
    let setup = on(&path, Access::ReadWrite);
    let Some(mut rig) = bench.rig(setup, 1, 16_384) else {
        return;
    };
    assert_eq!(
        rig.read(32_768, 16_384).map(|bytes| bytes.len()),
        Ok(16_384)
    );
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(20_000).unwrap();
    for offset in [32_768, 49_152, 24_576, 16_384] {
        assert_eq!(rig.read(offset, 16_384), Err(Errno::EIO), "at {offset}");
        let request = rig.request(Operation::Write, offset, 16_384);
        let done = rig.one(request);
        assert_eq!(done.result, Err(Errno::EIO), "at {offset}");
        rig.back(done);
    }
    assert_eq!(rig.read(0, 16_384).map(|bytes| bytes.len()), Ok(16_384));
    // The range was mapped again from the file: once that is back, so are its bytes.
    file.set_len(65_536).unwrap();
    assert_eq!(rig.read(32_768, 16_384), Ok(vec![0; 16_384]));
    let mut request = rig.request(Operation::Write, 32_768, 16_384);
    request.buffer.as_mut_slice().fill(9);
    let done = rig.one(request);
    assert_eq!(done.result, Ok(16_384));
    drop(rig);
    let bytes = std::fs::read(&path).unwrap();
    assert!(bytes[32_768..49_152].iter().all(|byte| *byte == 9));
}

#[cfg(target_os = "linux")]
#[test]
fn a_mapped_write_can_be_followed_by_a_flush() {
    let bench = Bench {
        folder: tempfile::tempdir().unwrap(),
        kind: EngineKind::Mmap,
    };
    let path = bench.file(65_536);
    let mut setup = on(&path, Access::ReadWrite);
    setup.mapped_flush = MappedFlush::Sync;
    let mut rig = bench.rig(setup, 1, 16_384).unwrap();
    for (offset, wanted) in [
        (1000, Ok(16_384)),
        (60_000, Ok(5536)),
        (65_536, Err(Errno::EFBIG)),
    ] {
        let request = rig.request(Operation::Write, offset, 16_384);
        let done = rig.one(request);
        assert_eq!(done.result, wanted, "at {offset}");
        rig.back(done);
    }
    let mut setup = on(&path, Access::ReadWrite);
    setup.mapped_flush = MappedFlush::CacheLine;
    let error = registry::open(EngineKind::Mmap, setup).err().unwrap();
    assert!(matches!(error, OpenError::Unfit { .. }), "{error}");
}

/// A small generator for the tests' own choices (Marsaglia's xorshift64).
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

#[test]
fn ten_thousand_random_operations_agree_with_a_model() {
    const BLOCKS: u64 = 256;
    const BLOCK: usize = 4096;
    each(true, |bench| {
        let path = bench.file(BLOCKS as usize * BLOCK);
        let setup = on(&path, Access::ReadWrite);
        let Some(mut rig) = bench.rig(setup, 32, BLOCK) else {
            return;
        };
        let mut model: Vec<u8> = (0..BLOCKS as usize * BLOCK).map(pattern).collect();
        // A block in flight is left alone: the order of two I/Os to it is nobody's promise.
        let mut busy = vec![false; BLOCKS as usize];
        let mut draw = Draw(42);
        let (mut issued, mut finished) = (0, 0);
        let mut out = Vec::new();
        while finished < 10_000 {
            while issued < 10_000 && rig.engine.in_flight() < 32 {
                let block = draw.below(BLOCKS) as usize;
                if busy[block] {
                    continue;
                }
                busy[block] = true;
                let write = draw.below(2) == 0;
                let operation = if write {
                    Operation::Write
                } else {
                    Operation::Read
                };
                let mut request = rig.request(operation, (block * BLOCK) as u64, BLOCK as u32);
                if write {
                    let fill = draw.below(256) as u8;
                    request.buffer.as_mut_slice().fill(fill);
                    model[block * BLOCK..][..BLOCK].fill(fill);
                }
                request.tag = block as u32;
                rig.engine.submit(request).unwrap();
                issued += 1;
            }
            rig.engine.reap(Wait::ONE, &mut out).unwrap();
            for done in out.drain(..) {
                let block = done.request.tag as usize;
                assert_eq!(done.result, Ok(BLOCK as u32), "{}", bench.kind);
                assert!(done.request.buffer.as_slice() == &model[block * BLOCK..][..BLOCK]);
                busy[block] = false;
                finished += 1;
                rig.buffers.push(done.request.buffer);
            }
        }
        drop(rig);
        assert!(std::fs::read(&path).unwrap() == model, "{}", bench.kind);
    });
}

#[test]
fn direct_io_works_where_the_filesystem_has_it() {
    each(true, |bench| {
        if !bench.kind.capabilities().direct {
            return;
        }
        let path = bench.file(65_536);
        let options = OpenOptions {
            access: Access::ReadWrite,
            caching: Caching::Direct,
            ..OpenOptions::READ
        };
        let file = match File::open(&path, options) {
            Ok(file) => file,
            Err(error) => return say(&format!("skipped: {error}")),
        };
        let step = file.alignment().offset.max(512);
        let setup = Setup {
            files: vec![Arc::new(file)],
            ..Setup::default()
        };
        let Some(mut rig) = bench.rig(setup, 4, 16_384) else {
            return;
        };
        let offset = u64::from(step);
        let bytes = rig.read(offset, 16_384).unwrap();
        assert!((0..16_384).all(|i| bytes[i] == pattern(offset as usize + i)));
    });
}

#[test]
fn a_depth_of_nothing_and_a_split_source_are_unfit() {
    for (kind, capabilities) in ENGINES.iter().filter(|(_, c)| c.here) {
        let setup = Setup {
            depth: 0,
            ..Setup::default()
        };
        assert!(matches!(
            registry::open(*kind, setup),
            Err(OpenError::Unfit { .. })
        ));
        let (_buffers, region) = Region::allocate(4096, PageSize::Base)
            .unwrap()
            .split(512, 0);
        let setup = Setup {
            sources: vec![region],
            law: Law::default(),
            ..Setup::default()
        };
        let result = registry::open(*kind, setup);
        assert!(
            matches!(result, Err(OpenError::Unfit { .. })),
            "{}",
            capabilities.name
        );
    }
}

#[test]
fn polled_rings_do_the_same_io() {
    for polling in [Polling::Submission, Polling::Device] {
        let bench = Bench {
            folder: tempfile::tempdir().unwrap(),
            kind: EngineKind::IoUring,
        };
        if !bench.kind.capabilities().here {
            return;
        }
        let path = bench.file(65_536);
        let mut setup = on(&path, Access::ReadWrite);
        setup.polling = polling;
        let Some(mut rig) = bench.rig(setup, 4, 4096) else {
            continue;
        };
        for round in 0..50 {
            match rig.read(round % 16 * 4096, 4096) {
                Ok(bytes) => assert!(
                    (0..4096).all(|i| bytes[i] == pattern((round % 16) as usize * 4096 + i))
                ),
                // A device cannot be polled for buffered I/O; the completion says so.
                Err(errno) => {
                    assert_eq!(polling, Polling::Device, "{errno}");
                    assert!(matches!(errno.0, 22 | 95), "{errno}");
                }
            }
        }
        let request = rig.request(Operation::FlushData, 0, 0);
        let done = rig.one(request);
        assert_eq!(done.result, Ok(0), "{polling:?}");
        rig.back(done);
        let until = clock::now().after(Duration::from_millis(5));
        rig.engine
            .reap(Wait::one_until(until), &mut Vec::new())
            .unwrap();
        assert!(clock::now() >= until);
        // In flight when it is dropped.
        let request = rig.request(Operation::Read, 0, 4096);
        rig.engine.submit(request).unwrap();
    }
}

#[test]
fn exclusive_means_nothing_for_regular_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    std::fs::write(&path, b"12345").unwrap();
    let options = OpenOptions {
        access: Access::ReadWrite,
        exclusive: cfg!(target_os = "linux"),
        create: true,
        ..OpenOptions::READ
    };
    assert_eq!(File::open(&path, options).unwrap().size(), 5);
}
