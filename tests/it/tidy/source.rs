//! A Rust file as the structure tests see it: the text with comments and literals blanked out, the
//! comments apart, and which lines are test code. A lexer of the few things that matter, not a
//! parser.

use std::path::Path;

/// One file.
pub(super) struct Source {
    /// Path from the root of the project, with `/`.
    pub(super) path: String,
    /// Lines as they are.
    pub(super) raw: Vec<String>,
    /// Lines with comments and the insides of literals replaced by blanks.
    pub(super) code: Vec<String>,
    /// True for lines inside a `#[cfg(test)]` item, or in a file of tests.
    pub(super) test: Vec<bool>,
}

/// What the lexer is inside of.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Code,
    LineComment,
    BlockComment(u32),
    Str,
    RawStr(usize),
}

impl Source {
    /// Takes a file apart.
    pub(super) fn new(path: &str, content: &str) -> Self {
        let code: Vec<String> = blank(content).split('\n').map(str::to_owned).collect();
        let raw: Vec<String> = content.split('\n').map(str::to_owned).collect();
        let whole = path.starts_with("tests/")
            || path.starts_with("benches/")
            || path.contains("/tests/")
            || path.contains("/benches/")
            || path.contains("/tests.rs")
            || path.contains("/tests_");
        let test = if whole {
            vec![true; code.len()]
        } else {
            test_lines(&code)
        };
        Self {
            path: path.to_owned(),
            raw,
            code,
            test,
        }
    }

    /// Reads a file below `root`.
    pub(super) fn read(root: &Path, path: &str) -> Self {
        let bytes = std::fs::read(root.join(path)).expect("a listed file can be read");
        Self::new(path, &String::from_utf8_lossy(&bytes))
    }

    /// Lines of code that are not test code, with their number from 1.
    pub(super) fn shipped(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code
            .iter()
            .zip(&self.test)
            .enumerate()
            .filter(|(_, (_, test))| !**test)
            .map(|(i, (line, _))| (i + 1, line.as_str()))
    }

    /// The module that the file is: `src/personality/diskspd/text.rs` is
    /// `[personality, diskspd, text]`.
    pub(super) fn module(&self) -> Vec<String> {
        let inner = self
            .path
            .split_once("src/")
            .map_or(self.path.as_str(), |(_, rest)| rest);
        let mut parts: Vec<String> = inner
            .trim_end_matches(".rs")
            .split('/')
            .map(str::to_owned)
            .collect();
        if matches!(
            parts.last().map(String::as_str),
            Some("mod" | "lib" | "main")
        ) {
            parts.pop();
        }
        parts
    }
}

/// Blanks comments and the insides of literals; line breaks stay.
fn blank(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut state = State::Code;
    let mut i = 0;
    while i < chars.len() {
        let (taken, next, keep) = step(&chars, i, state);
        for &c in &chars[i..i + taken] {
            out.push(if keep || c == '\n' { c } else { ' ' });
        }
        state = next;
        i += taken;
    }
    out
}

/// From `state` at `i`: how many characters go together, the state behind them, and whether they
/// are code.
fn step(chars: &[char], i: usize, state: State) -> (usize, State, bool) {
    let at = |k: usize| chars.get(i + k).copied().unwrap_or('\0');
    match state {
        State::Code => code_step(chars, i),
        State::LineComment if at(0) == '\n' => (1, State::Code, true),
        State::LineComment => (1, state, false),
        State::BlockComment(depth) => match (at(0), at(1)) {
            ('/', '*') => (2, State::BlockComment(depth + 1), false),
            ('*', '/') if depth == 1 => (2, State::Code, false),
            ('*', '/') => (2, State::BlockComment(depth - 1), false),
            _ => (1, state, false),
        },
        State::Str => match at(0) {
            '\\' if i + 1 < chars.len() => (2, state, false),
            '"' => (1, State::Code, true),
            _ => (1, state, false),
        },
        State::RawStr(hashes) => {
            if at(0) == '"' && (1..=hashes).all(|k| at(k) == '#') {
                (1 + hashes, State::Code, true)
            } else {
                (1, state, false)
            }
        }
    }
}

