//! Rules that a single file can break: where `unsafe`, printing, the time and the system may be
//! touched, how long things may be, and words that mean "not done".

use super::{
    Problem,
    imports::find_word,
    source::{Source, item_end},
};

/// Lines in a file.
const FILE_LINES_MAX: usize = 600;
/// Lines in a function.
const FUNCTION_LINES_MAX: usize = 70;

/// Files that may be longer, each with its reason. An entry that is no longer needed is a problem.
pub(super) const LONG_FILES: &[(&str, &str)] = &[];

/// Functions that may be longer, as `path::name`, each with its reason.
pub(super) const LONG_FUNCTIONS: &[(&str, &str)] = &[];

/// `unsafe` lives in the engines' crate, and each use of it says why it is sound.
pub(super) fn unsafe_code(source: &Source) -> Vec<Problem> {
    let home = source.path.starts_with("crates/ioengine/src/");
    let mut problems = Vec::new();
    for (i, text) in source.code.iter().enumerate() {
        if find_word(text, "unsafe").next().is_none() {
            continue;
        }
        if !home {
            problems.push(Problem::new(source, i + 1, "unsafe outside ioengine"));
        } else if !explained(source, i) {
            problems.push(Problem::new(
                source,
                i + 1,
                "unsafe without a SAFETY comment above it",
            ));
        }
    }
    problems
}

/// True if the comment above the statement at `line` says why it is sound.
fn explained(source: &Source, line: usize) -> bool {
    let declares = ["unsafe fn", "unsafe trait", "unsafe extern"]
        .iter()
        .any(|form| source.code[line].contains(form));
    let mut above = line;
    while above > 0 {
        above -= 1;
        let text = source.raw[above].trim();
        if text.starts_with("//") {
            if text.contains("SAFETY:") || (declares && text.contains("# Safety")) {
                return true;
            }
            continue;
        }
        // Still in the same statement, or among its attributes; anything else ends the search.
        let code = source.code[above].trim();
        let same = !code.is_empty() && !code.ends_with([';', '{', '}']);
        let past_comment = source.raw[above + 1].trim().starts_with("//");
        if past_comment || !(same || code.starts_with("#[")) {
            return false;
        }
    }
    false
}

/// Only `app` and `main` print; everybody else is given a writer.
pub(super) fn printing(source: &Source) -> Vec<Problem> {
    if source.path.starts_with("src/app/") || source.path == "src/main.rs" {
        return Vec::new();
    }
    // What the original prints while it runs is its face's to write.
    let observer =
        source.path.starts_with("src/personality/") && source.path.ends_with("/observer.rs");
    let forms = [
        "println!",
        "print!",
        "eprintln!",
        "eprint!",
        "io::stdout",
        "io::stderr",
    ];
    let taken = if observer {
        forms.len() - 2
    } else {
        forms.len()
    };
    shipped_with(source, &forms[..taken], "only app and main print")
}

/// Only the clock module reads the time.
pub(super) fn time(source: &Source) -> Vec<Problem> {
    if source.path == "crates/ioengine/src/clock.rs" {
        return Vec::new();
    }
    let forms = ["SystemTime::now", "Instant::now", "clock_gettime"];
    shipped_with(source, &forms, "only ioengine::clock reads the time")
}

/// Everything but the engines and the host's facts compiles on every system.
pub(super) fn portable(source: &Source) -> Vec<Problem> {
    if source.path.starts_with("crates/ioengine/") || source.path.starts_with("src/host/") {
        return Vec::new();
    }
    let forms = [
        "target_os",
        "target_family",
        "cfg(unix)",
        "cfg(windows)",
        "cfg!(unix)",
        "cfg!(windows)",
        "std::os::",
        "os::unix",
        "os::windows",
    ];
    shipped_with(
        source,
        &forms,
        "only ioengine and host know the operating system",
    )
}

