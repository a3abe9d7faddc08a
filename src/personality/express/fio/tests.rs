//! Streams by hand, and the options that fio's documentation gives for them.

use std::time::Duration;

use super::*;
use crate::plan::{
    AccessPattern, Assembly, BlockSizes, Distribution, FlushPolicy, Generator, Pacing, PauseFrom,
    Payload, Share, Step, WeightedSize, fixtures,
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
    express(&fixtures::plan("x", "", vec![Step::Run(span)]))
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
    let expressed = express(&fixtures::plan("x", "", vec![Step::Run(span)]));
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
    let gathered = with(Pacing::Gathered {
        per_second: 0.1,
        poisson: false,
        record: 512,
        unit: 512,
    });
    assert_lost(&gathered, "commits");
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
        vec![span("log write"), span("]global")],
    ));
    let jobs: Vec<&str> = expressed
        .text
        .lines()
        .filter(|line| line.starts_with('['))
        .collect();
    assert_eq!(jobs, ["[global]", "[log-write]", "[span2--global]"]);
    assert_eq!(expressed.text.matches("\nstonewall\n").count(), 1);
    assert_said(
        &expressed,
        &[
            "filename=a\\:b",
            "runtime=1500ms",
            "randseed=9223372036854775807",
        ],
    );
}

#[test]
fn names_that_a_job_file_cannot_hold_are_told() {
    for name in [" x", "a\nb", "${HOME}", "-"] {
        let stream = fixtures::stream(0, random(Distribution::Uniform), BlockSizes::One(4096));
        let span = fixtures::span(
            vec![fixtures::target(name, name)],
            vec![group(1, vec![stream])],
        );
        let expressed = express(&fixtures::plan("x", "", vec![Step::Run(span)]));
        assert_lost(&expressed, "name");
        assert!(!expressed.annotated().contains("a\nb"));
    }
}

#[test]
fn files_that_are_numbered_need_no_list() {
    let expressed = express(&fixtures::plan(
        "sysbench",
        "",
        vec![Step::Run(fixtures::shared_span())],
    ));
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
