//! Any text whatever must be read as a plan or refused by a sentence; what is read is written,
//! read and told again, and never panics.

#![no_main]

use iogauge::{
    offsets::preview,
    personality::{diskspd, express::fio},
    plan::{describe, wire},
};
use libfuzzer_sys::fuzz_target;

/// More threads only take more time.
const WORKERS_MAX: u32 = 16;

fuzz_target!(|text: &[u8]| {
    let text = String::from_utf8_lossy(text);
    let plan = match wire::from_toml(&text) {
        Ok(plan) => plan,
        Err(error) => {
            assert!(!error.to_string().is_empty(), "a refusal says why");
            return;
        }
    };
    let again = wire::to_toml(&plan).expect("names that were read are text");
    assert_eq!(wire::from_toml(&again).as_ref(), Ok(&plan));
    let _ = describe(&plan, 80);
    let _ = (fio::express(&plan), diskspd::express::express(&plan));
    for span in plan.spans().filter(|span| span.worker_count() <= WORKERS_MAX) {
        let sizes = vec![1 << 30; span.targets.len()];
        let _ = preview(span, &sizes, 8);
    }
});
