//! A run of the executable under strace: which threads made which system calls, in which order.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use crate::util::{self, Dir, Output};

/// Calls that move data, or hand requests to the kernel.
const TRANSFERS: &[&str] = &["pread64", "pwrite64", "io_uring_enter", "io_submit"];

/// One call, put together again where another thread's line split it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    /// The kernel's number of the thread.
    pub(crate) thread: u32,
    /// `pread64`.
    pub(crate) name: String,
    /// What stands between the parentheses.
    pub(crate) arguments: String,
    /// What it gave back; `None` for one that failed or did not return.
    pub(crate) result: Option<u64>,
}

/// One transfer by `pread64` or `pwrite64`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Transfer {
    /// The worker's number, from 0.
    pub(crate) worker: usize,
    /// Else a read.
    pub(crate) write: bool,
    /// Of the buffer.
    pub(crate) address: u64,
    /// In bytes.
    pub(crate) length: u64,
    /// In the file.
    pub(crate) offset: u64,
}

/// All that was seen.
#[derive(Debug)]
pub(crate) struct Trace {
    /// What the run printed.
    pub(crate) output: Output,
    calls: Vec<Call>,
    /// Threads by the name they gave themselves.
    names: BTreeMap<u32, String>,
}

/// A run to be traced.
pub(crate) struct Traced<'a> {
    /// Its folder.
    pub(crate) dir: &'a Dir,
    /// Whose line it is.
    pub(crate) face: &'a str,
    /// The engine; the line's own choice if empty.
    pub(crate) engine: &'a str,
    /// Further variables.
    pub(crate) variables: &'a [(&'a str, &'a str)],
    /// What strace is asked for, or all.
    pub(crate) calls: &'a str,
    /// Further arguments of strace.
    pub(crate) options: &'a [&'a str],
}

impl<'a> Traced<'a> {
    /// Opens and transfers under the engine of ordinary calls.
    pub(crate) fn transfers(dir: &'a Dir) -> Self {
        Self {
            dir,
            face: "diskspd",
            engine: "psync",
            variables: &[],
            calls: "?open,openat,pread64,pwrite64,prctl",
            options: &["-s", "4096", "-e", "raw=pread64,pwrite64"],
        }
    }

    /// Runs `iogauge FACE WORDS`; says that the test is skipped and gives `None` where nothing
    /// can be traced.
    pub(crate) fn run(&self, words: &[impl AsRef<std::ffi::OsStr>]) -> Option<Trace> {
        if !util::has("strace") {
            util::skip("strace is missing: the system calls are not seen");
            return None;
        }
        let log = self.dir.join("trace");
        let mut command = Command::new("strace");
        command
            .args(["-f", "-e", &format!("trace={}", self.calls)])
            .args(self.options)
            .arg("-o")
            .arg(&log)
            .args([env!("CARGO_BIN_EXE_iogauge"), self.face])
            .args(words)
            .env("IOGAUGE_ENGINE", self.engine)
            .env("IOGAUGE_HISTORY", "off")
            .current_dir(self.dir.path());
        for (name, value) in self.variables {
            command.env(name, value);
        }
        let output = util::run(&mut command);
        if output.code != Some(0) && output.stderr.contains("ptrace") {
            util::skip("strace may not trace here");
            return None;
        }
        if output.code != Some(0) && output.stderr.contains("is refused") {
            util::skip(&format!("engine {} is refused here", self.engine));
            return None;
        }
        output.expect_code(0);
        let text = std::fs::read(&log).expect("the trace");
        let trace = Trace::parse(&String::from_utf8_lossy(&text), output);
        let names_seen = self.calls == "all" || self.calls.contains("prctl");
        assert!(
            !names_seen || !trace.workers().is_empty(),
            "no thread is called io-N"
        );
        Some(trace)
    }

    /// As `run`, of a line split at blanks.
    pub(crate) fn line(&self, line: &str) -> Option<Trace> {
        self.run(&line.split_whitespace().collect::<Vec<_>>())
    }
}

impl Trace {
    fn parse(text: &str, output: Output) -> Self {
        let mut calls: Vec<Call> = Vec::new();
        let (mut names, mut open) = (BTreeMap::new(), BTreeMap::<u32, usize>::new());
        for line in text.lines() {
            let Some((thread, rest)) = line.trim_start().split_once(' ') else {
                continue;
            };
            let Ok(thread) = thread.parse::<u32>() else {
                continue;
            };
            let rest = rest.trim_start();
            if let Some((_, tail)) = rest.strip_prefix("<... ").and_then(|r| r.split_once('>')) {
                if let Some(at) = open.remove(&thread) {
                    let (arguments, result) = ended(tail);
                    calls[at].arguments.push_str(arguments);
                    calls[at].result = result;
                }
                continue;
            }
            let Some((name, tail)) = rest.split_once('(') else {
                continue;
            };
            let (arguments, result) = if let Some(part) = tail.strip_suffix("<unfinished ...>") {
                open.insert(thread, calls.len());
                (part, None)
            } else {
                ended(tail)
            };
            if let Some(own) = arguments.strip_prefix("PR_SET_NAME, \"") {
                let own = own.split('"').next().unwrap_or_default();
                names.insert(thread, own.to_owned());
            }
            calls.push(Call {
                thread,
                name: name.to_owned(),
                arguments: arguments.to_owned(),
                result,
            });
        }
        Self {
            output,
            calls,
            names,
        }
    }

