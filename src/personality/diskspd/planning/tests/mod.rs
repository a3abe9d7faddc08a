//! Command lines and the plans they come to.

mod events;

use std::{path::Path, time::Duration};

use super::{Planned, to_plan};
use crate::{
    personality::{
        Command, DataChoice, Environment, Personality,
        diskspd::{
            DiskSpd,
            line::{Parsed, parse},
            profile::{Precreate, Profile, Target, ThreadTarget},
            testing::{args, around, line},
        },
    },
    plan::{
        Access, AccessPattern, Affinity, Caching, Content, Dispatch, Distribution, Durability,
        EngineChoice, Generator, MappedFlush, OnError, Pacing, PauseFrom, Payload, Plan, Prepare,
        Priority, Share, Step, Stream, ThrottleSleep, TimeSpan,
    },
};

fn planned(text: &str, around: &Environment) -> Planned {
    match parse(&args(text), around) {
        Ok(Parsed::Profile(line)) => to_plan(&line.profile, &args(text), around).unwrap(),
        other => panic!("{text}: {other:?}"),
    }
}

fn plan(text: &str) -> Plan {
    planned(text, &around()).plan
}

fn span(text: &str) -> TimeSpan {
    plan(text).spans().next().unwrap().clone()
}

fn stream(text: &str) -> Stream {
    span(text).groups[0].streams[0].clone()
}

fn target(text: &str) -> crate::plan::Target {
    span(text).targets[0].clone()
}

#[test]
fn the_seed_line_is_planned_as_a_reader_would() {
    let text = r"-b8K -d300 -h -L -o32 -r -w40 -t8 -c1G .\datafile.dat";
    let plan = plan(text);
    assert_eq!(plan.origin.command_line, format!("diskspd {text}"));
    assert_eq!(plan.engine, EngineChoice::Auto);
    assert_eq!(plan.on_error, OnError::Stop);
    let [Step::Prepare(prepare), Step::Run(span)] = plan.steps.as_slice() else {
        panic!("{:?}", plan.steps);
    };
    let file = &prepare.files[0];
    assert_eq!(
        (file.label.as_str(), file.path.as_path()),
        (r".\datafile.dat", Path::new("./datafile.dat"))
    );
    assert_eq!((file.size, file.content), (1 << 30, Content::Random));
    assert_eq!(span.warmup, Duration::from_secs(5));
    assert_eq!(span.stop.after, Some(Duration::from_mins(5)));
    assert_eq!(span.generator, Generator::DiskSpd { seed: 0 });
    assert_eq!(span.interval, Duration::from_secs(1));
    let target = &span.targets[0];
    assert_eq!(target.planned_size, Some(1 << 30));
    assert_eq!(
        (target.access, target.caching, target.durability),
        (Access::ReadWrite, Caching::Direct, Durability::Dsync)
    );
    let group = &span.groups[0];
    assert_eq!((group.workers, group.slots()), (8, 32));
    assert_eq!(group.affinity, Affinity::RoundRobin);
    assert_eq!(group.streams[0].mix.write_percent, 40);
    assert_eq!(group.streams[0].payload, Payload::Random);
    assert_eq!(
        group.streams[0].pattern,
        AccessPattern::Random {
            alignment: 8192,
            distribution: Distribution::Uniform
        }
    );
}

#[test]
fn threads_belong_to_targets_or_to_all_of_them() {
    let apart = span("-t2 -o3 -r x y").groups;
    assert_eq!(apart.len(), 2);
    assert!(apart.iter().all(|g| g.workers == 2 && g.slots() == 3));
    let pool = span("-F4 -o3 -r x y").groups;
    assert_eq!(pool.len(), 1);
    assert_eq!((pool[0].workers, pool[0].slots()), (4, 6));
    let shared = span("-F4 -O5 -r x y").groups;
    assert_eq!(
        shared[0].dispatch,
        Dispatch::Shared {
            queue_depth: 5,
            weights: vec![1, 1]
        }
    );
    // -O alone does nothing.
    assert_eq!(span("-O5 x").groups[0].slots(), 2);
}

