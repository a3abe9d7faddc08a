//! Engines that are dropped or moved while the kernel works for them.

use ioengine::{Access, Operation, Wait};

use crate::rig::{each, on};

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
