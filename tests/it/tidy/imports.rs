//! Who may import whom: the table of the architecture, of our folders and of foreign crates.

use super::{Problem, source::Source};

/// A folder of `src/`, and the folders that it may import besides itself.
const FOLDERS: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("verify", &["units"]),
    ("plan", &["units"]),
    ("measure", &["units"]),
    ("host", &["units"]),
    ("offsets", &["plan", "units"]),
    ("guard", &["plan", "host", "units"]),
    ("results", &["plan", "measure", "host", "units", "verify"]),
    ("audit", &["plan", "host", "results", "units"]),
    (
        "runner",
        &[
            "plan", "offsets", "guard", "measure", "host", "audit", "results", "units", "verify",
        ],
    ),
    ("report", &["results", "plan", "units"]),
    ("history", &["results"]),
    ("profiles", &["plan", "host", "units"]),
    (
        "personality",
        &["plan", "profiles", "host", "results", "report", "units"],
    ),
    (
        "app",
        &[
            "units",
            "plan",
            "measure",
            "host",
            "offsets",
            "guard",
            "results",
            "audit",
            "runner",
            "report",
            "history",
            "profiles",
            "personality",
            "exit",
        ],
    ),
    ("exit", &[]),
];

/// What a folder may use of the engines' crate; the empty name is all of it.
/// Plain types carry no I/O; `sys` is for facts about the host.
const ENGINE: &[(&str, &[&str])] = &[
    ("runner", &[""]),
    ("app", &[""]),
    ("plan", PLAIN),
    ("results", PLAIN),
    // Hands the wall time to observers, which may not see the engines.
    ("results", &["clock"]),
    ("host", &["sys", "FileKind", "Alignment"]),
];

/// Names and descriptions, no I/O.
const PLAIN: &[&str] = &[
    "registry",
    "EngineKind",
    "Capabilities",
    "Access",
    "Alignment",
    "Caching",
    "Durability",
    "FileKind",
    "Errno",
];

/// A crate that belongs to some folders only.
const CRATES: &[(&str, &[&str])] = &[
    ("clap", &["src/personality/native"]),
    ("quick_xml", &["src/personality/diskspd"]),
    ("maud", &["src/report/html"]),
    ("ratatui", &["src/report"]),
    ("rusqlite", &["src/history"]),
    ("signal_hook", &["src/app"]),
    ("hdrhistogram", &["src/measure"]),
    ("crc32fast", &["src/runner/trailer.rs"]),
    ("io_uring", &["crates/ioengine"]),
    ("libc", &["crates/ioengine"]),
    ("rustix", &["crates/ioengine"]),
    (
        "serde",
        &[
            "src/plan/wire",
            "src/profiles",
            "src/personality/native",
            "src/app",
        ],
    ),
    (
        "toml",
        &["src/plan/wire", "src/profiles", "src/personality/native"],
    ),
    ("serde_json", &["src/app", "src/report"]),
    ("clap_complete", &["src/personality/native"]),
    ("clap_mangen", &["src/personality/native"]),
];

/// The languages below `personality`, which know nothing of each other.
const PERSONALITIES: &[&str] = &["native", "diskspd", "sqlio", "sysbench"];

/// Imports of our own folders against the table.
pub(super) fn folders(source: &Source) -> Vec<Problem> {
    let module = source.module();
    let Some(from) = module.first().filter(|_| source.path.starts_with("src/")) else {
        return roots(source);
    };
    let allowed = FOLDERS.iter().find(|(name, _)| name == from);
    let Some((_, allowed)) = allowed else {
        return vec![Problem::new(
            source,
            1,
            format!("folder '{from}' is not in the import table"),
        )];
    };
    let mut problems = Vec::new();
    for (line, path) in references(source) {
        let Some(to) = path.first() else { continue };
        let known = FOLDERS.iter().any(|(name, _)| name == to);
        if known && to != from && !allowed.contains(&to.as_str()) {
            problems.push(Problem::new(
                source,
                line,
                format!("{from} must not import {to}"),
            ));
        }
        if let (Some("personality"), Some(other), Some(own)) =
            (path.first().map(String::as_str), path.get(1), module.get(1))
            && PERSONALITIES.contains(&other.as_str())
            && PERSONALITIES.contains(&own.as_str())
            && other != own
        {
            problems.push(Problem::new(
                source,
                line,
                format!("personality {own} must not import personality {other}"),
            ));
        }
    }
    problems
}

