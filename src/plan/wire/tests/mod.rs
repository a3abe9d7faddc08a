//! Plans to text and back; what a person writes; what is refused, and how that is said.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::plan::{
    Access, AccessPattern, Affinity, Assembly, BlockSizes, Caching, Counting, Dispatch,
    Distribution, Durability, FlushPolicy, Generator, Hints, Opening, OperationMix, Pacing,
    Payload, Polling, Priority, Stop, Stream, Target, TargetIndex, ThrottleSleep, TimeSpan,
    WorkerGroup,
    fixtures::{any, plan, shared_span, span, stream, target},
};

/// The shortest plan that a person can write.
const SHORT: &str = r#"
iogauge-plan = 1

[[step]]
[step.run]
duration = "5s"
[[step.run.target]]
path = "./x.dat"
[[step.run.group]]
[[step.run.group.stream]]
"#;

fn own(plan: Plan) -> Plan {
    Plan {
        consent: Vec::new(),
        rules: WriteRules::Own,
        ..plan
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_plan_survives_being_written_and_read(plan in any::plan()) {
        let text = to_toml(&plan).unwrap();
        let again = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        prop_assert_eq!(&again, &own(plan), "{}", text);
        prop_assert_eq!(to_toml(&again).unwrap(), text);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,200}", key in "[a-z.-]{1,12}", value in "\\PC{0,12}") {
        let _ = from_toml(&text);
        let _ = from_toml(&format!("{SHORT}{text}"));
        let _ = from_toml(&format!("{SHORT}{key} = {value}"));
    }
}

#[test]
fn what_is_left_out_is_the_simplest_load() {
    let by_hand = from_toml(SHORT).unwrap();
    let wanted = Plan {
        steps: vec![Step::Run(TimeSpan {
            name: String::new(),
            pause_before: Duration::ZERO,
            warmup: Duration::ZERO,
            stop: Stop {
                after: Some(Duration::from_secs(5)),
                ..Stop::default()
            },
            cooldown: Duration::ZERO,
            counting: Counting::CompletedInWindow,
            interval: Duration::from_secs(1),
            targets: vec![Target {
                label: "./x.dat".into(),
                path: "./x.dat".into(),
                base: 0,
                end: None,
                planned_size: None,
                access: Access::Read,
                caching: Caching::Direct,
                durability: Durability::None,
                remote_only: false,
                mapped: None,
                hints: Hints::default(),
                priority: Priority::Normal,
                huge_pages: false,
                opening: Opening::AtLeast(0),
            }],
            groups: vec![WorkerGroup {
                name: String::new(),
                workers: 1,
                affinity: Affinity::None,
                streams: vec![Stream {
                    target: TargetIndex(0),
                    pattern: AccessPattern::Random {
                        alignment: 4096,
                        distribution: Distribution::Uniform,
                    },
                    mix: OperationMix {
                        write_percent: 0,
                        flush: FlushPolicy::Never,
                    },
                    sizes: BlockSizes::One(4096),
                    queue_depth: 1,
                    pacing: Pacing::Unlimited,
                    payload: Payload::Stamped,
                    assembly: Assembly::Whole,
                    copies: None,
                }],
                dispatch: Dispatch::PerStream,
            }],
            sequence: None,
            visits: None,
            generator: Generator::Xoshiro { seed: 0 },
            polling: Polling::Interrupt,
            throttle_sleep: ThrottleSleep::Short,
            initiation: false,
            whole_milliseconds: false,
            verify: false,
        })],
        origin: Origin {
            personality: "iogauge".into(),
            command_line: String::new(),
        },
        engine: EngineChoice::Auto,
        on_error: OnError::Stop,
        consent: Vec::new(),
        rules: WriteRules::Own,
        events: Events::default(),
    };
    assert_eq!(by_hand, wanted);
}

fn short_with(line: &str) -> Result<Plan, WireError> {
    from_toml(&format!("{SHORT}{line}\n"))
}

#[test]
fn targets_are_opened_for_what_their_streams_do() {
    let access = |percent: u32| {
        let plan = short_with(&format!("write-percent = {percent}")).unwrap();
        plan.spans().next().unwrap().targets[0].access
    };
    assert_eq!(access(0), Access::Read);
    assert_eq!(access(100), Access::Write);
    assert_eq!(access(1), Access::ReadWrite);
}

