//! Streams by hand, and the options that fio's documentation gives for them.

use std::time::Duration;

use super::*;
use crate::plan::{
    AccessPattern, Assembly, BlockSizes, Distribution, FlushPolicy, Generator, Pacing, PauseFrom,
    Payload, Ranks, Share, Skew, Step, WeightedSize, fixtures,
};

fn random(distribution: Distribution) -> AccessPattern {
    AccessPattern::Random {
        alignment: 4096,
        distribution,
    }
}

fn group(workers: u32, streams: Vec<Stream>) -> WorkerGroup {
    WorkerGroup {
        name: String::new(),
        workers,
        affinity: Affinity::None,
        streams,
        dispatch: Dispatch::PerStream,
    }
}

/// The job of four threads, each with this change of a random stream of 4 KiB, and what is lost.
fn job_with(change: impl FnOnce(&mut Stream)) -> Expressed {
    let mut stream = fixtures::stream(0, random(Distribution::Uniform), BlockSizes::One(4096));
    change(&mut stream);
    let span = fixtures::span(
        vec![fixtures::target("d", "d")],
        vec![group(4, vec![stream])],
    );
    express(&fixtures::plan("x", "", vec![Step::Run(span)])).unwrap()
}

#[track_caller]
fn assert_said(expressed: &Expressed, lines: &[&str]) {
    for line in lines {
        assert!(
            expressed.text.lines().any(|said| said == *line),
            "{line} is not in\n{}",
            expressed.text
        );
    }
}

#[track_caller]
fn assert_lost(expressed: &Expressed, what: &str) {
    let said = expressed
        .lost
        .iter()
        .any(|lost| lost.starts_with(&format!("{what}: ")));
    assert!(said, "{what} is not among {:?}", expressed.lost);
}

#[test]
fn weights_become_percents_that_come_to_100() {
    let table = |entries: &[(u32, u32)]| {
        let entry = |&(bytes, weight): &(u32, u32)| WeightedSize { bytes, weight };
        entries.iter().map(entry).collect()
    };
    let whole = job_with(|stream| {
        stream.sizes = BlockSizes::Weighted {
            read: table(&[(4096, 3), (65536, 2)]),
            write: table(&[(8192, 7)]),
        };
    });
    assert_said(&whole, &["bssplit=4096/60:65536/40,8192/100"]);
    assert!(!whole.lost.iter().any(|lost| lost.starts_with("sizes")));
    // 2 of 3 are 66 and 2/3 percent, 1 of 3 are 33 and 1/3.
    let rounded = job_with(|stream| {
        stream.sizes = BlockSizes::Weighted {
            read: table(&[(4096, 2), (65536, 1)]),
            write: Vec::new(),
        };
    });
    assert_said(&rounded, &["bssplit=4096/67:65536/33,4096/67:65536/33"]);
    assert_lost(&rounded, "sizes");
}

#[test]
fn patterns_have_words_or_are_named() {
    let with = |pattern: AccessPattern| job_with(|stream| stream.pattern = pattern);
    let stride = with(AccessPattern::Sequential {
        stride: 12288,
        worker_offset: 1 << 20,
    });
    // 8 KiB between the end of a block and the next one.
    assert_said(&stride, &["rw=rw:8192", "offset_increment=1048576"]);
    assert_lost(&stride, "order");
    let mixed = with(AccessPattern::Mixed {
        alignment: 512,
        random_percent: 30,
        distribution: Distribution::Uniform,
    });
    assert_said(
        &mixed,
        &["rw=randrw", "percentage_random=30", "blockalign=512"],
    );
    for pattern in [
        AccessPattern::Append,
        AccessPattern::Interlocked { stride: 4096 },
        AccessPattern::Parallel {
            stride: 4096,
            worker_offset: 0,
        },
        AccessPattern::Grid {
            rows: 4,
            columns: 8,
            again: false,
        },
    ] {
        assert_lost(&with(pattern), "order");
    }
    assert_lost(&with(AccessPattern::Regions { alignment: 4096 }), "range");
}

