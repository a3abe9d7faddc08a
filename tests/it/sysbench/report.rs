//! The figures of a sysbench report, and what must hold among them, whatever was measured.

/// A report of either dialect; of several in one output, one.
#[derive(Debug, Clone, Default)]
pub(super) struct Report {
    /// Reads, writes, others, and their total: 0.4.
    pub(super) counts: Option<[u64; 4]>,
    /// Bytes as printed, five digits long: read, written, both, and both a second: 0.4.
    pub(super) bytes: Option<[f64; 4]>,
    /// Requests a second: 0.4.
    pub(super) requests: f64,
    /// Reads, writes and fsyncs a second: 1.0.
    pub(super) rates: [f64; 3],
    /// Read and written: 1.0.
    pub(super) mib: [f64; 2],
    pub(super) seconds: f64,
    pub(super) events: u64,
    /// Least, mean and greatest latency, in milliseconds.
    pub(super) latency: [f64; 3],
    pub(super) percentile: Option<f64>,
    /// All latencies together, in milliseconds.
    pub(super) sum: f64,
    /// Events and seconds of a thread in the mean.
    pub(super) fairness: [f64; 2],
}

impl Report {
    /// The only report of an output.
    #[track_caller]
    pub(super) fn parse(text: &str) -> Self {
        let all = Self::all(text);
        assert_eq!(all.len(), 1, "not one report: {text}");
        all.into_iter().next().expect("one")
    }

    /// All reports, checkpoints first.
    pub(super) fn all(text: &str) -> Vec<Self> {
        let head = if text.contains("Operations performed:") {
            "Operations performed:"
        } else {
            "File operations:"
        };
        text.split(head).skip(1).map(Self::read).collect()
    }

    /// The rest behind the head line.
    fn read(text: &str) -> Self {
        let first = text.lines().next().unwrap_or_default();
        let old = !first.is_empty();
        let after = |label: &str| {
            let line = text
                .lines()
                .find(|line| line.trim_start().starts_with(label));
            let line = line.unwrap_or_default().trim_start();
            number(line.strip_prefix(label).unwrap_or_default())
        };
        let of = |label: &str| after(label).unwrap_or(f64::NAN);
        let percentile = text.lines().find_map(|line| {
            let line = line.strip_prefix("         ")?;
            number(line.split_once("percentile:")?.1)
        });
        let requests = text
            .lines()
            .find_map(|line| line.split_once(" Requests/sec"));
        let spent = after("total time taken by event execution:").map(|s| s * 1e3);
        Self {
            counts: old.then(|| operations(first)),
            bytes: text
                .lines()
                .find(|l| l.starts_with("Read "))
                .map(transferred),
            requests: requests.and_then(|r| number(r.0)).unwrap_or(0.0),
            rates: ["reads/s:", "writes/s:", "fsyncs/s:"].map(of),
            mib: ["read, MiB/s:", "written, MiB/s:"].map(of),
            seconds: of("total time:"),
            events: of("total number of events:") as u64,
            latency: ["min:", "avg:", "max:"].map(of),
            percentile,
            sum: spent.unwrap_or_else(|| of("sum:")),
            fairness: ["events (avg/stddev):", "execution time (avg/stddev):"].map(of),
        }
    }

