//! The shared shape of a flag table: name, grammar, meaning, support level. A flag that is not in
//! a personality's table does not exist; usage, `explain`, the compatibility page and the table
//! tests come from it.

/// One option of a personality.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// The option as typed, without its value: `-b`, `--file-num`.
    pub name: &'static str,
    /// The grammar of its value: `<size>[K|M|G|T|b]`; empty without one.
    pub value: &'static str,
    /// What it does, in one line, with unit and default.
    pub meaning: &'static str,
    /// What it maps to on Linux; empty where that is plain.
    pub mapping: &'static str,
    /// How far it is supported.
    pub support: Support,
}

/// How far an option is supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// Does what the original does.
    Supported,
    /// Accepted; has no effect here, and says so once.
    WithoutEffect,
    /// Refused, by name.
    Refused,
}

/// Columns of a usage text.
pub(crate) const WIDTH: usize = 80;

/// One option of a usage text: its head, then its meaning from `column` on.
pub(crate) fn entry(text: &mut String, column: usize, head: &str, meaning: &str) {
    text.push_str(head);
    let mut at = head.chars().count();
    if at + 2 > column {
        text.push('\n');
        at = 0;
    }
    for word in meaning.split(' ') {
        if at > column && at + 1 + word.chars().count() > WIDTH {
            text.push('\n');
            at = 0;
        }
        if at < column {
            text.push_str(&" ".repeat(column - at));
            at = column;
        } else {
            text.push(' ');
            at += 1;
        }
        text.push_str(word);
        at += word.chars().count();
    }
    text.push('\n');
}

/// The row of an option in a compatibility page.
#[cfg(test)]
pub(crate) fn page_row(flag: &Flag) -> String {
    let escaped = |text: &str| text.replace('|', "\\|").replace('<', "&lt;");
    format!(
        "| `{}{}` | {} | {} |\n",
        flag.name,
        flag.value.replace('|', "\\|"),
        escaped(flag.meaning),
        escaped(flag.mapping)
    )
}
