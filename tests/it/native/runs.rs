//! What a run does to files, and what it says at the end.

use std::{fs, os::unix::fs::MetadataExt};

use super::{fits_a_small_terminal, native};
use crate::util::{self, Dir, skip};

const SHORT: &str = "--size 4M --duration 200ms --warmup 0s";

#[test]
fn a_folder_is_left_as_it_was() {
    let _busy = util::busy();
    let dir = Dir::new();
    let output = util::run(&mut native(&dir, &format!("run . {SHORT}")));
    output.expect_code(0);
    assert!(
        output.stdout.contains("random reads of 4 KiB"),
        "{output:#?}"
    );
    assert!(output.stdout.contains("./iogauge.dat"), "{output:#?}");
    assert!(output.stdout.contains("--seed "), "{output:#?}");
    fits_a_small_terminal(&output.stdout);
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}

#[test]
fn a_kept_file_is_used_again_and_may_be_written() {
    let _busy = util::busy();
    let dir = Dir::new();
    let output = util::run(&mut native(&dir, &format!("run ./f --keep {SHORT}")));
    output.expect_code(0);
    assert!(output.stdout.contains("kept: ./f"), "{output:#?}");
    let before = fs::metadata(dir.join("f")).unwrap();
    assert_eq!(before.len(), 4 << 20);
    let again = util::run(&mut native(&dir, "run ./f --duration 100ms --warmup 0s"));
    again.expect_code(0);
    assert!(!again.told().contains("made"), "{again:#?}");
    assert_eq!(fs::metadata(dir.join("f")).unwrap().ino(), before.ino());
    let write = "run ./f --rw randwrite --duration 100ms --warmup 0s";
    let write = util::run(&mut native(&dir, write));
    if write.told().contains("cannot be marked") || write.code == Some(2) {
        skip("this filesystem keeps no marks of our files");
        return;
    }
    write.expect_code(0);
    assert_eq!(dir.names(), ["f"], "it was there before, so it stays");
}

#[test]
fn a_foreign_file_is_read_freely_and_written_by_name_only() {
    let _busy = util::busy();
    let dir = Dir::new();
    let path = dir.file("theirs", 1 << 20);
    let content = fs::read(&path).unwrap();
    let time = "--duration 100ms --warmup 0s";
    util::run(&mut native(&dir, &format!("run theirs {time}"))).expect_code(0);
    let write = format!("run theirs --rw randwrite {time}");
    let refused = util::run(&mut native(&dir, &write));
    refused.expect_code(2);
    assert!(refused.told().contains("--destroy theirs"), "{refused:#?}");
    let larger = util::run(&mut native(&dir, &format!("run theirs --size 2M {time}")));
    larger.expect_code(2);
    assert!(larger.told().contains("not ours"), "{larger:#?}");
    assert_eq!(fs::read(&path).unwrap(), content);
    let given = util::run(&mut native(&dir, &format!("{write} --destroy theirs")));
    given.expect_code(0);
    assert_ne!(fs::read(&path).unwrap(), content);
    assert_eq!(dir.names(), ["theirs"]);
}

#[test]
fn the_corners_of_a_disk_have_a_row_each() {
    let _busy = util::busy();
    let dir = Dir::new();
    let line = "quick . --size 16M --duration 60ms --warmup 0s";
    let output = util::run(&mut native(&dir, line));
    output.expect_code(0);
    for name in [
        "sequential read 1 MiB, 8 in flight",
        "sequential write 1 MiB, 1 in flight",
        "random read 4 KiB, 32 in flight",
        "random write 4 KiB, 1 in flight",
        "durable write 4 KiB, 1 in flight",
    ] {
        assert!(output.stdout.contains(name), "{name}: {output:#?}");
    }
    fits_a_small_terminal(&output.stdout);
    assert!(dir.names().is_empty(), "{:?}", dir.names());
    // Somebody's file is not written.
    dir.file("theirs", 16 << 20);
    let line = "quick theirs --duration 60ms --warmup 0s";
    let output = util::run(&mut native(&dir, line));
    output.expect_code(0);
    assert!(!output.stdout.contains(" write 1 MiB"), "{output:#?}");
    assert!(output.stdout.contains("--destroy theirs"), "{output:#?}");
}

#[test]
fn a_simulated_run_is_the_same_twice() {
    let dir = Dir::new();
    let line = "run ./x --engine sim --seed 1 --threads 2 --qd 4 --rw randrw --duration 20s";
    let once = util::run(&mut native(&dir, line));
    let twice = util::run(&mut native(&dir, line));
    once.expect_code(0);
    assert_eq!(once.stdout, twice.stdout);
    assert!(
        !once.stdout.contains("gives the same offsets"),
        "it was typed"
    );
    assert!(dir.names().is_empty());
}

