//! What lines mean, by our own grammar and by fio's.

use std::{ffi::OsString, time::Duration};

use super::{Asked, Data, Durable, Operations, Order, Pace, Per, read};
use crate::{
    personality::native::{job::Load, loads},
    plan::{BlockSizes, Caching, Distribution, Share, WeightedSize},
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
    for option in [
        "--size",
        "--region",
        "--align",
        "--bs",
        "--qd",
        "--iodepth",
        "--threads",
        "--numjobs",
        "--bytes",
        "--ops",
        "--passes",
        "--rate",
        "--rate_iops",
        "--cap",
        "--repeat",
        "--duration",
        "--runtime",
        "--interval",
        "--stripes",
        "--maxdop",
        "--compression",
    ] {
        let message = asked(&format!("{option}=0")).unwrap_err();
        assert!(
            message.contains(&format!("{option}='0' is not")),
            "{message}"
        );
    }
    // 2^63 and 2^64 of every count.
    for value in ["9223372036854775808", "18446744073709551616"] {
        for option in [
            "--qd",
            "--threads",
            "--ops",
            "--bs",
            "--size",
            "--rate",
            "--cap",
        ] {
            assert!(
                asked(&format!("{option} {value}")).is_err(),
                "{option} {value}"
            );
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
    let hot = Distribution::Percent(vec![share(90, 0, 10), share(10, 10, 90)]);
    assert_eq!(of("--dist hot:90/10").distribution, Some(hot));
    assert_eq!(
        of("--dist uniform").distribution,
        Some(Distribution::Uniform)
    );
    for (line, words) in [
        ("--dist zipf:0.99", "zipf is not in this version"),
        ("--dist hot:100/10", "from 1 to 99"),
        (
            "--random_distribution=pareto:0.2",
            "pareto is not in this version",
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
fn options_of_later_versions_do_not_exist() {
    for option in [
        "--verify",
        "-o=x",
        "--tag=x",
        "--note=x",
        "--history",
        "--fail-if=x",
        "--strict",
        "--live",
        "--again=1",
        "--pause=1s",
    ] {
        let message = asked(option).unwrap_err();
        assert!(
            message.contains("unexpected argument"),
            "{option}: {message}"
        );
    }
}
