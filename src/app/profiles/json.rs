//! The same facts for programs: plain bytes, milliseconds and percent, with the unit in the key.

use serde::Serialize;

use super::Shown;
use crate::{
    host::Machine,
    plan::Direction,
    profiles::{Question, format::Basis},
};

/// Version of the form.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct All<'a> {
    iogauge_profiles: u32,
    machine: Facts,
    profiles: Vec<One<'a>>,
}

#[derive(Serialize)]
struct Facts {
    logical_cpus: usize,
    numa_nodes: u32,
    sockets: u32,
    soft_numa_nodes: u32,
}

#[derive(Serialize)]
struct One<'a> {
    name: &'a str,
    summary: &'a str,
    basis: &'static str,
    question: &'static str,
    rate_unit: &'a str,
    operations_table: Option<Cells<'a>>,
    groups: Vec<Group>,
    files: Vec<NeededFile>,
    numbers: Vec<Number<'a>>,
    marks: Vec<Mark<'a>>,
    notes: &'a [String],
    sources: Vec<Source<'a>>,
}

#[derive(Serialize)]
struct Cells<'a> {
    file_type: &'a str,
    operation: &'a str,
    read_pattern: &'a str,
    write_pattern: &'a str,
    threads_used: &'a str,
    io_type: &'a str,
}

#[derive(Serialize)]
struct Group {
    name: String,
    threads: u32,
    in_flight_per_thread: u32,
    /// Streams that have I/Os in flight of their own; empty where all share them.
    streams: Vec<OneStream>,
    reads: Vec<Size>,
    writes: Vec<Size>,
    due_per_second: Option<f64>,
}

#[derive(Serialize)]
struct OneStream {
    write_percent: u32,
    in_flight_per_thread: u32,
}

#[derive(Serialize)]
struct Size {
    bytes: u32,
    share_percent: f64,
}

#[derive(Serialize)]
struct NeededFile {
    role: &'static str,
    number: u32,
    size_bytes: u64,
    size_min_bytes: u64,
}

#[derive(Serialize)]
struct Number<'a> {
    title: &'a str,
    text: &'a str,
}

#[derive(Serialize)]
struct Mark<'a> {
    group: &'a str,
    direction: &'static str,
    good_ms: f64,
    acceptable_ms: f64,
    slow_ms: f64,
    percentile: Option<f64>,
    percentile_limit_ms: Option<f64>,
    source: &'a str,
}

#[derive(Serialize)]
struct Source<'a> {
    title: &'a str,
    link: Option<&'a str>,
    says: &'a str,
}

/// All of these as one object.
///
/// # Errors
/// A number that JSON cannot say.
pub(super) fn text(all: &[Shown], machine: &Machine) -> Result<String, String> {
    let all = All {
        iogauge_profiles: VERSION,
        machine: Facts {
            logical_cpus: machine.usable.len(),
            numa_nodes: machine.nodes(),
            sockets: machine.sockets(),
            soft_numa_nodes: machine.soft_nodes(),
        },
        profiles: all.iter().map(one).collect(),
    };
    let text = serde_json::to_string_pretty(&all);
    text.map(|text| text + "\n")
        .map_err(|error| format!("cannot be said in JSON: {error}"))
}

fn stream((write_percent, in_flight_per_thread): (u32, u32)) -> OneStream {
    OneStream {
        write_percent,
        in_flight_per_thread,
    }
}

fn one(shown: &Shown) -> One<'_> {
    let Shown { profile, resolved } = shown;
    let sizes = |sizes: Vec<(u32, f64)>| {
        let size = |(bytes, share_percent)| Size {
            bytes,
            share_percent,
        };
        sizes.into_iter().map(size).collect()
    };
    One {
        name: &profile.name,
        summary: &profile.summary,
        basis: match profile.basis {
            Basis::Table => "table",
            Basis::BeyondTable => "beyond-table",
            Basis::Sources => "sources",
        },
        question: match profile.question {
            Question::None => "none",
            Question::Throughput => "throughput",
            Question::Marks => "marks",
            Question::Limit => "limit",
        },
        rate_unit: &resolved.rate_unit,
        operations_table: profile.row.as_ref().map(|row| Cells {
            file_type: &row.file,
            operation: &row.operation,
            read_pattern: &row.read,
            write_pattern: &row.write,
            threads_used: &row.threads,
            io_type: &row.io,
        }),
        groups: resolved
            .groups()
            .into_iter()
            .map(|group| Group {
                name: group.name,
                threads: group.threads,
                in_flight_per_thread: group.in_flight,
                streams: group.apart.into_iter().map(stream).collect(),
                reads: sizes(group.reads),
                writes: sizes(group.writes),
                due_per_second: group.per_second,
            })
            .collect(),
        files: files(shown),
        numbers: resolved
            .numbers
            .iter()
            .map(|(title, text)| Number { title, text })
            .collect(),
        marks: marks(shown),
        notes: &resolved.notes,
        sources: profile
            .sources
            .iter()
            .map(|source| Source {
                title: &source.title,
                link: source.link.as_deref(),
                says: &source.says,
            })
            .collect(),
    }
}

/// Each file once, whatever parts of it are used apart.
fn files(shown: &Shown) -> Vec<NeededFile> {
    let mut files: Vec<NeededFile> = Vec::new();
    for file in &shown.resolved.files {
        let role = file.role.word();
        if !files
            .iter()
            .any(|known| (known.role, known.number) == (role, file.number))
        {
            files.push(NeededFile {
                role,
                number: file.number,
                size_bytes: file.size,
                size_min_bytes: file.size_min,
            });
        }
    }
    files
}

fn marks(shown: &Shown) -> Vec<Mark<'_>> {
    shown
        .resolved
        .marks
        .iter()
        .map(|mark| Mark {
            group: &mark.group,
            direction: match mark.direction {
                Direction::Read => "read",
                Direction::Write => "write",
            },
            good_ms: mark.good_ms,
            acceptable_ms: mark.acceptable_ms,
            slow_ms: mark.slow_ms,
            percentile: mark.percentile.map(|(fraction, _)| fraction),
            percentile_limit_ms: mark.percentile.map(|(_, limit)| limit),
            source: &mark.source,
        })
        .collect()
}
