//! `web` and `ping` from outside: what they open and read, what they leave alone, what they say.

use std::{collections::BTreeSet, os::unix::fs::symlink, path::Path, process::Command, thread};

use crate::util::{self, Dir};

/// A site of 6 pages in two folders, with much beside them that is no page.
fn site() -> Dir {
    let dir = Dir::new();
    std::fs::create_dir_all(dir.join("site/pictures")).expect("a folder can be made");
    for number in 0..3 {
        dir.file(&format!("site/{number}.html"), 20_000);
        dir.file(&format!("site/pictures/{number}.jpg"), 300_000);
    }
    dir.file("site/empty", 0);
    for (to, name) in [
        ("..", "site/up"),
        ("0.html", "site/same"),
        (".", "site/here"),
    ] {
        symlink(to, dir.join(name)).expect("a link can be made");
    }
    let pipe = dir.join("site/pipe").to_string_lossy().into_owned();
    assert!(util::tool("mkfifo", &[&pipe]).is_some());
    dir
}

fn web(dir: &Dir, line: &str) -> Command {
    let words: Vec<&str> = ["web"].into_iter().chain(line.split_whitespace()).collect();
    dir.iogauge(&words)
}

#[test]
fn a_site_is_answered_in_sentences_and_left_as_it_is() {
    let _turn = util::busy();
    let dir = site();
    let names = dir.names();
    let line = "site --visitors 2 --duration 300ms --warmup 0s --seed 1 --cold";
    let output = util::run(&mut web(&dir, line));
    output.expect_code(0);
    let text = &output.stdout;
    // 3 * 20,000 + 3 * 300,000 = 960,000 bytes.
    assert!(
        text.starts_with("site: 6 files, 937.50 KiB in all, "),
        "{text}"
    );
    assert!(text.contains("cold"), "{text}");
    assert!(text.contains("2 visitors at a time: "), "{text}");
    assert!(text.contains("1 file is empty"), "{text}");
    assert!(
        text.contains("4 links, pipes or devices are left out"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    assert_eq!(dir.names(), names);
}

#[test]
fn a_line_is_explained_option_by_option() {
    let dir = site();
    let line = "explain -- web site --cold --dist zipf:0.99 --seed 3";
    let words: Vec<&str> = line.split(' ').collect();
    let output = util::run(&mut dir.iogauge(&words));
    output.expect_code(0);
    for said in [
        "site            ",
        "--cold          ",
        "--dist zipf:0.99",
        "--seed 3        ",
        "--visitors        1, then 2, 4, 8",
        "6 files, site/",
        "counts       visits that end inside the measured time",
    ] {
        assert!(output.stdout.contains(said), "{said}: {}", output.stdout);
    }
    let words = ["explain", "--offsets", "3", "--", "web", "site"];
    let output = util::run(&mut dir.iogauge(&words));
    output.expect_code(2);
    assert!(output.told().contains("no offsets"), "{}", output.stderr);
}

#[test]
fn visitors_double_until_the_knee() {
    let _turn = util::busy();
    let dir = site();
    let output = util::run(&mut web(&dir, "site --duration 50ms --warmup 0s"));
    output.expect_code(0);
    let table: Vec<&str> = output
        .stdout
        .lines()
        .skip_while(|line| !line.starts_with("visitors"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .collect();
    assert!(table.len() >= 2, "{}", output.stdout);
    for (step, row) in table.iter().enumerate() {
        let visitors = row.split_whitespace().next().unwrap();
        assert_eq!(visitors, (1_u64 << step).to_string());
    }
    let sentences = output.stdout.replace("\n  ", " ");
    assert!(sentences.contains("One visitor at a time: "), "{sentences}");
    let knee = ["only wait longer", "may get more still"];
    assert!(
        knee.iter().any(|end| sentences.contains(end)),
        "{sentences}"
    );
}

#[test]
fn files_are_made_for_want_of_a_site_and_removed_after() {
    let _turn = util::busy();
    let dir = Dir::new();
    let line = ". --make 20x8k --dist zipf:0.99 --visitors 1 --duration 100ms --warmup 0s";
    let output = util::run(&mut web(&dir, line));
    output.expect_code(0);
    assert!(
        output.stdout.starts_with(".: 20 files, 160 KiB in all"),
        "{}",
        output.stdout
    );
    assert!(dir.names().is_empty(), "{:?}", dir.names());
    let output = util::run(&mut web(&dir, &format!("{line} --keep")));
    output.expect_code(0);
    assert_eq!(dir.names().len(), 20);
    let page = std::fs::read(dir.join("iogauge-web-01.bin")).unwrap();
    assert_eq!(page.len(), 8192);
    assert!(page.iter().any(|byte| *byte != 0));
    // Another run's files, or those of one that goes on, are not taken for one's own.
    let output = util::run(&mut web(&dir, line));
    output.expect_code(2);
    assert!(
        output.told().contains("is there already"),
        "{}",
        output.stderr
    );
    assert_eq!(dir.names().len(), 20);
    let output = util::run(&mut web(&dir, ". --visitors 1 --duration 50ms --warmup 0s"));
    output.expect_code(0);
    assert!(
        output.stdout.starts_with(".: 20 files, 160 KiB in all"),
        "{}",
        output.stdout
    );
}

#[test]
fn a_folder_that_is_no_site_is_refused() {
    let dir = Dir::new();
    for (folder, told) in [
        (".", "iogauge web . --make 4096x64k"),
        ("none", "none does not exist"),
        ("/dev/null", "/dev/null is a character device"),
    ] {
        let output = util::run(&mut web(&dir, folder));
        output.expect_code(2);
        assert!(output.told().contains(told), "{}", output.stderr);
        assert_eq!(output.stdout, "");
    }
    assert!(dir.names().is_empty());
    // More than any disk has: refused before anything is made.
    let output = util::run(&mut web(&dir, ". --make 100000x1T"));
    output.expect_code(2);
    assert!(output.told().contains("does not fit"), "{}", output.stderr);
    assert!(dir.names().is_empty());
}

#[test]
fn files_that_may_not_be_read_are_left_out() {
    if util::is_root() {
        return util::skip("the superuser may read everything");
    }
    let dir = site();
    assert!(util::tool("chmod", &["0", dir.join("site/1.html").to_str().unwrap()]).is_some());
    let output = util::run(&mut web(
        &dir,
        "site --visitors 1 --duration 50ms --warmup 0s",
    ));
    output.expect_code(0);
    assert!(
        output.stdout.starts_with("site: 5 files"),
        "{}",
        output.stdout
    );
    assert!(output.stdout.contains("1 file or folder may not be read"));
}

#[test]
fn files_that_vanish_end_the_run_or_are_counted() {
    let _turn = util::busy();
    for (option, code) in [("", 1), ("--on-error continue", 1)] {
        let dir = site();
        let line = format!("site --visitors 1 --duration 1s --warmup 0s {option}");
        let mut running = util::start(&mut web(&dir, &line));
        // Once it has threads of its own the site was listed.
        assert!(running.until(|id| util::threads(id) > 1));
        for number in 0..3 {
            std::fs::remove_file(dir.join(&format!("site/{number}.html"))).unwrap();
        }
        let output = running.finish();
        output.expect_code(code);
        let told = "could not be read: No such file or directory (ENOENT)";
        let text = output.stdout.replace("\n  ", " ");
        assert!(text.contains(told), "{output:#?}");
        assert_eq!(text.contains("failed after"), option.is_empty(), "{text}");
        assert_eq!(text.contains("--on-error continue"), option.is_empty());
        assert!(
            output.told().contains(".html: open: No such file"),
            "{output:#?}"
        );
    }
}

#[test]
fn an_interrupt_keeps_what_was_measured() {
    let _turn = util::busy();
    let dir = site();
    let mut running = util::start(&mut web(&dir, "site --duration 1h --warmup 0s"));
    assert!(running.until(|id| util::threads(id) > 1));
    thread::sleep(std::time::Duration::from_millis(100));
    running.signal("INT");
    let output = running.finish();
    output.expect_code(130);
    assert!(
        output
            .stdout
            .starts_with("!! the step with 1 visitor interrupted")
    );
    assert!(
        output.stdout.contains("files a second"),
        "{}",
        output.stdout
    );
}

/// What a run opened, read and closed, from strace; `None` if it cannot be had.
fn traced(dir: &Dir, line: &str) -> Option<String> {
    let log = dir.join("trace");
    if !util::has("strace") {
        util::skip("no strace");
        return None;
    }
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-y", "-s", "0", "-o"]).arg(&log);
    command.args([
        "-e",
        "trace=open,openat,creat,read,write,pwrite64,unlink,unlinkat,fadvise64",
    ]);
    command.arg(env!("CARGO_BIN_EXE_iogauge")).arg("web");
    command
        .args(line.split_whitespace())
        .current_dir(dir.path());
    let output = util::run(&mut command);
    if output.code != Some(0) {
        util::skip(&format!(
            "strace cannot trace here: {}",
            output.stderr.trim()
        ));
        return None;
    }
    std::fs::read_to_string(&log).ok()
}

#[test]
fn files_are_opened_for_reading_only_and_read_to_their_end() {
    let _turn = util::busy();
    let dir = site();
    // One visitor: with more of them strace tells calls in pieces.
    let line = "site --visitors 1 --duration 300ms --warmup 0s --cold";
    let Some(trace) = traced(&dir, line) else {
        return;
    };
    let of_site = |line: &&str| line.contains("site/") && !line.contains("resumed");
    let lines: Vec<&str> = trace.lines().filter(of_site).collect();
    let opens: Vec<&&str> = lines.iter().filter(|line| line.contains("open")).collect();
    assert!(opens.len() > 20, "{} opens", opens.len());
    let mut pages = BTreeSet::new();
    for open in &opens {
        if open.contains("O_DIRECTORY") {
            continue;
        }
        for flag in ["O_RDONLY", "O_NONBLOCK", "O_NOFOLLOW", "O_NOATIME"] {
            assert!(open.contains(flag), "no {flag}: {open}");
        }
        pages.extend(open.split('"').nth(1));
    }
    let expected: BTreeSet<String> = (0..3)
        .flat_map(|n| [format!("site/{n}.html"), format!("site/pictures/{n}.jpg")])
        .collect();
    let pages: BTreeSet<String> = pages.into_iter().map(str::to_owned).collect();
    assert_eq!(pages, expected);
    for call in ["write(", "pwrite64(", "creat(", "unlink"] {
        assert!(!lines.iter().any(|line| line.contains(call)), "{call}");
    }
    assert!(
        lines
            .iter()
            .any(|line| line.contains("POSIX_FADV_DONTNEED"))
    );
    // A page of 300,000 bytes comes in two reads of at most 256 KiB, and the end is seen.
    let reads: BTreeSet<&str> = lines
        .iter()
        .filter(|line| line.contains("read(") && line.contains(".jpg") && line.contains("= "))
        .filter_map(|line| line.rsplit("= ").next())
        .collect();
    assert_eq!(reads, BTreeSet::from(["262144", "37856", "0"]));
}

fn ping(dir: &Dir, line: &str) -> Command {
    let words: Vec<&str> = ["ping"]
        .into_iter()
        .chain(line.split_whitespace())
        .collect();
    dir.iogauge(&words)
}

#[test]
fn a_ping_has_a_line_for_each_read_and_a_summary() {
    let dir = Dir::new();
    dir.file("file", 1 << 20);
    for target in ["file", "."] {
        let output = util::run(&mut ping(
            &dir,
            &format!("{target} --count 3 --interval 1ms"),
        ));
        output.expect_code(0);
        let lines: Vec<&str> = output.stdout.lines().collect();
        assert_eq!(lines.len(), 6, "{}", output.stdout);
        for (number, line) in lines[..3].iter().enumerate() {
            assert!(
                line.starts_with(&format!("4 KiB from {target} (")),
                "{line}"
            );
            let seq = format!(": seq={} time=", number + 1);
            assert!(line.contains(&seq) && line.ends_with('s'), "{line}");
        }
        assert!(
            lines[4].starts_with(&format!("{target}: 3 reads in ")),
            "{}",
            lines[4]
        );
        assert!(lines[5].starts_with("min "), "{}", lines[5]);
        assert_eq!(dir.names(), ["file"]);
    }
    let output = util::run(&mut ping(&dir, "file -c 3 -i 1ms -q"));
    assert_eq!(output.expect_code(0).stdout.lines().count(), 3);
}

#[test]
fn control_c_is_the_end_of_a_ping_without_a_count() {
    let dir = Dir::new();
    dir.file("file", 1 << 20);
    for (line, code) in [("file", 0), ("file --count 1000", 130)] {
        let mut running = util::start(&mut ping(&dir, line));
        // Signals are watched before the file is opened.
        let opened = |id: u32| has_open(id, &dir.join("file"));
        assert!(running.until(opened));
        running.signal("INT");
        let output = running.finish();
        output.expect_code(code);
        assert!(
            output.stdout.contains("file: 1 read in "),
            "{}",
            output.stdout
        );
    }
}

fn has_open(id: u32, path: &Path) -> bool {
    let Ok(open) = std::fs::read_dir(format!("/proc/{id}/fd")) else {
        return false;
    };
    open.flatten()
        .any(|entry| std::fs::read_link(entry.path()).is_ok_and(|to| to == path))
}

#[test]
fn a_ping_refuses_what_it_cannot_read() {
    let dir = site();
    for (line, told) in [
        ("site/pipe", "site/pipe is a named pipe"),
        ("site/empty", "site/empty has 0 bytes"),
        ("none", "none: No such file"),
        ("/dev/null", "/dev/null is a character device"),
        ("site --size 1.5", "--size"),
        ("site --interval 0s", "--interval"),
        ("site --count 0", "--count"),
        ("site --count -1", "--count"),
        ("site --interval 5", "--interval"),
    ] {
        let output = util::run(&mut ping(&dir, line));
        output.expect_code(2);
        assert!(output.told().contains(told), "{line}: {}", output.stderr);
        assert_eq!(output.stdout, "");
    }
}

#[test]
fn a_ping_of_a_disk_reads_it() {
    let dir = Dir::new();
    let Some(disk) = util::Loop::over(&dir.file("image", 4 << 20)) else {
        return;
    };
    let output = util::run(&mut ping(&dir, &format!("{} -c 2 -i 1ms", disk.device)));
    output.expect_code(0);
    assert!(
        output.stdout.contains("(block device, 4 MiB): seq=2 time="),
        "{}",
        output.stdout
    );
}
