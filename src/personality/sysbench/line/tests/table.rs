//! A table of lines and what they change; every option is in it at least once.

use crate::personality::{
    flags::Support,
    sysbench::{
        flags,
        line::{defaults, tests::line},
        options::{Action, Dialect, ExtraFlags, IoMode, Mode, Options, Seed},
    },
};

/// What a line means, as a change of the defaults of its dialect.
type Row = (&'static str, fn(&mut Options));

/// Behind `fileio` and before `prepare`.
const NEW: &[Row] = &[
    ("", |_| {}),
    ("--threads=4", |o| o.threads = 4),
    ("--events=1000", |o| o.events = 1000),
    ("--events=10 --events=20", |o| o.events = 20),
    ("--time=60", |o| o.time = 60),
    ("--warmup-time=5", |o| o.warmup = 5),
    ("--rate=50", |o| o.rate = 50),
    ("--report-interval=1", |o| o.report_interval = 1),
    ("--report-checkpoints=20,5,20", |o| {
        o.checkpoints = vec![5, 20];
    }),
    ("--percentile=99", |o| o.percentile = 99),
    ("--percentile=0", |o| o.percentile = 0),
    ("--histogram", |o| o.histogram = true),
    ("--histogram=off", |_| {}),
    ("--rand-seed=42", |o| o.seed = Seed::Given { seed: 42 }),
    ("--forced-shutdown", |o| o.grace = Some(0)),
    ("--forced-shutdown --time=100", |o| {
        o.grace = Some(5);
        o.time = 100;
    }),
    ("--forced-shutdown=5", |o| o.grace = Some(5)),
    ("--forced-shutdown=50%", |o| o.grace = Some(5)),
    ("--forced-shutdown=off", |_| {}),
    ("--forced-shutdown=5 --time=0", |o| o.time = 0),
    ("--validate", |o| o.validate = true),
    ("--debug", |o| {
        o.debug = true;
        o.verbosity = 5;
    }),
    ("--verbosity=0", |o| o.verbosity = 0),
    ("--rand-type=pareto --help=off --version=off", |_| {}),
    ("--file-num=4", |o| o.file.count = 4),
    ("--file_num=4", |o| o.file.count = 4),
    ("--file-block-size=4K", |o| o.file.block = 4096),
    ("--file-block-size=1G", |o| o.file.block = 1 << 30),
    ("--file-total-size=16MB", |o| o.file.total = 16 << 20),
    ("--file-test-mode=seqwr", |o| {
        o.file.mode = Some(Mode::SeqWr);
    }),
    ("--file-test-mode=nonsense", |_| {}),
    ("--file-io-mode=async", |o| o.file.io_mode = IoMode::Async),
    // It is looked at in runs alone.
    ("--file-io-mode=async --file-async-backlog=0", |o| {
        o.file.io_mode = IoMode::Async;
    }),
    ("--file-extra-flags=direct,sync", |o| {
        o.file.flags = ExtraFlags {
            sync: true,
            dsync: false,
            direct: true,
        };
    }),
    ("--file-extra-flags=", |_| {}),
    ("--file-fsync-freq=0", |o| o.file.fsync_freq = 0),
    ("--file-fsync-all", |o| {
        o.file.fsync_all = true;
        o.file.fsync_freq = 0;
        o.file.fsync_end = false;
    }),
    ("--file-fsync-end=0", |o| o.file.fsync_end = false),
    ("--file-fsync-mode=fdatasync", |o| o.file.fdatasync = true),
    ("--file-merged-requests=16", |o| o.file.merged = 16),
    ("--file-rw-ratio=3", |o| o.file.rw_ratio = 3.0),
];

/// Behind `--test=fileio`.
const OLD: &[Row] = &[
    ("", |_| {}),
    ("--num-threads=8", |o| o.threads = 8),
    ("--max-requests=0", |o| o.events = 0),
    ("--max-time=300", |o| o.time = 300),
    ("--tx-rate=20", |o| o.rate = 20),
    ("--init-rng", |o| {
        o.seed = Seed::Clock {
            seed: 1_700_000_000,
        };
    }),
    ("--rand-init=true", |o| {
        o.seed = Seed::Clock {
            seed: 1_700_000_000,
        };
    }),
    ("--seed-rng=9", |o| o.seed = Seed::Given { seed: 9 }),
    ("--file-fsync-all=true", |o| {
        o.file.fsync_all = true;
        o.file.fsync_freq = 0;
        o.file.fsync_end = false;
    }),
    ("--file-total-size=16m", |o| o.file.total = 16 << 20),
    ("--file_num=4", |o| o.file.count = 4),
    ("--debug=on", |o| {
        o.debug = true;
        o.verbosity = 5;
    }),
];

fn check(text: &str, dialect: Dialect, change: fn(&mut Options)) {
    let mut expected = defaults(dialect);
    expected.action = Action::Prepare;
    if dialect == Dialect::V10 {
        expected.seed = Seed::Clock {
            seed: 1_700_000_000,
        };
    }
    change(&mut expected);
    assert_eq!(line(text).options, expected, "{text}");
}

#[test]
fn every_line_of_the_table_has_its_options() {
    for (options, change) in NEW {
        check(&format!("fileio {options} prepare"), Dialect::V10, *change);
    }
    for (options, change) in OLD {
        check(
            &format!("--test=fileio {options} prepare"),
            Dialect::V04,
            *change,
        );
    }
}

#[test]
fn every_option_is_in_a_table() {
    for row in flags::rows() {
        let name = row.flag.name;
        if row.flag.support == Support::WithoutEffect {
            let read = line(&format!("fileio {name}=1 prepare"));
            let told = |note: &String| note.starts_with("WARNING: without effect here: ");
            assert!(
                read.notes
                    .iter()
                    .any(|note| told(note) && note.ends_with(name)),
                "{name}"
            );
            continue;
        }
        // It has a test of its own; the other begins every old line.
        if matches!(name, "--config-file" | "--test") {
            continue;
        }
        let tested = NEW.iter().chain(OLD).any(|(options, _)| {
            options
                .split(' ')
                .any(|option| option.split('=').next() == Some(name))
        });
        assert!(tested, "{name} is in no line");
    }
}
