//! `iogauge ping TARGET`: one small read a second, one line each, and a summary at the end.

use ioengine::FileKind;

use super::{clock_seed, signals, terminal};
use crate::{
    exit::ExitCode,
    personality::{
        Settings,
        native::{INTERRUPTED, commands::ping::PingArgs, ping},
    },
    plan::{Caching, Ping},
    report::spoken::time,
    results::{LatencyFigures, Summary},
    runner::ping::{self as reads, Pinged, Pinger, Reply},
    units::{
        names::{escaped, shown},
        words::{grouped, plural, size},
    },
};

/// Carries it out.
pub(super) fn run(args: &PingArgs, settings: &Settings) -> ExitCode {
    let ping = match ping::asked(args, clock_seed().into()) {
        Ok(ping) => ping,
        Err(sentence) => return refused(&sentence),
    };
    let interrupt = match signals::interrupt_flag() {
        Ok(interrupt) => interrupt,
        Err(error) => {
            terminal::complain(&format!("iogauge: cannot watch for signals: {error}"));
            return ExitCode::Failed;
        }
    };
    let mut target = match reads::open(&ping) {
        Ok(target) => target,
        Err(sentence) => return refused(&sentence),
    };
    let quiet = args.quiet || settings.quiet;
    if !quiet {
        let size = ping::echo(args);
        let notes = size.iter().chain(&target.notes);
        notes.for_each(|note| terminal::complain(&format!("iogauge: {note}")));
    }
    let head = head(&ping, &target);
    let mut shown = ExitCode::Ok;
    let pinged = target.run(&ping, &interrupt, &mut |reply| {
        if !quiet && shown == ExitCode::Ok {
            let line = format!("{head}: {}\n", line(reply));
            shown = terminal::show(escaped(&line).as_bytes(), ExitCode::Ok);
        }
        // Nobody listens any more.
        shown == ExitCode::Ok
    });
    if shown != ExitCode::Ok {
        return shown;
    }
    let code = code(&ping, &pinged, signals::exit_code());
    terminal::show(summary(&ping, &pinged).as_bytes(), code)
}

fn refused(sentence: &str) -> ExitCode {
    terminal::complain(&format!("iogauge: ping: {sentence}"));
    ExitCode::Usage
}

/// Without a count Ctrl-C is how it ends; with one it is cut short, and another signal always cuts
/// it short. `signal` is the code of the one that came.
fn code(ping: &Ping, pinged: &Pinged, signal: u8) -> ExitCode {
    let wished = ping.count.is_none() && signal == INTERRUPTED;
    if pinged.failed() > 0 {
        ExitCode::Failed
    } else if pinged.interrupted && !wished {
        ExitCode::Face(signal)
    } else {
        ExitCode::Ok
    }
}

/// `4 KiB from ./x (ext4 /dev/vda1)`.
fn head(ping: &Ping, pinger: &Pinger) -> String {
    let place = match (&pinger.filesystem, &pinger.device) {
        (_, Some(device)) if pinger.kind == FileKind::BlockDevice => {
            format!(" (block device, {})", size(device.size))
        }
        (Some(filesystem), _) => format!(
            " ({} {})",
            filesystem.kind,
            shown(filesystem.source.as_ref())
        ),
        (None, _) => String::new(),
    };
    let cache = match pinger.caching {
        Caching::Direct => "",
        Caching::Buffered => ", page cache",
    };
    let path = shown(ping.path.as_os_str());
    format!("{} from {path}{place}{cache}", size(ping.size.into()))
}

/// `seq=1 time=0.210 ms`.
fn line(reply: &Reply) -> String {
    let number = reply.number;
    match &reply.result {
        Ok(took) => format!("seq={number} time={}", time(took.as_secs_f64() * 1e3, 3)),
        Err(why) => format!("seq={number} failed at byte {}: {why}", reply.offset),
    }
}

/// What all reads together say.
fn summary(ping: &Ping, pinged: &Pinged) -> String {
    let mut text = format!(
        "\n{}: {} in {:.1} s, {} failed\n",
        shown(ping.path.as_os_str()),
        plural(pinged.reads.count, "read"),
        pinged.took.as_secs_f64(),
        grouped(pinged.failed())
    );
    let figures = LatencyFigures::of(&pinged.reads.latency);
    let deviation = Summary::of(&pinged.reads, pinged.took).latency_stddev_ms;
    let some = |name: &str, ms: Option<f64>| ms.map(|ms| format!("{name} {}", time(ms, 3)));
    for figures in [
        vec![
            some("min", pinged.min_ms()),
            some("mean", figures.mean),
            some("max", figures.max),
            some("deviation", deviation),
        ],
        vec![some("p50", figures.p50), some("p99", figures.p99)],
    ] {
        let figures: Vec<String> = figures.into_iter().flatten().collect();
        if !figures.is_empty() {
            text.push_str(&figures.join(", "));
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::results::OperationStats;

    fn ping(count: Option<u64>) -> Ping {
        Ping {
            path: "a\x1bb".into(),
            size: 4096,
            count,
            interval: Duration::from_secs(1),
            caching: Caching::Direct,
            seed: 0,
        }
    }

    fn pinged(micros: &[u64]) -> Pinged {
        let mut reads = OperationStats::default();
        for us in micros {
            reads.record(0, us * 1000, 4096);
        }
        Pinged {
            reads,
            took: Duration::from_millis(9500),
            interrupted: false,
        }
    }

    #[test]
    fn the_summary_has_what_the_reads_give() {
        // {100, 300} us: mean 0.2, deviation 0.1 ms.
        let text = summary(&ping(None), &pinged(&[100, 300]));
        assert_eq!(
            text,
            "\na\\u{1b}b: 2 reads in 9.5 s, 0 failed\n\
             min 0.100 ms, mean 0.200 ms, max 0.300 ms, deviation 0.100 ms\n"
        );
        // 20 reads have ten beyond the middle, and none beyond 99 %.
        let text = summary(&ping(None), &pinged(&[250; 20]));
        assert!(text.ends_with("\np50 0.250 ms\n"), "{text}");
        let text = summary(&ping(None), &pinged(&[]));
        assert_eq!(text, "\na\\u{1b}b: 0 reads in 9.5 s, 0 failed\n");
    }

    #[test]
    fn a_line_tells_the_time_or_why_there_is_none() {
        let reply = |result| Reply {
            number: 3,
            offset: 8192,
            result,
        };
        let took = Ok(Duration::from_micros(1234));
        assert_eq!(line(&reply(took)), "seq=3 time=1.23 ms");
        let text = line(&reply(Err("Input/output error (EIO)".into())));
        assert_eq!(text, "seq=3 failed at byte 8192: Input/output error (EIO)");
    }

    #[test]
    fn the_exit_code_tells_an_end_from_a_cut() {
        let mut pinged = pinged(&[100]);
        assert_eq!(code(&ping(Some(1)), &pinged, 130), ExitCode::Ok);
        pinged.interrupted = true;
        assert_eq!(code(&ping(None), &pinged, 130), ExitCode::Ok);
        assert_eq!(code(&ping(Some(2)), &pinged, 130), ExitCode::Face(130));
        // SIGTERM is 15, SIGHUP 1.
        assert_eq!(code(&ping(None), &pinged, 143), ExitCode::Face(143));
        assert_eq!(code(&ping(None), &pinged, 129), ExitCode::Face(129));
        pinged.reads.errors.insert(5, 1);
        assert_eq!(code(&ping(None), &pinged, 143), ExitCode::Failed);
    }
}
