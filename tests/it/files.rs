//! Files that `-c` makes: their size, their extents, their content. What a filesystem has not
//! written it invents, as zeros and without I/O, so that a read test of it would be fantasy.

use std::{collections::BTreeSet, fs, os::unix::fs::MetadataExt, path::Path};

use crate::util::{self, Dir, Loop};

#[test]
fn created_files_hold_real_data() {
    let _turn = util::busy();
    for (size, bytes) in [("1M", 1 << 20), ("5000K", 5_120_000), ("64M", 64 << 20)] {
        let dir = Dir::new();
        util::run(&mut dir.diskspd(&format!("-c{size} -b4K -d1 -W0 -o1 f"))).expect_code(0);
        is_random(&dir.join("f"), bytes);
        is_written(&dir.join("f"), bytes as u64);
    }
}

/// Their extents are of the filesystem's making: each kind that is at hand is asked.
#[test]
fn created_files_are_written_on_every_filesystem() {
    let _turn = util::busy();
    for kind in ["ext4", "xfs", "btrfs"] {
        let dir = Dir::new();
        let image = dir.join("image");
        let file = fs::File::create(&image).expect("an image");
        file.set_len(512 << 20).expect("a sparse file");
        let Some(mut disk) = Loop::over(&image) else {
            return;
        };
        let place = dir.join("mnt");
        if !disk.mount(&place, kind, "rw") {
            continue;
        }
        for line in ["-c24M", "-c24M -Su", "-c24M -Sh"] {
            let target = place.join("f");
            let line = format!("{line} -b4K -d1 -W0 -o1 {}", target.display());
            util::run(&mut dir.diskspd(&line)).expect_code(0);
            is_written(&target, 24 << 20);
            is_random(&target, 24 << 20);
            fs::remove_file(&target).expect("it can be removed");
        }
    }
}

/// No word of eight bytes comes twice, in a file or in two: nothing compresses or deduplicates it.
#[test]
fn created_files_differ_from_run_to_run() {
    let _turn = util::busy();
    let dir = Dir::new();
    let mut words = BTreeSet::new();
    for line in ["-c1M a", "-c1M a", "-c1M b", "-c1M -z5 c"] {
        util::run(&mut dir.diskspd(&format!("-b4K -d1 -W0 -o1 {line}"))).expect_code(0);
        let name = &line[line.len() - 1..];
        let content = fs::read(dir.join(name)).expect("the file");
        for word in content.chunks_exact(8) {
            words.insert(<[u8; 8]>::try_from(word).expect("eight"));
        }
    }
    // Among 2^19 random words the chance of any pair is 1 in 2^26.
    assert_eq!(words.len(), 4 << 17);
}

#[track_caller]
fn is_random(path: &Path, bytes: usize) {
    let content = fs::read(path).expect("the file");
    assert_eq!(content.len(), bytes);
    let blocks: BTreeSet<&[u8]> = content.chunks_exact(4096).collect();
    assert_eq!(blocks.len(), bytes / 4096, "blocks repeat");
    let mut counts = [0_u64; 256];
    for byte in &content {
        counts[usize::from(*byte)] += 1;
    }
    // Far beyond what chance does to 4096 or more of each.
    let even = bytes as f64 / 256.0;
    for (byte, count) in counts.iter().enumerate() {
        let apart = (*count as f64 - even).abs();
        assert!(
            apart < 8.0 * even.sqrt(),
            "byte {byte}: {count}, not {even}"
        );
    }
}

/// Every block has an extent, and every extent was written.
#[track_caller]
fn is_written(path: &Path, size: u64) {
    let allocated = fs::metadata(path).expect("the file").blocks() * 512;
    assert!(
        allocated >= size,
        "{allocated} bytes of {size} are allocated"
    );
    let name = path.to_string_lossy();
    let Some(map) = util::tool("filefrag", &["-v", "-b512", &name]) else {
        return util::skip("filefrag is missing or the filesystem has no extents to show");
    };
    for word in ["unwritten", "delalloc", "unknown_loc"] {
        assert!(!map.contains(word), "{map}");
    }
    assert_eq!(covered(&map), Some(size.div_ceil(512)), "{map}");
}

/// Blocks from the start that the extents cover without a gap; `None` if there is one.
/// `   0:        0..    2047:   33000..  35047:   2048:             last,eof`
fn covered(map: &str) -> Option<u64> {
    let mut next = 0;
    for line in map.lines() {
        let Some((_, range)) = line
            .split_once(':')
            .filter(|(n, _)| n.trim().parse::<u32>().is_ok())
        else {
            continue;
        };
        let (from, to) = range.split(':').next()?.split_once("..")?;
        if from.trim().parse::<u64>().ok()? != next {
            return None;
        }
        next = to.trim().parse::<u64>().ok()? + 1;
    }
    Some(next)
}

#[test]
fn a_gap_between_extents_is_seen() {
    let head =
        "Filesystem type is: ef53\n ext:     logical_offset:        physical_offset: length:\n";
    let one = "   0:        0..    2047:   33000..  35047:   2048:\n";
    let two = "   1:     2048..    4095:   63000..  65047:   2048:    35048: last,eof\n";
    assert_eq!(
        covered(&format!("{head}{one}{two}f: 2 extents found\n")),
        Some(4096)
    );
    assert_eq!(covered(&format!("{head}{two}")), None);
    assert_eq!(covered(head), Some(0));
}

/// `IOGAUGE_DATA` says what is in them: the original wrote 0 to 255 over and over, from 0 in each
/// MiB; zeros with `-Z`.
#[test]
fn the_content_of_created_files_can_be_chosen() {
    let _turn = util::busy();
    let rising = |at: usize| (at % (1 << 20)) as u8;
    for (data, line, pattern) in [
        ("original", "-c3M", true),
        ("original", "-c3M -Z", false),
        ("zeros", "-c3M", false),
        ("original", "-c2500K", true),
    ] {
        let dir = Dir::new();
        let mut command = dir.diskspd(&format!("{line} -b4K -d1 -W0 -o1 f"));
        util::run(command.env("IOGAUGE_DATA", data)).expect_code(0);
        let content = fs::read(dir.join("f")).expect("the file");
        let wrong = content
            .iter()
            .enumerate()
            .find(|(at, byte)| **byte != if pattern { rising(*at) } else { 0 });
        assert_eq!(wrong, None, "{data} {line}");
        is_written(&dir.join("f"), content.len() as u64);
        assert!(content.len() >= 2500 << 10);
    }
}
