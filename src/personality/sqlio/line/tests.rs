//! Lines and what they mean, published ones among them.

use proptest::prelude::*;

use super::{Parsed, parse};
use crate::{
    personality::{
        Environment, Files, Personality,
        sqlio::{
            Sqlio, batch,
            load::{Binding, Buffering, CpuTable, Load, Pattern, Timer, Timing, Work},
            testing::{args, around, load, mapped, reference},
        },
    },
    plan::Assembly,
};

/// What a line without options asks for.
fn defaults() -> Load {
    Load {
        write: false,
        seconds: 30,
        pattern: Pattern::Striped(64),
        rows: 64,
        block_kib: 2,
        start: 0,
        again: false,
        depth: None,
        assembly: Assembly::Whole,
        buffering: Buffering::Nothing,
        buffering_given: false,
        timing: None,
        cpu_table: None,
        work: named(1, None, &["testfile.dat"]),
    }
}

fn named(threads: u32, binding: Option<Binding>, names: &[&str]) -> Work {
    Work::Named {
        threads,
        binding,
        names: names.iter().map(Into::into).collect(),
    }
}

fn time(load: &mut Load, timer: Timer, initiation: bool) {
    load.timing = Some(Timing { timer, initiation });
}

/// Each option alone, and what it changes.
#[test]
fn every_option() {
    type Change = fn(&mut Load);
    let table: &[(&str, Change)] = &[
        ("", |_| ()),
        ("-kR -t1 -s30 -f64 -b2 -i64 testfile.dat", |_| ()),
        ("-kW", |load| load.write = true),
        ("-t8", |load| load.work = named(8, None, &["testfile.dat"])),
        ("-s1", |load| load.seconds = 1),
        ("-dXY", |load| {
            load.work = named(1, None, &["X:testfile.dat", "Y:testfile.dat"]);
        }),
        ("-dX f.dat", |load| load.work = named(1, None, &["X:f.dat"])),
        ("-RD,13", |load| load.work = named(1, None, &["D:", "13:"])),
        ("-RD a b", |load| {
            load.work = named(1, None, &["a", "b", "D:"]);
        }),
        ("-dE -R1", |load| {
            load.work = named(1, None, &["E:testfile.dat", "1:"]);
        }),
        ("-f1", |load| load.pattern = Pattern::Striped(1)),
        ("-frandom", |load| load.pattern = Pattern::Random),
        ("-fsequential", |load| load.pattern = Pattern::Sequential),
        ("-p3", |load| bind(load, 8, false, false)),
        ("-pI3", |load| bind(load, 8, false, true)),
        ("-a0xf", |load| bind(load, 15, false, false)),
        ("-aR15", |load| bind(load, 15, true, false)),
        ("-aRI0xF", |load| bind(load, 15, true, true)),
        ("-o1", |load| load.depth = Some(1)),
        ("-o0", |load| load.depth = None),
        ("-b100000", |load| load.block_kib = 100_000),
        ("-i2000000", |load| load.rows = 2_000_000),
        ("-mC2", |load| {
            load.assembly = Assembly::Copied { pieces: 2 }
        }),
        ("-mC2 -o0", |load| {
            load.assembly = Assembly::Copied { pieces: 2 }
        }),
        ("-mS16 -b64", |load| {
            load.assembly = Assembly::Scattered { pieces: 16 };
            load.block_kib = 64;
        }),
        ("-LS", |load| time(load, Timer::System, false)),
        ("-LSi", |load| time(load, Timer::System, true)),
        ("-LP", |load| time(load, Timer::Processor, false)),
        ("-LPi", |load| time(load, Timer::Processor, true)),
        ("-U", |load| load.cpu_table = Some(CpuTable::Together)),
        ("-Up", |load| load.cpu_table = Some(CpuTable::Each)),
        ("-BN", |load| load.buffering_given = true),
        ("-BY", |load| buffer(load, Buffering::Everything)),
        ("-BH", |load| buffer(load, Buffering::Disk)),
        ("-BS", |load| buffer(load, Buffering::File)),
        ("-S100", |load| load.start = 100),
        ("-v1.1.1", |load| load.again = true),
        ("-s5 -kW -s1 -kR", |load| load.seconds = 1),
        ("a -t2 b", |load| load.work = named(2, None, &["a", "b"])),
        ("\"-o 8\"", |load| load.depth = Some(8)),
        ("\"-b 2\"", |_| ()),
    ];
    for (line, change) in table {
        let mut expected = defaults();
        change(&mut expected);
        assert_eq!(load(line, &around()), expected, "{line}");
    }
}