#[test]
fn a_line_of_fio_runs() {
    let dir = Dir::new();
    let line = "run --filename=./x --name=a --rw=randrw --rwmixread=70 --bssplit=4k/60:64k/40 \
                --iodepth=32 --numjobs=4 --runtime=5 --ramp_time=1 --ioengine=null --size=1g \
                --direct=1 --time_based --group_reporting";
    let output = util::run(native(&dir, line).arg("--engine=sim"));
    output.expect_code(2);
    let line = line.replace("--ioengine=null", "--engine=sim");
    let output = util::run(&mut native(&dir, &line));
    output.expect_code(0);
    let told = "without effect here: --name, --group_reporting, --time_based";
    assert!(output.stdout.contains(told), "{output:#?}");
    assert!(dir.names().is_empty());
}

#[test]
fn a_plan_file_runs_where_it_says_or_elsewhere() {
    let _busy = util::busy();
    let dir = Dir::new();
    dir.file("a", 1 << 20);
    dir.file("b", 1 << 20);
    let plan = util::run(&mut native(
        &dir,
        "explain --as toml -- run a --duration 100ms --warmup 0s --seed 5",
    ));
    plan.expect_code(0);
    fs::write(dir.join("p.toml"), &plan.stdout).unwrap();
    let output = util::run(&mut native(&dir, "run p.toml"));
    output.expect_code(0);
    assert!(output.stdout.contains("on a (1 MiB)"), "{output:#?}");
    let output = util::run(&mut native(&dir, "run p.toml b"));
    output.expect_code(0);
    assert!(output.stdout.contains("on b (1 MiB)"), "{output:#?}");
    let output = util::run(&mut native(&dir, "run p.toml --bs 8k"));
    output.expect_code(2);
    assert!(
        output.told().contains("--bs is for loads made of options"),
        "{output:#?}"
    );
    fs::write(dir.join("bad.toml"), "iogauge-plan = 1\nnonsense = 2\n").unwrap();
    let output = util::run(&mut native(&dir, "run bad.toml"));
    output.expect_code(2);
    assert!(output.told().contains("bad.toml") && output.told().contains("nonsense"));
}

/// The plan of the manual that has phases, with less to do.
fn phases() -> String {
    let manual = include_str!("../../../docs/plans.md");
    let plans = manual.split("```toml\n").skip(1);
    let mut plans = plans.filter_map(|block| block.split("```").next());
    let plan = plans.find(|plan| plan.contains("name = \"fill\""));
    let plan = plan.expect("a plan with phases");
    plan.replace("\"2s\"", "\"100ms\"")
        .replace("\"64MiB\"", "\"4MiB\"")
}

#[test]
fn each_phase_of_a_plan_has_lines_of_its_own() {
    let _busy = util::busy();
    let dir = Dir::new();
    fs::write(dir.join("p.toml"), phases()).unwrap();
    let output = util::run(&mut native(&dir, "run p.toml"));
    output.expect_code(0);
    let at = |words: &str| {
        let at = output.stdout.find(words);
        at.unwrap_or_else(|| panic!("{words}: {output:#?}"))
    };
    let phases = [
        at("fill: shuffled writes of 64 KiB"),
        at("read: random (zipf 0.99) reads of 4 KiB"),
        at("mixed: random (zipf 0.99) 70:30 reads and writes"),
    ];
    assert!(phases.is_sorted(), "{output:#?}");
    fits_a_small_terminal(&output.stdout);
    assert_eq!(dir.names(), ["p.toml"]);
}

#[test]
fn where_random_reads_went_is_told() {
    let dir = Dir::new();
    for (places, words) in [
        ("zipf:0.99", "random (zipf 0.99) reads of 4 KiB"),
        ("pareto:0.2", "random (pareto 0.2) reads"),
        ("normal:10", "random (normal 10 %) reads"),
        (
            "hot:90/64M",
            "random reads, 90 % of them in the first 64 MiB, of 4 KiB",
        ),
        ("shuffled", "shuffled reads of 4 KiB"),
    ] {
        let line = format!("run ./x --engine sim --duration 1s --seed 1 --dist {places}");
        let output = util::run(&mut native(&dir, &line));
        output.expect_code(0);
        assert!(output.stdout.contains(words), "{places}: {output:#?}");
    }
    let line = "run ./x --engine sim --size 1M --dist shuffled --passes 2 --threads 3";
    util::run(&mut native(&dir, line)).expect_code(0);
    assert!(dir.names().is_empty());
}

