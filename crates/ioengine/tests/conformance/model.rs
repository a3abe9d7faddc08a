//! Random operations against a model in memory.

use ioengine::{Access, Operation, Wait};

use crate::rig::{each, on, pattern};

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
