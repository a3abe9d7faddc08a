//! Lines and the plans that they become.

use std::{path::PathBuf, time::Duration};

use super::{find, to_plan};
use crate::{
    personality::{
        DataChoice, Environment,
        sqlio::testing::{args, around, load, mapped, plan},
    },
    plan::{
        Access, AccessPattern, Affinity, Assembly, BlockSizes, Caching, Content, Counting,
        Dispatch, Distribution, Durability, Generator, Opening, Payload, Plan, Policy, Prepare,
        Step, TimeSpan,
    },
};

fn span(plan: &Plan) -> &TimeSpan {
    plan.spans().next().unwrap()
}

fn prepared(plan: &Plan) -> Vec<(String, u64)> {
    match &plan.steps[..] {
        [Step::Prepare(Prepare { files }), Step::Run(_)] => files
            .iter()
            .map(|file| (file.label.clone(), file.size))
            .collect(),
        [Step::Run(_)] => Vec::new(),
        other => panic!("{other:?}"),
    }
}

fn refusal(line: &str, around: &Environment) -> Vec<String> {
    to_plan(&load(line, around), &args(line), around).unwrap_err()
}

#[test]
fn the_line_of_the_tutorial() {
    let plan = plan("-LS -kR -b64 -i64 -f64 -t1 -s300", &around());
    // SPEC 4.1: 64 x 64 x 65536.
    assert_eq!(prepared(&plan), [("testfile.dat".to_owned(), 268_435_456)]);
    let span = span(&plan);
    assert_eq!(span.stop.after, Some(Duration::from_mins(5)));
    assert_eq!(span.counting, Counting::DrainAndCount);
    assert!(span.whole_milliseconds && !span.initiation);
    assert_eq!(span.generator, Generator::Xoshiro { seed: 7 });
    let target = &span.targets[0];
    assert_eq!((target.base, target.end), (0, Some(268_435_456)));
    assert_eq!(target.opening, Opening::AtLeast(268_435_456));
    assert_eq!(target.access, Access::Read);
    assert_eq!(
        (target.caching, target.durability),
        (Caching::Direct, Durability::Dsync)
    );
    let group = &span.groups[0];
    assert_eq!((group.workers, &group.dispatch), (1, &Dispatch::InTurn));
    let stream = &group.streams[0];
    let grid = AccessPattern::Grid {
        rows: 64,
        columns: 64,
        again: false,
    };
    assert_eq!(
        (&stream.pattern, &stream.sizes),
        (&grid, &BlockSizes::One(65536))
    );
    assert_eq!((stream.mix.write_percent, stream.queue_depth), (0, 1));
    assert_eq!(
        plan.origin.command_line,
        "sqlio -LS -kR -b64 -i64 -f64 -t1 -s300"
    );
}

#[test]
fn sizes_and_ranges() {
    // File, part that is used, size that it must have.
    let gib24 = 24576_u64 << 20;
    for (line, base, end, wanted) in [
        // The defaults: 64 x 64 x 2048.
        ("x.dat", 0, 8_388_608, Some(8_388_608)),
        ("-S16 x.dat", 32768, 8_421_376, Some(8_421_376)),
        (
            "-f1 -i2000000 -b64 x.dat",
            0,
            131_072_000_000,
            Some(131_072_000_000),
        ),
        ("-v1.1.1 x.dat", 0, 8_388_608, Some(8_388_608)),
        // What is there is used as far as there are whole blocks.
        ("-frandom -b8 exists.dat", 0, gib24, None),
        ("-fsequential -S2 -b8 exists.dat", 16384, gib24, None),
        ("-frandom small.dat", 0, 98304, None),
        // What is not there, or empty, is made: 64 x 64 x 8192.
        ("-frandom -b8 x.dat", 0, 33_554_432, Some(33_554_432)),
        ("-frandom -b8 empty.dat", 0, 33_554_432, Some(33_554_432)),
        (
            "-frandom -b100000 x.dat",
            0,
            419_430_400_000,
            Some(419_430_400_000),
        ),
    ] {
        let plan = plan(line, &around());
        let target = &span(&plan).targets[0];
        assert_eq!((target.base, target.end), (base, Some(end)), "{line}");
        assert_eq!(prepared(&plan).first().map(|file| file.1), wanted, "{line}");
    }
    let listed = plan("-frandom -Ftwo.txt", &around());
    assert_eq!(
        prepared(&listed),
        [
            ("a.dat".to_owned(), 64 << 20),
            ("b.dat".to_owned(), 32 << 20)
        ]
    );
    // Sizes are nothing to striped files.
    let striped = plan("-f64 -Ftwo.txt", &around());
    assert_eq!(prepared(&striped)[1].1, 8_388_608);
    for (line, words) in [
        (
            "-frandom -b128 small.dat",
            "its 100000 bytes hold no block of 128 KiB",
        ),
        (
            "-frandom -S48 small.dat",
            "hold no block of 2 KiB behind block 48 (-S)",
        ),
        ("-i9223372036854775807 x", "more bytes than a file can have"),
        ("-S9223372036854775807 x", "more bytes than a file can have"),
        (
            "-frandom -S9223372036854775807 x",
            "more bytes than a file can have",
        ),
    ] {
        let messages = refusal(line, &around());
        assert!(messages[0].contains(words), "{line}: {messages:?}");
    }
}