#[test]
fn a_pattern_may_be_a_word_and_takes_the_largest_block() {
    let pattern = |lines: &str| {
        let plan = short_with(lines).unwrap();
        let span = plan.spans().next().unwrap();
        span.groups[0].streams[0].pattern.clone()
    };
    assert_eq!(
        pattern("pattern = 'sequential'\nblock = '64KiB'"),
        AccessPattern::Sequential {
            stride: 65536,
            worker_offset: 0
        }
    );
    assert_eq!(
        pattern("pattern = 'interlocked'\nblock = 8192"),
        AccessPattern::Interlocked { stride: 8192 }
    );
    assert_eq!(
        pattern("pattern = { random = { alignment = 512 } }\nblock = '8K'"),
        AccessPattern::Random {
            alignment: 512,
            distribution: Distribution::Uniform
        }
    );
    let sizes =
        "block = { read = [{ bytes = '8KiB', weight = 3 }, { bytes = '1MiB', weight = 1 }] }";
    assert_eq!(
        pattern(&format!("pattern = 'regions'\n{sizes}")),
        AccessPattern::Regions { alignment: 1 << 20 }
    );
}

#[test]
fn consent_is_neither_written_nor_read() {
    let mut written = plan("diskspd", "diskspd x", vec![Step::Run(shared_span())]);
    written.consent = vec!["/dev/sda".into()];
    assert_eq!(written.rules, WriteRules::Named);
    let text = to_toml(&written).unwrap();
    assert!(!text.contains("sda") && !text.contains("rules"), "{text}");
    let read = from_toml(&text).unwrap();
    assert!(read.consent.is_empty() && read.rules == WriteRules::Own);
    for line in [
        "consent = ['/dev/sda']",
        "destroy = ['x']",
        "rules = 'named'",
    ] {
        let text = SHORT.replace("iogauge-plan = 1", &format!("iogauge-plan = 1\n{line}"));
        assert!(from_toml(&text).is_err(), "{line}");
    }
}

/// What is said of the shortest plan with this line behind it.
fn refusal(line: &str) -> String {
    short_with(line).unwrap_err().to_string()
}

#[test]
fn a_refusal_names_line_key_and_what_is_right() {
    let stream = "line 11, step[1].run.group[1].stream[1].";
    for (line, key, right) in [
        ("block = '4kB'", "block", "write KiB"),
        (
            "block = -1",
            "block",
            "-1 is below 0: bytes from 0 to 4294967295",
        ),
        (
            "block = '4X'",
            "block",
            "'4X' is none: bytes from 0 to 4294967295",
        ),
        ("block = '1e3'", "block", "'1e3' is none"),
        ("block = '0x10'", "block", "'0x10' is none"),
        (
            "block = '4GiB'",
            "block",
            "4294967296 bytes are too many: 0 to 4294967295",
        ),
        ("block = '100000000000000000000'", "block", "is too much"),
        ("block = 4.5", "block", "a size such as"),
        (
            "queue-depth = '2^63'",
            "queue-depth",
            "a whole number from 0 to 4294967295",
        ),
        (
            "queue-depth = 9223372036854775807",
            "queue-depth",
            "from 0 to 4294967295",
        ),
        (
            "queue-depth = ''",
            "queue-depth",
            "'' is none: a whole number",
        ),
        (
            "pattern = 'ranom'",
            "pattern",
            "sequential, interlocked, parallel, random",
        ),
        ("pattern = 'mixed'", "pattern", "random-percent"),
        (
            "pattern = { random = { align = 4 } }",
            "pattern.random.align",
            "alignment",
        ),
        (
            "pacing = { burst = { operations = 1, pause = 5 } }",
            "pacing.burst.pause",
            "\"5s\"",
        ),
        (
            "pacing = { burst = { operations = 1, pause = '5' } }",
            "pacing.burst.pause",
            "\"5s\"",
        ),
        ("payload = 'ones'", "payload", "zeros"),
        ("blok = 1", "blok", "`block`"),
    ] {
        let said = refusal(line);
        assert!(
            said.starts_with(&format!("{stream}{key}: ")),
            "{line}: {said}"
        );
        assert!(said.contains(right), "{line}: {said}");
    }
}

#[test]
fn what_is_no_toml_is_said_by_its_line() {
    for (text, line) in [("iogauge-plan = 1\nx = = 2", "line 2: "), ("[", "line 1: ")] {
        let said = from_toml(text).unwrap_err().to_string();
        assert!(said.starts_with(line), "{said}");
    }
    // Deeper than any plan: refused, without use of the stack's end.
    let deep = format!("iogauge-plan = 1\nstep = {}", "[".repeat(1 << 20));
    assert!(from_toml(&deep).is_err());
}