    /// What does not hold. `block` is the size of every request, if they have one; `seconds` the
    /// time that rates are of; `threads` how many there were.
    pub(super) fn problems(&self, block: Option<u64>, seconds: f64, threads: u64) -> Vec<String> {
        let mut problems = Vec::new();
        let mut hold = |what: &str, holds: bool| {
            if !holds {
                problems.push(format!("{what} does not hold: {self:?}"));
            }
        };
        let follows = |rate: f64, amount: f64| {
            let slack = 0.0051 + rate * 0.000_051 / seconds;
            (rate - amount / seconds).abs() <= slack
        };
        if let (Some([reads, writes, others, total]), Some(bytes)) = (self.counts, self.bytes) {
            hold("R + W + O = T", reads + writes + others == total);
            hold("R + W = events", reads + writes == self.events);
            let done = self.events as f64;
            hold("Requests/sec", follows(self.requests, done));
            if let Some(block) = block {
                let amounts = [reads, writes, reads + writes].map(|n| (n * block) as f64);
                for (said, amount) in bytes.into_iter().zip(amounts) {
                    hold("bytes = requests x block size", close(said, amount));
                }
            }
            let rate = bytes[2] / seconds;
            let slack = 1e-4 + 1e-4 / seconds;
            hold("bytes a second", (bytes[3] - rate).abs() <= rate * slack);
        } else {
            // Periodic flushes are events, and those of the end are not.
            let moved = (self.rates[0] + self.rates[1]) * seconds;
            let flushed = self.rates[2] * seconds;
            let slack = 1.0 + (moved + flushed) * 0.000_051 / seconds + 0.015 * seconds;
            let events = self.events as f64;
            hold("R + W <= events", moved <= events + slack);
            hold("events <= R + W + F", events <= moved + flushed + slack);
            for (rate, mib) in self.rates.into_iter().zip(self.mib) {
                if let Some(block) = block {
                    let exact = rate * block as f64 / 1_048_576.0;
                    let slack = 0.0051 * (1.0 + block as f64 / 1_048_576.0);
                    hold("MiB/s = rate x block size", (mib - exact).abs() <= slack);
                }
            }
        }
        let [min, avg, max] = self.latency;
        if self.events > 0 {
            hold("min <= avg <= max", min <= avg && avg <= max);
            let sum = avg * self.events as f64;
            let slack = 0.06 + 0.0051 * self.events as f64;
            hold("sum = avg x events", (self.sum - sum).abs() <= slack);
            // A value stands for its bucket, which is 1.8 % wide; both are rounded.
            let greatest = max * 1.02 + 0.0102;
            hold(
                "percentile <= max",
                self.percentile.is_none_or(|p| p <= greatest),
            );
        }
        let threads = threads as f64;
        let events = self.fairness[0] * threads;
        hold(
            "events of threads",
            (events - self.events as f64).abs() < 0.01 * threads,
        );
        let spent = self.fairness[1] * threads * 1e3;
        hold(
            "time of threads",
            (spent - self.sum).abs() <= 0.06 + 0.06 * threads,
        );
        problems
    }
}

/// The number that text begins with.
fn number(text: &str) -> Option<f64> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    text[..end.unwrap_or(text.len())].parse().ok()
}

/// `  16980 Read, 11320 Write, 1132 Other = 29432 Total`.
fn operations(line: &str) -> [u64; 4] {
    let mut words = line.split_whitespace().filter_map(|word| word.parse().ok());
    std::array::from_fn(|_| words.next().expect("four counts"))
}

/// `Read 265.31Mb  Written 176.88Mb  Total transferred 442.19Mb  (220.31Mb/sec)`.
fn transferred(line: &str) -> [f64; 4] {
    let mut words = line.split_whitespace().filter_map(|word| {
        let word = word.trim_start_matches('(').trim_end_matches("/sec)");
        let unit = ["b", "Kb", "Mb", "Gb", "Tb"];
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let power = unit.iter().position(|u| *u == &word[digits.len()..])?;
        Some(digits.parse::<f64>().ok()? * 1024_f64.powi(power as i32))
    });
    std::array::from_fn(|_| words.next().expect("four amounts"))
}

/// Equal in five digits.
fn close(said: f64, exact: f64) -> bool {
    (said - exact).abs() <= exact * 0.000_051
}

/// The block size that the start text tells.
pub(super) fn block_size(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("Block size "))?;
    let unit = line.find(|c: char| !c.is_ascii_digit())?;
    let shift = match &line[unit..] {
        "b" | "B" => 0,
        "Kb" | "KiB" => 10,
        "Mb" | "MiB" => 20,
        _ => return None,
    };
    Some(line[..unit].parse::<u64>().ok()? << shift)
}

/// The number of threads that the start text tells.
pub(super) fn threads(text: &str) -> u64 {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("Number of threads: "));
    line.and_then(|number| number.parse().ok()).unwrap_or(1)
}

#[test]
fn figures_of_the_originals_hold_and_changed_ones_do_not() {
    let old = include_str!("../../reference/sysbench/v04-run-rndrw/stdout");
    let new = include_str!("../../reference/sysbench/v10-run-rndrw/stdout");
    for (text, changes) in [
        (
            old,
            [
                ("1132 Other", "1133 Other"),
                ("265.31Mb", "265.41Mb"),
                ("14100.02", "14200.02"),
                ("28300.0000", "28301.0000"),
            ],
        ),
        (
            new,
            [
                ("8189.41", "8289.41"),
                ("events:              28599", "events:              25599"),
                ("127.96", "127.99"),
                ("28599.0000", "28598.0000"),
            ],
        ),
    ] {
        let problems = |text: &str| {
            let report = Report::parse(text);
            // 1.0 takes the time of its rates a little after that of the total.
            let late = if report.counts.is_some() { 0.0 } else { 0.0014 };
            report.problems(block_size(text), report.seconds + late, threads(text))
        };
        assert_eq!(block_size(text), Some(16_384));
        assert!(problems(text).is_empty(), "{:?}", problems(text));
        for (right, wrong) in changes {
            assert!(text.contains(right), "{right}");
            let wrong = text.replacen(right, wrong, 1);
            assert!(!problems(&wrong).is_empty(), "{right}");
        }
    }
}