#[test]
fn parts_of_a_known_range_are_sizes() {
    let stream = fixtures::stream(
        0,
        AccessPattern::Regions { alignment: 4096 },
        BlockSizes::One(4096),
    );
    let mut target = fixtures::target("d", "d");
    (target.base, target.end) = (4096, Some(4096 + (64 << 10)));
    let span = fixtures::span(vec![target], vec![group(4, vec![stream])]);
    let expressed = express(&fixtures::plan("x", "", vec![Step::Run(span)])).unwrap();
    assert_said(
        &expressed,
        &["offset=4096", "size=16384", "offset_increment=16384"],
    );
    assert!(!expressed.lost.iter().any(|lost| lost.starts_with("range")));
}

#[test]
fn shares_of_the_range_are_zones() {
    let share = |io_percent, from, length| Share {
        io_percent,
        from,
        length,
    };
    let with = |distribution| job_with(|stream| stream.pattern = random(distribution));
    let shares = vec![share(90, 0, 10), share(10, 10, 90)];
    let percent = with(Distribution::Percent(shares));
    assert_said(&percent, &["random_distribution=zoned:90/10:10/90"]);
    let shares = vec![share(60, 0, 4096), share(40, 4096, 0)];
    assert_lost(&with(Distribution::Absolute(shares)), "distribution");
}

#[test]
fn laws_are_fios_with_their_differences_named() {
    let with = |distribution| job_with(|stream| stream.pattern = random(distribution));
    let ranked = |skew, ranks| with(Distribution::Ranked { skew, ranks });
    let zipf = ranked(Skew::Zipf(0.99), Ranks::Scattered);
    assert_said(&zipf, &["random_distribution=zipf:0.99"]);
    assert_lost(&zipf, "distribution");
    let told = |expressed: &Expressed, words: &str| expressed.lost.join("\n").contains(words);
    assert!(told(&zipf, "fio finds places by a hash"));
    let around = ranked(Skew::Pareto(0.2), Ranks::ScatteredFrom(25.0));
    assert_said(&around, &["random_distribution=pareto:0.2:0.25"]);
    let in_order = ranked(Skew::Zipf(1.2), Ranks::InOrder);
    assert!(told(&in_order, "ranks lie in order"));
    // fio: "zipf theta must different than 1.0".
    let one = ranked(Skew::Zipf(1.0), Ranks::Scattered);
    assert_said(&one, &["random_distribution=zipf:1.0001"]);
    assert!(told(&one, "which fio refuses"));
    let normal = with(Distribution::Normal {
        deviation_percent: 10.0,
        centre_percent: 50.0,
    });
    assert_said(&normal, &["random_distribution=normal:10:0.5"]);
    assert!(told(&normal, "fio scatters its places"));
}

#[test]
fn shuffled_is_fios_random_map() {
    let shuffled = job_with(|stream| stream.pattern = AccessPattern::Shuffled { alignment: 4096 });
    assert!(!shuffled.text.contains("norandommap"), "{}", shuffled.text);
    assert!(shuffled.text.contains("rw=rand"), "{}", shuffled.text);
    // Four threads.
    assert_lost(&shuffled, "order");
}

#[test]
fn pacing_is_a_limit_of_each_direction() {
    let with = |pacing| job_with(|stream| stream.pacing = pacing);
    // 40 writes in 100.
    let cap = with(Pacing::CapOperations {
        per_second: 1000,
        shared_by: 1,
    });
    assert_said(&cap, &["rate_iops=600,400"]);
    assert_said(
        &with(Pacing::CapBytes {
            per_second: 5000,
            shared_by: 1,
        }),
        &["rate=3000,2000"],
    );
    let burst = with(Pacing::Burst {
        from: PauseFrom::Completion,
        operations: 8,
        pause: Duration::from_micros(1500),
    });
    assert_said(&burst, &["thinktime=1500us", "thinktime_blocks=8"]);
    assert_lost(
        &with(Pacing::Burst {
            from: PauseFrom::Issue,
            operations: 8,
            pause: Duration::from_micros(1500),
        }),
        "bursts",
    );
    let arrivals = with(Pacing::Arrivals {
        per_second: 500.0,
        poisson: true,
    });
    assert_said(&arrivals, &["rate_iops=300,200", "rate_process=poisson"]);
    assert_lost(&arrivals, "arrivals");
    let waves = with(Pacing::Waves {
        first: Duration::from_secs(2),
        every: Duration::from_mins(1),
        operations: 64,
        backs_off_above: None,
    });
    assert_lost(&waves, "waves");
}