#[test]
fn versions_come_first() {
    assert_eq!(from_toml("step = 3"), Err(WireError::NoVersion));
    assert_eq!(from_toml(""), Err(WireError::NoVersion));
    for version in ["2", "'1'", "-1", "1.0", "[1]"] {
        let said = from_toml(&format!("# Later.\niogauge-plan = {version}\nnew = 1"));
        let said = said.unwrap_err().to_string();
        assert!(
            said.starts_with("line 2: ") && said.contains(version),
            "{said}"
        );
    }
    let huge = format!("iogauge-plan = 1\n#{}", "x".repeat(SIZE_MAX));
    assert!(matches!(from_toml(&huge), Err(WireError::TooLarge(_))));
}

#[test]
fn a_whole_that_does_not_fit_together_is_refused() {
    for (line, said) in [
        ("queue-depth = 0", "queue depth"),
        ("target = 1", "names target 1"),
        ("write-percent = 101", "101"),
        ("block = 0", "block size"),
        ("pacing = { arrivals = { per-second = nan } }", "rate"),
        ("pacing = { arrivals = { per-second = -1 } }", "rate"),
    ] {
        assert!(refusal(line).contains(said), "{line}: {}", refusal(line));
    }
    assert!(short_with("pacing = { arrivals = { per-second = 500 } }").is_ok());
}

#[test]
fn a_name_that_is_no_text_is_refused() {
    let (mut text, bytes) = (span(vec![target("x", "x")], Vec::new()), "x\u{fffd}");
    text.targets[0].path = bytes.into();
    assert!(to_toml(&plan("x", "", vec![Step::Run(text.clone())])).is_ok());
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        text.targets[0].path = std::ffi::OsString::from_vec(b"a\xff\x1b.dat".to_vec()).into();
        let said = to_toml(&plan("x", "", vec![Step::Run(text)])).unwrap_err();
        let said = said.to_string();
        assert!(
            said.contains("not valid UTF-8") && !said.contains('\u{1b}'),
            "{said}"
        );
    }
    assert!(from_toml(&SHORT.replace("./x.dat", "")).is_err());
    assert!(from_toml(&SHORT.replace("./x.dat", "a\\u0000b")).is_err());
}

#[test]
fn the_text_is_for_people() {
    let pattern = AccessPattern::Random {
        alignment: 8192,
        distribution: Distribution::Uniform,
    };
    let group = WorkerGroup {
        name: "log".into(),
        workers: 8,
        affinity: Affinity::RoundRobin,
        streams: vec![stream(0, pattern, BlockSizes::One(8192))],
        dispatch: Dispatch::PerStream,
    };
    let span = span(vec![target("d.dat", "d.dat")], vec![group]);
    let text = to_toml(&plan(
        "diskspd",
        "diskspd -b8K d.dat",
        vec![Step::Run(span)],
    ))
    .unwrap();
    assert_eq!(
        text,
        r#"iogauge-plan = 1
engine = "auto"
on-error = "stop"

[origin]
personality = "diskspd"
command-line = "diskspd -b8K d.dat"

[[step]]
[step.run]
duration = "60s"
warmup = "5s"
interval = "1s"
counting = "completed-in-window"
generator = { diskspd = { seed = 0 } }

[[step.run.target]]
path = "d.dat"
access = "read-write"
caching = "direct"
durability = "dsync"

[[step.run.group]]
name = "log"
workers = 8
affinity = "round-robin"

[[step.run.group.stream]]
target = 0
pattern = { random = { alignment = "8KiB" } }
block = "8KiB"
write-percent = 40
queue-depth = 32
payload = "random"
"#
    );
}

/// The plans of the manual are plans, and every key that is read is in it.
#[test]
fn the_manual_is_right() {
    let manual = include_str!("../../../../docs/plans.md");
    let mut plans = 0;
    for block in manual.split("```toml\n").skip(1) {
        let text = block.split("```").next().unwrap();
        let plan = from_toml(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(from_toml(&to_toml(&plan).unwrap()), Ok(plan));
        plans += 1;
    }
    assert_eq!(plans, 3);
    for (unknown, above) in [
        ("x = 1", "iogauge-plan = 1"),
        ("x = 1", "duration = \"5s\""),
        ("x = 1", "path = \"./x.dat\""),
        ("x = 1", "[[step.run.group]]"),
        ("x = 1", "[[step.run.group.stream]]"),
    ] {
        let text = SHORT.replace(above, &format!("{above}\n{unknown}"));
        let said = from_toml(&text).unwrap_err().to_string();
        for key in said.split('`').skip(1).step_by(2).filter(|key| *key != "x") {
            assert!(manual.contains(key), "{key} is not in the manual: {said}");
        }
        assert!(said.contains("expected"), "{said}");
    }
}