    /// Threads that do the I/O, in the order of their numbers.
    pub(crate) fn workers(&self) -> Vec<u32> {
        let mut found: Vec<(u32, u32)> = self
            .names
            .iter()
            .filter_map(|(thread, name)| Some((name.strip_prefix("io-")?.parse().ok()?, *thread)))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, thread)| thread).collect()
    }

    /// All calls in the order in which they began.
    pub(crate) fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// Number of calls of this name, by whomever.
    pub(crate) fn count(&self, name: &str) -> usize {
        self.calls.iter().filter(|call| call.name == name).count()
    }

    /// The calls of a thread from its first transfer to its last.
    pub(crate) fn hot(&self, thread: u32) -> Vec<&Call> {
        let calls: Vec<&Call> = self.calls.iter().filter(|c| c.thread == thread).collect();
        let moves = |call: &&Call| TRANSFERS.contains(&call.name.as_str());
        let (first, last) = (calls.iter().position(moves), calls.iter().rposition(moves));
        match (first, last) {
            (Some(first), Some(last)) => calls[first..=last].to_vec(),
            _ => Vec::new(),
        }
    }

    /// Operations that the workers handed to the kernel.
    pub(crate) fn operations(&self) -> u64 {
        let workers = self.workers();
        let by_workers = self.calls.iter().filter(|c| workers.contains(&c.thread));
        by_workers
            .map(|call| match call.name.as_str() {
                "pread64" | "pwrite64" => 1,
                "io_submit" | "io_uring_enter" => call.result.unwrap_or(0),
                _ => 0,
            })
            .sum()
    }

    /// What the workers moved by ordinary calls.
    pub(crate) fn transfers(&self) -> Vec<Transfer> {
        let workers = self.workers();
        self.calls
            .iter()
            .filter_map(|call| {
                let worker = workers.iter().position(|thread| *thread == call.thread)?;
                transfer(call, worker).map(|(_, transfer)| transfer)
            })
            .collect()
    }

    /// The calls that opened what the workers moved data from and to. What looked at the target
    /// before has closed its descriptor again, whose number may come twice.
    pub(crate) fn opens(&self) -> Vec<String> {
        let workers = self.workers();
        let (mut table, mut used) = (BTreeMap::new(), BTreeSet::new());
        for call in &self.calls {
            if let ("open" | "openat", Some(file)) = (call.name.as_str(), call.result) {
                table.insert(file, &call.arguments);
            } else if workers.contains(&call.thread)
                && let Some((file, _)) = transfer(call, 0)
            {
                used.extend(table.get(&file).copied().cloned());
            }
        }
        used.into_iter().collect()
    }
}

/// What is left of the arguments, and the result: `0x1000) = 0x1000`.
fn ended(tail: &str) -> (&str, Option<u64>) {
    let Some((arguments, result)) = tail.rsplit_once(" = ") else {
        return (tail, None);
    };
    let result = result.split_whitespace().next().and_then(number);
    let arguments = arguments.trim_end();
    (arguments.strip_suffix(')').unwrap_or(arguments), result)
}

fn number(word: &str) -> Option<u64> {
    match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

/// The descriptor and the transfer: `0x3, 0x7f30, 0x1000, 0x2000`.
fn transfer(call: &Call, worker: usize) -> Option<(u64, Transfer)> {
    let write = match call.name.as_str() {
        "pread64" => false,
        "pwrite64" => true,
        _ => return None,
    };
    let numbers: Option<Vec<u64>> = call
        .arguments
        .split(", ")
        .map(str::trim)
        .map(number)
        .collect();
    let [file, address, length, offset] = numbers?[..] else {
        return None;
    };
    let transfer = Transfer {
        worker,
        write,
        address,
        length,
        offset,
    };
    Some((file, transfer))
}

#[test]
fn a_trace_is_read_split_calls_included() {
    let text = "\
11 openat(AT_FDCWD, \"target\", O_RDONLY|O_CLOEXEC) = 3
11 pread64(0x3, 0x55dfdac7a200, 0x10, 0)           = 0x10
11 open(\"target\", O_RDWR|O_DIRECT <unfinished ...>
12 prctl(PR_SET_NAME, \"io-0\" <unfinished ...>
13 prctl(PR_SET_NAME, \"io-1\")            = 0
12 <... prctl resumed>)           = 0
12 openat(AT_FDCWD, \"/etc/x\", O_RDONLY|O_CLOEXEC) = 4
11 <... open resumed>)           = 3
12 pread64(0x3, 0x7f3030000000, 0x1000, 0) = 0x1000
13 pwrite64(0x3, 0x55dfdac7a200, 0x200, 0x400 <unfinished ...>
12 futex(0x7f3030000000, FUTEX_WAKE_PRIVATE, 1) = 0
13 <... pwrite64 resumed>)           = 0x200
12 io_submit(0x7f30, 3, [{aio_data=0}, {aio_data=1}]) = 2
12 io_submit(0x7f30, 1, [{aio_data=0}]) = -1 EAGAIN (Resource temporarily unavailable)
11 +++ exited with 0 +++
";
    let output = Output {
        code: Some(0),
        hung: false,
        stdout: String::new(),
        stderr: String::new(),
    };
    let trace = Trace::parse(text, output);
    assert_eq!(trace.workers(), [12, 13]);
    assert_eq!(trace.opens(), ["\"target\", O_RDWR|O_DIRECT "]);
    assert_eq!(trace.operations(), 4);
    let hot: Vec<&str> = trace.hot(12).iter().map(|c| c.name.as_str()).collect();
    assert_eq!(hot, ["pread64", "futex", "io_submit", "io_submit"]);
    let wanted = |worker, write, address, length, offset| Transfer {
        worker,
        write,
        address,
        length,
        offset,
    };
    assert_eq!(
        trace.transfers(),
        [
            wanted(0, false, 0x7f30_3000_0000, 4096, 0),
            wanted(1, true, 0x55df_dac7_a200, 512, 1024),
        ]
    );
}
