//! What it costs to say where the next I/O goes: operations of one worker, drawn and not done.
//! `cargo bench --bench draws`, with `-- --quick` for short runs.

use std::{
    error::Error,
    hint::black_box,
    io::{self, Write},
    sync::Arc,
    time::{Duration, Instant},
};

use iogauge::{
    offsets::{Sequencer, SharedCursors, Window},
    plan::{Step, wire},
};

/// Blocks of the range.
const BLOCKS: u64 = 1 << 28;
/// Operations between two looks at the clock.
const BATCH: u32 = 1_000_000;

/// Millions a second on one core that nothing may fall below.
const LEAST: f64 = 12.0;
/// The best of so many runs counts: others were disturbed.
const ROUNDS: usize = 5;

const PATTERNS: [(&str, &str); 7] = [
    ("uniform", "'uniform'"),
    (
        "hot:90/10",
        "{ percent = [{ io-percent = 90, from = 0, length = 10 }, { io-percent = 10, from = 10, length = 90 }] }",
    ),
    ("zipf:0.99", "{ zipf = { exponent = 0.99 } }"),
    ("zipf:1", "{ zipf = { exponent = 1 } }"),
    ("zipf:1.2", "{ zipf = { exponent = 1.2 } }"),
    ("pareto:0.2", "{ pareto = { h = 0.2 } }"),
    ("normal:10", "{ normal = { deviation-percent = 10 } }"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let time = Duration::from_millis(if quick { 100 } else { 1000 });
    let patterns = PATTERNS.map(|(name, distribution)| {
        let pattern = format!("{{ random = {{ distribution = {distribution} }} }}");
        (name, pattern)
    });
    let shuffled = ("shuffled", "'shuffled'".to_owned());
    let mut out = io::stdout().lock();
    writeln!(out, "Operations drawn over 2^28 blocks, one core")?;
    for (name, pattern) in patterns.into_iter().chain([shuffled]) {
        let mut worker = worker(&pattern)?;
        let rates = (0..ROUNDS).map(|_| rate(&mut worker, time));
        let best = rates.fold(0.0, f64::max);
        let verdict = if best >= LEAST { "met" } else { "MISSED" };
        writeln!(
            out,
            "{name:<12} {best:>8.1} M/s  at least {LEAST}: {verdict}"
        )?;
    }
    Ok(())
}

/// The only worker of a plan with this pattern.
fn worker(pattern: &str) -> Result<Sequencer, Box<dyn Error>> {
    let text = format!(
        "iogauge-plan = 1\n[[step]]\n[step.run]\nduration = '1s'\n[[step.run.target]]\n\
         path = './none'\n[[step.run.group]]\n[[step.run.group.stream]]\npattern = {pattern}\n"
    );
    let plan = wire::from_toml(&text)?;
    let span = plan.steps.iter().find_map(|step| match step {
        Step::Run(span) => Some(span),
        _ => None,
    });
    let span = span.ok_or("the plan has no time span")?;
    let window = Window {
        base: 0,
        length: BLOCKS * 4096,
        direct: true,
    };
    let cursors = Arc::new(SharedCursors::new(1));
    let group = &span.groups[0];
    Ok(Sequencer::new(
        span.generator,
        group,
        0,
        0,
        &[window],
        &cursors,
    )?)
}

/// Millions of operations a second.
fn rate(worker: &mut Sequencer, time: Duration) -> f64 {
    let start = Instant::now();
    let mut drawn = 0.0;
    loop {
        for _ in 0..BATCH {
            black_box(worker.next(0));
        }
        drawn += f64::from(BATCH);
        let taken = start.elapsed();
        if taken >= time {
            return drawn / taken.as_secs_f64() / 1e6;
        }
    }
}
