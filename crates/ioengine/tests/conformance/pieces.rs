//! Blocks of several pieces of memory, and the time that an initiating call takes.

use std::sync::Arc;

use ioengine::{
    Access, EngineKind, OpenError, Operation, PageSize, Region, Setup, SourceSlice,
    registry::{self, Assembly},
};

use crate::rig::{Bench, Rig, each, on, pattern};

const BLOCK: usize = 16_384;

/// Both ways to take a block apart into four pieces of a page.
const WAYS: [Assembly; 2] = [
    Assembly::Copied { pieces: 4 },
    Assembly::Scattered { pieces: 4 },
];

/// A bench of the engine that can, a rig on it and the file, for each way.
fn each_way(body: impl Fn(&Bench, Rig, &std::path::Path)) {
    for assembly in WAYS {
        let bench = Bench {
            folder: tempfile::tempdir().unwrap(),
            kind: EngineKind::Psync,
        };
        let path = bench.file(65_536);
        let mut setup = on(&path, Access::ReadWrite);
        setup.assembly = assembly;
        setup.largest = BLOCK as u32;
        let mut source = Region::allocate(65_536, PageSize::Base).unwrap();
        for (index, byte) in source.bytes_mut().iter_mut().enumerate() {
            *byte = !pattern(index);
        }
        setup.sources = vec![Arc::new(source)];
        let absent = registry::open(EngineKind::Psync, setup.clone()).is_err();
        if absent && !cfg!(target_os = "linux") {
            // A system without such a call.
            continue;
        }
        let rig = bench.rig(setup, 2, BLOCK).unwrap();
        body(&bench, rig, &path);
    }
}

/// Where byte `index` of a block is in memory: the pieces stand last first.
fn place(index: usize, piece: usize) -> usize {
    BLOCK - piece - index / piece * piece + index % piece
}

#[test]
fn pieces_are_read_and_written_last_first() {
    each_way(|_, mut rig, path| {
        let bytes = rig.read(8192, BLOCK as u32).unwrap();
        for index in 0..BLOCK {
            assert_eq!(bytes[place(index, 4096)], pattern(8192 + index), "{index}");
        }
        let mut request = rig.request(Operation::Write, 32_768, BLOCK as u32);
        for index in 0..BLOCK {
            request.buffer.as_mut_slice()[place(index, 4096)] = pattern(index + 7);
        }
        let done = rig.one(request);
        assert_eq!(done.result, Ok(BLOCK as u32));
        assert!(done.initiated == done.completed && done.issued <= done.completed);
        rig.back(done);
        for operation in [Operation::Flush, Operation::FlushData] {
            let request = rig.request(operation, 0, 0);
            let done = rig.one(request);
            assert_eq!(done.result, Ok(0));
            rig.back(done);
        }
        drop(rig);
        let file = std::fs::read(path).unwrap();
        for (index, byte) in file.iter().enumerate() {
            let wanted = match index {
                32_768..49_152 => pattern(index - 32_768 + 7),
                _ => pattern(index),
            };
            assert_eq!(*byte, wanted, "{index}");
        }
    });
}

#[test]
fn pieces_of_a_source_are_sent_last_first() {
    each_way(|_, mut rig, path| {
        let mut request = rig.request(Operation::Write, 4096, 8000);
        request.source = Some(SourceSlice {
            region: 0,
            offset: 100,
        });
        assert_eq!(rig.one(request).result, Ok(8000));
        drop(rig);
        let file = std::fs::read(path).unwrap();
        for index in 0..8000 {
            // Four pieces of 2000 bytes.
            let from = 6000 - index / 2000 * 2000 + index % 2000;
            assert_eq!(file[4096 + index], !pattern(100 + from), "{index}");
        }
    });
}

#[test]
fn a_read_at_the_end_falls_short_and_a_failure_is_told() {
    each_way(|_, mut rig, _| {
        let request = rig.request(Operation::Read, 65_536 - 6000, BLOCK as u32);
        let done = rig.one(request);
        assert_eq!(done.result, Ok(6000));
        for index in 0..6000 {
            let byte = done.request.buffer.as_slice()[place(index, 4096)];
            assert_eq!(byte, pattern(65_536 - 6000 + index), "{index}");
        }
        rig.back(done);
        assert_eq!(rig.read(1 << 40, BLOCK as u32), Ok(Vec::new()));
    });
}

#[test]
fn what_does_not_come_apart_is_given_back() {
    each_way(|_, mut rig, _| {
        let request = rig.request(Operation::Read, 0, 4095);
        let rejected = rig.engine.submit(request).unwrap_err();
        assert_eq!(rejected.reason.kind(), std::io::ErrorKind::InvalidInput);
        assert_eq!(rig.engine.in_flight(), 0);
    });
}

#[test]
fn other_engines_and_absurd_numbers_are_refused_by_name() {
    for assembly in WAYS {
        each(true, |bench| {
            let path = bench.file(4096);
            let mut setup = on(&path, Access::Read);
            setup.assembly = assembly;
            let refused = registry::open(bench.kind, setup).err();
            if bench.kind != EngineKind::Psync {
                let text = refused.unwrap().to_string();
                assert!(text.contains("psync"), "{text}");
                assert!(text.contains(&bench.kind.to_string()), "{text}");
            }
        });
    }
    for assembly in [
        Assembly::Scattered { pieces: 1025 },
        Assembly::Scattered { pieces: 0 },
        Assembly::Copied { pieces: 0 },
    ] {
        let setup = Setup {
            assembly,
            ..Setup::default()
        };
        assert!(matches!(
            registry::open(EngineKind::Psync, setup),
            Err(OpenError::Unfit { .. })
        ));
    }
}

#[test]
fn an_initiating_call_returns_between_issue_and_completion() {
    each(false, |bench| {
        let path = bench.file(65_536);
        let mut setup = on(&path, Access::Read);
        setup.initiation = true;
        let Some(mut rig) = bench.rig(setup, 4, 4096) else {
            return;
        };
        let mut out = Vec::new();
        for batch in 0..8 {
            for slot in 0..4 {
                let request = rig.request(Operation::Read, (batch * 4 + slot) % 16 * 4096, 4096);
                rig.engine.submit(request).unwrap();
            }
            while rig.engine.in_flight() > 0 {
                rig.engine.reap(ioengine::Wait::ONE, &mut out).unwrap();
            }
            for done in out.drain(..) {
                let kind = bench.kind;
                assert_eq!(done.result, Ok(4096), "{kind}");
                assert!(done.issued <= done.initiated, "{kind}: {done:?}");
                assert!(done.initiated <= done.completed, "{kind}: {done:?}");
                rig.buffers.push(done.request.buffer);
            }
        }
    });
}
