//! Option lines and the plan, broken at the width of the terminal. What somebody pastes stays whole.

use std::fmt::Write as _;

use crate::{
    personality::Explained,
    plan::{Plan, describe},
    report::text,
};

/// Columns of what was typed; a longer argument has a line of its own.
const ARGUMENT_MAX: usize = 24;

/// One argument a line; what follows of its meaning is indented as far as its beginning.
pub(super) fn options(lines: &[Explained], width: usize) -> String {
    let typed = lines.iter().map(|line| line.argument.chars().count());
    let column = typed.max().unwrap_or(0).min(ARGUMENT_MAX);
    let mut out = String::new();
    for line in lines {
        let mut head = line.argument.as_str();
        if head.chars().count() > column {
            let _ = writeln!(out, "{head}");
            head = "";
        }
        for part in text::lines(&line.meaning, width.saturating_sub(column + 2)) {
            let whole = format!("{head:<column$}  {part}");
            let _ = writeln!(out, "{}", whole.trim_end());
            head = "";
        }
    }
    out
}

/// What it comes to, and what a run would be refused for.
pub(super) fn plan(plan: &Plan, refusals: &[String], width: usize) -> String {
    let mut out = format!("\n{}", describe::describe(plan, width));
    if !refusals.is_empty() {
        out.push_str("\nAs things are now, a run would be refused:\n");
    }
    for refusal in refusals {
        for part in text::lines(refusal, width.saturating_sub(2)) {
            let _ = writeln!(out, "  {part}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(argument: &str, meaning: &str) -> Explained {
        Explained {
            argument: argument.to_owned(),
            meaning: meaning.to_owned(),
        }
    }

    #[test]
    fn meanings_hang_in_their_column() {
        let long = "--a-name-of-thirty-characters=";
        let lines = [
            line("-b8K", "each I/O is 8 KiB"),
            line("", "or IOGAUGE_DRIVES=C=. sqlio -kR -t1; then"),
            line(long, "one two"),
        ];
        // The column is the widest that there may be: 24, then two blanks; 14 are left.
        let indent = " ".repeat(26);
        let expected = format!(
            "-b8K{}each I/O is 8\n{indent}KiB\n{indent}or\n\
             {indent}IOGAUGE_DRIVES=C=. sqlio -kR -t1;\n{indent}then\n{long}\n{indent}one two\n",
            " ".repeat(22)
        );
        assert_eq!(options(&lines, 40), expected);
    }
}
