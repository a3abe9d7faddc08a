//! Faults of the storage and of whoever reads the report: told in words, with no figures that
//! mislead; and Ctrl-C in each phase.

use std::{
    fs::{self, File},
    path::Path,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use super::{
    report::{has_figures, problems},
    seen::each,
};
use crate::{
    inject::injected,
    signals::nothing_runs_in,
    util::{self, Dir, Loop, Output},
};

#[track_caller]
fn failed(output: &Output, words: &[&str]) {
    output.expect_code(1);
    for word in words {
        assert!(output.stderr.contains(word), "{word}: {output:#?}");
    }
    assert!(!has_figures(&output.stdout), "{output:#?}");
}

#[test]
fn an_error_of_the_device_ends_the_run_without_figures() {
    let _turn = util::busy();
    let cases = [
        // The program's own loading reads a few times, too.
        (
            "psync",
            "pread64:error=EIO:when=50+",
            "-kR -LS -t2 -frandom",
        ),
        ("psync", "pread64:error=EIO:when=50", "-kR -fsequential"),
        ("psync", "pwrite64:error=EIO:when=50+", "-kW -LS -f4 -i16"),
        ("psync", "preadv:error=EIO:when=50+", "-kR -mS1 -frandom"),
        ("libaio", "io_submit:error=EIO:when=50+", "-kR -frandom -o4"),
        (
            "io_uring",
            "io_uring_enter:error=EIO:when=50+",
            "-kR -frandom -o4",
        ),
    ];
    each(&cases, |&(engine, fault, line)| {
        let dir = Dir::new();
        dir.file("f", 1 << 20);
        let line = format!("{line} -s60 -b4 -BH f");
        let Some(output) = injected(&dir, "sqlio", Some(engine), &[fault], &line) else {
            return;
        };
        let words = ["Input/output error", "the load failed after", "until then"];
        failed(&output, &words);
        // A ring that fails as a whole has no file.
        assert!(
            engine == "io_uring" || output.stderr.contains("f: "),
            "{output:#?}"
        );
        assert!(
            output.stdout.contains("initialization done\n"),
            "{output:#?}"
        );
    });
}

#[test]
fn an_error_while_a_file_grows_leaves_what_it_had_and_what_was_written() {
    let _turn = util::busy();
    let no_ring = "io_uring_setup:error=ENOSYS";
    let cases: [&[&str]; 5] = [
        &[no_ring, "pwrite64:error=EIO"],
        &[no_ring, "pwrite64:error=EIO:when=3"],
        &["io_uring_enter:error=EIO:when=5"],
        &["fsync:error=EIO", "fdatasync:error=EIO"],
        &["fallocate:error=EIO"],
    ];
    each(&cases, |faults| {
        let dir = Dir::new();
        let old = dir.file("old", 1 << 20);
        // 64 MiB.
        for name in ["new", "old"] {
            let line = format!("-kR -s1 -b64 -f16 -i64 -BY {name}");
            let Some(output) = injected(&dir, "sqlio", Some("psync"), faults, &line) else {
                return;
            };
            let words = [
                &format!("{name}: "),
                "Input/output error",
                "the load never began",
            ];
            failed(&output, &words);
            assert!(!output.stdout.contains("done."), "{output:#?}");
        }
        assert_eq!(
            dir.names(),
            ["old"],
            "{faults:?}: a part of the file was left"
        );
        let now = fs::read(&old).expect("our file");
        let size = now.len();
        assert!(
            now[..1 << 20] == util::noise(1 << 20),
            "{faults:?}: it was changed"
        );
        // Whole blocks before the one that failed may be there; after a flush that failed, none.
        let written = &now[1 << 20..];
        let may_be_more = faults[0] == no_ring || faults[0].starts_with("io_uring_enter");
        assert!(
            size == 1 << 20 || may_be_more && size < 64 << 20,
            "{faults:?}: {size} bytes"
        );
        assert!(
            written
                .chunks(4096)
                .all(|block| block.iter().any(|byte| *byte != 0))
        );
    });
}

#[test]
fn a_full_disk_is_left_as_it_was() {
    let _turn = util::busy();
    let dir = Dir::new();
    let Some((_disk, place)) = Loop::small_ext4(&dir) else {
        return;
    };
    let old = util::noise(1 << 20);
    fs::write(place.join("old"), &old).expect("it can be written");
    // 64 MiB.
    for name in ["new", "old"] {
        let target = place.join(name).display().to_string();
        let output = util::run(&mut dir.sqlio(&format!("-kW -s1 -b64 -f16 -i64 {target}")));
        failed(&output, &[&target]);
        assert!(!output.stdout.contains("done."), "{output:#?}");
    }
    assert!(!place.join("new").exists(), "a part of the file was left");
    let now = fs::read(place.join("old")).expect("our file");
    assert!(
        now == old,
        "the file is not what it was: {} bytes",
        now.len()
    );
}

#[test]
fn a_read_only_place_fails_in_words() {
    let _turn = util::busy();
    let dir = Dir::new();
    let Some((mut disk, place)) = Loop::small_ext4(&dir) else {
        return;
    };
    fs::write(place.join("old"), util::noise(1 << 20)).expect("it can be written");
    disk.unmount();
    if !disk.mount_ext4(&place, "ro") {
        return;
    }
    for line in ["-kR -f4 -i4 new", "-kW -frandom old", "-kR -f64 -i64 old"] {
        let (options, name) = line.rsplit_once(' ').expect("a name");
        let target = place.join(name).display().to_string();
        let output = util::run(&mut dir.sqlio(&format!("-s1 {options} {target}")));
        failed(&output, &[&target, "Read-only"]);
    }
    let old = place.join("old").display().to_string();
    util::run(&mut dir.sqlio(&format!("-s1 -kR -b4 -frandom {old}"))).expect_code(0);
}

#[test]
fn an_interrupt_of_the_load_ends_it_with_its_figures() {
    let _turn = util::busy();
    each(
        &[("INT", "-kR -o4"), ("TERM", "-kW"), ("INT", "-kR")],
        |(signal, line)| {
            let dir = Dir::new();
            dir.file("f", 1 << 20);
            let line = format!("{line} -s600 -b4 -BH -frandom -LS f");
            let mut running = util::start(&mut dir.sqlio(&line));
            assert!(running.until(threads), "no thread was seen");
            thread::sleep(Duration::from_millis(300));
            running.signal(signal);
            let asked = Instant::now();
            let output = running.finish();
            assert!(
                asked.elapsed() < Duration::from_secs(3),
                "{:?}",
                asked.elapsed()
            );
            let text = &output.expect_code(0).stdout;
            assert_eq!(problems(text, 4.0), [""; 0], "{text}");
            assert!(text.contains("for 600 secs"), "{text}");
            assert!(output.stderr.contains("interrupted after"), "{output:#?}");
            nothing_runs_in(&dir);
        },
    );
}

/// True once a process has threads besides its first.
fn threads(id: u32) -> bool {
    util::threads(id) > 1
}

#[test]
fn an_interrupt_while_files_grow_leaves_them_as_they_were() {
    let _turn = util::busy();
    let dir = Dir::new();
    let old = dir.file("old", 1 << 20);
    // 8 GiB each.
    for name in ["new", "old"] {
        let line = format!("-kR -s600 -b1024 -f128 -i64 {name}");
        let mut running = util::start(&mut dir.sqlio(&line));
        let path = dir.join(name);
        assert!(running.until(|_| grown(&path)), "nothing was made");
        running.signal("INT");
        let asked = Instant::now();
        let output = running.finish();
        assert!(
            asked.elapsed() < Duration::from_secs(3),
            "{:?}",
            asked.elapsed()
        );
        failed(&output, &["interrupted", "nothing was measured"]);
        assert!(!output.stdout.contains("done."), "{output:#?}");
        nothing_runs_in(&dir);
    }
    assert_eq!(dir.names(), ["old"], "a part of the file was left");
    assert!(
        fs::read(old).expect("our file") == util::noise(1 << 20),
        "it was changed"
    );
}

fn grown(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).is_ok_and(|facts| facts.blocks() * 512 > 4 << 20)
}

#[test]
fn output_that_cannot_be_written_is_no_success() {
    let _turn = util::busy();
    let dir = Dir::new();
    dir.file("f", 1 << 20);
    let full = File::options().write(true).open("/dev/full");
    let Ok(full) = full else {
        return util::skip("there is no /dev/full");
    };
    let mut command = dir.sqlio("-kR -s1 -frandom f");
    command
        .stdout(full)
        .stderr(Stdio::piped())
        .stdin(Stdio::null());
    let output = command.output().expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("No space left"), "{told}");
    assert!(!told.contains("panicked"), "{told}");
}
