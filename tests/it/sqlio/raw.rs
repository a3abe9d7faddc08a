//! Raw targets and things that are not for a benchmark to overwrite.

use std::{fs, os::unix::fs::symlink, path::Path};

use super::report::{has_figures, problems};
use crate::util::{self, Dir, Loop, Output};

#[track_caller]
fn refused(output: &Output, name: &str) {
    output.expect_code(1);
    assert!(output.stderr.contains(name), "{name}: {output:#?}");
    assert!(!has_figures(&output.stdout), "{output:#?}");
}

#[test]
fn a_raw_target_is_written_with_consent_only() {
    let _turn = util::busy();
    let dir = Dir::new();
    let size = 4 << 20;
    let image = dir.file("image", size);
    let Some(disk) = Loop::over(&image) else {
        return;
    };
    let before = util::noise(size);
    let run = |line: &str, consent: &str| {
        let mut command = dir.sqlio(line);
        let drives = format!("9={0},X={0}", disk.device);
        command.env("IOGAUGE_DRIVES", drives);
        if !consent.is_empty() {
            command.env("IOGAUGE_DESTROY", consent);
        }
        util::run(&mut command)
    };
    // 512 blocks of 8 KiB are all that there is.
    let grid = "-s1 -b8 -f16 -i32 -BH";
    for target in ["-R9", "-RX", "9:", "X:"] {
        refused(&run(&format!("-kW {grid} {target}"), ""), &disk.device);
    }
    refused(&run(&format!("-kW {grid} -R9"), "/dev/other"), &disk.device);
    // Reading needs nobody's consent.
    let read = run(&format!("-kR {grid} -LS -R9"), "");
    let text = &read.expect_code(0).stdout;
    assert!(
        text.contains("1 thread reading for 1 secs from file 9:\n"),
        "{text}"
    );
    assert_eq!(problems(text, 8.0), [""; 0]);
    let read = run("-kR -s1 -b8 -frandom X:", "");
    let text = &read.expect_code(0).stdout;
    assert!(
        text.contains("using current size: 4 MB for file: X:\n"),
        "{text}"
    );
    flush(&disk);
    assert!(
        fs::read(&image).expect("our file") == before,
        "it was written"
    );
    // A device does not grow.
    let output = run("-kW -s1 -b8 -f32 -i32 -BH -R9", &disk.device);
    output.expect_code(1);
    assert!(!has_figures(&output.stdout), "{output:#?}");
    flush(&disk);
    let now = fs::read(&image).expect("our file");
    assert!(now == before && now.len() == size, "it was written");
    let output = run(&format!("-kW {grid} -R9"), &disk.device);
    let text = &output.expect_code(0).stdout;
    assert!(
        text.contains("1 thread writing for 1 secs to file 9:\n"),
        "{text}"
    );
    assert!(!text.contains("expand"), "{text}");
    assert_eq!(problems(text, 8.0), [""; 0]);
    flush(&disk);
    let after = fs::read(&image).expect("our file");
    assert!(
        after != before && after.len() == size,
        "nothing was written"
    );
}

/// What was written to a loop device is in its file.
fn flush(disk: &Loop) {
    let _ = util::tool("sync", &[&disk.device]);
}

#[test]
fn a_disk_in_use_is_not_written_with_consent_either() {
    let _turn = util::busy();
    let dir = Dir::new();
    let image = dir.file("image", 16 << 20);
    let Some(mut disk) = Loop::over(&image) else {
        return;
    };
    if !disk.mount_ext4(&dir.join("mnt"), "rw") {
        return;
    }
    let mut command = dir.sqlio("-kW -s1 -b8 -f16 -i32 -BH -R9");
    command.env("IOGAUGE_DRIVES", format!("9={}", disk.device));
    let output = util::run(command.env("IOGAUGE_DESTROY", &disk.device));
    refused(&output, &disk.device);
}

#[test]
fn links_and_what_is_no_file_are_not_written() {
    let _turn = util::busy();
    let dir = Dir::new();
    let precious = dir.file("precious", 1 << 20);
    symlink(&precious, dir.join("symbolic")).expect("a link");
    symlink(dir.join("nothing"), dir.join("dangling")).expect("a link");
    fs::hard_link(&precious, dir.join("hard")).expect("a link");
    fs::create_dir(dir.join("folder")).expect("a folder");
    let before = fs::read(&precious).expect("our file");
    for target in ["symbolic", "hard", "folder", "dangling", "/dev/null"] {
        for order in ["-frandom", "-f4 -i32"] {
            let line = format!("-kW -s1 -b16 {order} {target}");
            refused(&util::run(&mut dir.sqlio(&line)), target);
        }
    }
    // A grid of 2 MiB would make it grow.
    let output = util::run(&mut dir.sqlio("-kR -s1 -b16 -f4 -i32 symbolic"));
    refused(&output, "symbolic");
    assert!(
        fs::read(&precious).expect("our file") == before,
        "it was changed"
    );
    assert_eq!(
        dir.names(),
        ["dangling", "folder", "hard", "precious", "symbolic"]
    );
    assert!(Path::new("/dev/null").exists());
    util::run(&mut dir.sqlio("-kR -s1 -b16 -frandom symbolic")).expect_code(0);
}