/// What fio 3.33 does: `rate_iops=200` over 4 KiB and 64 KiB by halves gave 25 I/Os a second, a rate
/// of 200 times 34 KiB gave 211, and distances that are drawn gave 188.
#[test]
fn rates_over_several_sizes_are_bytes() {
    let sizes = || BlockSizes::Weighted {
        read: vec![
            WeightedSize {
                bytes: 4096,
                weight: 1,
            },
            WeightedSize {
                bytes: 65536,
                weight: 1,
            },
        ],
        write: vec![WeightedSize {
            bytes: 8192,
            weight: 1,
        }],
    };
    let with = |pacing| {
        job_with(|stream| {
            stream.sizes = sizes();
            stream.pacing = pacing;
        })
    };
    // 60 reads of 34816 bytes in the mean, 40 writes of 8192.
    let cap = with(Pacing::CapOperations {
        per_second: 100,
        shared_by: 1,
    });
    assert_said(&cap, &["rate=2088960,327680"]);
    assert_lost(&cap, "rate");
    let drawn = with(Pacing::Arrivals {
        per_second: 100.0,
        poisson: true,
    });
    assert_said(&drawn, &["rate_iops=60,40", "rate_process=poisson"]);
}

#[test]
fn a_group_commit_is_writes_of_a_record() {
    let gathered = job_with(|stream| {
        stream.mix.write_percent = 100;
        stream.sizes = BlockSizes::One(61440);
        stream.pattern = AccessPattern::Sequential {
            stride: 61440,
            worker_offset: 0,
        };
        stream.pacing = Pacing::Gathered {
            per_second: 100.0,
            poisson: true,
            record: 3000,
            unit: 512,
        };
    });
    // 6 units of 512 hold 3000 bytes.
    assert_said(&gathered, &["rw=write", "bs=3072", "rate_iops=100"]);
    assert_lost(&gathered, "commits");
}

/// A wave a job, each from its time to the common end.
#[test]
fn waves_end_with_the_other_jobs() {
    let waves = |first, every| {
        let mut stream = fixtures::stream(0, random(Distribution::Uniform), BlockSizes::One(4096));
        stream.pacing = Pacing::Waves {
            first: Duration::from_secs(first),
            every: Duration::from_secs(every),
            operations: 64,
            backs_off_above: None,
        };
        let mut span = fixtures::span(
            vec![fixtures::target("d", "d")],
            vec![group(2, vec![stream])],
        );
        span.warmup = Duration::from_secs(5);
        span.stop.after = Some(Duration::from_secs(20));
        express(&fixtures::plan("x", "", vec![Step::Run(span)])).unwrap()
    };
    // From 8 s on, every 10 s, before 25 s: two.
    let two = waves(8, 10);
    assert_eq!(two.text.matches("number_ios=64").count(), 2);
    assert_said(
        &two,
        &[
            "startdelay=8s",
            "runtime=17s",
            "startdelay=18s",
            "runtime=7s",
            "io_size=262144",
        ],
    );
    for word in ["ramp_time", "time_based", "thinktime"] {
        assert!(!two.text.contains(word), "{word}");
    }
    let none = waves(25, 10);
    assert!(!none.text.contains("[d]") && !none.text.contains("rw="));
    assert_lost(&none, "waves");
}

