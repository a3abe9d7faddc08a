//! What lines are refused, warned of or printed, and the recorded lines of the original.

use std::{ffi::OsString, fs, io, path::Path};

use proptest::prelude::*;

mod messages;
mod table;

use super::{Parsed, parse, words};
use crate::personality::{
    Command, Environment, Files, Personality,
    diskspd::{
        DiskSpd, flags,
        profile::Target,
        testing::{args, around, line, refusal},
    },
};

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
    let paths: Vec<_> = targets.iter().map(Target::label).collect();
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
        words::classify(0, &OsString::from(text), around) != Ok(words::Word::Target)
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
    assert!(stray.contains("'8'") && stray.contains("-L,"), "{stray}");
    let dash = line("\u{2013}b8K x.dat").warnings.join("\n");
    assert!(dash.contains("-b8K"), "{dash}");
    let unit = line("-d5m x.dat").notes.join("\n");
    assert!(
        unit.contains("-d5m") && unit.contains("read as 5"),
        "{unit}"
    );
    assert!(line("-W10s -w50% x.dat").notes.is_empty());
    for option in ["-eDISK_IO", "-ft", "-x"] {
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

/// The code of recorded lines that fail only when they run.
const FAIL_LATER: i32 = 1;

/// An echo without what the recordings do not have: a bare `-z` depends on the hour, and the
/// original forgets `-Zr` in XML.
fn ours(line: &str, echo: &str) -> String {
    let forgotten = "      <RandomWriteData>true</RandomWriteData>\n";
    seedless(line, &echo.replace(forgotten, ""))
}

fn theirs(line: &str, echo: &str) -> String {
    seedless(
        line,
        &echo.replace('\r', "").replace("diskspd.exe", "diskspd"),
    )
}

fn seedless(line: &str, echo: &str) -> String {
    let bare = line.split(' ').any(|option| option == "-z");
    let seed = |text: &&str| text.contains("random seed") || text.contains("RandSeed");
    echo.split('\n')
        .filter(|text| !(bare && seed(text)))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn recorded_lines_end_as_recorded() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/diskspd");
    let around = Environment {
        files: Files::with(|_| false, recorded_profile),
        ..around()
    };
    let (mut seen, mut echoes) = (0, 0);
    for case in fs::read_dir(cases)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        if !name.starts_with("e-") && !name.starts_with('p') && !name.starts_with("c-") {
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
            Err(error) => {
                assert_eq!(
                    (recorded, i32::from(error.exit)),
                    (3, 3),
                    "{text}: {error:?}"
                );
                assert!(!error.messages.is_empty() && error.usage.is_none());
            }
            Ok(Command::Print {
                exit,
                warnings,
                text: echo,
            }) => {
                assert_eq!(i32::from(exit), recorded, "{text}");
                if exit == 0 {
                    echoes += 1;
                    let expected = String::from_utf8(read("stdout")).unwrap();
                    assert_eq!(ours(&text, &echo), theirs(&text, &expected), "{name}");
                }
                assert_eq!(!warnings.is_empty(), complained, "{text}: {warnings:?}");
            }
            Ok(Command::Run(_)) => assert!(matches!(recorded, 0 | FAIL_LATER), "{text}"),
        }
    }
    assert!(echoes > 100, "only {echoes} echoes");
    assert!(seen > 200, "only {seen} recorded lines");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_argument_list_panics(list in prop::collection::vec(argument(), 0..6)) {
        let _ = DiskSpd.parse(&list, &around());
        let explained = DiskSpd.explain(&list, &around());
        prop_assert!(explained.len() >= list.len());
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
