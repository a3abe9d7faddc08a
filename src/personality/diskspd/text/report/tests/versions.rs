//! Reports in the words of older versions.

use std::{fs, time::Duration};

use super::{MIB16, measured_stream, short};
use crate::{
    host::{Cpu, CpuUse},
    personality::{
        DiskSpdVersion,
        diskspd::{
            profile::{Cache, Profile, Target, TimeSpan},
            testing::{counted, random, rendered, results, span, span_result, stream, target},
            text::{Form, TextReport},
        },
    },
    results::{OperationStats, StreamResult},
};

/// A published report of DiskSpd 2.0. The page that it is from has squeezed runs of blanks and
/// left out empty lines.
fn published() -> Vec<String> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/reference/diskspd-2.0-report.txt"
    );
    let text = fs::read_to_string(path)
        .unwrap()
        .replace(r".\diskspd.exe", "diskspd");
    text.lines().map(ToOwned::to_owned).collect()
}

fn squeezed(text: &str) -> Vec<String> {
    text.lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|line| !line.is_empty())
        .collect()
}

/// The cells of a thread's row: bytes, I/Os, mean and deviation of the latency in ms.
fn figures(line: &str) -> (u64, u64, f64, f64) {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let number = |i: usize| cells[i].parse::<f64>().unwrap();
    (
        cells[1].parse().unwrap(),
        cells[2].parse().unwrap(),
        number(5),
        number(6),
    )
}

/// Latencies with this mean and deviation: nine of ten below it, one above.
fn operations(line: &str) -> OperationStats {
    let (bytes, count, mean, deviation) = figures(line);
    let mut stats = counted(count, bytes);
    let above = count / 10;
    let odds = (above as f64 / (count - above) as f64).sqrt();
    for i in 0..count {
        let ms = if i < above {
            mean + deviation / odds
        } else {
            mean - deviation * odds
        };
        stats.latency.record((ms * 1e6) as u64);
    }
    stats
}

/// The rows of the threads in a table.
fn rows<'a>(report: &'a [String], table: &str) -> Vec<&'a str> {
    let from = report.iter().position(|line| line == table).unwrap() + 3;
    report[from..].iter().map(String::as_str).take(8).collect()
}

/// `-b8K -d300 -h -L -o32 -r -w40 -t8 -c1G .\datafile.dat`
fn asked() -> Profile {
    let mut profile = short(Target {
        block_size: 8192,
        cache: Cache::NoOsCache,
        write_through: true,
        pattern: random(),
        request_count: 32,
        write_ratio: 40,
        threads: 8,
        create_size: Some(1 << 30),
        ..target(r".\datafile.dat")
    });
    profile.spans[0] = TimeSpan {
        duration: 300,
        warmup: 5,
        measure_latency: true,
        ..profile.spans[0].clone()
    };
    profile
}

/// Percentiles are the machine's: only how they are written is compared.
fn without_percentiles(lines: &[String]) -> Vec<String> {
    let mut in_chart = false;
    let line = |line: &String| {
        in_chart |= line.starts_with("%-ile");
        let masked = |c: char| {
            if in_chart && c.is_ascii_digit() {
                '0'
            } else {
                c
            }
        };
        let cells = line.split(" | ").map(|cell| match cell.split_once('.') {
            Some((whole, decimals)) if in_chart && whole.parse::<u32>().is_ok() => {
                format!("0.{}", decimals.chars().map(masked).collect::<String>())
            }
            _ => cell.to_owned(),
        });
        cells.collect::<Vec<_>>().join(" | ")
    };
    lines.iter().map(line).collect()
}

#[test]
fn a_published_report_of_2_0_line_by_line() {
    let published = published();
    let (reads, writes) = (rows(&published, "Read IO"), rows(&published, "Write IO"));
    let worker = |i: usize| vec![stream(0, operations(reads[i]), operations(writes[i]))];
    let mut result = span_result(
        // 1077282 I/Os at 3590.88 a second.
        Duration::from_micros(300_005_100),
        &[(r".\datafile.dat", 1 << 30)],
        (0..8).map(worker).collect(),
    );
    result.cpus = vec![CpuUse {
        number: 0,
        user: Duration::from_millis(249),
        kernel: Duration::from_millis(3282),
        idle: Duration::from_millis(6469),
        ..CpuUse::default()
    }];
    let command_line = published[0].strip_prefix("Command Line: ").unwrap();
    let mut results = results(command_line, vec![result]);
    results.provenance.machine.cpus.truncate(1);
    let report = TextReport {
        profile: asked(),
        form: Form(DiskSpdVersion::V2_0),
    };
    let ours = without_percentiles(&squeezed(&rendered(&report, &results)));
    let theirs = without_percentiles(&published);
    assert_eq!(ours.len(), theirs.len());
    for (our, their) in ours.iter().zip(&theirs) {
        let (our_cells, their_cells) = (our.split(" | "), their.split(" | "));
        let alike = our_cells.clone().count() == their_cells.clone().count()
            && our_cells
                .zip(their_cells)
                .all(|(our, their)| agree(our, their));
        assert!(alike, "ours:   {our}\ntheirs: {their}");
    }
}

