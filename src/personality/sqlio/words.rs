//! Lines of a batch file as their shell takes them apart: words, quotes, and where the output goes.

/// A command without its redirection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Command {
    /// The command, with its quotes.
    pub(super) text: String,
    /// Where its output goes.
    pub(super) output: Option<File>,
}

/// What stands behind `>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct File {
    /// Its name, without quotes.
    pub(super) name: String,
    /// Two signs: what is there stays.
    pub(super) append: bool,
    /// `2>&1`: standard error goes there too.
    pub(super) errors: bool,
}

const BLANKS: [char; 2] = [' ', '\t'];

/// Signs that a shell takes for itself.
fn sign(c: char) -> bool {
    "<>|&^".contains(c)
}

/// Takes a redirection out of a command, and leaves the rest as it is written.
///
/// # Errors
/// A sentence about what is not understood.
pub(super) fn redirected(text: &str) -> Result<Command, String> {
    let Some(at) = outside_quotes(text, sign) else {
        return Ok(Command {
            text: text.to_owned(),
            output: None,
        });
    };
    let (before, rest) = text.split_at(at);
    let Some(rest) = rest.strip_prefix('>') else {
        let sign: String = rest.chars().take(1).collect();
        return Err(format!(
            "'{sign}' is not understood; > and >> behind a command are"
        ));
    };
    let before = without_stream(before)?;
    let (append, rest) = match rest.strip_prefix('>') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let rest = rest.trim_start_matches(BLANKS);
    let end = outside_quotes(rest, |c| sign(c) || BLANKS.contains(&c)).unwrap_or(rest.len());
    let (file, tail) = rest.split_at(end);
    let (errors, tail) = without_errors(tail);
    if outside_quotes(&tail, sign).is_some() {
        return Err(format!(
            "'{}' is not understood: one file is, with 2>&1 behind it",
            rest.trim()
        ));
    }
    let name = words(file)?.pop().unwrap_or_default();
    if name.is_empty() {
        return Err("a file must follow >".to_owned());
    }
    // What follows the file still belongs to the command.
    let command = format!("{}{tail}", before.trim_end());
    Ok(Command {
        text: command.trim_end().to_owned(),
        output: Some(File {
            name,
            append,
            errors,
        }),
    })
}

/// A digit that touches the sign is the number of a stream; 1 is standard output.
fn without_stream(before: &str) -> Result<&str, String> {
    let Some(digit) = before.chars().next_back().filter(char::is_ascii_digit) else {
        return Ok(before);
    };
    let rest = &before[..before.len() - 1];
    if !rest.is_empty() && !rest.ends_with(BLANKS) {
        return Ok(before);
    }
    if digit == '1' {
        Ok(rest)
    } else {
        Err(format!("'{digit}>' is not understood; > and >> are"))
    }
}

/// What follows a file, without the word that sends standard error there too.
fn without_errors(tail: &str) -> (bool, String) {
    const WORD: &str = "2>&1";
    let found = outside_quotes(tail, |c| c == '>').and_then(|at| {
        let start = at.checked_sub(1)?;
        let (before, after) = (tail.get(..start)?, tail.get(start..)?);
        let after = after.strip_prefix(WORD)?;
        let apart = before.ends_with(BLANKS) && (after.is_empty() || after.starts_with(BLANKS));
        apart.then(|| format!("{}{after}", before.trim_end_matches(BLANKS)))
    });
    match found {
        Some(rest) => (true, rest),
        None => (false, tail.to_owned()),
    }
}

/// Where the first such character is that no quotes protect.
fn outside_quotes(text: &str, wanted: impl Fn(char) -> bool) -> Option<usize> {
    let mut quoted = false;
    text.char_indices().find_map(|(at, c)| {
        quoted ^= c == '"';
        (!quoted && wanted(c)).then_some(at)
    })
}

/// The words of a command; double quotes group, and go.
///
/// # Errors
/// A sentence, where a quotation mark is not closed.
pub(super) fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' | '\t' if !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    if quoted {
        return Err("a quotation mark is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirection_is_cut_out_and_quotes_stay() {
        for (line, text, name, append, errors) in [
            (
                r#"> "a b" sqlio "-Fp q""#,
                r#" sqlio "-Fp q""#,
                "a b",
                false,
                false,
            ),
            (
                r#"sqlio -kR >>o.txt "-Fp q""#,
                r#"sqlio -kR "-Fp q""#,
                "o.txt",
                true,
                false,
            ),
            ("sqlio 1> o 2>&1", "sqlio", "o", false, true),
            ("sqlio >o 2>&1 x.dat", "sqlio x.dat", "o", false, true),
            (
                r#"sqlio > o "a 2>&1 b""#,
                r#"sqlio "a 2>&1 b""#,
                "o",
                false,
                false,
            ),
            ("echo f 11>o", "echo f 11", "o", false, false),
        ] {
            let command = redirected(line).unwrap();
            let file = File {
                name: name.to_owned(),
                append,
                errors,
            };
            assert_eq!(command.text, text, "{line}");
            assert_eq!(command.output, Some(file), "{line}");
        }
        for line in [
            "a > b > c",
            "a > >b",
            "a >&2",
            "a > b&c",
            "a >",
            "a > \"\"",
            "2>&1 > a",
            "a >2>&1",
            "a > b 12>&1",
            "a > b >&1",
            "a > b>&1",
            "a > b 2>&12",
            "a > \"b",
            "é>ß>",
            ">",
        ] {
            assert!(redirected(line).is_err(), "{line}");
        }
    }
}