/// `main.rs` may use `app` and `exit`; `lib.rs` only declares.
fn roots(source: &Source) -> Vec<Problem> {
    if source.path != "src/main.rs" {
        return Vec::new();
    }
    paths_behind(source, "iogauge::")
        .into_iter()
        .filter(|(_, path)| !matches!(path.first().map(String::as_str), Some("app" | "exit")))
        .map(|(line, path)| {
            Problem::new(
                source,
                line,
                format!("main must not import {}", path.join("::")),
            )
        })
        .collect()
}

/// The engines' crate: only where the table allows, and only that part of it.
pub(super) fn engine(source: &Source) -> Vec<Problem> {
    if !source.path.starts_with("src/") {
        return Vec::new();
    }
    let from = source.module().first().cloned().unwrap_or_default();
    let allowed: Vec<&str> = ENGINE
        .iter()
        .filter(|(name, _)| *name == from)
        .flat_map(|(_, allowed)| allowed.iter().copied())
        .collect();
    paths_behind(source, "ioengine::")
        .into_iter()
        .filter(|(_, path)| {
            let first = path.first().map_or("", String::as_str);
            !allowed.iter().any(|a| a.is_empty() || *a == first)
        })
        .map(|(line, path)| {
            let path = path.join("::");
            Problem::new(
                source,
                line,
                format!("{from} must not use ioengine::{path}"),
            )
        })
        .collect()
}

/// Foreign crates outside their folder.
pub(super) fn crates(source: &Source) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, homes) in CRATES {
        if homes.iter().any(|home| source.path.starts_with(home)) {
            continue;
        }
        for (line, text) in source.shipped() {
            let used = find_word(text, name).any(|at| {
                let path = text[at + name.len()..].starts_with("::");
                let import = text[..at].trim_end().ends_with("use");
                (path || import) && !text[..at].ends_with("::")
            });
            if used {
                let homes = homes.join(", ");
                problems.push(Problem::new(
                    source,
                    line,
                    format!("crate {name} belongs to {homes}"),
                ));
            }
        }
    }
    problems
}

/// Every `crate::` and `super::` path in shipped code, from the root of the crate.
fn references(source: &Source) -> Vec<(usize, Vec<String>)> {
    let mut found = paths_behind(source, "crate::");
    let module = source.module();
    for (line, path) in paths_behind(source, "super::") {
        let ups = path.iter().take_while(|part| *part == "super").count() + 1;
        let mut whole: Vec<String> = module[..module.len().saturating_sub(ups)].to_vec();
        whole.extend(path.into_iter().filter(|part| part != "super"));
        found.push((line, whole));
    }
    found
}

/// The paths that follow `prefix`, groups taken apart.
fn paths_behind(source: &Source, prefix: &str) -> Vec<(usize, Vec<String>)> {
    let word = prefix.trim_end_matches(':');
    let shipped: Vec<(usize, &str)> = source.shipped().collect();
    let mut found = Vec::new();
    for (i, (line, text)) in shipped.iter().enumerate() {
        for at in find_word(text, word) {
            if text[..at].ends_with("::") || !text[at + word.len()..].starts_with("::") {
                continue;
            }
            let mut rest = text[at + prefix.len()..].to_owned();
            for (_, more) in &shipped[i + 1..] {
                if rest.matches('{').count() <= rest.matches('}').count() || rest.contains(';') {
                    break;
                }
                rest.push(' ');
                rest.push_str(more);
            }
            let chars: Vec<char> = rest.chars().collect();
            let mut paths = Vec::new();
            tree(&chars, &mut 0, &[], &mut paths);
            found.extend(paths.into_iter().map(|path| (*line, path)));
        }
    }
    found
}

/// Takes a use tree apart: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn tree(chars: &[char], at: &mut usize, before: &[String], out: &mut Vec<Vec<String>>) {
    let mut path = before.to_vec();
    loop {
        while chars.get(*at).is_some_and(|c| c.is_whitespace()) {
            *at += 1;
        }
        match chars.get(*at) {
            Some('{') => {
                *at += 1;
                loop {
                    while chars
                        .get(*at)
                        .is_some_and(|c| c.is_whitespace() || *c == ',')
                    {
                        *at += 1;
                    }
                    match chars.get(*at) {
                        None => return,
                        Some('}') => {
                            *at += 1;
                            return;
                        }
                        Some(_) => tree(chars, at, &path, out),
                    }
                    while chars.get(*at).is_some_and(|c| *c != ',' && *c != '}') {
                        *at += 1;
                    }
                }
            }
            Some(c) if c.is_alphanumeric() || *c == '_' => {
                let start = *at;
                while chars
                    .get(*at)
                    .is_some_and(|c| c.is_alphanumeric() || *c == '_')
                {
                    *at += 1;
                }
                path.push(chars[start..*at].iter().collect());
                if chars.get(*at) == Some(&':') && chars.get(*at + 1) == Some(&':') {
                    *at += 2;
                    continue;
                }
            }
            _ => {}
        }
        out.push(path);
        return;
    }
}