fn bind(load: &mut Load, mask: u64, dealt: bool, ideal: bool) {
    let binding = Binding { mask, dealt, ideal };
    load.work = named(1, Some(binding), &["testfile.dat"]);
}

fn buffer(load: &mut Load, buffering: Buffering) {
    load.buffering = buffering;
    load.buffering_given = true;
}

fn warnings(line: &str) -> Vec<String> {
    match parse(&args(line), &around()) {
        Ok(Parsed::Load(line)) => line.warnings,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn what_is_taken_another_way_is_said() {
    assert_eq!(warnings("-kR -o8 -LS x"), [""; 0]);
    assert_eq!(warnings("-D0"), [""; 0]);
    for (line, words) in [
        (
            "-kWR",
            "-kWR: there is no mix of reads and writes: of 'WR' the first letter counts, W",
        ),
        (
            "\u{2013}BN",
            "\u{2013}BN begins with a typographic dash and is read as -BN",
        ),
        ("\u{2212}BN", "is read as -BN"),
        ("-64", "-64 (64-bit memory operations) has no effect here"),
        ("-D50", "explain --offsets"),
        ("-p1 -a3", "-a3 takes the place of -p1"),
        (
            "-t4 -dI -Fparam.txt -frandom timeout /T 60",
            "ignored: -t4 -dI timeout /T 60",
        ),
        ("-Fparam.txt", "sizes are for -frandom and -fsequential"),
    ] {
        let said = warnings(line);
        assert_eq!(said.len(), 1, "{line}: {said:?}");
        assert!(
            said[0].starts_with("WARNING: ") && said[0].contains(words),
            "{said:?}"
        );
    }
    let dashed = load("\u{2013}BN -kWR", &around());
    assert!(dashed.write && dashed.buffering_given);
}

#[test]
fn parameter_files_win() {
    let listed = load("-kW -t4 -dI -frandom -Ftwo.txt x.dat", &around());
    assert_eq!(listed.threads(), 4);
    assert_eq!(listed.names(), ["a.dat", "b.dat"]);
    let Work::Listed { file, lines } = listed.work else {
        panic!("{:?}", listed.work);
    };
    assert_eq!(file, "two.txt");
    assert_eq!(
        (lines[0].threads, lines[0].mask, lines[0].size_mib),
        (3, 3, Some(64))
    );
    // On a drive of Windows, and with blanks in its name.
    let on_drive = load("\"-FC:\\Program Files\\param.txt\" -frandom", &mapped());
    assert_eq!(on_drive.names(), ["c:\\testfile.dat"]);
}

fn refusal(line: &str, around: &Environment) -> Vec<String> {
    match parse(&args(line), around) {
        Err(refused) => refused.messages,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn what_is_wrong_is_named_with_what_would_be_right() {
    for (line, words) in [
        (
            "-t0",
            "-t0: the number of threads must be a whole number from 1 to 256, not '0'",
        ),
        ("-t257", "from 1 to 256"),
        ("-t", "-t: the number of threads is missing"),
        ("-t-1", "not '-1'"),
        ("-t0x8", "not '0x8'"),
        ("-s0", "from 1 to 4294967295"),
        ("-s99999999999999999999", "from 1 to 4294967295"),
        ("-b0", "from 1 to 2097148"),
        ("-b2097149", "from 1 to 2097148"),
        ("-o-1", "from 0 to 1048576"),
        ("-i0", "from 1 to"),
        ("-f0", "or one of random and sequential"),
        ("-fran", "or one of random and sequential"),
        ("-k", "must be R (reads) or W (writes)"),
        ("-kX", "not 'X'"),
        ("-kRx", "not 'Rx'"),
        ("-BX", "N (none), Y (all)"),
        ("-B", "N (none), Y (all)"),
        ("-L", "must be S (system) or P (processor)"),
        ("-LX", "not 'X'"),
        ("-Ux", "only p"),
        ("-mX4", "C (copied) or S (scattered)"),
        ("-mC0", "the number of pieces must be"),
        ("-mC3", "2048 bytes cannot be cut into 3 equal pieces"),
        ("-mS8 -b64", "-mS16 for an I/O of 65536 bytes"),
        ("-mS1", "a multiple of 4 with -b"),
        ("-o8 -mC2", "-o8 and -m exclude each other"),
        ("-a", "a CPU mask is"),
        ("-aRx", "a CPU mask is"),
        ("-p64", "from 0 to 63"),
        ("-d", "drive letters must follow"),
        ("-d1", "drive letters must follow"),
        (
            "-dE a b",
            "-dE puts one file name on each drive, and 2 are given",
        ),
        ("-dE F:x", "has a drive of its own"),
        ("-R", "letters of partitions"),
        ("-v1.1", "there is no such option"),
        ("-v1.1.12", "follows an option without a value"),
        ("-c10", "-c10: there is no such option"),
        (
            "-f4 -t8",
            "the stripe factor must be at least the number of threads",
        ),
        ("-f2 -Ftwo.txt", "the 3 threads of a.dat need a column each"),
        ("-F", "the name of a parameter file must follow"),
        ("-Fmissing.dat", "cannot be read"),
        ("-FX:\\param.txt", "IOGAUGE_DRIVES=X=."),
        ("-", "'-' alone"),
        ("\"\"", "is empty"),
        ("-kR\r", "carriage return"),
    ] {
        let words_of = |line: &str| match line {
            "-kR\r" => vec!["-kR\r".into()],
            line => args(line),
        };
        let Err(refused) = parse(&words_of(line), &around()) else {
            panic!("{line} is taken");
        };
        let message = &refused.messages[0];
        assert!(
            message.starts_with("sqlio: ") && message.contains(words),
            "{line}: {message}"
        );
        assert_eq!(refused.usage, message.contains("no such option"), "{line}");
    }
    let many = "x ".repeat(257);
    assert!(refusal(&many, &around())[0].contains("257 files"));
    let long = "x".repeat(257);
    assert!(refusal(&long, &around())[0].contains("256 characters"));
    assert_eq!(parse(&args("-kX -? -t0"), &around()), Ok(Parsed::Help));
}

/// Every published line is taken, but for templates with holes in them.
#[test]
fn published_lines() {
    let mut around = mapped();
    around.files = Files::with(
        |_| false,
        |_| Ok(b"c:\\testfile.dat 2 0x0 2048\n#I:\\testfile.dat 2 0x0 20480".to_vec()),
    );
    let (mut taken, mut refused) = (0, Vec::new());
    for line in reference("commands.txt").lines() {
        let runs = line
            .split_whitespace()
            .find(|word| !word.eq_ignore_ascii_case("call"))
            .is_some_and(batch::is_sqlio);
        if !runs || line.contains('%') {
            continue;
        }
        let line = line.split('>').next().unwrap_or_default();
        let words = args(line.trim_start_matches("call "));
        match parse(&words[1..], &around) {
            Ok(_) => taken += 1,
            Err(problem) => refused.push(problem.messages[0].clone()),
        }
    }
    assert_eq!(taken, 55);
    assert_eq!(
        refused,
        ["sqlio: -k{R/W}: the direction must be R (reads) or W (writes), not '{R/W}'"]
    );
}

/// Words that are nearly right.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "-[a-zA-Z64?][a-zA-Z0-9:,. ]{0,5}",
        "-[tsoibfSmCpaD]{1,2}(0x)?[0-9]{0,20}",
        "-F(two|one|param).txt",
        "[A-Z]:.{0,3}",
        "(exists|small|empty|new).dat",
        "\\PC{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_line_is_taken_or_refused_and_explained(words in prop::collection::vec(word(), 0..6)) {
        let words: Vec<_> = words.into_iter().map(Into::into).collect();
        for around in [around(), mapped()] {
            let explained = Sqlio.explain(&words, &around);
            prop_assert!(explained.len() >= words.len());
            if let Err(error) = Sqlio.parse(&words, &around) {
                prop_assert!(error.exit == 1 && !error.messages.is_empty());
            }
        }
    }
}
