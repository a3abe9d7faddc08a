//! Small plans for tests.

use std::time::Duration;

use ioengine::{Access, Caching, Durability};

use super::{
    AccessPattern, BlockSizes, Counting, EngineChoice, Events, FlushPolicy, Generator, Hints,
    OnError, Opening, OperationMix, Origin, Pacing, Payload, Plan, Polling, Priority, Step, Stop,
    Stream, Target, TargetIndex, ThrottleSleep, TimeSpan, WorkerGroup,
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
        copies: None,
    }
}

pub(crate) fn span(targets: Vec<Target>, groups: Vec<WorkerGroup>) -> TimeSpan {
    TimeSpan {
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
        sequence: None,
        throttle_sleep: ThrottleSleep::Short,
    }
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
        events: Events::default(),
    }
}
