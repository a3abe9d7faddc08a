//! What every test works with: a folder with a file of known content, and an open engine.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use ioengine::{
    Access, Buffer, Completion, Engine, EngineKind, Errno, File, OpenError, OpenOptions, Operation,
    PageSize, Region, Request, Setup, Wait,
    registry::{self, ENGINES},
};

/// A folder, a file of a given size with known content, and what an engine needs to work on it.
pub(crate) struct Bench {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) kind: EngineKind,
}

/// An open engine with buffers.
pub(crate) struct Rig {
    pub(crate) engine: Box<dyn Engine>,
    pub(crate) buffers: Vec<Buffer>,
}

impl Bench {
    /// A file of `size` bytes of the pattern.
    pub(crate) fn file(&self, size: usize) -> PathBuf {
        let path = self.folder.path().join("data");
        let bytes: Vec<u8> = (0..size).map(pattern).collect();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// An engine of this kind with `depth` buffers of `size` bytes.
    pub(crate) fn rig(&self, mut setup: Setup, depth: u32, size: usize) -> Option<Rig> {
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
    pub(crate) fn request(&mut self, operation: Operation, offset: u64, length: u32) -> Request {
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
    pub(crate) fn one(&mut self, request: Request) -> Completion {
        let mut out = Vec::new();
        self.engine.submit(request).unwrap();
        assert_eq!(self.engine.in_flight(), 1);
        while out.is_empty() {
            self.engine.reap(Wait::ONE, &mut out).unwrap();
        }
        assert_eq!(self.engine.in_flight(), 0);
        out.pop().unwrap()
    }

    pub(crate) fn back(&mut self, completion: Completion) {
        self.buffers.push(completion.request.buffer);
    }

    /// Reads and gives the bytes.
    pub(crate) fn read(&mut self, offset: u64, length: u32) -> Result<Vec<u8>, Errno> {
        let request = self.request(Operation::Read, offset, length);
        let done = self.one(request);
        let result = done
            .result
            .map(|count| done.request.buffer.as_slice()[..count as usize].to_vec());
        self.back(done);
        result
    }
}

/// Byte `offset` of every test file.
pub(crate) fn pattern(offset: usize) -> u8 {
    (offset as u64)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .to_be_bytes()[0]
}

pub(crate) fn say(text: &str) {
    // The test harness swallows what `eprintln` writes.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Opens an engine or prints why not.
pub(crate) fn open(kind: EngineKind, setup: Setup) -> Option<Box<dyn Engine>> {
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
pub(crate) fn on(path: &Path, access: Access) -> Setup {
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
pub(crate) fn each(real: bool, body: impl Fn(&Bench)) {
    for (kind, capabilities) in ENGINES {
        if capabilities.here && (!real || capabilities.uses_files) {
            body(&Bench {
                folder: tempfile::tempdir().unwrap(),
                kind: *kind,
            });
        }
    }
}
