//! Where in a text an error is: its line, and the path of keys that lead there.

use std::fmt::Write as _;

use toml::de::{DeTable, DeValue};

/// The line of a byte, from 1.
pub(super) fn line(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}

/// `step[1].run.target[0].path`: the keys above a byte; elements of lists are numbered from 1.
pub(super) fn key_path(table: &DeTable<'_>, at: usize) -> String {
    let mut path = String::new();
    in_table(table, at, &mut path);
    path
}

/// True if something was found.
fn in_table(table: &DeTable<'_>, at: usize, path: &mut String) -> bool {
    for (key, value) in table {
        let before = path.len();
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(key.get_ref());
        // Spans of tables are those of their headers: what is inside may lie behind.
        if in_value(value.get_ref(), at, path)
            || value.span().contains(&at)
            || key.span().contains(&at)
        {
            return true;
        }
        path.truncate(before);
    }
    false
}

fn in_value(value: &DeValue<'_>, at: usize, path: &mut String) -> bool {
    match value {
        DeValue::Table(table) => in_table(table, at, path),
        DeValue::Array(values) => {
            for (number, value) in (1..).zip(values) {
                let before = path.len();
                // Writing to a string cannot fail.
                let _ = write!(path, "[{number}]");
                if in_value(value.get_ref(), at, path) || value.span().contains(&at) {
                    return true;
                }
                path.truncate(before);
            }
            false
        }
        _ => false,
    }
}