/// The same text, or with three decimals one apart in the last: the published figures that the
/// totals are computed from are rounded.
fn agree(ours: &str, theirs: &str) -> bool {
    let thousandths = |cell: &str| -> Option<i64> {
        let (whole, decimals) = cell.split_once('.').filter(|(_, d)| d.len() == 3)?;
        Some(whole.parse::<i64>().ok()? * 1000 + decimals.parse::<i64>().ok()?)
    };
    ours == theirs
        || matches!((thousandths(ours), thousandths(theirs)), (Some(a), Some(b)) if a.abs_diff(b) <= 1)
}

fn report(version: DiskSpdVersion, groups: u32) -> String {
    let mut profile = short(Target {
        block_size: 4096,
        ..target("a.dat")
    });
    profile.spans[0].measure_latency = true;
    profile.spans[0].targets.push(Target {
        block_size: 4096,
        ..target("b.dat")
    });
    let idle = StreamResult {
        target: 1,
        ..StreamResult::default()
    };
    let mut result = span_result(
        Duration::from_secs(1),
        &[("a.dat", MIB16), ("b.dat", MIB16)],
        vec![vec![measured_stream(0)], vec![idle]],
    );
    let numbers = (0..groups).map(|group| 64 * group);
    result.cpus = numbers
        .clone()
        .map(|number| CpuUse {
            number,
            kernel: Duration::from_secs(1),
            ..CpuUse::default()
        })
        .collect();
    let mut results = results("diskspd a.dat b.dat", vec![result.clone(), result]);
    results.provenance.machine.cpus = numbers
        .map(|number| Cpu {
            number,
            socket: number,
            node: number,
            core: number,
            class: 0,
        })
        .collect();
    profile.spans.push(profile.spans[0].clone());
    rendered(
        &TextReport {
            profile,
            form: Form(version),
        },
        &results,
    )
}

#[test]
fn the_blocks_of_2_1_follow_each_other_as_in_its_reports() {
    // Forms from published reports of 2.1 and 2.0.21.
    let text = report(DiskSpdVersion::V2_1, 1);
    for block in [
        "\n\t\tblock size: 4KiB\n",
        "\t\tnumber of outstanding I/O operations per thread: 2\n\t\tthreads per file: 1\n",
        "\n\nSystem information:\n\n\tcomputer name: vm\n\tstart time: 2026/11/30 19:49:05 UTC\n\n\
         Results for timespan 1:\n********",
        "*\n\nactual test time:\t1.00s\nthread count:\t\t2\nproc count:\t\t1\n\n\
         CPU |  Usage |  User  |  Kernel |  Idle\n\
         -------------------------------------------\n   \
            0| 100.00%|   0.00%|  100.00%|   0.00%\n\
         -------------------------------------------\n\
         avg.| 100.00%|   0.00%|  100.00%|   0.00%\n\nTotal IO\n",
        "|    MiB/s   |",
        "| a.dat (16MiB)\n",
        "\n\n\n\na.dat\n  %-ile |  Read (ms)",
        "\nb.dat\n  %-ile |  Read (ms)",
        "\n\ntotal:\n  %-ile |  Read (ms) | Write (ms) | Total (ms)\n",
        "\n9-nines |",
        "\n\n\nResults for timespan 2:\n",
    ] {
        assert!(text.contains(block), "{block}\n{text}");
    }
    assert!(!text.contains("cpu count"));
}

#[test]
fn groups_are_the_only_topology_of_old_tables() {
    let text = report(DiskSpdVersion::V2_1, 2);
    assert!(text.contains(
        "\nGroup | CPU |  Usage |  User  |  Kernel |  Idle\n\
         -------------------------------------------\n     \
              0|    0| 100.00%|   0.00%|  100.00%|   0.00%\n"
    ));
    assert!(text.contains("-\n        avg.| 100.00%|"));
}

#[test]
fn reports_of_2_0_have_no_system_and_one_chart() {
    let text = report(DiskSpdVersion::V2_0, 1);
    for block in [
        "\t\tusing software and hardware write cache\n\t\tperforming read test\n",
        "\t\tblock size: 4096\n\t\tusing sequential I/O (stride: 4096)\n",
        "\t\tnumber of outstanding I/O operations: 2\n\t\tthread stride size: 0\n",
        "\t\tIO priority: normal\n\n\n\nResults for timespan 1:\n",
        "|     MB/s   |",
        "| a.dat (16MB)\n",
        "\n\n\n  %-ile |",
        "type   |       bytes     |     I/Os     |     MB/s   |  I/O per s\n",
    ] {
        assert!(text.contains(block), "{block}\n{text}");
    }
    assert_eq!(text.matches("%-ile").count(), 2);
    for absent in ["9-nines", "System information", "MiB", "KiB"] {
        assert!(!text.contains(absent), "{absent}");
    }
}

#[test]
fn what_2_0_could_not_say_is_in_later_words() {
    let profile = Profile {
        spans: vec![TimeSpan {
            thread_count: 2,
            ..span(vec![Target {
                cache: Cache::NoOsCache,
                base: 4096,
                write_ratio: 30,
                ..target("x")
            }])
        }],
        ..short(target("x"))
    };
    let text = rendered(
        &TextReport {
            profile,
            form: Form(DiskSpdVersion::V2_0),
        },
        &results("diskspd x", Vec::new()),
    );
    for line in [
        "\t\tsoftware cache disabled\n\t\tusing hardware write cache, writethrough off\n",
        "\t\tperforming mix test (write/read ratio: 30/100)\n",
        "\t\tbase file offset: 4096\n",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("thread pool"));
}