/// Words that mean "not done" and switches that hide a warning, in code and comments.
pub(super) fn banned(source: &Source) -> Vec<Problem> {
    let macros = ["todo!", "unimplemented!", "dbg!"];
    let attributes = ["#[ignore", "#[allow(", "#![allow("];
    let mut problems = Vec::new();
    for (i, code) in source.code.iter().enumerate() {
        for form in macros.iter().chain(&attributes) {
            let starts = code.match_indices(form).any(|(at, _)| {
                form.starts_with('#')
                    || !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
            });
            if starts {
                problems.push(Problem::new(source, i + 1, format!("{form} is not left")));
            }
        }
        let comment = comment_of(&source.raw[i], code);
        for word in ["TODO", "FIXME", "XXX"] {
            if find_word(comment, word).next().is_some() {
                problems.push(Problem::new(source, i + 1, format!("{word} is not left")));
            }
        }
    }
    problems
}

/// The comment on a line: what the lexer blanked from the first `//` or `/*` on.
fn comment_of<'a>(raw: &'a str, code: &str) -> &'a str {
    let kept = code.trim_end().len();
    let rest = raw.get(kept..).unwrap_or("");
    rest.find("//")
        .or_else(|| rest.find("/*"))
        .map_or("", |at| &rest[at..])
}

/// Each file opens by saying what it is.
pub(super) fn opening(source: &Source) -> Vec<Problem> {
    let first = source.raw.iter().find(|line| !line.trim().is_empty());
    if first.is_some_and(|line| line.starts_with("//!")) {
        return Vec::new();
    }
    vec![Problem::new(source, 1, "a file opens with //!")]
}

/// Files and functions that a reader can hold.
pub(super) fn length(source: &Source) -> Vec<Problem> {
    let mut problems = Vec::new();
    let lines = source.raw.len().saturating_sub(1);
    let listed = LONG_FILES.iter().any(|(path, _)| *path == source.path);
    if lines > FILE_LINES_MAX && !listed {
        let message = format!("{lines} lines, at most {FILE_LINES_MAX}");
        problems.push(Problem::new(source, 1, message));
    }
    if lines <= FILE_LINES_MAX && listed {
        problems.push(Problem::new(source, 1, "needs no place in LONG_FILES"));
    }
    for (line, text) in source.shipped() {
        let Some(name) = function_name(text) else {
            continue;
        };
        let long = item_end(&source.code, line - 1) + 2 - line;
        let id = format!("{}::{name}", source.path);
        let listed = LONG_FUNCTIONS.iter().any(|(known, _)| *known == id);
        if long > FUNCTION_LINES_MAX && !listed {
            let message = format!("fn {name} has {long} lines, at most {FUNCTION_LINES_MAX}");
            problems.push(Problem::new(source, line, message));
        }
        if long <= FUNCTION_LINES_MAX && listed {
            problems.push(Problem::new(
                source,
                line,
                format!("fn {name} needs no place in LONG_FUNCTIONS"),
            ));
        }
    }
    problems
}

/// The name of the function that a line declares.
fn function_name(code: &str) -> Option<&str> {
    let at = find_word(code, "fn").next()?;
    let before = code[..at].trim();
    let opens = before.is_empty()
        || before.split_whitespace().all(|word| {
            let word = word.split('(').next().unwrap_or(word);
            matches!(
                word,
                "pub" | "const" | "unsafe" | "extern" | "async" | "default"
            ) || word.starts_with('"')
                || word.ends_with(')')
        });
    let name = code[at + 2..].trim_start();
    let end = name
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(name.len());
    (opens && end > 0).then(|| &name[..end])
}