/// Where `word` stands as a whole word.
pub(super) fn find_word<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |at| {
            !text[..*at].chars().next_back().is_some_and(inside)
                && !text[at + word.len()..].chars().next().is_some_and(inside)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(check: fn(&Source) -> Vec<Problem>, path: &str, text: &str) -> Vec<String> {
        check(&Source::new(path, text))
            .into_iter()
            .map(|p| p.message)
            .collect()
    }

    #[test]
    fn an_import_against_the_flow_is_seen_in_every_form() {
        let bad = ["plan must not import runner"];
        for text in [
            "use crate::runner::Runner;",
            "use crate::{\n    units::ByteSize,\n    runner::Runner,\n};",
            "fn f() { crate::runner::run(); }",
            "use super::runner::Runner;",
        ] {
            assert_eq!(said(folders, "src/plan/mod.rs", text), bad, "{text}");
        }
        assert_eq!(
            said(folders, "src/plan/load.rs", "use super::super::runner;"),
            bad
        );
        assert!(said(folders, "src/plan/load.rs", "use super::runner;").is_empty());
        assert!(said(folders, "src/plan/a.rs", "use crate::{plan::B, units::C};").is_empty());
        assert!(said(folders, "src/app/run.rs", "use crate::{runner, history};").is_empty());
        assert_eq!(
            said(folders, "src/strange/mod.rs", ""),
            ["folder 'strange' is not in the import table"]
        );
    }

    #[test]
    fn nobody_imports_app_but_main_and_personalities_stay_apart() {
        assert_eq!(
            said(folders, "src/runner/mod.rs", "use crate::app::run;"),
            ["runner must not import app"]
        );
        assert_eq!(
            said(
                folders,
                "src/personality/sqlio/mod.rs",
                "use crate::personality::{flags::Flag, diskspd::DiskSpd};"
            ),
            ["personality sqlio must not import personality diskspd"]
        );
        assert_eq!(
            said(
                folders,
                "src/personality/sqlio/text.rs",
                "use super::super::sysbench;"
            ),
            ["personality sqlio must not import personality sysbench"]
        );
        assert_eq!(
            said(
                folders,
                "src/main.rs",
                "fn main() { iogauge::runner::go() }"
            ),
            ["main must not import runner::go"]
        );
    }

    #[test]
    fn the_engines_are_for_the_runner_and_plain_types_for_the_plan() {
        assert_eq!(
            said(engine, "src/offsets/mod.rs", "use ioengine::Nanos;"),
            ["offsets must not use ioengine::Nanos"]
        );
        assert_eq!(
            said(
                engine,
                "src/plan/mod.rs",
                "use ioengine::{EngineKind, File};"
            ),
            ["plan must not use ioengine::File"]
        );
        assert!(said(engine, "src/host/linux.rs", "use ioengine::sys::statx;").is_empty());
        assert!(said(engine, "src/runner/mod.rs", "use ioengine::{File, clock};").is_empty());
    }

    #[test]
    fn a_foreign_crate_outside_its_folder_is_seen() {
        assert_eq!(
            said(crates, "src/report/text.rs", "use hdrhistogram::Histogram;"),
            ["crate hdrhistogram belongs to src/measure"]
        );
        assert_eq!(
            said(crates, "src/host/linux.rs", "let n = libc::getpid();"),
            ["crate libc belongs to crates/ioengine"]
        );
        assert!(
            said(
                crates,
                "src/measure/latency.rs",
                "use hdrhistogram::Histogram;"
            )
            .is_empty()
        );
        assert!(said(crates, "src/plan/a.rs", "// clap::Parser\nlet clap = 1;").is_empty());
        assert!(
            said(
                crates,
                "src/plan/a.rs",
                "#[cfg(test)]\nmod tests { use libc::x; }"
            )
            .is_empty()
        );
    }
}