#[test]
fn caches_directions_and_contents() {
    for (line, caching, durability) in [
        ("-BN", Caching::Direct, Durability::Dsync),
        ("-BH", Caching::Direct, Durability::None),
        ("-BS", Caching::Buffered, Durability::Dsync),
        ("-BY", Caching::Buffered, Durability::None),
    ] {
        let plan = plan(line, &around());
        let target = &span(&plan).targets[0];
        assert_eq!(
            (target.caching, target.durability),
            (caching, durability),
            "{line}"
        );
    }
    let with = |data| {
        let mut around = around();
        around.settings.data = data;
        let plan = plan("-kW x", &around);
        let Step::Prepare(prepare) = &plan.steps[0] else {
            panic!("{plan:?}");
        };
        let file = &prepare.files[0];
        assert_eq!(file.policy, Policy::Extend);
        let stream = &span(&plan).groups[0].streams[0];
        assert_eq!(stream.mix.write_percent, 100);
        assert_eq!(span(&plan).targets[0].access, Access::Write);
        (file.content, stream.payload.clone())
    };
    assert_eq!(
        with(DataChoice::Default),
        (Content::Random, Payload::Random)
    );
    assert_eq!(with(DataChoice::Original), (Content::Zeros, Payload::Zeros));
    assert_eq!(with(DataChoice::Zeros), (Content::Zeros, Payload::Zeros));
}

#[test]
fn threads_and_their_files() {
    let named = plan("-t3 -o8 -frandom -b8 a b", &around());
    let groups = &span(&named).groups;
    assert_eq!(
        (groups.len(), groups[0].workers, groups[0].streams.len()),
        (1, 3, 2)
    );
    assert_eq!(groups[0].dispatch, Dispatch::PerStream);
    assert_eq!(
        (groups[0].streams[1].queue_depth, groups[0].slots()),
        (8, 16)
    );
    assert_eq!(groups[0].streams[1].target.0, 1);
    let random = AccessPattern::Random {
        alignment: 8192,
        distribution: Distribution::Uniform,
    };
    assert_eq!(groups[0].streams[0].pattern, random);
    let listed = plan("-fsequential -b64 -Ftwo.txt", &around());
    let groups = &span(&listed).groups;
    let shape: Vec<_> = groups
        .iter()
        .map(|group| {
            (
                group.workers,
                group.streams[0].target.0,
                group.streams.len(),
            )
        })
        .collect();
    assert_eq!(shape, [(3, 0, 1), (1, 1, 1)]);
    assert_eq!(groups[0].dispatch, Dispatch::InTurn);
    let interlocked = AccessPattern::Interlocked { stride: 65536 };
    assert_eq!(groups[0].streams[0].pattern, interlocked);
    let pieces = plan("-mC4 -b8", &around());
    let assembly = span(&pieces).groups[0].streams[0].assembly;
    assert_eq!(assembly, Assembly::Copied { pieces: 4 });
}