#[test]
fn flushes_after_reads_are_told() {
    let every = |percent| {
        job_with(|stream| {
            stream.mix.write_percent = percent;
            stream.mix.flush = FlushPolicy::Every {
                writes: 8,
                data_only: false,
            };
        })
    };
    // fio 3.33 flushed 27 times for 124 writes among 132 reads, where 15 were asked for.
    assert_lost(&every(40), "flushes");
    assert!(
        !every(100)
            .lost
            .iter()
            .any(|lost| lost.starts_with("flushes"))
    );
}

#[test]
fn flushes_of_a_sequence_are_said() {
    let mut span = fixtures::shared_span();
    if let Some(shared) = &mut span.sequence {
        shared.flushes.after_write = true;
    }
    let expressed = express(&fixtures::plan("x", "", vec![Step::Run(span)])).unwrap();
    assert_said(&expressed, &["fsync=1"]);
    assert_lost(&expressed, "flushes");
}

/// The sections, and what an option of each says.
fn sections(text: &str) -> Vec<std::collections::BTreeMap<String, u64>> {
    text.split("\n[")
        .skip(1)
        .map(|section| {
            section
                .lines()
                .filter_map(|line| {
                    let (option, value) = line.split_once('=')?;
                    Some((option.to_owned(), value.parse().ok()?))
                })
                .collect()
        })
        .collect()
}

proptest::proptest! {
    #[test]
    fn no_job_leaves_the_range(
        kind in 0..7_usize,
        workers in 1..9_u32,
        blocks in 1..64_u64,
        base in 0..4_u64,
        distance in 0..16_u64,
    ) {
        let (stride, worker_offset) = (4096, distance * 4096);
        let pattern = match kind {
            0 => AccessPattern::Sequential { stride, worker_offset },
            1 => AccessPattern::Parallel { stride, worker_offset },
            2 => AccessPattern::Interlocked { stride },
            3 => AccessPattern::Regions { alignment: 4096 },
            4 => random(Distribution::Uniform),
            5 => AccessPattern::Append,
            _ => AccessPattern::Mixed {
                alignment: 512,
                random_percent: 50,
                distribution: Distribution::Uniform,
            },
        };
        let stream = fixtures::stream(0, pattern, BlockSizes::One(4096));
        let mut target = fixtures::target("d", "d");
        let end = (base + blocks) * 4096;
        (target.base, target.end) = (base * 4096, Some(end));
        let span = fixtures::span(vec![target], vec![group(workers, vec![stream])]);
        let expressed = express(&fixtures::plan("x", "", vec![Step::Run(span)])).unwrap();
        let mut threads = 0;
        for section in sections(&expressed.text) {
            let get = |option: &str| section.get(option).copied().unwrap_or(0);
            let last = get("offset") + get("offset_increment") * (get("numjobs") - 1);
            proptest::prop_assert!(get("size") > 0);
            proptest::prop_assert!(last + get("size") <= end, "{}", expressed.text);
            threads += get("numjobs");
        }
        proptest::prop_assert!(threads <= u64::from(workers));
    }
}

#[test]
fn durability_data_and_memory() {
    let flush = |flush| job_with(|stream| stream.mix.flush = flush);
    let every = |data_only| FlushPolicy::Every {
        writes: 8,
        data_only,
    };
    assert_said(
        &flush(every(true)),
        &["fdatasync=8", "sync=dsync", "direct=1"],
    );
    assert_said(&flush(every(false)), &["fsync=8"]);
    assert_said(
        &flush(FlushPolicy::AtEnd { data_only: false }),
        &["end_fsync=1"],
    );
    let data = |payload| job_with(|stream| stream.payload = payload);
    assert_said(&data(Payload::Zeros), &["zero_buffers"]);
    assert_said(&data(Payload::FreshRandom), &["refill_buffers"]);
    let pattern = data(Payload::BytePattern);
    assert!(
        pattern.text.contains("\nbuffer_pattern=0x000102") && pattern.text.contains("fdfeff\n")
    );
    let pieces = job_with(|stream| stream.assembly = Assembly::Copied { pieces: 2 });
    assert_lost(&pieces, "assembly");
    assert_lost(&job_with(|stream| stream.copies = Some(0)), "copy");
    let reads = job_with(|stream| stream.mix.write_percent = 0);
    assert!(!reads.text.contains("overwrite") && reads.text.contains("\nrw=randread\n"));
}