#[test]
fn thread_targets_make_groups_of_like_threads() {
    let mut profile = line("-F4 -O2 -r x y").profile;
    let entry = |thread, weight| ThreadTarget { thread, weight };
    profile.spans[0].targets[1].thread_targets = vec![entry(2, 0), entry(3, 7)];
    profile.spans[0].targets[1].weight = 3;
    let plan = to_plan(&profile, &args("x"), &around()).unwrap().plan;
    let groups = &plan.spans().next().unwrap().groups;
    let shape: Vec<_> = groups
        .iter()
        .map(|g| match &g.dispatch {
            Dispatch::Shared { weights, .. } => (g.workers, g.streams.len(), weights.clone()),
            Dispatch::PerStream | Dispatch::InTurn => panic!("not shared"),
        })
        .collect();
    assert_eq!(
        shape,
        [(2, 1, vec![1]), (1, 2, vec![1, 3]), (1, 2, vec![1, 7])]
    );
}

#[test]
fn patterns() {
    let sequential = |stride, worker_offset| AccessPattern::Sequential {
        stride,
        worker_offset,
    };
    assert_eq!(stream("x").pattern, sequential(65536, 0));
    assert_eq!(
        stream("-s128K -t2 -T1b x").pattern,
        sequential(131_072, 65536)
    );
    assert_eq!(
        stream("-si -t2 x").pattern,
        AccessPattern::Interlocked { stride: 65536 }
    );
    assert_eq!(
        stream("-p -o4 x").pattern,
        AccessPattern::Parallel {
            stride: 65536,
            worker_offset: 0
        }
    );
    let share = |io_percent, from, length| Share {
        io_percent,
        from,
        length,
    };
    assert_eq!(
        stream("-rs40 -r8K -rdpct90/10 x").pattern,
        AccessPattern::Mixed {
            alignment: 8192,
            random_percent: 40,
            distribution: Distribution::Percent(vec![share(90, 0, 10), share(10, 10, 90)])
        }
    );
    assert_eq!(
        stream("-r -rdabs50/1G x").pattern,
        AccessPattern::Random {
            alignment: 65536,
            distribution: Distribution::Absolute(vec![
                share(50, 0, 1 << 30),
                share(50, 1 << 30, 0)
            ])
        }
    );
}

#[test]
fn pacing_is_exact_and_a_limit_wins() {
    let burst = |operations, ms| Pacing::Burst {
        from: PauseFrom::Issue,
        operations,
        pause: Duration::from_millis(ms),
    };
    for (text, pacing) in [
        ("x", Pacing::Unlimited),
        (
            "-g1000 x",
            Pacing::CapBytes {
                per_second: 1_000_000,
                shared_by: 1,
            },
        ),
        (
            "-g1i -b512 x",
            Pacing::CapOperations {
                per_second: 1,
                shared_by: 1,
            },
        ),
        ("-i10 -j100 x", burst(10, 100)),
        ("-i10 -j100 -t4 -r x", burst(2, 100)),
        ("-i2 -j5 -F4 -r x", burst(1, 5)),
        (
            "-i10 -j100 -g5 x",
            Pacing::CapBytes {
                per_second: 5000,
                shared_by: 1,
            },
        ),
    ] {
        assert_eq!(stream(text).pacing, pacing, "{text}");
    }
    assert_eq!(span("x").throttle_sleep, ThrottleSleep::Short);
    assert_eq!(span("-:3 x").throttle_sleep, ThrottleSleep::UntilDue);
    assert_eq!(span("-:2 x").throttle_sleep, ThrottleSleep::Short);
}

