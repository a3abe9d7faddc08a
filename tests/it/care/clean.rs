//! `clean` removes marked files and nothing else.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::util::{self, Dir, Loop, Output};

/// A marked file of `size` bytes; `None` where none can be made, which is told.
fn marked(dir: &Dir, name: &str, size: usize) -> Option<PathBuf> {
    let path = dir.file(name, size);
    let file = fs::File::options()
        .write(true)
        .open(&path)
        .expect("our file");
    if iogauge::host::mark(&file).is_err() {
        util::skip("no extended attributes on the build's filesystem");
        return None;
    }
    Some(path)
}

fn clean(dir: &Dir, args: &[&str]) -> Output {
    util::run(&mut dir.iogauge(&[&["clean"], args].concat()))
}

#[test]
fn without_a_terminal_files_are_listed_and_the_line_to_type_is_said() {
    let dir = Dir::new();
    assert!(
        clean(&dir, &[])
            .expect_code(0)
            .stdout
            .contains("No test files of ours in .")
    );
    if marked(&dir, "ours", 1 << 20).is_none() {
        return;
    }
    dir.file("precious", 4096);
    let output = clean(&dir, &[]);
    output.expect_code(2);
    assert!(
        output.stdout.contains("1.00 MiB") && output.stdout.contains("  ours"),
        "{output:?}"
    );
    assert!(!output.stdout.contains("precious"), "{output:?}");
    assert!(
        output.told().contains("type iogauge clean --yes"),
        "{output:?}"
    );
    let dry = clean(&dir, &["--dry-run"]);
    assert!(
        dry.expect_code(0)
            .stdout
            .contains("1 file to remove, 1.00 MiB"),
        "{dry:?}"
    );
    assert_eq!(dir.names(), ["ours", "precious"]);
    let done = clean(&dir, &["--yes"]);
    assert!(
        done.expect_code(0)
            .stdout
            .contains("Removed 1 file, 1.00 MiB."),
        "{done:?}"
    );
    assert_eq!(dir.names(), ["precious"]);
}

#[test]
fn folders_below_are_cleaned_where_asked_and_links_are_not_followed() {
    let dir = Dir::new();
    let other = Dir::new();
    fs::create_dir(dir.join("below")).expect("a folder");
    if marked(&dir, "below/ours", 4096).is_none() || marked(&other, "theirs", 4096).is_none() {
        return;
    }
    std::os::unix::fs::symlink(other.path(), dir.join("link")).expect("a link");
    std::os::unix::fs::symlink(other.join("theirs"), dir.join("file")).expect("a link");
    let output = clean(&dir, &["--yes"]);
    assert!(
        output.expect_code(0).stdout.contains("No test files"),
        "{output:?}"
    );
    assert!(dir.join("below/ours").exists());
    clean(&dir, &["--yes", "-r"]).expect_code(0);
    assert!(!dir.join("below/ours").exists());
    assert_eq!(other.names(), ["theirs"]);
    assert_eq!(dir.names(), ["below", "file", "link"]);
}

#[test]
fn a_file_that_somebody_has_open_stays_and_who_it_is_is_said() {
    let dir = Dir::new();
    let Some(path) = marked(&dir, "ours", 4096) else {
        return;
    };
    let mut holder = Command::new("sh")
        .args([
            "-c",
            "exec cat 3<\"$0\"",
            path.to_str().expect("our own paths are text"),
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("sh runs");
    let descriptor = PathBuf::from(format!("/proc/{}/fd/3", holder.id()));
    while fs::read_link(&descriptor).is_err() {
        assert!(
            holder.try_wait().expect("a child").is_none(),
            "the shell has failed"
        );
        std::thread::yield_now();
    }
    let output = clean(&dir, &["--yes"]);
    let id = holder.id();
    drop(holder.stdin.take());
    holder.wait().expect("a child");
    output.expect_code(0);
    assert!(
        output.stdout.contains(&format!("(process {id})")),
        "{output:?}"
    );
    assert_eq!(dir.names(), ["ours"]);
    clean(&dir, &["--yes"]).expect_code(0);
    assert_eq!(dir.names(), [""; 0]);
}

#[test]
fn what_a_test_file_became_since_is_kept() {
    let dir = Dir::new();
    let Some(path) = marked(&dir, "ours", 4096) else {
        return;
    };
    fs::write(&path, b"SQLite format 3\0 and more").expect("our file");
    let output = clean(&dir, &["--yes"]);
    output.expect_code(0);
    assert!(
        output.stdout.contains("stays: holds an SQLite database"),
        "{output:?}"
    );
    assert!(path.exists());
}

#[test]
fn the_file_behind_a_loop_device_stays() {
    let dir = Dir::new();
    let Some(path) = marked(&dir, "ours", 1 << 20) else {
        return;
    };
    let Some(device) = Loop::over(&path) else {
        return;
    };
    let output = clean(&dir, &["--yes"]);
    output.expect_code(0);
    let expected = format!("stays: {} is made of it", device.device);
    assert!(output.stdout.contains(&expected), "{output:?}");
    assert!(path.exists());
}

#[test]
fn a_folder_that_is_none_is_refused() {
    let dir = Dir::new();
    dir.file("file", 1);
    for name in ["missing", "file"] {
        let output = clean(&dir, &["--yes", name]);
        output.expect_code(2);
        assert!(
            output
                .told()
                .contains(&format!("clean {name}: the folder cannot")),
            "{output:?}"
        );
    }
    clean(&dir, &["--yes", "--dry-run"]).expect_code(2);
    assert!(Path::new(&dir.join("file")).exists());
}