#[test]
fn time_spans_follow_each_other_and_names_fit() {
    let stream = || fixtures::stream(0, random(Distribution::Uniform), BlockSizes::One(4096));
    let span = |name: &str| {
        let mut group = group(1, vec![stream()]);
        group.name = name.to_owned();
        let mut span = fixtures::span(vec![fixtures::target("a:b", "a:b")], vec![group]);
        span.generator = Generator::Xoshiro { seed: u64::MAX };
        span.stop.after = Some(Duration::from_millis(1500));
        Step::Run(span)
    };
    let expressed = express(&fixtures::plan(
        "x",
        "",
        vec![span("log write"), span("./a ./b"), span("]global")],
    ))
    .unwrap();
    let jobs: Vec<&str> = expressed
        .text
        .lines()
        .filter(|line| line.starts_with('['))
        .collect();
    assert_eq!(
        jobs,
        ["[global]", "[log-write]", "[span2-a-b]", "[span3-group3]"]
    );
    assert_eq!(expressed.text.matches("\nstonewall\n").count(), 2);
    assert_said(
        &expressed,
        &[
            "filename=a\\:b",
            "runtime=1500ms",
            "randseed=9223372036854775807",
        ],
    );
}

fn named(name: &str) -> Result<Expressed, Unsayable> {
    let stream = fixtures::stream(0, random(Distribution::Uniform), BlockSizes::One(4096));
    let span = fixtures::span(
        vec![fixtures::target(name, name)],
        vec![group(1, vec![stream])],
    );
    express(&fixtures::plan("x", "", vec![Step::Run(span)]))
}

/// Each was tried with fio 3.33, which makes other files of them.
#[test]
fn names_that_a_job_file_cannot_hold_are_refused() {
    for name in [
        " x",
        "x ",
        "a\nb",
        "a\rb",
        "${HOME}",
        "-",
        "./v;1",
        "v ; 1",
        "v#1",
        "v\\;1",
        "v$ncpus",
        "$pagesize",
        "v$mb_memory",
        "v\\:1",
        "v\\",
    ] {
        let error = named(name).unwrap_err().to_string();
        assert!(
            error.starts_with("cannot be said in a job file: the name "),
            "{name}: {error}"
        );
        assert!(!error.contains('\n'), "{error}");
    }
    let long = "x".repeat(4096);
    assert!(named(&long).is_err());
    assert!(named(&long[..4095]).is_ok());
}

/// fio 3.33 writes the very file.
#[test]
fn other_names_are_said_as_they_are() {
    for name in [
        "a b", "a\tb", "a\"b", "'a'", "a=b", "a,b", "[a", "a]", "%d", "a%0", "$x", "a$", "a\\b",
        "a*?", "a|b", "a&b", "a`b", "a{b", "ü", "$jobnum", "$filenum",
    ] {
        assert_said(&named(name).unwrap(), &[&format!("filename={name}")]);
    }
    assert_said(&named("a:b").unwrap(), &["filename=a\\:b"]);
}

#[test]
fn files_that_are_numbered_need_no_list() {
    let expressed = express(&fixtures::plan(
        "sysbench",
        "",
        vec![Step::Run(fixtures::shared_span())],
    ))
    .unwrap();
    assert_said(
        &expressed,
        &[
            "nrfiles=128",
            "filename_format=test_file.$filenum",
            "filesize=16777216",
            "size=2147483648",
            "rw=randrw",
            "rwmixwrite=40",
            "file_service_type=random:1",
            "numjobs=2",
        ],
    );
    assert_lost(&expressed, "flushes");
    assert_lost(&expressed, "order");
}