#[test]
fn data_is_what_the_line_says_else_what_the_settings_say() {
    let with = |data| {
        let mut around = around();
        around.settings.data = data;
        around
    };
    for (text, data, payload) in [
        ("-w100 x", DataChoice::Default, Payload::Random),
        ("-w100 x", DataChoice::Zeros, Payload::Zeros),
        ("-w100 x", DataChoice::Original, Payload::BytePattern),
        ("-w100 -Z x", DataChoice::Random, Payload::Zeros),
        ("-w100 -Zr x", DataChoice::Original, Payload::FreshRandom),
        ("-w100 -Zr -Z x", DataChoice::Default, Payload::Zeros),
        (
            r"-w100 -Zr -Z -Z1M,a\s.bin x",
            DataChoice::Default,
            Payload::Source {
                size: 1 << 20,
                file: Some("a/s.bin".into()),
            },
        ),
    ] {
        let plan = planned(text, &with(data)).plan;
        let groups = &plan.spans().next().unwrap().groups;
        assert_eq!(groups[0].streams[0].payload, payload, "{text}");
    }
    let content = |text, data| match &planned(text, &with(data)).plan.steps[0] {
        Step::Prepare(Prepare { files }) => files[0].content,
        other => panic!("{other:?}"),
    };
    assert_eq!(content("-c1M x", DataChoice::Default), Content::Random);
    assert_eq!(
        content("-c1M x", DataChoice::Original),
        Content::BytePattern
    );
    assert_eq!(content("-c1M -Z x", DataChoice::Original), Content::Zeros);
    let notes = |text, data| planned(text, &with(data)).notes.join("\n");
    assert!(notes("-c1M x", DataChoice::Default).contains("IOGAUGE_DATA"));
    assert!(notes("-w1 x", DataChoice::Default).contains("IOGAUGE_DATA"));
    assert_eq!(notes("-w1 -c1M x", DataChoice::Random), "");
    assert_eq!(notes("x", DataChoice::Default), "");
}

#[test]
fn targets_are_opened_for_what_is_done() {
    for (text, access) in [
        ("x", Access::Read),
        ("-w100 x", Access::Write),
        ("-w1 x", Access::ReadWrite),
        ("-Sm x", Access::Read),
        ("-Sm -w1 x", Access::ReadWrite),
        ("-Sm -w100 x", Access::ReadWrite),
    ] {
        assert_eq!(target(text).access, access, "{text}");
    }
    assert_eq!(target("-Sm x").mapped, Some(MappedFlush::Never));
    assert_eq!(target("-Sm -Nv x").mapped, Some(MappedFlush::View));
    assert_eq!(target("-Sm -Nn x").mapped, Some(MappedFlush::Persistent));
    assert_eq!(
        target("-Sm -Ni x").mapped,
        Some(MappedFlush::PersistentNoDrain)
    );
    let remote = target("-Sr x");
    assert!(remote.remote_only && remote.caching == Caching::Direct);
    let cached = target("-Sw x");
    assert!(!cached.remote_only && cached.caching == Caching::Buffered);
    assert_eq!(cached.durability, Durability::Dsync);
    let part = target("-B1M:10M -I1 -l -frs x");
    assert_eq!((part.base, part.end), (1 << 20, Some(11 << 20)));
    assert_eq!(part.priority, Priority::Idle);
    assert!(part.huge_pages && part.hints.random && part.hints.sequential);
    assert_eq!(span("-n x").groups[0].affinity, Affinity::None);
    assert_eq!(
        span("-a1,0 x").groups[0].affinity,
        Affinity::List(vec![1, 0])
    );
}

#[test]
fn devices_are_never_made_and_their_resolution_is_told() {
    let mut around = around();
    around.disks = vec!["sda".to_owned(), "sdb".to_owned()];
    let planned = planned("-c1M -c1M #1 /dev/sdc x x", &around);
    let Step::Prepare(prepare) = &planned.plan.steps[0] else {
        panic!("no preparation");
    };
    let made: Vec<_> = prepare.files.iter().map(|f| f.label.as_str()).collect();
    assert_eq!(made, ["x"]);
    assert!(
        planned
            .notes
            .iter()
            .any(|note| note.contains("#1 is /dev/sdb"))
    );
    let span = planned.plan.spans().next().unwrap();
    assert_eq!(span.targets[0].path, Path::new("/dev/sdb"));
    assert_eq!(span.targets[0].planned_size, None);
}

#[test]
fn drives_nobody_mapped_are_refused_with_the_line_to_type_but_echoed() {
    let text = r"-b4K D:\a\x.dat e:y.dat";
    let refused = DiskSpd.parse(&args(text), &around()).err().unwrap();
    assert_eq!(refused.exit, 3);
    assert_eq!(
        refused.messages.last().unwrap(),
        r"IOGAUGE_DRIVES=D=.,E=. diskspd -b4K 'D:\a\x.dat' e:y.dat"
    );
    let echo = DiskSpd.parse(&args(&format!("-Rp {text}")), &around());
    assert!(matches!(echo, Ok(Command::Print { exit: 0, .. })));
}

