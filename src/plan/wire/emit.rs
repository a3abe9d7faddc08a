//! Lays a plan out as people write TOML: a header for each part of the load, one line for each of
//! its facts, whatever the facts hold.

use std::fmt::Write as _;

use toml::{Table, Value};

/// Parts that have a header of their own; what else is a table stays in its line.
const HEADERS: &[&str] = &[
    "origin", "events", "step", "prepare", "run", "cleanup", "file", "target", "group", "stream",
    "sequence", "visits",
];

/// The text of a document.
pub(super) fn emit(document: &Table) -> String {
    let mut text = String::new();
    section(document, "", &mut text);
    text
}

/// The lines of a table, then its parts. `above` is the path of its header.
fn section(table: &Table, above: &str, text: &mut String) {
    let mut parts = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(part) if HEADERS.contains(&key.as_str()) => parts.push((key, vec![part])),
            Value::Array(values) if HEADERS.contains(&key.as_str()) => {
                parts.push((key, values.iter().filter_map(Value::as_table).collect()));
            }
            // Writing to a string cannot fail.
            _ => {
                let _ = writeln!(text, "{key} = {value}");
            }
        }
    }
    for (key, tables) in parts {
        let path = match above {
            "" => key.clone(),
            _ => format!("{above}.{key}"),
        };
        let listed = matches!(table.get(key), Some(Value::Array(_)));
        for part in tables {
            let _ = if listed {
                writeln!(text, "\n[[{path}]]")
            } else if above == "step" {
                // A step is its one part, and has no lines of its own.
                writeln!(text, "[{path}]")
            } else {
                writeln!(text, "\n[{path}]")
            };
            section(part, &path, text);
        }
    }
}
