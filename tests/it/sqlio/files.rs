//! Files: made and expanded with real data, never made shorter; and where the drives of a line are.

use std::{collections::BTreeSet, fs, os::unix::fs::MetadataExt};

use super::{
    report::{has_figures, problems},
    seen::each,
};
use crate::util::{self, Dir};

/// `-b8 -i4 -f8`: 256 KiB.
const GRID: &str = "-s1 -b8 -i4 -f8 -BH";

#[test]
fn a_missing_file_is_made_with_real_data_and_a_short_one_keeps_what_it_has() {
    let _turn = util::busy();
    let cases = [
        ("", 0, false),
        ("", 100_000, false),
        ("random", 100_000, false),
        ("zeros", 100_000, true),
        ("original", 0, true),
        ("original", 100_000, true),
    ];
    each(&cases, |&(data, before, zeros)| {
        let dir = Dir::new();
        if before > 0 {
            dir.file("f", before);
        }
        let mut command = dir.sqlio(&format!("-kR {GRID} f"));
        if !data.is_empty() {
            command.env("IOGAUGE_DATA", data);
        }
        let output = util::run(&mut command);
        let needed = 4 * 8 * 8192;
        let wanted = format!(
            "sqlio v1.5.SG\n1 thread reading for 1 secs from file f\n\
             \tusing 8KB IOs over 64KB stripes with 4 IOs per run\n\
             \tbuffering set to use hardware disk cache (but not file cache)\n\
             size of file f needs to be: {needed} bytes\ncurrent file size:\t{before} bytes\n\
             need to expand by:\t{} bytes\nexpanding f ... done.\ninitialization done\n\
             CUMULATIVE DATA:\n",
            needed - before
        );
        let text = &output.expect_code(0).stdout;
        assert!(text.starts_with(&wanted), "{text}");
        assert_eq!(problems(text, 8.0), [""; 0]);
        assert_eq!(
            output.stderr.contains("where SQLIO has zeros"),
            data.is_empty()
        );
        let content = fs::read(dir.join("f")).expect("the file");
        assert_eq!(content.len(), needed);
        assert!(
            content[..before] == util::noise(before),
            "what was there is gone"
        );
        let new: Vec<&[u8]> = content[before.next_multiple_of(4096)..]
            .chunks(4096)
            .collect();
        if zeros {
            assert!(new.concat().iter().all(|byte| *byte == 0));
        } else {
            let different: BTreeSet<&[u8]> = new.iter().copied().collect();
            assert_eq!(different.len(), new.len(), "blocks repeat");
        }
        // Every byte is on the disk, zeros too.
        let blocks = fs::metadata(dir.join("f")).expect("the file").blocks();
        assert!(blocks * 512 >= needed as u64, "{data}: {blocks} blocks");
    });
}

#[test]
fn writes_hold_real_data_unless_the_original_is_asked_for() {
    let _turn = util::busy();
    each(&[("", false), ("original", true)], |&(data, zeros)| {
        let dir = Dir::new();
        dir.file("f", 4 * 8 * 8192);
        let mut command = dir.sqlio(&format!("-kW {GRID} f"));
        command.env("IOGAUGE_DATA", if zeros { data } else { "random" });
        util::run(&mut command).expect_code(0);
        let content = fs::read(dir.join("f")).expect("the file");
        assert!(content != util::noise(content.len()), "nothing was written");
        assert_eq!(content.iter().all(|byte| *byte == 0), zeros, "{data}");
    });
}

#[test]
fn a_longer_file_is_neither_shortened_nor_used_behind_its_size() {
    let _turn = util::busy();
    let size = (2 << 20) + 777;
    let cases = ["-frandom -Fp.txt", "-fsequential -Fp.txt", "-f4 -i16 f"];
    each(&cases, |line| {
        let dir = Dir::new();
        dir.file("f", size);
        fs::write(dir.join("p.txt"), "f 1 0x0 1\n").expect("a file");
        let output = util::run(&mut dir.sqlio(&format!("-kW -s1 -b16 -BY {line}")));
        let text = &output.expect_code(0).stdout;
        assert!(!text.contains("expand"), "{text}");
        let (was, is) = (
            util::noise(size),
            fs::read(dir.join("f")).expect("the file"),
        );
        assert_eq!(is.len(), size);
        assert!(
            is[1 << 20..] == was[1 << 20..],
            "{line}: it was written behind 1 MiB"
        );
        assert!(
            is[..1 << 20] != was[..1 << 20],
            "{line}: nothing was written"
        );
    });
}

/// Nothing says how large: the default grid of 64 x `-i` blocks.
#[test]
fn a_missing_file_without_a_size_has_that_of_the_default_grid() {
    let _turn = util::busy();
    each(&["-frandom", "-fsequential"], |order| {
        let dir = Dir::new();
        let output = util::run(&mut dir.sqlio(&format!("-kR -s1 -i8 -BY {order}")));
        let text = &output.expect_code(0).stdout;
        let lines = "size of file testfile.dat needs to be: 1048576 bytes\n\
                     current file size:\t0 bytes\nneed to expand by:\t1048576 bytes\n\
                     expanding testfile.dat ... done.\n\
                     using current size: 1 MB for file: testfile.dat\ninitialization done\n";
        assert!(text.contains(lines), "{text}");
        assert_eq!(dir.names(), ["testfile.dat"]);
    });
}

#[test]
fn drives_are_folders_and_the_report_keeps_their_letters() {
    let _turn = util::busy();
    let cases = [
        (
            "-dEF x.dat",
            "files E:x.dat and F:x.dat",
            ["e/x.dat", "f/x.dat"],
        ),
        (
            r"E:\sub\a.dat f:b.dat",
            r"files E:\sub\a.dat and f:b.dat",
            ["e/sub/a.dat", "f/b.dat"],
        ),
    ];
    each(&cases, |(line, told, made)| {
        let dir = Dir::new();
        for folder in ["e", "e/sub", "f"] {
            fs::create_dir(dir.join(folder)).expect("a folder");
        }
        let mut command = dir.sqlio(&format!("-kR {GRID} {line}"));
        let output = util::run(command.env("IOGAUGE_DRIVES", "E=e,f=f"));
        let text = &output.expect_code(0).stdout;
        assert!(text.contains(&format!(" from {told}\n")), "{text}");
        for file in made {
            assert!(dir.join(file).is_file(), "{file}: {output:#?}");
        }
        assert_eq!(dir.names(), ["e", "f"]);
    });
}

#[test]
fn a_drive_that_is_nowhere_is_refused_with_the_line_to_type() {
    let dir = Dir::new();
    fs::write(dir.join("p.txt"), "H:\\a.dat 1\nI:\\a.dat 1\n").expect("a file");
    for (line, missing) in [
        (r"-kW -s1 E:\x.dat", "IOGAUGE_DRIVES=E=."),
        ("-kW -s1 -dEF x.dat", "IOGAUGE_DRIVES=E=.,F=."),
        ("-kR -s1 -R9", "IOGAUGE_DRIVES=9=/dev/..."),
        ("-kR -s1 -Fp.txt", "IOGAUGE_DRIVES=H=.,I=."),
        (r"-kR -s1 -FE:\p.txt", "IOGAUGE_DRIVES=E=."),
    ] {
        let output = util::run(&mut dir.sqlio(line));
        output.expect_code(1);
        assert!(output.stderr.contains(missing), "{line}: {output:#?}");
        assert!(!has_figures(&output.stdout), "{line}: {output:#?}");
        assert_eq!(dir.names(), ["p.txt"], "{line}");
    }
}
