//! Command lines and what they come to: a table with every option, and the recorded lines of the
//! original.

use std::{ffi::OsString, fs, io, path::Path};

use proptest::prelude::*;

use super::{
    DiskSpd, flags,
    parse::{Line, Parsed, parse},
    parse_words,
    profile::{
        Cache, Distribution, DistributionRange, Etw, Flush, Format, Pattern, Profile, Target,
        Throughput, TimeSpan,
    },
};
use crate::{
    host::{Cpu, Machine},
    personality::{Command, Environment, Files, Personality, flags::Support},
};

fn args(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

/// Two CPUs, as on the machine of the recordings.
pub(super) fn around() -> Environment {
    let cpu = |number| Cpu {
        number,
        socket: 0,
        node: 0,
        core: number,
        class: 0,
    };
    Environment {
        machine: Machine {
            cpus: vec![cpu(0), cpu(1)],
            usable: vec![0, 1],
            ..Machine::default()
        },
        uptime_ms: (7 << 32) | 1_668_597,
        ..Environment::default()
    }
}

fn line(text: &str) -> Line {
    match parse(&args(text), &around()) {
        Ok(Parsed::Profile(line)) => *line,
        other => panic!("{text}: {other:?}"),
    }
}

fn refusal(text: &str) -> Vec<String> {
    match parse(&args(text), &around()) {
        Err(messages) => messages,
        Ok(_) => panic!("{text} is accepted"),
    }
}

fn default_profile() -> Profile {
    Profile {
        progress: 0,
        experiment_flags: 0,
        format: Format::Text,
        profile_only: false,
        verbose: false,
        verbose_stats: false,
        precreate: None,
        etw: None,
        events: super::profile::Events::default(),
        spans: vec![TimeSpan {
            targets: vec![Target {
                path: "x.dat".into(),
                ..Target::default()
            }],
            ..TimeSpan::default()
        }],
    }
}

fn target(profile: &mut Profile) -> &mut Target {
    &mut profile.spans[0].targets[0]
}

fn span(profile: &mut Profile) -> &mut TimeSpan {
    &mut profile.spans[0]
}

fn random(alignment: Option<u64>, percent: u32) -> Pattern {
    Pattern::Random { alignment, percent }
}

fn sequential(stride: Option<u64>, interlocked: bool) -> Pattern {
    Pattern::Sequential {
        stride,
        interlocked,
    }
}

fn range(io_percent: u32, from: u64, length: u64) -> DistributionRange {
    DistributionRange {
        io_percent,
        from,
        length,
    }
}

/// What options before `x.dat` change in the default profile.
type Row = (&'static str, fn(&mut Profile));

const TABLE: &[Row] = &[
    ("", |_| {}),
    ("-:1", |p| p.experiment_flags = 1),
    ("-a0,1,0", |p| {
        span(p).affinity = vec![(0, 0), (0, 1), (0, 0)]
    }),
    ("-a0 -a1", |p| span(p).affinity = vec![(0, 0), (0, 1)]),
    ("-ag0,1", |p| span(p).affinity = vec![(0, 1)]),
    ("-ag", |_| {}),
    ("-a", |_| {}),
    ("-b4K", |p| target(p).block_size = 4096),
    ("-b4K -b8K", |p| target(p).block_size = 8192),
    ("-b2b", |p| target(p).block_size = 131_072),
    ("-B1M", |p| target(p).base = 1 << 20),
    ("-B1M:10M", |p| {
        target(p).base = 1 << 20;
        target(p).max_size = 11 << 20;
    }),
    ("-c1G", |p| target(p).create_size = Some(1 << 30)),
    ("-c0", |p| target(p).create_size = Some(0)),
    ("-c100b -b4K", |p| {
        target(p).create_size = Some(409_600);
        target(p).block_size = 4096;
    }),
    ("-C3", |p| span(p).cooldown = 3),
    ("-d30", |p| span(p).duration = 30),
    ("-dabc", |p| span(p).duration = 0),
    ("-D", |p| span(p).iops_stddev = true),
    ("-D250", |p| {
        span(p).iops_stddev = true;
        span(p).interval_ms = 250;
    }),
    ("-D0", |p| span(p).iops_stddev = true),
    ("-Dabc", |p| span(p).iops_stddev = true),
    ("-eDISK_IO -ep -es", |p| {
        p.etw = Some(Etw {
            disk_io: true,
            use_paged_memory: true,
            use_system_timer: true,
            ..Etw::default()
        });
    }),
    ("-f512M", |p| target(p).max_size = 512 << 20),
    ("-b4K -f1000b", |p| {
        target(p).block_size = 4096;
        target(p).max_size = 4_096_000;
    }),
    ("-fr", |p| target(p).random_access = true),
    ("-fs", |p| target(p).sequential_scan = true),
    ("-ft", |p| target(p).temporary = true),
    ("-frst -fr", |p| {
        target(p).random_access = true;
        target(p).sequential_scan = true;
        target(p).temporary = true;
    }),
    ("-F4 -r", |p| {
        span(p).thread_count = 4;
        target(p).pattern = random(None, 100);
    }),
    ("-g1000", |p| {
        target(p).throughput = Throughput::BytesPerMs(1000)
    }),
    ("-g500i", |p| target(p).throughput = Throughput::Iops(500)),
    ("-h", |p| {
        target(p).cache = Cache::NoOsCache;
        target(p).write_through = true;
    }),
    ("-i8 -j10", |p| {
        target(p).burst_size = Some(8);
        target(p).think_time = Some(10);
    }),
    ("-I2", |p| target(p).priority = 2),
    ("-l", |p| target(p).large_pages = true),
    ("-L", |p| span(p).measure_latency = true),
    ("-n", |p| span(p).disable_affinity = true),
    ("-Sm -Nv", |p| {
        target(p).memory_mapped = true;
        target(p).flush = Some(Flush::View);
    }),
    ("-Sm -NN", |p| {
        target(p).memory_mapped = true;
        target(p).flush = Some(Flush::NonVolatile);
    }),
    ("-Sm -Ni", |p| {
        target(p).memory_mapped = true;
        target(p).flush = Some(Flush::NonVolatileNoDrain);
    }),
    ("-o32", |p| target(p).request_count = 32),
    ("-o4 -o8", |p| target(p).request_count = 8),
    ("-o4xyz", |p| target(p).request_count = 4),
    ("-F2 -O8 -r", |p| {
        span(p).thread_count = 2;
        span(p).request_count = 8;
        target(p).pattern = random(None, 100);
    }),
    ("-p -o4", |p| {
        target(p).parallel = true;
        target(p).request_count = 4;
    }),
    ("-P", |p| p.progress = 65536),
    ("-P0", |p| p.progress = 65536),
    ("-P100", |p| p.progress = 100),
    ("-r", |p| target(p).pattern = random(None, 100)),
    ("-r1b", |p| target(p).pattern = random(Some(65536), 100)),
    ("-r2b -b4K", |p| {
        target(p).pattern = random(Some(8192), 100);
        target(p).block_size = 4096;
    }),
    ("-rs40 -r8K", |p| target(p).pattern = random(Some(8192), 40)),
    ("-rs100", |p| target(p).pattern = random(None, 100)),
    ("-r -rdpct90/10:0/10:5/20", |p| {
        target(p).pattern = random(None, 100);
        target(p).distribution = Some(Distribution::Percent(vec![
            range(90, 0, 10),
            range(0, 10, 10),
            range(5, 20, 20),
            range(5, 40, 60),
        ]));
    }),
    ("-r -rdabs100/1G", |p| {
        target(p).pattern = random(None, 100);
        target(p).distribution = Some(Distribution::Absolute(vec![range(100, 0, 1 << 30)]));
    }),
    ("-Rtext", |_| {}),
    ("-Rxml", |p| p.format = Format::Xml),
    ("-Rp", |p| p.profile_only = true),
    ("-Rptext -Rxml", |p| {
        p.profile_only = true;
        p.format = Format::Xml;
    }),
    ("-Rpxml", |p| {
        p.profile_only = true;
        p.format = Format::Xml;
    }),
    ("-s", |_| {}),
    ("-s0", |_| {}),
    ("-s128K", |p| {
        target(p).pattern = sequential(Some(131_072), false)
    }),
    ("-si -t4", |p| {
        target(p).pattern = sequential(None, true);
        target(p).threads = 4;
    }),
    ("-si32k -t2", |p| {
        target(p).pattern = sequential(Some(32768), true);
        target(p).threads = 2;
    }),
    ("-S", |p| target(p).cache = Cache::NoOsCache),
    ("-Su", |p| target(p).cache = Cache::NoOsCache),
    ("-Sb", |_| {}),
    ("-Sr", |p| target(p).cache = Cache::NoLocalCache),
    ("-Sw", |p| target(p).write_through = true),
    ("-Sh", |p| {
        target(p).cache = Cache::NoOsCache;
        target(p).write_through = true;
    }),
    ("-Swu", |p| {
        target(p).cache = Cache::NoOsCache;
        target(p).write_through = true;
    }),
    ("-Sw -Sr", |p| {
        target(p).cache = Cache::NoLocalCache;
        target(p).write_through = true;
    }),
    ("-Smw", |p| {
        target(p).memory_mapped = true;
        target(p).write_through = true;
    }),
    ("-Sbw", |p| target(p).write_through = true),
    ("-t8", |p| target(p).threads = 8),
    ("-t2 -T1M", |p| {
        target(p).threads = 2;
        target(p).thread_stride = 1 << 20;
    }),
    ("-v", |p| p.verbose = true),
    ("-vs", |p| p.verbose_stats = true),
    ("-w25", |p| target(p).write_ratio = 25),
    ("-w50%", |p| target(p).write_ratio = 50),
    ("-W10s", |p| span(p).warmup = 10),
    ("-x", |p| span(p).completion_routines = true),
    ("-ysa -yfb -yrc -ypd", |p| {
        p.events.started = Some("a".to_owned());
        p.events.finished = Some("b".to_owned());
        p.events.ready = Some("c".to_owned());
        p.events.stop = Some("d".to_owned());
    }),
    ("-yee", |p| p.events.signal_and_quit = Some("e".to_owned())),
    ("-z42", |p| span(p).seed = 42),
    ("-z4294967295", |p| span(p).seed = u32::MAX),
    ("-z", |p| span(p).seed = 1_668_597),
    ("-Z", |p| target(p).zero_buffers = true),
    ("-Zr", |p| span(p).random_write_data = true),
    ("-Z1M", |p| target(p).source_size = 1 << 20),
    ("-Z1M,src.bin", |p| {
        target(p).source_size = 1 << 20;
        target(p).source_path = Some("src.bin".into());
    }),
    ("/b4K /o4 /r", |p| {
        target(p).block_size = 4096;
        target(p).request_count = 4;
        target(p).pattern = random(None, 100);
    }),
    ("\u{2013}b8K \u{2014}L \u{2212}W10s", |p| {
        target(p).block_size = 8192;
        span(p).measure_latency = true;
        span(p).warmup = 10;
    }),
];

#[test]
fn every_line_of_the_table_has_its_profile() {
    for (options, change) in TABLE {
        let mut expected = default_profile();
        change(&mut expected);
        assert_eq!(
            line(&format!("{options} x.dat")).profile,
            expected,
            "{options}"
        );
    }
}

#[test]
fn every_option_is_in_a_table() {
    for flag in flags::FLAGS {
        if flag.support == Support::Refused {
            let message = refusal(&format!("{}1 x.dat", flag.name)).join("\n");
            assert!(
                message.contains("2.3") && message.contains(flag.name),
                "{message}"
            );
            continue;
        }
        // Help and XML profiles have tests of their own.
        if matches!(flag.name, "-?" | "-X") {
            continue;
        }
        let tested = TABLE.iter().any(|(options, _)| {
            options.split(' ').any(|option| {
                option.starts_with(flag.name)
                    && flags::find(&option[1..]).is_some_and(|found| found.name == flag.name)
            })
        });
        assert!(tested, "{} is in no line", flag.name);
    }
}

#[test]
fn letters_without_a_row_do_not_exist() {
    for letter in (0x21..0x7f_u8).map(char::from) {
        let exists = flags::FLAGS
            .iter()
            .any(|flag| flag.name[1..].starts_with(letter));
        if !exists {
            let message = refusal(&format!("-{letter} x.dat")).join("\n");
            assert!(message.contains("no such option"), "{message}");
        }
    }
}

#[test]
fn options_of_2_3_are_refused_by_name_and_never_misread() {
    for option in [
        "-bsp", "-bsn", "-oc4", "-u8", "-un8p", "-Rs", "-as", "-ac", "-ap", "-aP", "-ae", "-aE",
        "-aup", "-a0-3", "-ag0", "-Sy", "-SY", "-Suy",
    ] {
        let message = refusal(&format!("{option} x.dat")).join("\n");
        assert!(
            message.contains("DiskSpd 2.3") && message.contains(option),
            "{message}"
        );
    }
}

#[test]
fn numbers_that_do_not_fit_are_refused_with_their_range() {
    for option in [
        "-o2147483648",
        "-d99999999999999999999",
        "-w101",
        "-I0",
        "-t-1",
        "-g0",
        "-rs0",
    ] {
        let message = refusal(&format!("{option} x.dat")).join("\n");
        assert!(
            message.starts_with(&format!("ERROR: {option}: ")),
            "{message}"
        );
    }
}

#[test]
fn every_target_gets_the_same_parameters() {
    let targets = &line(r"-b4K .\x.dat y.dat #1 C:").profile.spans[0].targets;
    let paths: Vec<_> = targets.iter().map(|t| t.label()).collect();
    assert_eq!(paths, [r".\x.dat", "y.dat", "#1", "C:"]);
    assert!(targets.iter().all(|target| target.block_size == 4096));
}

#[test]
fn help_is_printed_whatever_else_is_there() {
    for text in ["-?", "/?", "-o0 -? x.dat"] {
        assert_eq!(parse(&args(text), &around()), Ok(Parsed::Help));
    }
    let nothing = DiskSpd.parse(&[], &around()).err().unwrap();
    assert_eq!((nothing.exit, nothing.messages.len()), (3, 0));
    assert!(
        nothing
            .usage
            .is_some_and(|text| text.contains("-rs<percent>"))
    );
}

#[test]
fn a_slash_begins_an_option_only_where_no_path_is_meant() {
    let with_files = Environment {
        files: Files::with(
            |path| path == Path::new("/r"),
            |_| Err(io::ErrorKind::NotFound.into()),
        ),
        ..around()
    };
    let is_option = |text: &str, around: &Environment| {
        parse_words::classify(0, &OsString::from(text), around) != Ok(parse_words::Word::Target)
    };
    for text in [
        "/b4K", "/r", "/Sh", "/d60", "/z", "/Rxml", "/si", "/w40", "/frs",
    ] {
        assert!(is_option(text, &around()), "{text}");
    }
    for text in [
        "/datafile.dat",
        "/data",
        "/tmp",
        "/home",
        "/lib",
        "/W10s",
        "/w",
        "/b4K/x",
        "/",
        "/bsp",
        "/Data",
        "/root",
        "/var",
        "/o4xyz",
        "/nfs",
        "/x.dat",
        "/tmp/x",
    ] {
        assert!(!is_option(text, &around()), "{text}");
    }
    assert!(!is_option("/r", &with_files));
}

#[test]
fn slips_are_pointed_out() {
    let stray = line("-t8 -L 8").warnings.join("\n");
    assert!(stray.contains("'8'") && stray.contains("-L8"), "{stray}");
    let dash = line("\u{2013}b8K x.dat").warnings.join("\n");
    assert!(dash.contains("-b8K"), "{dash}");
    let unit = line("-d5m x.dat").notes.join("\n");
    assert!(
        unit.contains("-d5m") && unit.contains("read as 5"),
        "{unit}"
    );
    assert!(line("-W10s -w50% x.dat").notes.is_empty());
    for option in ["-eDISK_IO", "-ft", "-x", "-ysname"] {
        let notes = line(&format!("{option} {option} x.dat")).notes;
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(notes[0].contains("no effect"), "{notes:?}");
    }
}

#[test]
fn rules_between_options_hold() {
    for text in [
        "x.dat -b4K",
        "-b 4K -d1 x.dat",
        "-b4K",
        "-b0 x.dat",
        "-t2 -F2 x.dat",
        "-x -g100 x.dat",
        "-F2 -O2 -i5 -j5 x.dat",
        "-t2 -T4K -rs50 x.dat",
        "-si -p -o4 -t2 x.dat",
        "-B8K -f8K x.dat",
        "-Su -b1500 x.dat",
        "-Sh -r1000 x.dat",
        "-Su -B100 x.dat",
        "-c1M -b2M x.dat",
        "-c1M -t4 -T512K x.dat",
        "-c1M -B4M x.dat",
        "*1 x.dat",
        "-a2 x.dat",
        "-ag1,0 x.dat",
        "-a64 x.dat",
        "-t2000000 x.dat",
        "-Sm -Su x.dat",
        "-Sm -h x.dat",
        "-h -Sm x.dat",
        "-B18446744073709551615:1 x.dat",
        "-ys x.dat",
        "-X x.dat",
    ] {
        refusal(text);
    }
    // What only matters to a run is no matter to an echo.
    for text in ["*1 x.dat", "-a5 x.dat", "-ag9,0 x.dat", "-Su -b1500 x.dat"] {
        line(&format!("-Rp {text}"));
    }
}

/// A line of a `cmd` file, with quotes.
fn words(text: &str) -> Vec<OsString> {
    text.trim()
        .split('"')
        .enumerate()
        .flat_map(|(i, part)| {
            let quoted = i % 2 == 1;
            let whole = quoted.then_some(part);
            let pieces = (!quoted).then(|| part.split_whitespace());
            whole.into_iter().chain(pieces.into_iter().flatten())
        })
        .skip(1)
        .map(OsString::from)
        .collect()
}

fn recorded_profile(path: &Path) -> io::Result<Vec<u8>> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/diskspd");
    let case = match path.to_str() {
        Some("profile.xml") => "p-X",
        Some("weighted.xml") => "p-X-weighted",
        Some("notxml.xml") => "e-X-notxml",
        _ => return Err(io::ErrorKind::NotFound.into()),
    };
    fs::read(cases.join(case).join(path))
}

/// Recorded lines that fail only when they run, by our rules too.
const FAIL_LATER: i32 = 1;

#[test]
fn recorded_lines_end_as_recorded() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/diskspd");
    let around = Environment {
        files: Files::with(|_| false, recorded_profile),
        ..around()
    };
    let mut seen = 0;
    for case in fs::read_dir(cases)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        if !name.starts_with("e-") && !name.starts_with("p-") && !name.starts_with("c-") {
            continue;
        }
        seen += 1;
        let read = |file: &str| fs::read(case.join(file)).unwrap();
        let text = String::from_utf8(read("cmd")).unwrap();
        let recorded: i32 = String::from_utf8(read("exit"))
            .unwrap()
            .trim()
            .parse()
            .unwrap();
        let complained = !read("stderr").is_empty();
        match DiskSpd.parse(&words(&text), &around) {
            Err(error) if error.messages[0].contains("cannot be read yet") => {}
            Err(error) => {
                assert_eq!(
                    (recorded, i32::from(error.exit)),
                    (3, 3),
                    "{text}: {error:?}"
                );
                assert!(!error.messages.is_empty() && error.usage.is_none());
            }
            Ok(Command::Print { exit, warnings, .. }) => {
                assert_eq!(i32::from(exit), recorded, "{text}");
                assert_eq!(!warnings.is_empty(), complained, "{text}: {warnings:?}");
            }
            Ok(Command::Run(_)) => assert!(matches!(recorded, 0 | FAIL_LATER), "{text}"),
        }
    }
    assert!(seen > 200, "only {seen} recorded lines");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_argument_list_panics(list in prop::collection::vec(argument(), 0..6)) {
        let _ = DiskSpd.parse(&list, &around());
    }
}

/// Options of the table, torn and mended, arbitrary text, and bytes that are no text.
fn argument() -> impl Strategy<Value = OsString> {
    let option = (
        0..flags::FLAGS.len(),
        "[-/\u{2013}]?",
        "[0-9KMGTbgirsu,:/.x%-]{0,8}",
    )
        .prop_map(|(i, dash, value)| {
            let name = flags::FLAGS[i].name;
            let name = if dash.is_empty() { name } else { &name[1..] };
            OsString::from(format!("{dash}{name}{value}"))
        });
    prop_oneof![
        4 => option,
        1 => any::<String>().prop_map(OsString::from),
        1 => any::<OsString>(),
    ]
}
