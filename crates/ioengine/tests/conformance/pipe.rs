//! A read of an empty pipe does not complete: the only I/O that surely outlasts a limit.

use std::{io::Write as _, time::Duration};

use ioengine::{Access, EngineKind, Operation, Wait, clock};

use crate::rig::{Bench, on};

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