/// One problem for each shipped line that contains one of `forms`.
fn shipped_with(source: &Source, forms: &[&str], rule: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (line, text) in source.shipped() {
        for form in forms {
            let starts = text
                .match_indices(form)
                .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
            if starts {
                problems.push(Problem::new(source, line, format!("{form}: {rule}")));
                break;
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(check: fn(&Source) -> Vec<Problem>, path: &str, text: &str) -> usize {
        check(&Source::new(path, text)).len()
    }

    #[test]
    fn unsafe_needs_its_place_and_its_reason() {
        let engine = "crates/ioengine/src/a.rs";
        assert_eq!(
            count(unsafe_code, "src/a.rs", "// SAFETY: x\nunsafe { a() }"),
            1
        );
        assert_eq!(count(unsafe_code, "tests/it/a.rs", "unsafe { a() }"), 1);
        assert_eq!(count(unsafe_code, engine, "unsafe { a() }"), 1);
        assert_eq!(
            count(unsafe_code, engine, "// It is fine.\nunsafe { a() }"),
            1
        );
        assert_eq!(
            count(
                unsafe_code,
                engine,
                "// SAFETY: x\nlet b = 1;\nunsafe { a() }"
            ),
            1
        );
        assert_eq!(count(unsafe_code, engine, "/// Adds.\nunsafe fn a() {}"), 1);
        assert_eq!(
            count(unsafe_code, engine, "/// # Safety\n/// y\nunsafe fn a() {}"),
            0
        );
        assert_eq!(
            count(
                unsafe_code,
                engine,
                "// SAFETY: long\n// reason.\nlet b =\n    unsafe { a() };"
            ),
            0
        );
        assert_eq!(
            count(unsafe_code, "src/lib.rs", "#![forbid(unsafe_code)]"),
            0
        );
    }

    #[test]
    fn printing_the_time_and_the_system_have_their_places() {
        assert_eq!(count(printing, "src/runner/a.rs", "println!(\"a\");"), 1);
        assert_eq!(count(printing, "src/runner/a.rs", "std::io::stdout()"), 1);
        let observer = "src/personality/x/observer.rs";
        assert_eq!(count(printing, observer, "std::io::stdout()"), 0);
        assert_eq!(count(printing, observer, "println!()"), 1);
        assert_eq!(count(printing, "src/app/a.rs", "println!(\"a\");"), 0);
        assert_eq!(count(printing, "src/runner/a.rs", "my_println!(\"a\");"), 0);
        assert_eq!(count(time, "src/runner/a.rs", "let t = Instant::now();"), 1);
        assert_eq!(
            count(time, "crates/ioengine/src/clock.rs", "Instant::now()"),
            0
        );
        assert_eq!(
            count(
                time,
                "src/a.rs",
                "#[cfg(test)]\nmod tests { fn f() { Instant::now(); } }"
            ),
            0
        );
        assert_eq!(
            count(portable, "src/plan/a.rs", "#[cfg(target_os = \"linux\")]"),
            1
        );
        assert_eq!(
            count(
                portable,
                "src/plan/a.rs",
                "use std::os::unix::ffi::OsStrExt;"
            ),
            1
        );
        assert_eq!(
            count(portable, "src/host/a.rs", "#[cfg(target_os = \"linux\")]"),
            0
        );
    }

    #[test]
    fn nothing_is_left_undone_or_hidden() {
        for bad in [
            "todo!()",
            "unimplemented!()",
            "dbg!(x)",
            "#[ignore]",
            "#[allow(dead_code)]",
            "#![allow(dead_code)]",
            "// TODO: later",
            "let a = 1; // FIXME",
            "/// TODO",
        ] {
            assert_eq!(count(banned, "src/a.rs", bad), 1, "{bad}");
        }
        for good in [
            "let a = \"TODO\";",
            "#[expect(lint, reason = \"x\")]",
            "// todos",
        ] {
            assert_eq!(count(banned, "src/a.rs", good), 0, "{good}");
        }
        assert_eq!(count(opening, "src/a.rs", "use std::io;"), 1);
        assert_eq!(count(opening, "src/a.rs", "//! What it is.\n"), 0);
    }

    #[test]
    fn long_files_and_functions_are_seen() {
        assert_eq!(count(length, "src/a.rs", &"//\n".repeat(600)), 0);
        assert_eq!(count(length, "src/a.rs", &"//\n".repeat(601)), 1);
        let function = |body: usize| {
            let body = "    a();\n".repeat(body);
            format!("pub(crate) fn f(\n    x: u8,\n) -> [u8; 3] {{\n{body}}}\n")
        };
        assert_eq!(count(length, "src/a.rs", &function(66)), 0);
        assert_eq!(count(length, "src/a.rs", &function(67)), 1);
        assert_eq!(count(length, "tests/it/a.rs", &function(80)), 0);
        assert_eq!(
            function_name("    pub const fn since(self) {"),
            Some("since")
        );
        assert_eq!(function_name("    parse: fn(&str) -> u8,"), None);
    }
}
