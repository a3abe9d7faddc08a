//! What must not happen: a target that is no file or disk, a link, a disk in use, a full or
//! read-only place. Each is refused or fails in words, without blocking and
//! without harm.

use std::{
    fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use crate::util::{self, Dir, Loop, Output};

/// Refused or failed in the frame of the original, naming the target, and soon.
#[track_caller]
fn refused(output: &Output, names: &str) {
    output.expect_code(1);
    assert!(output.stderr.contains(names), "{names}: {output:#?}");
    assert!(!output.stdout.contains("Total IO"), "{output:#?}");
}

#[test]
fn what_is_no_file_or_disk_is_refused_without_blocking() {
    let dir = Dir::new();
    fs::create_dir(dir.join("folder")).expect("a folder");
    let mut targets = vec!["folder".to_owned(), "/dev/null".to_owned()];
    let fifo = dir.join("fifo").display().to_string();
    if util::tool("mkfifo", &[&fifo]).is_some() {
        targets.push("fifo".to_owned());
    } else {
        util::skip("mkfifo is missing: no test with a FIFO");
    }
    let _socket = std::os::unix::net::UnixListener::bind(dir.join("socket"));
    targets.push("socket".to_owned());
    for target in targets {
        for line in ["-d1 -W0 -o1", "-d1 -W0 -o1 -w100", "-d1 -W0 -c1M"] {
            let start = Instant::now();
            let output = util::run(&mut dir.diskspd(&format!("{line} {target}")));
            refused(&output, &target);
            assert!(start.elapsed() < Duration::from_mins(1), "{target} blocks");
        }
    }
    assert!(dir.join("folder").is_dir());
    assert!(Path::new("/dev/null").exists());
}

#[test]
fn a_link_is_not_written_through() {
    let dir = Dir::new();
    let precious = dir.file("precious", 1 << 20);
    let before = fs::read(&precious).expect("our file");
    std::os::unix::fs::symlink(&precious, dir.join("symbolic")).expect("a link");
    fs::hard_link(&precious, dir.join("hard")).expect("a link");
    for link in ["symbolic", "hard"] {
        for line in [
            "-d1 -W0 -b4K -w100",
            "-d1 -W0 -b4K -c1M",
            "-d1 -W0 -b4K -w1",
        ] {
            let output = util::run(&mut dir.diskspd(&format!("{line} {link}")));
            refused(&output, link);
        }
        let read = util::run(&mut dir.diskspd(&format!("-d1 -W0 -b4K {link}")));
        read.expect_code(0);
    }
    let after = fs::read(&precious).expect("our file");
    assert!(before == after, "the file behind the link was changed");
    assert_eq!(dir.names(), ["hard", "precious", "symbolic"]);
}

#[test]
fn a_database_is_not_written_without_consent() {
    let dir = Dir::new();
    let path = dir.file("app.db", 1 << 20);
    let mut bytes = fs::read(&path).expect("our file");
    bytes[..16].copy_from_slice(b"SQLite format 3\0");
    fs::write(&path, &bytes).expect("our file");
    let line = "-d1 -W0 -b4K -r -w100 app.db";
    refused(&util::run(&mut dir.diskspd(line)), "app.db");
    assert!(
        fs::read(&path).expect("our file") == bytes,
        "it was changed"
    );
    let mut command = dir.diskspd(line);
    util::run(command.env("IOGAUGE_DESTROY", "app.db")).expect_code(0);
    assert!(
        fs::read(&path).expect("our file") != bytes,
        "nothing was written"
    );
}

#[test]
fn a_read_test_changes_nothing() {
    let dir = Dir::new();
    let path = dir.file("f", 1 << 20);
    let before = (fs::read(&path).expect("our file"), modified(&path));
    util::run(&mut dir.diskspd("-d1 -W0 -b4K -r -o8 -t2 -Su f")).expect_code(0);
    assert!(before == (fs::read(&path).expect("our file"), modified(&path)));
}

fn modified(path: &Path) -> std::time::SystemTime {
    let facts = fs::metadata(path).expect("our file");
    facts.modified().expect("a time")
}

#[test]
fn misaligned_direct_io_is_refused_before_any_io() {
    let dir = Dir::new();
    let path = dir.file("f", 1 << 20);
    let before = fs::read(&path).expect("our file");
    for line in [
        "-b1500 -w100",
        "-b4K -r100 -w100",
        "-b4K -B100 -w100",
        "-b4K -s4100 -w100",
    ] {
        let output = util::run(&mut dir.diskspd(&format!("-d1 -W0 -Su {line} f")));
        assert!(matches!(output.code, Some(1 | 3)), "{output:#?}");
        assert!(!output.stdout.contains("Total IO"), "{output:#?}");
        let named = ["512", "4096", "4 KiB", "4KiB"];
        assert!(
            named.iter().any(|size| output.stderr.contains(size)),
            "the alignment is not named: {output:#?}"
        );
    }
    assert!(
        before == fs::read(&path).expect("our file"),
        "it was written"
    );
    // Created files are refused before they are made.
    let output = util::run(&mut dir.diskspd("-d1 -W0 -Su -b1500 -c1M new"));
    assert!(matches!(output.code, Some(1 | 3)), "{output:#?}");
    assert_eq!(dir.names(), ["f"]);
}

#[test]
fn a_disk_in_use_is_never_written() {
    let dir = Dir::new();
    let Some((mut disk, place)) = Loop::small_ext4(&dir) else {
        return;
    };
    fs::write(place.join("note"), "keep").expect("the new filesystem can be written");
    let line = format!("-d1 -W0 -b4K -r -w100 {}", disk.device);
    for consent in ["", disk.device.as_str()] {
        let mut command = dir.diskspd(&line);
        let output = util::run(command.env("IOGAUGE_DESTROY", consent));
        refused(&output, &disk.device);
    }
    disk.unmount();
    assert!(disk.mount_ext4(&place, "ro"));
    assert_eq!(
        fs::read_to_string(place.join("note")).ok().as_deref(),
        Some("keep")
    );
    disk.unmount();
    // Idle now, but with a filesystem on it: only by name.
    refused(&util::run(&mut dir.diskspd(&line)), &disk.device);
    let mut command = dir.diskspd(&line);
    let output = util::run(command.env("IOGAUGE_DESTROY", &disk.device));
    assert!(output.expect_code(0).report().write.total.ios > 0);
    // Reading needs nobody's consent.
    util::run(&mut dir.diskspd(&format!("-d1 -W0 -b4K -r {}", disk.device))).expect_code(0);
}

#[test]
fn a_full_disk_fails_in_words_and_is_left_as_it_was() {
    let dir = Dir::new();
    let Some((_disk, place)) = Loop::small_ext4(&dir) else {
        return;
    };
    let before = free(&place);
    for cache in ["-Sb", "-Su"] {
        let target = place.join("big");
        let line = format!("-d1 -W0 -c64M {cache} {}", target.display());
        let output = util::run(&mut dir.diskspd(&line));
        refused(&output, "big");
        // What is needed, and what there is: less than the 16 MiB of the disk.
        let said = output.stderr.lines().find(|line| line.contains("big"));
        let said = said.unwrap_or_default();
        let numbers: Vec<u64> = said
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|digits| digits.parse().ok())
            .collect();
        assert!(
            numbers.contains(&(64 << 20)),
            "the need is not named: {said}"
        );
        assert!(
            numbers
                .iter()
                .any(|bytes| (1 << 20..16 << 20).contains(bytes)),
            "the free bytes are not named: {said}"
        );
        assert!(!target.exists(), "a part of the file was left");
    }
    assert_eq!(before, free(&place), "something was left");
}

