//! What scripts of the last fifteen years pick out of sysbench's output, done the way that they do
//! it: a line by a fixed text, then a word by its place or by what stands around it.

use crate::util::{self, Dir};

/// `grep TEXT`: the lines that hold a text.
fn grep<'a>(text: &'a str, wanted: &str) -> Vec<&'a str> {
    text.lines().filter(|line| line.contains(wanted)).collect()
}

/// `grep TEXT | awk '{print $N}'`: a word of the only line, from 1.
#[track_caller]
fn word<'a>(text: &'a str, wanted: &str, place: usize) -> &'a str {
    let lines = grep(text, wanted);
    assert_eq!(lines.len(), 1, "{wanted} is not on one line: {text}");
    let word = lines[0].split_whitespace().nth(place - 1);
    word.unwrap_or_else(|| panic!("{wanted}: no word {place} in {}", lines[0]))
}

/// `awk '/TEXT/ {print $NF}'`: the last word of the only line.
#[track_caller]
fn last<'a>(text: &'a str, wanted: &str) -> &'a str {
    let count = word(text, wanted, 1).len();
    let line = grep(text, wanted)[0];
    assert!(count > 0);
    line.split_whitespace()
        .next_back()
        .expect("a line with words")
}

#[track_caller]
fn number(word: &str) -> f64 {
    word.parse()
        .unwrap_or_else(|_| panic!("{word} is no number"))
}

/// What stands between two texts.
#[track_caller]
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let rest = text.split_once(before).map(|parts| parts.1);
    let rest = rest.unwrap_or_else(|| panic!("no {before} in {text}"));
    rest.split_once(after)
        .unwrap_or_else(|| panic!("no {after} in {rest}"))
        .0
}

fn output(line: &str) -> String {
    let dir = Dir::prepared("--file-total-size=1M --file-num=2");
    let size = "--file-total-size=1M --file-num=2";
    let output = util::run(&mut dir.sysbench(&format!("{line} {size} run")));
    output.expect_code(0);
    // Nothing of ours is among it.
    for own in ["NOTE", "engine", "caution", "iogauge"] {
        assert!(!output.stdout.contains(own), "{own}: {}", output.stdout);
    }
    output.stdout
}

#[test]
fn readers_of_0_4_find_their_figures() {
    let _turn = util::busy();
    let text = output("--test=fileio --file-test-mode=rndrw --max-requests=1000");
    // grep "Requests/sec executed" | awk '{print $1}'
    assert!(number(word(&text, "Requests/sec executed", 1)) > 0.0);
    // grep "approx.  95 percentile" | awk '{print $4}' | sed 's/ms//'
    let percentile = word(&text, "approx.  95 percentile", 4);
    number(percentile.strip_suffix("ms").expect("milliseconds"));
    // grep "Total transferred" | sed 's/.*(\(.*\)\/sec)/\1/'
    let rate = between(grep(&text, "Total transferred")[0], "(", "/sec)");
    number(rate.trim_end_matches(|c: char| c.is_ascii_alphabetic()));
    assert_eq!(word(&text, "Total transferred", 7), "15.625Mb");
    // awk '/Operations performed/ {print $3, $5, $7}'
    let counts = [3, 5, 7].map(|place| word(&text, "Operations performed", place));
    assert_eq!(counts, ["600", "400", "20"]);
    // grep "total time:" | awk '{print $3}' | tr -d s
    let time = word(&text, "total time:", 3);
    assert!(number(time.trim_end_matches('s')) > 0.0);
    assert_eq!(word(&text, "total number of events", 5), "1000");
    for label in [" min:", " avg:", " max:"] {
        number(last(&text, label).trim_end_matches("ms"));
    }
    // The report is behind the line "Done.", which some cut at.
    assert_eq!(grep(&text, "Done.").len(), 1);
    assert!(
        text.split_once("Done.")
            .expect("one")
            .1
            .contains("Requests/sec")
    );
}

#[test]
fn readers_of_1_0_find_their_figures() {
    let _turn = util::busy();
    let text = output("fileio --file-test-mode=rndrw --events=1000 --time=0");
    // awk '/reads\/s:/ {print $2}', and its like.
    for label in ["reads/s:", "writes/s:", "fsyncs/s:"] {
        assert!(number(word(&text, label, 2)) > 0.0, "{label}");
    }
    // grep "read, MiB/s:" | awk '{print $3}'
    for label in ["read, MiB/s:", "written, MiB/s:"] {
        assert!(number(word(&text, label, 3)) > 0.0, "{label}");
    }
    // grep "95th percentile:" | awk '{print $3}'
    number(word(&text, "95th percentile:", 3));
    // grep "total time:" | awk '{print $NF}' | sed 's/s$//'
    let time = last(&text, "total time:");
    assert!(number(time.strip_suffix('s').expect("seconds")) > 0.0);
    assert_eq!(last(&text, "total number of events:"), "1000");
    for label in [" min:", " avg:", " max:", " sum:"] {
        number(last(&text, label));
    }
    // awk -F: and the like, over the whole block.
    let block = between(&text, "File operations:\n", "\n\n");
    let names: Vec<&str> = block
        .lines()
        .filter_map(|l| l.split_once(':'))
        .map(|p| p.0.trim())
        .collect();
    assert_eq!(names, ["reads/s", "writes/s", "fsyncs/s"]);
    // awk -F'[/ ]+' '/events \(avg/ {print $4}'
    let fairness = between(&text, "events (avg/stddev):", "\n");
    assert_eq!(fairness.trim().split_once('/'), Some(("1000.0000", "0.00")));
}

#[test]
fn readers_of_interval_lines_find_their_columns() {
    let _turn = util::busy();
    let text = output("fileio --file-test-mode=rndrw --time=2 --rate=200 --report-interval=1");
    // awk '/^\[/ {print $2, $5, $8, $11}'
    let lines: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with('['))
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert!(!lines.is_empty(), "{text}");
    for words in lines {
        let labels = [words[3], words[6], words[9], words[11], words[12]];
        let wanted = ["reads:", "writes:", "fsyncs:", "latency", "(ms,95%):"];
        assert_eq!(labels, wanted, "{words:?}");
        number(words[4]);
        number(words[7]);
        number(words[10].strip_suffix("/s").expect("a rate"));
        number(words[13]);
    }
}
