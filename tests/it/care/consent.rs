//! What `run` writes: files that it makes and marks, what was given away by name, and nothing else.

use std::{
    fs,
    io::Read as _,
    os::unix::fs::MetadataExt,
    path::Path,
    process::{Child, Command, Stdio},
};

use crate::util::{self, Dir, Loop, Output};

/// A short load of writes.
const WRITES: &[&str] = &[
    "--rw",
    "randwrite",
    "--size",
    "16M",
    "--duration",
    "300ms",
    "--warmup",
    "0s",
];

fn run(dir: &Dir, target: &str, options: &[&str]) -> Output {
    util::run(&mut dir.iogauge(&[&["run", target], options].concat()))
}

fn with(options: &[&'static str]) -> Vec<&'static str> {
    [WRITES, options].concat()
}

/// False where the build's filesystem keeps no marks, which is told.
fn marks(dir: &Dir) -> bool {
    let path = dir.file("probe", 1);
    let file = fs::File::options()
        .write(true)
        .open(&path)
        .expect("our file");
    let able = iogauge::host::mark(&file).is_ok();
    fs::remove_file(path).expect("our file");
    if !able {
        util::skip("no extended attributes on the build's filesystem");
    }
    able
}

#[test]
fn a_kept_test_file_is_used_again_without_a_word() {
    let _busy = util::busy();
    let dir = Dir::new();
    if !marks(&dir) {
        return;
    }
    run(&dir, "./t.dat", &with(&["--keep"])).expect_code(0);
    assert!(iogauge::host::is_marked(&dir.join("t.dat")));
    let inode = fs::metadata(dir.join("t.dat")).expect("kept").ino();
    run(&dir, "./t.dat", WRITES).expect_code(0);
    // It was there before, so that it stays; and it is the same file.
    assert_eq!(fs::metadata(dir.join("t.dat")).expect("kept").ino(), inode);
    // A second name means that somebody keeps it.
    fs::hard_link(dir.join("t.dat"), dir.join("kept")).expect("a link");
    let output = run(&dir, "./t.dat", WRITES);
    output.expect_code(2);
    assert!(output.told().contains("has 2 names"), "{output:#?}");
    // What is not kept goes.
    run(&dir, "./other.dat", WRITES).expect_code(0);
    assert_eq!(dir.names(), ["kept", "t.dat"]);
}

#[test]
fn a_foreign_file_is_read_freely_and_written_by_consent_only() {
    let _busy = util::busy();
    let dir = Dir::new();
    let path = dir.file("mine", 16 << 20);
    let content = fs::read(&path).expect("our file");
    let modified = || {
        fs::metadata(&path)
            .and_then(|data| data.modified())
            .expect("a time")
    };
    let before = modified();
    let output = run(&dir, "./mine", WRITES);
    output.expect_code(2);
    assert!(
        output.told().contains("./mine was not made by iogauge"),
        "{output:#?}"
    );
    assert!(
        output.told().contains("to allow it, add --destroy ./mine"),
        "{output:#?}"
    );
    let larger = ["--rw", "randwrite", "--size", "32M", "--duration", "1s"];
    run(&dir, "./mine", &larger).expect_code(2);
    run(&dir, "./mine", &with(&["--destroy", "./other"])).expect_code(2);
    run(&dir, "./mine", &["--duration", "300ms", "--warmup", "0s"]).expect_code(0);
    assert!(fs::read(&path).expect("our file") == content && modified() == before);
    // What the refusal says to type.
    run(&dir, "./mine", &with(&["--destroy", "./mine"])).expect_code(0);
    assert!(
        fs::read(&path).expect("our file") != content,
        "nothing was written"
    );
    // It is somebody's still: neither marked nor removed.
    assert!(!iogauge::host::is_marked(&path));
    run(&dir, "./mine", WRITES).expect_code(2);
    assert_eq!(dir.names(), ["mine"]);
}

#[test]
fn what_a_kill_leaves_is_found_and_removed() {
    let _busy = util::busy();
    let dir = Dir::new();
    if !marks(&dir) {
        return;
    }
    let args = [
        "run",
        "./t.dat",
        "--rw",
        "randwrite",
        "--size",
        "512M",
        "--duration",
        "1m",
    ];
    let path = dir.join("t.dat");
    let mut running = util::start(&mut dir.iogauge(&args));
    let there = running.until(|_| fs::metadata(&path).is_ok_and(|data| data.blocks() > 0));
    running.signal("KILL");
    let output = running.finish();
    assert!(there && output.code.is_none(), "{output:#?}");
    assert_eq!(dir.names(), ["t.dat"]);
    let cleaned = util::run(&mut dir.iogauge(&["clean", "--yes"]));
    assert!(
        cleaned.expect_code(0).stdout.contains("Removed 1 file"),
        "{cleaned:#?}"
    );
    assert_eq!(dir.names(), [""; 0]);
}

/// A process that the system knows by a database server's name, with a file open for writing; it
/// ends with its standard input.
fn server(dir: &Dir, file: &Path) -> Option<Child> {
    let program = dir.join("mysqld");
    fs::copy("/bin/cat", &program).ok()?;
    let line = "exec \"$0\" 3<>\"$1\"";
    let mut child = Command::new("sh")
        .args(["-c", line])
        .args([&program, file])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let name = format!("/proc/{}/comm", child.id());
    let is_it = || fs::read_to_string(&name).is_ok_and(|name| name == "mysqld\n");
    while !is_it() {
        if child.try_wait().ok()?.is_some() {
            return None;
        }
        std::thread::yield_now();
    }
    Some(child)
}

#[test]
fn beside_the_files_of_a_database_server_writes_need_consent() {
    let _busy = util::busy();
    let dir = Dir::new();
    // Our own commands leave 5 GiB free; none of these bytes is ever written.
    let image = dir.file("image", 1);
    let sized = fs::File::options()
        .write(true)
        .open(&image)
        .and_then(|file| file.set_len(8 << 30));
    sized.expect("a file with holes");
    let Some(mut disk) = Loop::over(&image) else {
        return;
    };
    if !disk.mount_ext4(&dir.join("mnt"), "rw") {
        return;
    }
    let Some(mut child) = server(&dir, &dir.join("mnt/ibdata1")) else {
        util::skip("no program can be called mysqld here");
        return;
    };
    let refused = run(&dir, "./mnt/x", WRITES);
    let allowed = run(&dir, "./mnt/x", &with(&["--destroy", "./mnt/x"]));
    let read = run(&dir, "./mnt/ibdata1", &["--duration", "300ms"]);
    drop(child.stdin.take());
    let _ = child.wait();
    refused.expect_code(2);
    let expected = format!("mysqld (process {}) has ", child.id());
    assert!(refused.told().contains(&expected), "{refused:#?}");
    assert!(refused.told().contains("mnt/ibdata1 open"), "{refused:#?}");
    assert!(
        refused.told().contains("add --destroy ./mnt/x"),
        "{refused:#?}"
    );
    allowed.expect_code(0);
    // Nothing of its own was touched: it is empty, and so no target.
    assert!(!read.told().contains("--destroy"), "{read:#?}");
    run(&dir, "./mnt/x", WRITES).expect_code(0);
    let mut bytes = Vec::new();
    let opened = fs::File::open(dir.join("mnt/ibdata1"));
    opened
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .expect("it is there");
    assert!(bytes.is_empty());
}