/// Free blocks of the filesystem at `place`.
fn free(place: &Path) -> String {
    let place = place.display().to_string();
    let blocks = util::tool("stat", &["-f", "-c", "%f", &place]);
    blocks.expect("stat knows filesystems")
}

#[test]
fn a_read_only_place_fails_in_words() {
    let dir = Dir::new();
    let Some((mut disk, place)) = Loop::small_ext4(&dir) else {
        return;
    };
    fs::write(place.join("old"), util::noise(1 << 20)).expect("a file");
    disk.unmount();
    if !disk.mount_ext4(&place, "ro") {
        return;
    }
    for (line, file) in [("-c1M", "new"), ("-w100", "old")] {
        let target = place.join(file);
        let output = util::run(&mut dir.diskspd(&format!("-d1 -W0 {line} {}", target.display())));
        refused(&output, file);
        assert!(
            output.stderr.to_lowercase().contains("read-only"),
            "{output:#?}"
        );
    }
    let old = place.join("old");
    util::run(&mut dir.diskspd(&format!("-d1 -W0 -b4K {}", old.display()))).expect_code(0);
}

#[test]
fn an_ordinary_user_is_enough_and_its_limits_are_named() {
    if !util::is_root() || !util::has("setpriv") {
        return util::skip("another user needs root and setpriv");
    }
    let dir = Dir::new();
    let own = dir.join("own");
    fs::create_dir(&own).expect("a folder");
    let place = own.display().to_string();
    assert!(util::tool("chown", &["65534:65534", &place]).is_some());
    let parent = dir.path().display().to_string();
    assert!(util::tool("chmod", &["755", &parent]).is_some());
    let user = |line: &str| {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .args([env!("CARGO_BIN_EXE_iogauge"), "diskspd"])
            .args(line.split_whitespace())
            .env("IOGAUGE_HISTORY", "off")
            .current_dir("/");
        util::run(&mut command)
    };
    if user("-?").code != Some(0) {
        return util::skip("an ordinary user cannot reach the executable");
    }
    let line = format!("-c4M -b4K -d1 -W0 -r -w40 -o8 -t2 -Sh -L {place}/f");
    let report = user(&line).expect_code(0).report();
    assert!(report.read.total.ios > 0 && report.write.total.ios > 0);
    // A folder of somebody else.
    let output = user(&format!("-c1M -d1 -W0 {parent}/theirs"));
    refused(&output, "theirs");
    assert!(
        output.stderr.to_lowercase().contains("permission"),
        "{output:#?}"
    );
    assert!(!dir.join("theirs").exists());
}
