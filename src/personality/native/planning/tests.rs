//! Which words are what, how large things are, and what the plan says in the end.

mod parts;

use std::{ffi::OsString, io, path::Path, time::Duration};

use super::{Planned, corners, plan, precondition};
use crate::{
    host::{Machine, PathKind},
    personality::{
        Environment, Files, Settings,
        native::{job::Load, loads},
    },
    plan::{
        AccessPattern, Caching, Content, Counting, Durability, EngineChoice, FlushPolicy, Pacing,
        Payload, Policy, Steady, Step, Target, Through, TimeSpan, Whose, WriteRules,
    },
};

const FOLDERS: &[&str] = &[".", "/", "/dir", "/dir/sub"];

fn kind(path: &Path) -> Option<PathKind> {
    match path.to_str()? {
        text if FOLDERS.contains(&text) => Some(PathKind::Folder),
        "old.dat" | "/dir/empty.dat" | "/dir/ours.dat" => Some(PathKind::Regular),
        "/dev/sdz" => Some(PathKind::BlockDevice),
        "/dir/fifo" => Some(PathKind::Fifo),
        _ => None,
    }
}

fn size(path: &Path) -> Option<u64> {
    match path.to_str()? {
        "old.dat" | "/dir/ours.dat" => Some(8 << 20),
        "/dev/sdz" => Some(1 << 30),
        _ => Some(0),
    }
}

fn around() -> Environment {
    Environment {
        files: Files::with(
            |path| kind(path).is_some(),
            |_| Err(io::ErrorKind::NotFound.into()),
        )
        .sized(size)
        .looked(kind, |path| path == Path::new("/dir/ours.dat")),
        machine: Machine {
            memory: 16 << 30,
            ..Machine::default()
        },
        clock_seed: 77,
        ..Environment::default()
    }
}

fn planned_in(line: &str, around: &Environment) -> Result<Planned, String> {
    let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    let planned = match loads(&args) {
        Ok(Load::Run(args)) => plan(&args, around, line),
        Ok(Load::Quick(args)) => corners(&args, around, line),
        Ok(Load::Precondition(args)) => precondition(&args, around, line),
        Ok(Load::Sweep(_) | Load::Web(_)) => panic!("{line}"),
        Err(error) => Err(error),
    };
    planned.map_err(|error| {
        assert_eq!(error.exit, 2);
        error.messages.join("\n")
    })
}