/// Three time spans over `a` with these sizes of `-c`, and `b` always of 5 bytes.
fn spans_of(sizes: [Option<u64>; 3], precreate: Option<Precreate>) -> Vec<Vec<(String, u64)>> {
    let mut profile: Profile = line("x").profile;
    let named = |path: &str, create_size| Target {
        path: path.into(),
        create_size,
        ..Target::default()
    };
    let span = profile.spans[0].clone();
    profile.spans = sizes
        .iter()
        .map(|size| {
            let mut span = span.clone();
            span.targets = vec![named("a", *size), named("b", Some(5))];
            span
        })
        .collect();
    profile.precreate = precreate;
    let plan = to_plan(&profile, &args("x"), &around()).unwrap().plan;
    let mut before = vec![Vec::new()];
    for step in &plan.steps {
        match step {
            Step::Prepare(p) => {
                let files = p.files.iter().map(|f| (f.label.clone(), f.size));
                before.last_mut().unwrap().extend(files);
            }
            Step::Run(_) => before.push(Vec::new()),
            Step::Cleanup(_) => panic!("nothing is removed"),
        }
    }
    before.pop();
    before
}

#[test]
fn files_are_made_when_the_profile_wants_them() {
    let files = |list: &[(&str, u64)]| -> Vec<(String, u64)> {
        list.iter().map(|(n, s)| ((*n).to_owned(), *s)).collect()
    };
    let b = files(&[("b", 5)]);
    let sizes = [Some(1), None, Some(2)];
    assert_eq!(
        spans_of(sizes, None),
        [
            files(&[("a", 1), ("b", 5)]),
            b.clone(),
            files(&[("a", 2), ("b", 5)])
        ]
    );
    assert_eq!(
        spans_of(sizes, Some(Precreate::UseMaxSize)),
        [files(&[("a", 2), ("b", 5)]), vec![], vec![]]
    );
    let early_b = [files(&[("b", 5), ("a", 1)]), vec![], files(&[("a", 2)])];
    assert_eq!(spans_of(sizes, Some(Precreate::OnlyConstantSizes)), early_b);
    assert_eq!(
        spans_of(sizes, Some(Precreate::OnlyConstantOrZeroSizes)),
        early_b
    );
    let or_zero = [Some(0), Some(3), None];
    assert_eq!(
        spans_of(or_zero, Some(Precreate::OnlyConstantSizes)),
        [b, files(&[("a", 3)]), vec![]]
    );
    assert_eq!(
        spans_of(or_zero, Some(Precreate::OnlyConstantOrZeroSizes)),
        [files(&[("a", 3), ("b", 5)]), vec![], vec![]]
    );
}

#[test]
fn what_this_machine_lacks_keeps_no_line_from_being_explained() {
    let mut around = around();
    for text in [
        r"-b4K D:\x.dat",
        "-b4K #7",
        "-b4K C:",
        "-a9 x",
        r"-w100 -Z1M,D:\s.bin x",
    ] {
        around.explaining = false;
        assert!(DiskSpd.parse(&args(text), &around).is_err(), "{text}");
        around.explaining = true;
        let Ok(Command::Run(job)) = DiskSpd.parse(&args(text), &around) else {
            panic!("{text} is refused");
        };
        assert_eq!(job.plan.spans().count(), 1, "{text}");
    }
    let source = planned(r"-w100 -Z1M,D:\s.bin x", &around).notes.join("\n");
    assert!(source.contains("IOGAUGE_DRIVES=D=."), "{source}");
    let planned = planned(r"-c1M #7 D:\a\b.dat", &around);
    let targets = &planned.plan.spans().next().unwrap().targets;
    assert_eq!(targets[1].path, Path::new("D:/a/b.dat"));
    // A disk is never made.
    let sizes: Vec<_> = targets.iter().map(|target| target.planned_size).collect();
    assert_eq!(sizes, [None, Some(1 << 20)]);
}
