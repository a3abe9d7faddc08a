//! Waits end when they must: at their time limit, or with what they wait for.

use std::time::Duration;

use ioengine::{Access, Operation, Wait};

use crate::rig::{each, on};

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
