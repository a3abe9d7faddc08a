//! Small plans for tests.

pub(crate) mod any;
mod repair;

use std::time::Duration;

use ioengine::{Access, Caching, Durability};

pub(crate) use repair::repaired;

use super::{
    AccessPattern, Assembly, AtEnd, BlockSizes, Cached, Counted, Counting, Draws, EngineChoice,
    Events, FlushPolicy, Flushes, Generator, Hints, OnError, Opening, OperationMix, Operations,
    Order, Origin, Pacing, Payload, Plan, Polling, Popularity, Priority, SharedSequence, Step,
    Stop, Stream, Target, TargetIndex, ThrottleSleep, TimeSpan, Verify, Visits, Watch, WorkerGroup,
    WriteRules,
};

pub(crate) fn target(label: &str, path: &str) -> Target {
    Target {
        label: label.into(),
        path: path.into(),
        base: 0,
        end: None,
        planned_size: None,
        access: Access::ReadWrite,
        caching: Caching::Direct,
        durability: Durability::Dsync,
        remote_only: false,
        mapped: None,
        hints: Hints::default(),
        priority: Priority::Normal,
        huge_pages: false,
        opening: Opening::AtLeast(0),
    }
}

pub(crate) fn stream(target: usize, pattern: AccessPattern, sizes: BlockSizes) -> Stream {
    Stream {
        target: TargetIndex(target),
        pattern,
        mix: OperationMix {
            write_percent: 40,
            flush: FlushPolicy::Never,
        },
        sizes,
        queue_depth: 32,
        pacing: Pacing::Unlimited,
        payload: Payload::Random,
        assembly: Assembly::Whole,
        copies: None,
    }
}

pub(crate) fn span(targets: Vec<Target>, groups: Vec<WorkerGroup>) -> TimeSpan {
    TimeSpan {
        pause_before: Duration::ZERO,
        warmup: Duration::from_secs(5),
        stop: Stop {
            after: Some(Duration::from_mins(1)),
            ..Stop::default()
        },
        cooldown: Duration::ZERO,
        counting: Counting::CompletedInWindow,
        interval: Duration::from_secs(1),
        targets,
        groups,
        generator: Generator::DiskSpd { seed: 0 },
        polling: Polling::Interrupt,
        name: String::new(),
        sequence: None,
        visits: None,
        throttle_sleep: ThrottleSleep::Short,
        initiation: false,
        whole_milliseconds: false,
        verify: false,
    }
}

/// Chance of sysbench 1.0 with `--rand-seed=42`.
pub(crate) const DRAWS: Draws = Draws::Xoroshiro {
    seed: 42,
    draw_after_event: true,
};

/// sysbench's `rndrw` of 1.0 over 128 files, 2 GiB together, by two threads.
pub(crate) fn shared_span() -> TimeSpan {
    let name = |number| format!("test_file.{number}");
    let mut span = span(
        (0..128)
            .map(|number| {
                let mut target = target(&name(number), &name(number));
                target.caching = Caching::Buffered;
                target.durability = Durability::None;
                target.opening = Opening::AtLeast(16 << 20);
                target
            })
            .collect(),
        Vec::new(),
    );
    span.counting = Counting::DrainAndCount;
    span.warmup = Duration::ZERO;
    span.sequence = Some(Box::new(SharedSequence {
        workers: 2,
        file_size: 16 << 20,
        order: Order::Random {
            block: 16384,
            span: 2 << 30,
            draws: DRAWS,
        },
        operations: Operations::Ratio {
            reads_per_write: 1.5,
            counted: Counted::Completed,
        },
        flushes: Flushes {
            data_only: false,
            round_every: Some(100),
            after_write: false,
            at_end: AtEnd::EveryWorker,
            are_events: true,
        },
        backlog: None,
        verify: Verify::Off,
        payload: Payload::Zeros,
        arrivals_per_second: None,
        watch: Watch::default(),
        grace: None,
    }));
    span
}

/// Two visitors of so many files.
pub(crate) fn visits_span(files: usize) -> TimeSpan {
    let mut span = span(Vec::new(), Vec::new());
    span.visits = Some(Box::new(Visits {
        visitors: 2,
        files: (0..files)
            .map(|number| format!("site/{number}").into())
            .collect(),
        popularity: Popularity::Uniform,
        cached: Cached::AsItIs,
        chunk: 256 << 10,
    }));
    span
}

pub(crate) fn plan(personality: &str, command_line: &str, steps: Vec<Step>) -> Plan {
    Plan {
        steps,
        origin: Origin {
            personality: personality.into(),
            command_line: command_line.into(),
        },
        engine: EngineChoice::Auto,
        on_error: OnError::Stop,
        consent: Vec::new(),
        rules: WriteRules::Named,
        events: Events::default(),
    }
}
