//! Rings that poll, for submissions or for the device.

use std::time::Duration;

use ioengine::{Access, EngineKind, Operation, Wait, clock, registry::Polling};

use crate::rig::{Bench, on, pattern};

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
