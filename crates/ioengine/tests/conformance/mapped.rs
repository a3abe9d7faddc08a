//! What only the mapping engine can meet: files cut under it, and flushes of its own.

use ioengine::{
    Access, EngineKind, Errno, OpenError, Operation,
    registry::{self, MappedFlush},
};

use crate::rig::{Bench, on};

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
