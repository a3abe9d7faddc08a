//! Command lines from public pages: each is explained, whatever machine it was written for.

use std::{fs, path::Path};

use crate::util::{self, Dir, Output};

/// Lines that run SQLIO, as found.
fn lines() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/sqlio/commands.txt");
    let text = fs::read_to_string(path).expect("the lines are recorded");
    let is_command = |line: &&str| {
        let first = line.split_whitespace().find(|word| *word != "call");
        let name = first.unwrap_or_default().rsplit(['\\', '/']).next();
        let name = name.unwrap_or_default().to_lowercase();
        name == "sqlio" || name == "sqlio.exe"
    };
    text.lines().filter(is_command).map(str::to_owned).collect()
}

/// The words that a shell would give: quotes group, what is redirected is not seen.
fn words(line: &str) -> Vec<String> {
    let line = line.trim_start_matches("call ");
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in line.split('>').next().unwrap_or_default().chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words.remove(0);
    words
}

/// Lines that are templates: `%RUNTIME%` of a batch file, braces to be filled in.
fn is_template(line: &str) -> bool {
    line.contains(['%', '{'])
}

/// The parameter files that stand beside the lines.
const PARAMETERS: &[(&str, &str)] = &[
    (
        "param.txt",
        "c:\\testfile.dat 2 0x0 2048\n#d:\\testfile.dat 2 0x0 100",
    ),
    (
        "Param.txt",
        "H:\\testfile.dat 2 0x0 25000\nI:\\testfile.dat 2 0x0 25000\n",
    ),
    (
        "ldf.txt",
        "c:\\sqlio_test.dat 4 0x0 100\r\nd:\\sqlio_test.dat 4 0x0 100",
    ),
    ("params.txt", "X:\\SQLIO_testfile0.dat 8 0x0 150240"),
    ("SQLIO/param.txt", "testfile.dat 2 0x0 50"),
    (
        "Program Files (x86)/SQLIO/param.txt",
        "f:\\testfile.dat 4 0x0 8000",
    ),
];

fn explained(dir: &Dir, words: &[String], drives: &str) -> Output {
    let mut command = dir.iogauge(&["explain", "--", "sqlio"]);
    if !drives.is_empty() {
        command.env("IOGAUGE_DRIVES", drives);
    }
    util::run(command.args(words))
}

#[test]
fn every_published_line_is_explained() {
    let _turn = util::busy();
    let dir = Dir::new();
    for (file, text) in PARAMETERS {
        let path = dir.join(file);
        let folder = path.parent().expect("it is below a folder");
        fs::create_dir_all(folder).expect("a folder");
        fs::write(&path, text).expect("a file");
    }
    let found = lines();
    assert!(found.len() > 50, "{} lines", found.len());
    let before = dir.names();
    for line in &found {
        let words = words(line);
        let mut output = explained(&dir, &words, "");
        if is_template(line) {
            output.expect_code(1);
            assert!(output.stdout.contains("refused: "), "{line}: {output:#?}");
            continue;
        }
        if words
            .iter()
            .any(|word| word.starts_with("-F") && word.contains(':'))
        {
            // What a parameter file says is not known before it can be read.
            output.expect_code(1);
            assert!(
                output.stdout.contains("IOGAUGE_DRIVES=C=."),
                "{line}: {output:#?}"
            );
            output = explained(&dir, &words, "C=.");
        }
        let text = &output.expect_code(0).stdout;
        for word in &words {
            let dashed = word.trim_start_matches('\u{2013}');
            assert!(
                text.contains(dashed),
                "{line}: {word} is not explained: {text}"
            );
        }
        assert!(!text.contains("refused: "), "{line}: {text}");
        // A drive that is not here is said with what a run would need.
        let on_drive = |word: &String| word.contains(":\\") && !word.starts_with('-');
        assert!(
            !words.iter().any(on_drive) || text.contains("IOGAUGE_DRIVES="),
            "{line}: {text}"
        );
    }
    assert_eq!(dir.names(), before, "explaining makes nothing");
}
