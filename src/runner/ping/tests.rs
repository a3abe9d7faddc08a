//! Small reads of real files.

use super::*;

fn ping(path: &Path, caching: Caching) -> Ping {
    Ping {
        path: path.to_path_buf(),
        size: 4096,
        count: Some(5),
        interval: Duration::from_millis(1),
        caching,
        seed: 3,
    }
}

/// The replies of a ping, and what came of them.
fn carry_out(ping: &Ping) -> Result<(Vec<Reply>, Pinged), String> {
    let mut pinger = open(ping)?;
    let mut replies = Vec::new();
    let done = pinger.run(ping, &AtomicBool::new(false), &mut |reply| {
        replies.push(reply.clone());
        true
    });
    Ok((replies, done))
}

fn names(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_file_is_read_at_whole_places_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    // Two whole places of 4 KiB, and a rest that no read fits in.
    fs::write(&path, vec![7; 10_000]).unwrap();
    for caching in [Caching::Direct, Caching::Buffered] {
        let (replies, done) = carry_out(&ping(&path, caching)).unwrap();
        let numbers: Vec<u64> = replies.iter().map(|reply| reply.number).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5]);
        for reply in &replies {
            assert!([0, 4096].contains(&reply.offset), "{reply:?}");
            assert!(reply.result.is_ok(), "{reply:?}");
        }
        assert_eq!((done.reads.count, done.reads.bytes), (5, 5 * 4096));
        assert_eq!((done.failed(), done.interrupted), (0, false));
        assert!(done.min_ms().unwrap() > 0.0);
        // Four rests of a millisecond lie between five reads.
        assert!(done.took >= Duration::from_millis(4));
    }
    assert_eq!(fs::read(&path).unwrap(), vec![7; 10_000]);
}

#[test]
fn a_folder_is_empty_again_before_the_first_read() {
    let folder = tempfile::tempdir().unwrap();
    let ping = ping(folder.path(), Caching::Direct);
    let mut pinger = open(&ping).unwrap();
    assert_eq!(names(folder.path()), 0);
    assert!(pinger.notes[0].contains("a file of 1 MiB was made"));
    let mut offsets = Vec::new();
    let done = pinger.run(&ping, &AtomicBool::new(false), &mut |reply| {
        offsets.push(reply.offset);
        true
    });
    assert_eq!(done.reads.count, 5);
    assert!(offsets.iter().all(|offset| *offset < 1 << 20));
    assert!(offsets.iter().any(|offset| *offset > 0));
}

#[test]
fn it_ends_when_it_is_interrupted_and_when_nobody_listens() {
    let folder = tempfile::tempdir().unwrap();
    let mut ping = ping(folder.path(), Caching::Buffered);
    (ping.count, ping.interval) = (None, Duration::from_hours(1));
    let interrupt = AtomicBool::new(false);
    let mut pinger = open(&ping).unwrap();
    let done = pinger.run(&ping, &interrupt, &mut |_| {
        interrupt.store(true, Relaxed);
        true
    });
    assert_eq!((done.reads.count, done.interrupted), (1, true));
    let done = pinger.run(&ping, &AtomicBool::new(false), &mut |_| false);
    assert_eq!(done.reads.count, 1);
}

#[test]
fn a_file_that_is_cut_is_told_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, vec![7; 8192]).unwrap();
    let ping = ping(&path, Caching::Buffered);
    let mut pinger = open(&ping).unwrap();
    fs::write(&path, b"").unwrap();
    let mut told = Vec::new();
    let done = pinger.run(&ping, &AtomicBool::new(false), &mut |reply| {
        told.push(reply.result.clone().unwrap_err());
        true
    });
    assert_eq!(told.len(), 5);
    assert!(told[0].starts_with("only 0 bytes were there"), "{told:?}");
    assert_eq!((done.failed(), done.reads.count), (5, 0));
    assert_eq!(done.min_ms(), None);
}

#[test]
fn what_cannot_be_read_is_refused_with_what_would_be_right() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("empty"), b"").unwrap();
    fs::write(at("small"), vec![7; 4095]).unwrap();
    let refused = |path: &Path| carry_out(&ping(path, Caching::Direct)).unwrap_err();
    assert!(refused(&at("none")).contains("No such file"));
    for name in ["empty", "small"] {
        let told = refused(&at(name));
        assert!(told.contains("too few for a read of 4096"), "{told}");
        assert!(told.contains("--size"), "{told}");
    }
    #[cfg(unix)]
    {
        let made = std::process::Command::new("mkfifo")
            .arg(at("pipe"))
            .status();
        assert!(made.unwrap().success());
        assert!(refused(&at("pipe")).contains("is a named pipe: name a file"));
        assert!(refused(Path::new("/dev/null")).contains("is a character device"));
    }
    assert_eq!(names(folder.path()), if cfg!(unix) { 3 } else { 2 });
}