#[test]
fn processors() {
    let mut around = around();
    around.machine.usable = vec![0, 1, 2, 5];
    let planned = |line: &str| to_plan(&load(line, &around), &args(line), &around).unwrap();
    for (line, affinity, words) in [
        ("-t4", Affinity::None, ""),
        ("-p2", Affinity::List(vec![2]), ""),
        ("-pI2", Affinity::None, "no more than a wish"),
        // SPEC 2: threads 1, 5, 9, 13 to CPU 0; 2, 6, 10, 14 to CPU 1.
        ("-aR7", Affinity::List(vec![0, 1, 2]), ""),
        ("-aRI7", Affinity::None, "no more than a wish"),
        (
            "-a7",
            Affinity::List(vec![0, 1, 2]),
            "bound to one CPU of their mask each",
        ),
        ("-a1", Affinity::List(vec![0]), ""),
        ("-a0x27", Affinity::None, ""),
        ("-aR0xf", Affinity::List(vec![0, 1, 2]), "left out: 3"),
        ("-a0", Affinity::None, ""),
    ] {
        let line = format!("{line} exists.dat -frandom");
        let planned = planned(&line);
        assert_eq!(span(&planned.plan).groups[0].affinity, affinity, "{line}");
        let said = planned.notes.join("\n");
        assert!(
            said.contains(words) && said.is_empty() == words.is_empty(),
            "{line}: {said}"
        );
    }
    let messages = refusal("-p3", &around);
    assert!(messages[0].contains("on CPU 3") && messages[0].contains("0, 1, 2, 5"));
    let listed = planned("-frandom -Ftwo.txt");
    let groups = &span(&listed.plan).groups;
    assert_eq!(groups[0].affinity, Affinity::List(vec![0, 1]));
    assert_eq!(groups[1].affinity, Affinity::None);
}

#[test]
fn drives_keep_their_spelling_and_are_asked_for() {
    let plan = plan("-kW -dE -frandom -o1 Testfile.dat", &mapped());
    let target = &span(&plan).targets[0];
    assert_eq!(target.label, "E:Testfile.dat");
    assert_eq!(target.path, PathBuf::from("/mnt/e/Testfile.dat"));
    let messages = refusal("-dEF -RE,9 x.dat", &around());
    assert!(
        messages[0].contains("no drive or disk E:, F:, 9: here"),
        "{messages:?}"
    );
    assert_eq!(
        messages[1],
        "IOGAUGE_DRIVES=E=.,F=.,9=/dev/... sqlio -dEF -RE,9 x.dat"
    );
    let mut explaining = around();
    explaining.explaining = true;
    let line = "-dE x.dat";
    let planned = to_plan(&load(line, &explaining), &args(line), &explaining).unwrap();
    assert!(
        planned.notes[0].contains("IOGAUGE_DRIVES=E=."),
        "{:?}",
        planned.notes
    );
}

#[test]
fn raw_targets_are_never_made() {
    let planned = plan("-kR -b64 -frandom -R1", &mapped());
    let target = &span(&planned).targets[0];
    assert_eq!((target.label.as_str(), target.end), ("1:", Some(1 << 40)));
    assert_eq!(prepared(&planned), []);
    let striped = plan("-kW -b64 -f1 -i2000000 -R1", &mapped());
    let target = &span(&striped).targets[0];
    assert_eq!(target.opening, Opening::AtLeast(131_072_000_000));
    assert_eq!(prepared(&striped), []);
    let line = "-R1";
    let notes = to_plan(&load(line, &mapped()), &args(line), &mapped())
        .unwrap()
        .notes;
    assert_eq!(notes, ["NOTE: 1: is /dev/disk1"]);
    assert!(
        find(&load(line, &mapped()), &[], &mapped()).unwrap()[0]
            .place
            .device
    );
}

#[test]
fn random_contents_are_told_once() {
    let notes = |line: &str, around: &Environment| {
        to_plan(&load(line, around), &args(line), around)
            .unwrap()
            .notes
    };
    let told = |line: &str| notes(line, &around()).join("");
    assert!(told("-kW x").contains("new files and write buffers hold random bytes"));
    assert!(told("-kR x").starts_with("NOTE: new files hold random bytes"));
    assert!(told("-kW -frandom exists.dat").starts_with("NOTE: write buffers hold"));
    assert_eq!(told("-kR -frandom exists.dat"), "");
    let mut original = around();
    original.settings.data = DataChoice::Original;
    assert_eq!(notes("-kW x", &original), [""; 0]);
    let mut quiet = around();
    quiet.settings.quiet = true;
    assert_eq!(notes("-kW x", &quiet), [""; 0]);
}