fn planned(line: &str) -> Planned {
    planned_in(line, &around()).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn refused(line: &str) -> String {
    planned_in(line, &around()).expect_err(line)
}

fn only_span(planned: &Planned) -> &TimeSpan {
    let mut spans = planned.plan.spans();
    let span = spans.next().unwrap();
    assert!(spans.next().is_none());
    span
}

fn only_target(planned: &Planned) -> &Target {
    let [target] = only_span(planned).targets.as_slice() else {
        panic!("one target")
    };
    target
}

#[test]
fn a_new_file_is_made_and_goes_again() {
    let planned = planned("run ./x");
    let [
        Step::Prepare(prepare),
        Step::Run(span),
        Step::Cleanup(cleanup),
    ] = planned.plan.steps.as_slice()
    else {
        panic!("{:?}", planned.plan.steps)
    };
    let [file] = prepare.files.as_slice() else {
        panic!("one file")
    };
    assert_eq!((file.size, file.content), (4 << 30, Content::Random));
    assert_eq!((file.policy, file.through), (Policy::Extend, Through::Past));
    assert_eq!(cleanup.whose, Whose::Own);
    assert_eq!(cleanup.paths, [Path::new("./x")]);
    assert_eq!(planned.plan.rules, WriteRules::Own);
    assert_eq!(planned.plan.engine, EngineChoice::Auto);
    // The defaults: randread, 4k, one in flight, 30 s behind 5 s, direct.
    assert_eq!(span.warmup, Duration::from_secs(5));
    assert_eq!(span.stop.after, Some(Duration::from_secs(30)));
    assert_eq!(span.counting, Counting::CompletedInWindow);
    assert_eq!(span.targets[0].caching, Caching::Direct);
    assert_eq!(span.targets[0].durability, Durability::None);
    let stream = &span.groups[0].streams[0];
    assert_eq!((span.groups[0].workers, stream.queue_depth), (1, 1));
    assert_eq!(
        (stream.sizes.largest(), stream.mix.write_percent),
        (4096, 0)
    );
    assert!(matches!(
        stream.pattern,
        AccessPattern::Random {
            alignment: 4096,
            ..
        }
    ));
    assert!(
        planned.notes.iter().any(|note| note.contains("--seed 77")),
        "{planned:?}"
    );
}

#[test]
fn a_load_until_steady_has_an_hour_and_intervals_that_fit() {
    let steady = |line: &str| planned(&format!("run ./x {line}"));
    let usual = steady("--until-steady");
    let span = only_span(&usual);
    assert_eq!(span.stop.steady, Some(Steady::default()));
    assert_eq!(span.stop.after, Some(Duration::from_hours(1)));
    assert_eq!(span.interval, Duration::from_secs(1));
    assert!(usual.warnings[0].contains("5 windows of 10s"), "{usual:?}");
    let short = steady("--until-steady=1500ms,range=5 --duration 2m");
    let span = only_span(&short);
    assert_eq!(span.stop.after, Some(Duration::from_mins(2)));
    assert_eq!(span.interval, Duration::from_millis(1500));
    assert!(short.warnings.is_empty(), "{short:?}");
    let apart = refused("run ./x --until-steady=10s --interval 3s");
    assert!(apart.contains("--interval 3s"), "{apart}");
    // What ends by a number of bytes needs no time.
    let bytes = steady("--until-steady=1s --bytes 1G");
    assert_eq!(only_span(&bytes).stop.after, None);
}

#[test]
fn profiles_end_by_figures_too_unless_they_end_by_themselves() {
    let line = "run sqlserver/log ./x --until-steady=2s --stop-if p99>1s";
    for span in planned(line).plan.spans() {
        assert_eq!(span.stop.fuse, ["p99>1s".parse().unwrap()]);
        assert_eq!(span.stop.after, Some(Duration::from_hours(1)));
        assert!(span.stop.steady.is_some());
    }
    for line in [
        "run etcd /dir --until-steady",
        "run sqlserver/oltp /dir --until-steady",
        "run sqlserver/oltp /dir --stop-if p99>1s",
    ] {
        let said = refused(line);
        let option = if line.contains("stop-if") {
            "--stop-if"
        } else {
            "--until-steady"
        };
        assert!(said.contains(option), "{line}: {said}");
    }
}

#[test]
fn a_target_is_filled_by_whole_writes_and_stays() {
    let filled = planned("precondition /dir/ours.dat --bs 3M");
    let span = only_span(&filled);
    // Two of three MiB fit into eight, twice.
    assert_eq!(span.stop.bytes, Some(12 << 20));
    assert_eq!((span.stop.after, span.stop.operations), (None, None));
    assert_eq!(span.counting, Counting::DrainAndCount);
    assert_eq!(span.warmup, Duration::ZERO);
    let stream = &span.groups[0].streams[0];
    assert_eq!((stream.mix.write_percent, stream.queue_depth), (100, 8));
    assert!(matches!(stream.pattern, AccessPattern::Sequential { .. }));
    assert_eq!(stream.payload, Payload::Stamped);
    assert_eq!(only_target(&filled).caching, Caching::Direct);
    let steps = &filled.plan.steps;
    assert!(!steps.iter().any(|step| matches!(step, Step::Cleanup(_))));
    assert!(filled.warnings[0].starts_with("writes 12 MiB, the target 2 times"));
    assert!(
        filled
            .notes
            .iter()
            .any(|note| note.contains("2,097,152 bytes are less"))
    );
    let device = planned("precondition /dev/sdz --rw randwrite --bs 64k --passes 1");
    assert_eq!(only_span(&device).stop.bytes, Some(1 << 30));
    // Once the drive at 0.3 of it a day.
    assert!(device.warnings[0].contains("3.3 days"), "{device:?}");
    let some = planned("precondition /dir/ours.dat --bytes 20M");
    assert_eq!(only_span(&some).stop.bytes, Some(20 << 20));
    for (line, words) in [
        ("precondition", "what is to be filled?"),
        ("precondition sqlserver/log", "that is for run"),
        ("precondition plan.toml", "that is for run"),
        ("precondition /dir --rw read", "--rw='read'"),
        ("precondition /dir --bytes 4k", "--bytes='4k'"),
        ("precondition /dir --passes 0", "--passes='0'"),
        ("precondition /dir --bs 0", "--bs='0'"),
        ("precondition /dir --qd 0", "--qd='0'"),
        ("precondition /dir --size 4X", "--size='4X'"),
        ("precondition /dir --keep=no", "--keep"),
    ] {
        let said = refused(line);
        assert!(said.contains(words), "{line}: {said}");
    }
}

#[test]
fn words_are_told_apart() {
    assert_eq!(
        only_target(&planned("run /dir")).path,
        Path::new("/dir/iogauge.dat")
    );
    assert_eq!(only_target(&planned("run old.dat")).end, Some(8 << 20));
    assert_eq!(only_target(&planned("run /dev/sdz")).end, Some(1 << 30));
    assert_eq!(
        only_target(&planned("run --filename=old.dat")).label,
        "old.dat"
    );
    let folder = planned("run --directory=/dir --filename=a:b --size 8M");
    let labels: Vec<&str> = only_span(&folder)
        .targets
        .iter()
        .map(|target| target.label.as_str())
        .collect();
    assert_eq!(labels, ["/dir/a", "/dir/b"]);
    assert!(
        folder.notes[0].contains("2 targets are loaded at once"),
        "{folder:?}"
    );
    for (line, words) in [
        ("run", "what is to be loaded?"),
        ("run new.dat", "as in ./new.dat"),
        ("run oltp", "did you mean sqlserver/oltp?"),
        (
            "run sqlserver/chekpoint /dir",
            "did you mean sqlserver/checkpoint?",
        ),
        ("run /nowhere/x", "there is no folder /nowhere"),
        ("run /dir/fifo", "is a named pipe, which cannot be a target"),
        ("run /dir/empty.dat", "is empty"),
        ("run log=/dir/x", "are for profiles"),
        ("run ./x --filename=y", "cannot both be given"),
        ("run ./x --maxdop 4", "are for profiles"),
        ("run missing.toml", "missing.toml: cannot be read"),
    ] {
        let message = refused(line);
        assert!(message.contains(words), "{line}: {message}");
    }
}

#[test]
fn what_is_there_is_used_and_never_grown_unless_it_is_ours() {
    let steps = |line: &str| planned(line).plan.steps.len();
    assert_eq!(steps("run old.dat"), 1);
    assert_eq!(
        only_target(&planned("run old.dat --size 4M")).end,
        Some(4 << 20)
    );
    let message = refused("run old.dat --size 16M");
    assert!(
        message.contains("8 MiB") && message.contains("16 MiB"),
        "{message}"
    );
    let message = refused("run /dev/sdz --size 2G");
    assert!(message.contains("1 GiB"), "{message}");
    // Ours is extended, and it was there before, so that the run does not remove it.
    let ours = planned("run /dir/ours.dat --size 16M");
    let Step::Prepare(prepare) = &ours.plan.steps[0] else {
        panic!("{ours:?}")
    };
    assert_eq!(prepare.files[0].size, 16 << 20);
    assert_eq!(steps("run ./x --keep"), 2);
    assert_eq!(steps("run ./x --keep=no"), 3);
    // 2 x 16 GiB of memory.
    let buffered = planned("run ./x --cache buffered");
    assert_eq!(only_target(&buffered).end, Some(32 << 30));
}

#[test]
fn ranges_lie_inside_their_target() {
    let target = planned("run old.dat --offset 1M --region 2M");
    let target = only_target(&target);
    assert_eq!((target.base, target.end), (1 << 20, Some(3 << 20)));
    for (line, words) in [
        (
            "run old.dat --offset 8M",
            "--offset 8 MiB is behind the end",
        ),
        (
            "run old.dat --offset 4M --region 5M",
            "--region 5 MiB is more",
        ),
        ("run old.dat --region 2k", "less than one I/O of 4 KiB"),
        ("run old.dat --bs 16M", "less than one I/O of 16 MiB"),
    ] {
        let message = refused(line);
        assert!(message.contains(words), "{line}: {message}");
    }
}

#[test]
fn options_without_effect_are_refused() {
    for (line, words) in [
        ("run ./x --durable dsync", "--durable"),
        ("run ./x --fsync=1", "--fsync"),
        ("run ./x --data zeros", "--data"),
        ("run ./x --rw read --dist hot:90/10", "--dist"),
        ("run ./x --rw read --dist shuffled", "--dist"),
        ("run ./x --rw read --align 4k", "--align"),
        (
            "run ./x --dist shuffled --bs 4k:1,8k:1",
            "blocks of one size",
        ),
        ("run old.dat --dist hot:90/8M", "from 8 MiB on is behind"),
        ("run ./x --dist zipf:1 --passes 2", "--dist shuffled"),
        ("run ./x --passes 2", "--passes"),
        (
            "run ./x --bs 1000",
            "1000 is none: 1024, or --cache buffered",
        ),
        ("run ./x --align 3", "--align: past the page cache"),
        ("run ./x --qd 32769", "32768"),
        ("run ./x --ops 5 --cooldown 1s", "--cooldown"),
        (
            "run ./x --interval 10ms --duration 366d",
            "a longer --interval",
        ),
        ("run etcd /dir --rw read", "--rw changes nothing of etcd"),
        (
            "run etcd /dir --duration 5s",
            "--duration changes nothing of etcd",
        ),
        ("run etcd /dir --ops 5", "--ops changes nothing of etcd"),
        (
            "run sqlserver/oltp /dir --ops 5",
            "--ops of sqlserver/oltp needs a rate",
        ),
        ("run etcd data=/dir/x", "etcd has no data file"),
        ("run sqlserver/oltp ./x --rate 5", "also has a log file"),
        ("run sqlserver/oltp /dir --rate 10m", "without a unit"),
    ] {
        let message = refused(line);
        assert!(message.contains(words), "{line}: {message}");
    }
}

#[test]
fn shuffled_loads_go_over_the_range_by_blocks() {
    let planned = planned("run ./x --dist shuffled --bs 64k --threads 4 --passes 2");
    let span = only_span(&planned);
    assert_eq!(span.stop.passes, Some(2));
    let pattern = &span.groups[0].streams[0].pattern;
    assert_eq!(*pattern, AccessPattern::Shuffled { alignment: 65536 });
}

#[test]
fn a_profile_ends_after_so_many_operations() {
    let planned = planned("run sqlserver/checkdb /dir --ops 4000");
    let span = only_span(&planned);
    assert_eq!(span.stop.operations, Some(4000));
    assert_eq!((span.stop.after, span.warmup), (None, Duration::ZERO));
    assert_eq!(span.counting, Counting::DrainAndCount);
}

#[test]
fn loads_are_what_was_asked() {
    let stream = |line: &str| only_span(&planned(line)).groups[0].streams[0].clone();
    let writes = stream("run ./x --rw randwrite --durable fdatasync:8");
    assert_eq!(
        writes.mix.flush,
        FlushPolicy::Every {
            writes: 8,
            data_only: true
        }
    );
    assert_eq!(writes.payload, Payload::Stamped);
    let dsync = planned("run ./x --rw randwrite --sync=dsync");
    assert_eq!(only_target(&dsync).durability, Durability::Dsync);
    // 5000 a second over 4 threads.
    let pacing = stream("run ./x --rate 5000 --threads 4").pacing;
    let (per_second, poisson) = (1250.0, false);
    assert_eq!(
        pacing,
        Pacing::Arrivals {
            per_second,
            poisson
        }
    );
    let pacing = stream("run ./x --cap 5000 --threads 4").pacing;
    assert_eq!(
        pacing,
        Pacing::CapOperations {
            per_second: 5000,
            shared_by: 4
        }
    );
    let pacing = stream("run ./x --rate_iops=5000 --numjobs=4").pacing;
    assert_eq!(
        pacing,
        Pacing::CapOperations {
            per_second: 5000,
            shared_by: 1
        }
    );
    // One thread walks from start to end; several have parts of their own.
    let one = stream("run ./x --rw read --bs 1M").pattern;
    let stride = 1 << 20;
    let worker_offset = 0;
    assert_eq!(
        one,
        AccessPattern::Sequential {
            stride,
            worker_offset
        }
    );
    let four = stream("run ./x --rw read --bs 1M --threads 4").pattern;
    let alignment = 1 << 20;
    assert_eq!(four, AccessPattern::Regions { alignment });
    // A limit replaces the default time, and the warm-up with it.
    let limited = planned("run ./x --ops 1000");
    let span = only_span(&limited);
    assert_eq!((span.stop.after, span.stop.operations), (None, Some(1000)));
    assert_eq!(span.warmup, Duration::ZERO);
    assert_eq!(span.counting, Counting::DrainAndCount);
    let repeated = planned("run ./x --repeat 3");
    let names: Vec<&str> = repeated
        .plan
        .spans()
        .map(|span| span.name.as_str())
        .collect();
    assert_eq!(names, ["repetition 1", "repetition 2", "repetition 3"]);
}

#[test]
fn a_pause_is_between_two_repetitions() {
    let pauses = |line: &str| -> Vec<u64> {
        let pause = |span: &TimeSpan| span.pause_before.as_secs();
        planned(line).plan.spans().map(pause).collect()
    };
    assert_eq!(pauses("run ./x --repeat 3 --pause 20s"), [0, 20, 20]);
    let profile = "run sqlserver/log /dir --repeat 2 --pause 1m";
    assert_eq!(pauses(profile), [0, 60]);
    assert_eq!(pauses("run ./x --repeat 2"), [0, 0]);
    assert_eq!(pauses("run ./x --pause 0s"), [0]);
    for alone in ["run ./x --pause 5s", "run ./x --repeat 1 --pause 5s"] {
        assert!(refused(alone).contains("--repeat 3"), "{alone}");
    }
}

#[test]
fn the_same_options_and_seed_give_the_same_load_on_two_targets() {
    let (a, b) = (
        planned("run /dir/a --seed 5"),
        planned("run /dir/b --seed 5"),
    );
    let (a, mut b) = (only_span(&a).clone(), only_span(&b).clone());
    b.targets[0].path = a.targets[0].path.clone();
    b.targets[0].label = a.targets[0].label.clone();
    assert_eq!(a, b);
}

#[test]
fn a_profile_finds_places_for_its_files() {
    let all = planned("run sqlserver/oltp /dir log=/dir/sub --rate 100 --size 64M");
    let paths: Vec<&Path> = only_span(&all)
        .targets
        .iter()
        .map(|target| target.path.as_path())
        .collect();
    assert_eq!(
        paths,
        [
            Path::new("/dir/iogauge-data.dat"),
            Path::new("/dir/sub/iogauge-log.dat")
        ]
    );
    let Step::Prepare(prepare) = &all.plan.steps[0] else {
        panic!("{all:?}")
    };
    assert_eq!(prepare.files[0].size, 64 << 20);
    assert_eq!(all.resolved.as_ref().unwrap().name, "sqlserver/oltp");
    assert!(all.search.is_none());
    let searched = planned("run sqlserver/oltp /dir --size 64M");
    assert!(searched.search.is_some() && searched.plan.spans().count() == 1);
    assert!(refused("run sqlserver/oltp /dir --repeat 2").contains("--rate 1000"));
    // A file that the load itself makes is not prepared, and goes all the same.
    let etcd = planned("run etcd /dir");
    let [Step::Run(_), Step::Cleanup(cleanup)] = etcd.plan.steps.as_slice() else {
        panic!("{etcd:?}")
    };
    assert_eq!(cleanup.paths, [Path::new("/dir/iogauge-log.dat")]);
    // The one file of a profile without data goes where the word says.
    let log = planned("run sqlserver/log ./log.dat");
    assert_eq!(only_target(&log).path, Path::new("./log.dat"));
}

#[test]
fn a_disk_has_nine_corners_or_those_that_read() {
    let all = planned("quick /dir");
    let names: Vec<&str> = all.plan.spans().map(|span| span.name.as_str()).collect();
    assert_eq!(names.len(), 9);
    assert_eq!(names[0], "sequential read 1 MiB, 8 in flight");
    assert_eq!(names[8], "durable write 4 KiB, 1 in flight");
    // 9 x (5 s + 1 s) are 54 s.
    let time: Duration = all
        .plan
        .spans()
        .map(|span| span.warmup + span.stop.after.unwrap())
        .sum();
    assert_eq!(time, Duration::from_secs(54));
    let last = all.plan.spans().last().unwrap();
    assert_eq!(last.targets[0].durability, Durability::Dsync);
    let device = planned("quick /dev/sdz");
    assert_eq!(device.plan.spans().count(), 4);
    assert!(
        device.notes[0].contains("--destroy /dev/sdz"),
        "{:?}",
        device.notes
    );
    let mut consent = around();
    consent.settings = Settings {
        destroy: vec!["/dev/sdz".into()],
        ..Settings::default()
    };
    let whole = planned_in("quick /dev/sdz", &consent).unwrap();
    assert_eq!(whole.plan.spans().count(), 9);
    assert!(refused("quick old").contains("as in ./old"));
    assert!(refused("quick /dir --size 1M").contains("from 8 MiB"));
}

/// A configuration file beside the others.
fn configured() -> Environment {
    let mut around = around();
    around.files = Files::with(
        |path| kind(path).is_some(),
        |path| match path.to_str() {
            Some("/conf/config.toml") => {
                let text = "[defaults]\ntarget = \"/dir\"\nsize = \"1M\"\nkeep = true\n\
                            data = \"zeros\"\n[marks]\n\"log write\" = [2, 3, 4]\n";
                Ok(text.into())
            }
            _ => Err(io::ErrorKind::NotFound.into()),
        },
    )
    .sized(size)
    .looked(kind, |_| false);
    around.settings.config_folder = Some("/conf".into());
    around
}

#[test]
fn options_win_over_the_file_and_the_file_over_defaults() {
    let plain = planned_in("run --rw randwrite", &configured()).unwrap();
    let target = only_target(&plain);
    assert_eq!(target.path, Path::new("/dir/iogauge.dat"));
    assert_eq!(target.end, Some(1 << 20));
    assert_eq!(plain.plan.steps.len(), 2, "kept");
    let payload = |planned: &Planned| only_span(planned).groups[0].streams[0].payload.clone();
    assert_eq!(payload(&plain), Payload::Zeros);
    let line = "run ./x --rw randwrite --size 2M --keep=no --data random";
    let typed = planned_in(line, &configured()).unwrap();
    assert_eq!(only_target(&typed).end, Some(2 << 20));
    assert_eq!(typed.plan.steps.len(), 3, "removed");
    assert_eq!(payload(&typed), Payload::Stamped);
    let profile = planned_in("run sqlserver/log ./l --size 1G", &configured()).unwrap();
    let mark = &profile.resolved.unwrap().marks[0];
    let limits = format!("{} {} {}", mark.good_ms, mark.acceptable_ms, mark.slow_ms);
    assert_eq!(limits, "2 3 4");
    assert!(mark.source.contains("/conf/config.toml"));
}
