//! What an engine must refuse, and how: the request comes back, or completes with an error.

use std::sync::Arc;

use ioengine::{
    Access, Errno, OpenError, Operation, PageSize, Region, Setup, SourceSlice, Wait,
    registry::{self, ENGINES, Law},
};

use crate::rig::{each, on, pattern};

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