#[test]
fn a_profile_makes_its_files_and_removes_them() {
    let _busy = util::busy();
    let dir = Dir::new();
    let line = "run etcd .";
    let output = util::run(&mut native(&dir, line));
    output.expect_code(0);
    assert!(output.stdout.contains("etcd"), "{output:#?}");
    fits_a_small_terminal(&output.stdout);
    assert!(dir.names().is_empty(), "{:?}", dir.names());
    let line = "run sqlserver/checkdb . --machine lp=2 --size 64M --duration 100ms --warmup 0s";
    let output = util::run(&mut native(&dir, line));
    output.expect_code(0);
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}

#[test]
fn settings_come_from_a_file_unless_the_line_says_otherwise() {
    let dir = Dir::new();
    fs::create_dir_all(dir.join("conf/iogauge")).unwrap();
    fs::create_dir(dir.join("disk")).unwrap();
    let write = |text: &str| fs::write(dir.join("conf/iogauge/config.toml"), text).unwrap();
    write("[defaults]\ntarget = \"disk\"\nsize = \"8M\"\n");
    let configured = |line: &str| {
        let mut command = native(&dir, line);
        command.env("XDG_CONFIG_HOME", dir.join("conf"));
        util::run(&mut command)
    };
    let output = configured("run --engine sim --duration 1s");
    output.expect_code(0);
    assert!(
        output.stdout.contains("disk/iogauge.dat (8 MiB)"),
        "{output:#?}"
    );
    let output = configured("explain -- run --engine sim");
    output.expect_code(0);
    let told = output.stdout.split("--size").nth(1).unwrap_or_default();
    let told: Vec<&str> = told.lines().take(2).map(str::trim).collect();
    assert!(
        told[0] == "8 MiB, from" && told[1].ends_with("config.toml"),
        "{output:#?}"
    );
    let output = configured("run --engine sim --duration 1s --size 4M ./x");
    assert!(output.stdout.contains("./x (4 MiB)"), "{output:#?}");
    write("[defaults]\n\nsiez = \"8M\"\n");
    let output = configured("run --engine sim --duration 1s");
    output.expect_code(2);
    assert!(
        output.told().contains("config.toml, line 3:") && output.told().contains("siez"),
        "{output:#?}"
    );
    // A face runs all the same, and tells.
    let mut face = dir.diskspd("-b4K -d1 -c1M ./x");
    face.env("XDG_CONFIG_HOME", dir.join("conf"))
        .env("IOGAUGE_ENGINE", "sim");
    let output = util::run(&mut face);
    output.expect_code(0);
    assert!(
        output.told().contains("config.toml, line 3:"),
        "{output:#?}"
    );
}

#[test]
fn verified_writes_that_overlap_raise_no_alarm() {
    let _busy = util::busy();
    let dir = Dir::new();
    // A megabyte and 64 I/Os of up to 16 blocks in flight: nearly all of them overlap.
    for rest in [
        "--rw randwrite --bs 4k --ops 100000",
        "--rw randrw --bs 4k:3,64k:1 --ops 20000",
    ] {
        let line = format!(
            "run ./f --size 1M {rest} --align 4k --qd 32 --threads 2 --verify \
             --cache buffered"
        );
        let output = util::run(&mut native(&dir, &line));
        output.expect_code(0);
        let text = words(&output.stdout);
        assert!(text.contains("1 MiB read back after"), "{output:#?}");
        assert!(
            text.contains("all of it is what was written"),
            "{output:#?}"
        );
        assert!(!text.contains("BAD DATA"), "{output:#?}");
    }
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}

#[test]
fn what_cannot_be_verified_is_refused_by_name() {
    let dir = Dir::new();
    for (line, part) in [
        ("--bs 1000", "multiples of 512 bytes: --bs 1000"),
        ("--rw randwrite --data zeros", "leave --data"),
        ("--engine null", "--verify needs a real target"),
        ("--engine sim", "--verify needs a real target"),
        ("--align 100", "multiples of"),
    ] {
        let output = util::run(&mut native(&dir, &format!("run ./f --verify {line}")));
        output.expect_code(2);
        let text = words(&output.stderr);
        assert!(text.contains(part), "{line}: {output:#?}");
    }
    assert!(dir.names().is_empty(), "{:?}", dir.names());
    dir.file("old", 65536);
    let output = util::run(&mut native(
        &dir,
        "run ./old --verify --bs 4k --cache buffered",
    ));
    output.expect_code(2);
    let text = words(&output.stderr);
    assert!(text.contains("there is nothing to verify"), "{output:#?}");
}

/// The text without its line breaks.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
