//! What lines mean, by our own grammar and by fio's.

use std::{ffi::OsString, time::Duration};

use super::{Asked, Data, Durable, Operations, Order, Pace, Per, Places, read};
use crate::{
    personality::native::{job::Load, loads},
    plan::{BlockSizes, Caching, Distribution, Ranks, Share, Skew, WeightedSize},
    units::number::STRANGE,
};

fn asked(line: &str) -> Result<Asked, String> {
    asked_words(&line.split_whitespace().collect::<Vec<_>>())
}

fn asked_words(words: &[&str]) -> Result<Asked, String> {
    let args: Vec<OsString> = ["run"].iter().chain(words).map(OsString::from).collect();
    match loads(&args) {
        Ok(Load::Run(args)) => read(&args.load),
        Ok(_) => panic!("{words:?} is no run"),
        Err(error) => Err(error.messages.join("\n")),
    }
}

fn of(line: &str) -> Asked {
    asked(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn weighted(entries: &[(u32, u32)]) -> Vec<WeightedSize> {
    let entry = |(bytes, weight): &(u32, u32)| WeightedSize {
        bytes: *bytes,
        weight: *weight,
    };
    entries.iter().map(entry).collect()
}

#[test]
fn every_number_is_held_to_its_range() {
    let options = [
        "--size",
        "--offset",
        "--region",
        "--align",
        "--bs",
        "--qd",
        "--iodepth",
        "--threads",
        "--numjobs",
        "--duration",
        "--runtime",
        "--warmup",
        "--ramp_time",
        "--cooldown",
        "--interval",
        "--bytes",
        "--ops",
        "--passes",
        "--rate",
        "--rate_iops",
        "--cap",
        "--stop-if",
        "--think",
        "--thinktime",
        "--repeat",
        "--seed",
        "--randseed",
        "--rwmixread",
        "--fsync",
        "--fdatasync",
        "--mix",
        "--dist",
        "--cpus",
        "--transfer",
        "--stripes",
        "--compression",
        "--db-size",
        "--maxdop",
    ];
    for option in options {
        for value in STRANGE {
            for words in [
                vec![format!("{option}={value}")],
                vec![option.into(), (*value).into()],
            ] {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let message = asked_words(&words).unwrap_err();
                assert!(
                    message.contains(&format!("{option}='")),
                    "{words:?}: {message}"
                );
                assert!(message.contains("it must be"), "{words:?}: {message}");
            }
        }
    }
}

#[test]
fn what_looks_at_figures_is_read_by_its_grammar() {
    let line = of("--stop-if p99>50ms --stop-if=write.mean>5ms --until-steady=2s,slope=3");
    let texts: Vec<String> = line.fuse.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["p99>50ms", "write.mean>5ms"]);
    let steady = line.limits.steady.unwrap();
    assert_eq!(steady.to_string(), "2s,range=20%,slope=3%");
    let bare = of("--until-steady ./x").limits.steady.unwrap();
    assert_eq!(bare.to_string(), "10s,range=20%,slope=10%");
    for value in STRANGE {
        for words in [
            format!("--until-steady={value}"),
            format!("--until-steady=range={value}"),
            format!("--stop-if=p99>{value}"),
            format!("--stop-if=iops<{value}"),
        ] {
            let message = asked_words(&[&words]).unwrap_err();
            assert!(message.contains("it must be"), "{words:?}: {message}");
        }
    }
}

#[test]
fn plain_options_have_our_grammar() {
    let line = of(
        "--rw randrw --mix 80:20 --bs 8k --qd 32 --threads 4 --duration 1m30s \
                   --warmup 250ms --size 2G --offset 1M --region 64MiB --align 512 --interval 500ms \
                   --repeat 3 --seed 7 --cpus 0-2,5 --cache buffered --keep",
    );
    assert_eq!(line.order, Some(Order::Random));
    let write_percent = 20;
    assert_eq!(line.operations, Some(Operations::Mixed { write_percent }));
    assert_eq!(line.sizes, Some(BlockSizes::One(8192)));
    assert_eq!(
        (line.depth, line.threads, line.repeat),
        (Some(32), Some(4), Some(3))
    );
    assert_eq!(line.limits.duration, Some(Duration::from_secs(90)));
    assert_eq!(line.limits.warmup, Some(Duration::from_millis(250)));
    assert_eq!(line.size, Some(2_147_483_648));
    assert_eq!((line.offset, line.region), (Some(1 << 20), Some(64 << 20)));
    assert_eq!((line.align, line.seed), (Some(512), Some(7)));
    assert_eq!(line.cpus, Some(vec![0, 1, 2, 5]));
    assert_eq!(
        (line.caching, line.keep),
        (Some(Caching::Buffered), Some(true))
    );
    assert!(line.notes.is_empty(), "{:?}", line.notes);
}

#[test]
fn a_fio_line_means_what_it_means_there() {
    let line = of(
        "--name=x --ioengine=libaio --iodepth=32 --numjobs=4 --rw=randrw --rwmixread=70 \
                   --bs=4k --direct=1 --runtime=60 --ramp_time=5 --size=10m --randseed=9 \
                   --time_based --group_reporting",
    );
    let write_percent = 30;
    assert_eq!(line.operations, Some(Operations::Mixed { write_percent }));
    assert_eq!((line.depth, line.threads), (Some(32), Some(4)));
    assert_eq!(line.limits.duration, Some(Duration::from_mins(1)));
    assert_eq!(line.limits.warmup, Some(Duration::from_secs(5)));
    assert_eq!((line.size, line.seed), (Some(10_485_760), Some(9)));
    assert_eq!(line.caching, Some(Caching::Direct));
    assert_eq!(
        line.notes,
        ["without effect here: --name, --group_reporting, --time_based"]
    );
    // A unit makes it fio's: bytes a second of each thread. A plain number is ours.
    let rate = of("--rate=10m");
    let (per_second, per) = (10_485_760, Per::Thread);
    assert_eq!(rate.pace, Some(Pace::CapBytes { per_second, per }));
    assert!(rate.notes[0].contains("read as fio's"), "{:?}", rate.notes);
    for (text, poisson) in [("--rate 5000", false), ("--rate=5000,poisson", true)] {
        let per_second = 5000;
        assert_eq!(
            of(text).pace,
            Some(Pace::Arrivals {
                per_second,
                poisson
            })
        );
    }
    // A mix is no matter of a load that only reads.
    let idle = of("--rw=randread --rwmixread=70");
    assert_eq!(idle.operations, Some(Operations::Reads));
    assert!(idle.notes[0].contains("--rwmixread has no effect"));
}

#[test]
fn sizes_have_weights() {
    let both = |entries: &[(u32, u32)]| BlockSizes::Weighted {
        read: weighted(entries),
        write: weighted(entries),
    };
    assert_eq!(
        of("--bs 4k:60,64k:40").sizes,
        Some(both(&[(4096, 60), (65536, 40)]))
    );
    assert_eq!(
        of("--bs r=8k,w=4k:60,w=64k:40").sizes,
        Some(BlockSizes::Weighted {
            read: weighted(&[(8192, 1)]),
            write: weighted(&[(4096, 60), (65536, 40)]),
        })
    );
    let split = of("--bssplit=4k/60:64k/40").sizes;
    assert_eq!(split, Some(both(&[(4096, 60), (65536, 40)])));
    // What is left of 100 is shared: 40 each; as weights in proportion 40:80:80.
    let shared = of("--bssplit=4k/20:8k:16k").sizes;
    assert_eq!(shared, Some(both(&[(4096, 40), (8192, 80), (16384, 80)])));
    for (line, words) in [
        ("--bs 4kB", "4000 or 4096 bytes"),
        ("--bs 4k,8k", "r=8k,w=64k"),
        ("--bs r=4k", "r=8k,w=64k"),
        ("--bs 4k:0", "a weight"),
        ("--bs 2G", "from 1 byte to 1 GiB"),
        ("--bssplit 4k/60:8k/60", "make 100"),
        ("--bssplit 4ki/100", "write 4k"),
        ("--bs 4k --bssplit 4k/100", "cannot both be given"),
    ] {
        let message = asked(line).unwrap_err();
        assert!(message.contains(words), "{line}: {message}");
    }
}

#[test]
fn paces_durability_and_data_are_one_each() {
    let pause = Duration::from_millis(10);
    let operations = 8;
    assert_eq!(
        of("--think 10ms --burst 8").pace,
        Some(Pace::Pauses { operations, pause })
    );
    let (per_second, per) = (209_715_200, Per::Run);
    assert_eq!(
        of("--cap 200MiB/s").pace,
        Some(Pace::CapBytes { per_second, per })
    );
    let (per_second, per) = (1000, Per::Thread);
    assert_eq!(
        of("--rate_iops=1000").pace,
        Some(Pace::CapOperations { per_second, per })
    );
    let pause = Duration::from_micros(250);
    let operations = 1;
    assert_eq!(
        of("--thinktime=250").pace,
        Some(Pace::Pauses { operations, pause })
    );
    let every = |writes, data_only| Some(Durable::Every { writes, data_only });
    for (line, durable) in [
        ("--durable no", Some(Durable::No)),
        ("--durable dsync", Some(Durable::Dsync)),
        ("--durable end", Some(Durable::End)),
        ("--durable fsync:1", every(1, false)),
        ("--durable fdatasync:32", every(32, true)),
        ("--sync=dsync", Some(Durable::Dsync)),
        ("--sync=1", Some(Durable::Sync)),
        ("--fsync=1", every(1, false)),
        ("--fdatasync=32", every(32, true)),
        ("--fsync=0", Some(Durable::No)),
    ] {
        assert_eq!(of(line).durable, durable, "{line}");
    }
    for (line, data) in [
        ("--data file:/x", Some(Data::File("/x".into()))),
        ("--data pattern", Some(Data::Pattern)),
        ("--zero_buffers", Some(Data::Zeros)),
        ("--zero_buffers=0", None),
        ("--buffer_pattern=0x00", Some(Data::Zeros)),
    ] {
        assert_eq!(of(line).data, data, "{line}");
    }
    for (line, words) in [
        ("--rate 5 --cap 5", "cannot both be given"),
        ("--burst 5", "--think"),
        ("--durable fsync:0", "N from 1"),
        ("--fsync=1 --durable dsync", "cannot both be given"),
        ("--buffer_pattern=0xdeadbeef", "--data pattern"),
        ("--data noise", "file:PATH"),
        (
            "--qd 1 --iodepth 1",
            "--qd and --iodepth cannot both be given",
        ),
    ] {
        let message = asked(line).unwrap_err();
        assert!(message.contains(words), "{line}: {message}");
    }
}

#[test]
fn hot_parts_have_their_shares() {
    let share = |io_percent, from, length| Share {
        io_percent,
        from,
        length,
    };
    let drawn = |line: &str| match of(line).places {
        Some(Places::Drawn(distribution)) => distribution,
        other => panic!("{line}: {other:?}"),
    };
    let percent = Distribution::Percent;
    let absolute = Distribution::Absolute;
    let hot = percent(vec![share(90, 0, 10), share(10, 10, 90)]);
    let hot_bytes = absolute(vec![share(90, 0, 1 << 30), share(10, 1 << 30, 0)]);
    let three = vec![share(60, 0, 10), share(30, 10, 20), share(10, 30, 70)];
    let ranked = |skew, ranks| Distribution::Ranked { skew, ranks };
    let normal = |deviation_percent, centre_percent| Distribution::Normal {
        deviation_percent,
        centre_percent,
    };
    for (line, expected) in [
        ("--dist uniform", Distribution::Uniform),
        ("--dist hot:90/10", hot),
        ("--dist hot:90/1G", hot_bytes.clone()),
        ("--dist zones:60/10:30/20:10/rest", percent(three.clone())),
        ("--dist zones:60/10:30/20:10/70", percent(three.clone())),
        ("--dist zones:90/1G:10/rest", hot_bytes),
        (
            "--dist zones:0/4k:100/8k",
            absolute(vec![share(0, 0, 4096), share(100, 4096, 8192)]),
        ),
        (
            "--dist zipf:0.99",
            ranked(Skew::Zipf(0.99), Ranks::Scattered),
        ),
        ("--dist zipf:1", ranked(Skew::Zipf(1.0), Ranks::Scattered)),
        (
            "--dist pareto:0.2",
            ranked(Skew::Pareto(0.2), Ranks::Scattered),
        ),
        ("--dist normal:10", normal(10.0, 50.0)),
        // fio's grammar and defaults, by its HOWTO.
        ("--random_distribution=random", Distribution::Uniform),
        (
            "--random_distribution=zipf",
            ranked(Skew::Zipf(1.1), Ranks::Scattered),
        ),
        (
            "--random_distribution=zipf:1.2:0.25",
            ranked(Skew::Zipf(1.2), Ranks::ScatteredFrom(25.0)),
        ),
        (
            "--random_distribution=pareto:0.9",
            ranked(Skew::Pareto(0.9), Ranks::Scattered),
        ),
        ("--random_distribution=normal:5", normal(5.0, 50.0)),
        ("--random_distribution=normal:5:0.25", normal(5.0, 25.0)),
        (
            "--random_distribution=zoned:50/5:30/15:20/",
            percent(vec![share(50, 0, 5), share(30, 5, 15), share(20, 20, 80)]),
        ),
        (
            "--random_distribution=zoned:60/10:30/20:/70",
            percent(three),
        ),
        (
            "--random_distribution=zoned_abs:60/10m:40/20m",
            absolute(vec![share(60, 0, 10 << 20), share(40, 10 << 20, 20 << 20)]),
        ),
    ] {
        assert_eq!(drawn(line), expected, "{line}");
    }
    assert_eq!(of("--dist shuffled").places, Some(Places::Shuffled));
}

#[test]
fn places_that_mean_nothing_are_refused_with_what_would_be_right() {
    let kinds = [
        ("--dist=", "shuffled, zipf:0.99"),
        ("--dist=zipf:", "from 0.01 to 10"),
        ("--dist=pareto:", "above 0 and below 1"),
        ("--dist=normal:", "above 0 and up to 100"),
        ("--dist=hot:90/", "hot:90/10"),
        ("--dist=hot:", "hot:90/10"),
        ("--dist=zones:90/1G:10/", "shares make 100"),
        ("--dist=zones:", "shares make 100"),
        ("--random_distribution=", "zoned:60/10"),
        ("--random_distribution=zipf:", "from 0.01 to 10"),
        (
            "--random_distribution=zipf:1.1:",
            "a centre is a number from 0 to 1",
        ),
        ("--random_distribution=normal:", "above 0 and up to 100"),
        ("--random_distribution=zoned_abs:50/", "shares make 100"),
    ];
    let more = ["0", "-4096", "9223372036854775808", "16777216T"];
    for (front, words) in kinds {
        for value in STRANGE.iter().chain(&more) {
            // fio reads a colon with nothing behind it as none, and 0 is a centre.
            if front.ends_with("1.1:") && matches!(*value, "" | "0") {
                continue;
            }
            let line = format!("{front}{value}");
            let message = asked_words(&[line.as_str()]).unwrap_err();
            assert!(message.contains(words), "{line}: {message}");
        }
    }
    for (line, words) in [
        ("--dist hot:100/10", "from 1 to 99"),
        ("--dist hot:90/100", "from 1 to 99"),
        ("--dist zones:60/10:30/20", "shares make 100"),
        ("--dist zones:60/10:40/20", "so do percents"),
        ("--dist zones:60/10:40/1G", "all in bytes"),
        ("--dist zones:60/rest:40/1G", "shares make 100"),
        ("--dist zones:60/60:40/60", "so do percents"),
        ("--dist zipf", "zipf:0.99"),
        ("--random_distribution=normal", "normal:10"),
        (
            "--random_distribution=zoned:60/10:40/90,100/100",
            "one list",
        ),
        (
            "--random_distribution=zoned_abs:60/10m:40/",
            "shares make 100",
        ),
        ("--mix 1:6", "whole percents"),
        ("--rw read --mix 70:30", "--mix is for mixed loads"),
        ("--rw random", "read, write, readwrite"),
    ] {
        let message = asked(line).unwrap_err();
        assert!(message.contains(words), "{line}: {message}");
    }
}

#[test]
fn every_number_is_refused_by_its_name_and_range() {
    const STRANGE: [&str; 9] = [
        "-1",
        "",
        "4X",
        "1e3",
        "0x10",
        // 2^63, 2^64, 10^20, and 2^24 TiB, which is 2^64.
        "9223372036854775808",
        "18446744073709551616",
        "100000000000000000000",
        "16777216T",
    ];
    // Each with what its range begins with, and whether 0 is in it.
    for (option, range, zero) in [
        ("--size", "from 1 byte to 4 EiB", false),
        ("--offset", "from 0 bytes to 4 EiB", true),
        ("--region", "from 1 byte to 4 EiB", false),
        ("--align", "from 1 byte to 4 EiB", false),
        ("--bytes", "from 1 byte to 4 EiB", false),
        ("--bs", "from 1 byte to 1 GiB", false),
        ("--qd", "from 1 to 32768", false),
        ("--iodepth", "from 1 to 32768", false),
        ("--threads", "from 1 to 65536", false),
        ("--numjobs", "from 1 to 65536", false),
        ("--ops", "from 1 to 9223372036854775807", false),
        ("--passes", "from 1 to 9223372036854775807", false),
        ("--repeat", "from 1 to 1000", false),
        ("--duration", "from 1ms to 366d", false),
        ("--warmup", "from 0s to 366d", false),
        ("--cooldown", "from 0s to 366d", false),
        ("--interval", "from 10ms to 366d", false),
        ("--think", "from 1us to 366d", false),
        ("--burst", "from 1 to 1000000000", false),
        ("--rate", "from 1 to 1000000000", false),
        ("--cap", "from 1 to 1000000000", false),
        ("--rate_iops", "from 1 to 1000000000", false),
        ("--rwmixread", "from 0 to 100", true),
        ("--fsync", "from 0 to 4294967295", true),
        ("--fdatasync", "from 0 to 4294967295", true),
        ("--runtime", "from 1ms to 366d", false),
        ("--ramp_time", "from 0s to 366d", true),
        ("--cpus", "from 0 to 8191", true),
        ("--stripes", "from 1 to 64", false),
        ("--maxdop", "from 1 to 32767", false),
        ("--db-size", "from 1 byte to 4 EiB", false),
        ("--transfer", "from 64k to 4M", false),
        ("--compression", "above 0 and at most 1", false),
    ] {
        let zero = (!zero).then_some("0");
        for value in STRANGE.into_iter().chain(zero) {
            let message = asked(&format!("{option}={value}")).unwrap_err();
            assert!(
                message.starts_with(&format!("{option}='{value}' ")),
                "{option}={value}: {message}"
            );
            assert!(message.contains(range), "{option}={value}: {message}");
        }
    }
    // Any number of 64 bits begins chance.
    for value in STRANGE
        .into_iter()
        .filter(|value| *value != "9223372036854775808")
    {
        let message = asked(&format!("--seed={value}")).unwrap_err();
        assert!(
            message.contains("from 0 to 18446744073709551615"),
            "{message}"
        );
    }
}

#[test]
fn kilobytes_have_two_readings_in_every_size() {
    for option in [
        "--size",
        "--offset",
        "--region",
        "--align",
        "--bytes",
        "--bs",
        "--db-size",
    ] {
        let message = asked(&format!("{option} 4kB")).unwrap_err();
        assert!(
            message.starts_with(&format!("{option}='4kB': ")),
            "{message}"
        );
        assert!(
            message.contains("4000 or 4096 bytes: write 4000 or 4k"),
            "{message}"
        );
    }
    for line in ["--cap 64kB/s", "--transfer 64kB"] {
        let message = asked(line).unwrap_err();
        assert!(message.contains("64000 or 65536 bytes"), "{message}");
    }
    // 200 * 10^6 / 2^20 = 190.73; 10^10 / 2^30 = 9.31.
    assert_eq!(of("--cap 200MB/s").notes, ["200 MB = 190.73 MiB"]);
    assert_eq!(of("--bytes 10GB").notes, ["10 GB = 9.31 GiB"]);
}

#[test]
fn options_without_effect_have_their_values() {
    for option in ["--group_reporting", "--time_based"] {
        for line in [
            option.to_owned(),
            format!("{option}=0"),
            format!("{option}=1"),
        ] {
            assert_eq!(of(&line).notes, [format!("without effect here: {option}")]);
        }
        for value in ["7", "", "yes", "-1"] {
            let message = asked(&format!("{option}={value}")).unwrap_err();
            assert!(message.contains("0 or 1"), "{message}");
        }
    }
}

#[test]
fn fios_methods_of_verification_are_ours() {
    for (line, verify, noted) in [
        ("--verify", Some(true), false),
        ("--verify=yes", Some(true), false),
        ("--verify=crc32c", Some(true), true),
        ("--verify=sha3-512", Some(true), true),
        ("--verify=0", Some(false), false),
        ("--verify=no", Some(false), false),
        ("--qd 1", None, false),
    ] {
        let asked = asked(line).unwrap();
        assert_eq!(asked.verify, verify, "{line}");
        assert_eq!(!asked.notes.is_empty(), noted, "{line}");
    }
    for line in ["--verify=pattern", "--verify=null", "--verify=crc"] {
        let message = super::tests::asked(line).unwrap_err();
        assert!(message.contains("a method of fio"), "{line}: {message}");
    }
}

#[test]
fn options_of_later_versions_do_not_exist() {
    for option in [
        "-o=x",
        "--tag=x",
        "--note=x",
        "--history",
        "--fail-if=x",
        "--strict",
        "--live",
        "--again=1",
    ] {
        let message = asked(option).unwrap_err();
        assert!(
            message.contains("unexpected argument"),
            "{option}: {message}"
        );
    }
}
