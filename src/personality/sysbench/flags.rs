//! sysbench's options as far as `fileio` lines may hold them: the one table that reading, help,
//! `explain`, the compatibility page and the tests are made from. What is not here does not exist.

mod database;
mod fileio;
mod general;

use crate::personality::flags::{Flag, Support};

/// An option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Name, grammar, meaning, support.
    pub flag: Flag,
    /// How its value is read.
    pub kind: Kind,
    /// Which versions know it.
    pub era: Era,
}

/// How a value is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Number,
    /// A number of bytes with K, M, G or T.
    Size,
    /// On or off; alone it is on.
    Switch,
    /// A number with a point.
    Float,
    /// Words with commas between.
    List,
    /// Anything.
    Text,
}

/// Which versions know an option; it tells old lines from new ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// It says nothing.
    Any,
    /// 0.4 or 0.5: a line with it is one of 0.4 unless something newer is there too.
    Old,
    /// 1.0 or later: a line with it is one of 1.0.
    New,
}

type Text = &'static str;

const fn row(name: Text, value: Text, kind: Kind, meaning: Text, mapping: Text) -> Row {
    Row {
        flag: Flag {
            name,
            value,
            meaning,
            mapping,
            support: Support::Supported,
        },
        kind,
        era: Era::Any,
    }
}

const fn number(name: Text, meaning: Text, mapping: Text) -> Row {
    row(name, "=<n>", Kind::Number, meaning, mapping)
}

const fn size(name: Text, meaning: Text, mapping: Text) -> Row {
    row(name, "=<size>", Kind::Size, meaning, mapping)
}

const fn switch(name: Text, meaning: Text, mapping: Text) -> Row {
    row(name, "[=on|off]", Kind::Switch, meaning, mapping)
}

/// Its value is read and checked, and then nothing comes of it.
const fn idle(name: Text, value: Text, kind: Kind, meaning: Text, mapping: Text) -> Row {
    let row = row(name, value, kind, meaning, mapping);
    Row {
        flag: Flag {
            support: Support::WithoutEffect,
            ..row.flag
        },
        ..row
    }
}

const fn old(row: Row) -> Row {
    Row {
        era: Era::Old,
        ..row
    }
}

const fn new(row: Row) -> Row {
    Row {
        era: Era::New,
        ..row
    }
}

/// All options, by their sections of help.
pub const SECTIONS: &[(&str, &[Row])] = &[
    ("General options", general::ROWS),
    ("Options of fileio", fileio::ROWS),
    ("Options of databases", database::ROWS),
];

/// All options.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    SECTIONS.iter().flat_map(|(_, rows)| rows.iter())
}

/// The option of that name, given without its dashes.
pub(super) fn find(name: &str) -> Option<&'static Row> {
    rows().find(|row| row.bare_name() == name)
}

impl Row {
    /// The name without its dashes.
    pub fn bare_name(&self) -> &'static str {
        self.flag.name.trim_start_matches('-')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_ascii_and_explained() {
        for row in rows() {
            let same = |other: &&Row| other.flag.name == row.flag.name;
            assert_eq!(rows().filter(same).count(), 1, "{}", row.flag.name);
            let name = row.bare_name();
            assert!(row.flag.name.starts_with("--") && name.is_ascii());
            // `_` is read as `-`, so a name with one would never be found.
            assert!(!name.contains(['_', '=']) && row.flag.meaning.len() > 3);
            assert_eq!(find(name), Some(row));
            let idle = row.flag.support == Support::WithoutEffect;
            assert!(!idle || !row.flag.mapping.is_empty(), "{name} says why");
        }
    }
}
