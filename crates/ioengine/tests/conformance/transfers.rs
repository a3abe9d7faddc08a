//! What is written is read back, from each place that bytes can come from.

use std::sync::Arc;

use ioengine::{
    Access, Caching, File, OpenOptions, Operation, PageSize, Region, Setup, SourceSlice,
};

use crate::rig::{each, on, pattern, say};

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
