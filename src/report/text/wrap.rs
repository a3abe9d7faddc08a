//! Sentences in lines: broken between words, and never inside what somebody copies: a name in quotes,
//! an option with its value, a command line.

/// Columns of a message.
const WIDTH: usize = 80;

/// Our program's name as a command line begins with it.
const PROGRAM: &str = "iogauge";

/// The other programs whose lines we tell.
const FACES: [&str; 3] = ["diskspd", "sqlio", "sysbench"];

/// A message of several lines for a terminal or a pipe. Lines that follow a sentence's first are
/// indented; a line that is indented already stays whole.
pub fn message(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        if paragraph.starts_with(' ') || paragraph.chars().count() <= WIDTH {
            out.push(paragraph.to_owned());
            continue;
        }
        for (number, line) in hanging(paragraph, WIDTH, 2).into_iter().enumerate() {
            out.push(if number == 0 {
                line
            } else {
                format!("  {line}")
            });
        }
    }
    out.join("\n")
}

/// A sentence in lines of at most `width` characters; what is longer stands alone.
pub fn lines(text: &str, width: usize) -> Vec<String> {
    hanging(text, width, 0)
}

/// The same, where lines behind the first have `indent` columns less.
fn hanging(text: &str, width: usize, indent: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces(text) {
        let room = match lines.len() {
            0 | 1 => width,
            _ => width.saturating_sub(indent),
        };
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + piece.chars().count() <= room => {
                line.push(' ');
                line.push_str(&piece);
            }
            _ => lines.push(piece),
        }
    }
    lines
}

/// What a line may be broken between.
fn pieces(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let mut pieces = Vec::new();
    let mut rest = words.as_slice();
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(length(rest));
        pieces.push(piece.join(" "));
        rest = behind;
    }
    pieces
}

/// How many words from the first on belong together; at least one.
fn length(words: &[&str]) -> usize {
    let Some(first) = words.first() else {
        return 1;
    };
    let bare = first.trim_start_matches('(');
    let last = |at: fn(&str) -> bool| words.iter().position(|word| at(word));
    let found = if opens_quote(bare) {
        let others = words.iter().skip(1);
        let end = others.take_while(|word| !word.contains('\'')).count() + 2;
        Some(end).filter(|end| *end <= words.len())
    } else if sets_variable(words) {
        let behind = words.iter().skip(1).position(|word| ends_clause(word));
        Some(behind.map_or(words.len(), |at| at + 2))
    } else if bare == PROGRAM && !words.get(1).is_some_and(|word| is_version(word)) {
        Some(last(ends_clause).map_or(words.len(), |at| at + 1))
    } else if bare.len() > 2 && bare.starts_with("--") && !ends_clause(bare) {
        Some(2).filter(|two| *two <= words.len())
    } else {
        None
    };
    found.unwrap_or(1)
}

/// A quotation mark that is not closed in the same word; one behind a letter is an apostrophe.
fn opens_quote(word: &str) -> bool {
    let start = if word.starts_with('\'') {
        Some(0)
    } else {
        word.find("='").map(|at| at + 1)
    };
    start.is_some_and(|at| !word[at + 1..].contains('\''))
}

/// `IOGAUGE_DRIVES=C=. sqlio ...`: a command line that begins with a variable.
fn sets_variable(words: &[&str]) -> bool {
    let [first, second, ..] = words else {
        return false;
    };
    let variable = first.trim_start_matches('(').starts_with("IOGAUGE_") && first.contains('=');
    variable && (*second == PROGRAM || FACES.contains(second))
}

/// `0.1.0` behind our name is no command.
fn is_version(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

fn ends_clause(word: &str) -> bool {
    word.ends_with([',', ';', ':', '.', ')'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_broken_at_the_width() {
        assert_eq!(lines("one two three", 7), ["one two", "three"]);
        assert_eq!(lines("much-too-long a", 4), ["much-too-long", "a"]);
        let text = message(&format!("iogauge: {}end", "word ".repeat(30)));
        let all: Vec<&str> = text.lines().collect();
        // 9 characters and 14 words of five are 79; then an indent and 15 words are 77, and the
        // thirtieth goes on.
        assert_eq!(
            all[0],
            format!("iogauge: {}", "word ".repeat(14)).trim_end()
        );
        assert_eq!(all[1], format!("  {}", "word ".repeat(15)).trim_end());
        assert_eq!(all[2], "  word end");
    }

    #[test]
    fn what_is_copied_stays_whole() {
        for (text, width, expected) in [
            ("say '/a b/c d' now", 8, &["say", "'/a b/c d'", "now"][..]),
            ("x --size='0 k' is", 9, &["x", "--size='0 k'", "is"]),
            (
                "add --destroy /dev/x or",
                9,
                &["add", "--destroy /dev/x", "or"],
            ),
            ("leave --qd, and go", 12, &["leave --qd,", "and go"]),
            (
                "try iogauge run ./x --qd 4; or",
                10,
                &["try", "iogauge run ./x --qd 4;", "or"],
            ),
            (
                "it (iogauge clean -n) is",
                9,
                &["it", "(iogauge clean -n)", "is"],
            ),
            (
                "or IOGAUGE_DRIVES=C=. sqlio -kR x; now",
                9,
                &["or", "IOGAUGE_DRIVES=C=. sqlio -kR x;", "now"],
            ),
            (
                "IOGAUGE_SYSBENCH=0.4 takes them",
                9,
                &["IOGAUGE_SYSBENCH=0.4", "takes", "them"],
            ),
            ("iogauge 0.1.0 on x", 8, &["iogauge", "0.1.0 on", "x"]),
            // No quotation marks, or none that ends.
            ("a host's own word", 8, &["a host's", "own word"]),
            ("a 'b c d", 4, &["a 'b", "c d"]),
            ("the last --qd", 8, &["the last", "--qd"]),
        ] {
            assert_eq!(lines(text, width), expected, "{text}");
        }
    }

    #[test]
    fn lines_to_paste_stand_as_they_are() {
        let paste = format!("  iogauge {}", "x".repeat(100));
        let text = format!("try:\n{paste}\nand");
        assert_eq!(message(&text), text);
        assert_eq!(message(""), "");
    }
}