/// `step` in code.
fn code_step(chars: &[char], i: usize) -> (usize, State, bool) {
    let at = |k: usize| chars.get(i + k).copied().unwrap_or('\0');
    let word_before = i > 0 && (chars[i - 1].is_alphanumeric() || chars[i - 1] == '_');
    match at(0) {
        '/' if at(1) == '/' => (2, State::LineComment, false),
        '/' if at(1) == '*' => (2, State::BlockComment(1), false),
        '"' => (1, State::Str, true),
        'r' | 'b' if !word_before => {
            let mut k = 1;
            if at(0) == 'b' && at(1) == 'r' {
                k = 2;
            }
            let start = k;
            while at(k) == '#' {
                k += 1;
            }
            let raw = at(0) == 'r' || start == 2;
            if raw && at(k) == '"' {
                (k + 1, State::RawStr(k - start), true)
            } else {
                (1, State::Code, true)
            }
        }
        '\'' => char_literal(chars, i),
        _ => (1, State::Code, true),
    }
}

/// A quote in code: a character literal is blanked whole, a lifetime is code.
fn char_literal(chars: &[char], i: usize) -> (usize, State, bool) {
    let at = |k: usize| chars.get(i + k).copied().unwrap_or('\0');
    if at(1) == '\\' {
        let mut k = 3;
        while at(k) != '\'' && at(k) != '\0' && at(k) != '\n' {
            k += 1;
        }
        return ((k + 1).min(chars.len() - i), State::Code, false);
    }
    if at(2) == '\'' {
        return (3, State::Code, false);
    }
    (1, State::Code, true)
}

/// Marks the lines of every item behind `#[cfg(test)]`.
fn test_lines(code: &[String]) -> Vec<bool> {
    let mut marks = vec![false; code.len()];
    let mut line = 0;
    while line < code.len() {
        if code[line].trim_start().starts_with("#[cfg(test)]") {
            let end = item_end(code, line);
            marks[line..=end].fill(true);
            line = end;
        }
        line += 1;
    }
    marks
}

/// The last line of the item that begins at `start`: its closing brace, or a semicolon before any.
pub(super) fn item_end(code: &[String], start: usize) -> usize {
    let (mut braces, mut brackets) = (0_i32, 0_i32);
    for (number, line) in code.iter().enumerate().skip(start) {
        for c in line.chars() {
            match c {
                '{' => braces += 1,
                '}' => {
                    braces -= 1;
                    if braces <= 0 {
                        return number;
                    }
                }
                '(' | '[' => brackets += 1,
                ')' | ']' => brackets -= 1,
                ';' if braces == 0 && brackets == 0 => return number,
                _ => {}
            }
        }
    }
    code.len() - 1
}

#[test]
fn comments_and_literals_are_blanked_and_code_stays() {
    let source = Source::new(
        "src/a.rs",
        "let a = \"unsafe // x\"; // unsafe\nlet b = r#\"un\"safe\"#; /* a /* b */ c */ let c = '\"';\nfn f<'a>(x: &'a str) {}\nlet d = '\\''; let e = b\"x\\\"y\"; end",
    );
    assert_eq!(source.code[0].trim_end(), "let a = \"           \";");
    assert!(source.code[1].starts_with("let b = r#\"       \"#;"));
    assert!(source.code[1].trim_end().ends_with("let c =    ;"));
    assert_eq!(source.code[2], "fn f<'a>(x: &'a str) {}");
    assert!(source.code[3].ends_with("end"));
    assert!(!source.code[3].contains('x'));
}

#[test]
fn test_modules_are_known_as_such() {
    let source = Source::new(
        "src/a.rs",
        "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\nfn c() {}",
    );
    assert_eq!(source.test, [false, true, true, true, true, false]);
    let beside = Source::new("src/a.rs", "#[cfg(test)]\nmod tests;\nfn c() {}");
    assert_eq!(beside.test, [true, true, false]);
}

#[test]
fn a_file_knows_its_module() {
    let module = |path| Source::new(path, "").module();
    assert_eq!(
        module("src/personality/diskspd/text.rs"),
        ["personality", "diskspd", "text"]
    );
    assert_eq!(module("src/plan/mod.rs"), ["plan"]);
    assert!(module("src/lib.rs").is_empty());
}
