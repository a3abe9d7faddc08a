//! The page `docs/compat/sysbench.md` is what the flag table says; a test keeps it so.

use std::{env, fmt::Write, fs, path::Path};

use super::flags::{Era, Row, SECTIONS};
use crate::personality::flags::Support;

/// The whole page.
fn page() -> String {
    let mut out = String::from(
        "# sysbench compatibility

What `iogauge sysbench` does with the options of `fileio` lines, of sysbench 0.4.12 and 1.0.20, on Linux. This page is made from
the table that the program parses with. What is printed is fixed by recorded outputs.

- *Supported*: does what the original does, by the means in the last column.
- *Accepted*: taken so that existing command lines work, has no effect here; one line on standard error says so.

`iogauge explain -- sysbench ...` says what the options of a line mean, one by one, and runs nothing.

Whose rules hold: those of 1.0 if the line has a name that only 1.0 or later has, else those of 0.4 if it has `--test` or another
older name, else those of 1.0. `IOGAUGE_SYSBENCH=0.4` or `1.0` decides in place of the line, and then a line is read as strictly as
that version reads it.
",
    );
    for (title, rows) in SECTIONS {
        for (support, head) in [
            (Support::Supported, "supported"),
            (Support::WithoutEffect, "accepted, without effect"),
        ] {
            let rows: Vec<&Row> = rows
                .iter()
                .filter(|row| row.flag.support == support)
                .collect();
            if rows.is_empty() {
                continue;
            }
            let _ = write!(
                out,
                "\n## {title}: {head}\n\n| option | tells | meaning | here |\n| --- | --- | --- | --- |\n"
            );
            for row in rows {
                entry(row, &mut out);
            }
        }
    }
    out.push_str(DIFFERENCES);
    out.push_str(ENVIRONMENT);
    out
}

/// Where doing the same would be wrong, or is impossible.
const DIFFERENCES: &str = "
## On purpose not the same

| the original | here |
| --- | --- |
| words in one order only | any order: `run fileio`, `run --test=fileio` |
| 0.4: `true` and `1` mean off, and so does every other word but `on` | on and off by the words of 1.0 in both; other words \
are refused |
| 0.4: lower-case letters of sizes make a size of 0 | accepted |
| 0.4: a number that is none is 0 | refused; digits with something behind them are read, and that is told |
| numbers wrap (`--file-num=-1` makes four thousand million files), sizes lose their upper bits | refused, with the range |
| 1.0: `--init-rng` is refused, `direct` beside another flag fails, options of 1.1 are unknown | accepted |
| typographic dashes and quotes are refused | read as what they were, and that is told |
| 0.4: a run without files makes empty ones, fails, and ends with exit code 0 | refused, exit code 1 |
| 0.4: a block that does not divide the file size ends the run | the last request of a file is shorter |
| 0.4: fsync of mappings fails on 64 bits | works |
| 1.0: a total that files do not divide may lead behind the last file | positions are drawn from the files |
| 1.0: `--num-threads=-1` and other numbers below 0 of older names are dropped without a word | refused, with the range |
| async: the final fsyncs come before the requests in flight have completed | after them, so that they cover every write |
| async: all requests of a thread share one buffer, which a processor's cache holds: its figures on a virtual disk in memory can be \
higher | each request in flight has a buffer of its own |
| other tests than `fileio` | refused |
| without arguments 1.0 reads a program from standard input | usage, exit code 1 |
| files and write buffers of zeros | random bytes, unless `IOGAUGE_DATA` says otherwise |
";

/// What the original's options cannot say.
const ENVIRONMENT: &str = "
## Environment

| variable | says |
| --- | --- |
| `IOGAUGE_SYSBENCH` | whose rules and reports: `0.4` or `1.0`, whatever the line looks like |
| `IOGAUGE_DATA` | content of new files and write buffers: `random` (default), `zeros`, or `original` for what sysbench writes |
| `IOGAUGE_ENGINE` | the engine that issues the I/O: `auto` (default), a name, or `sim:<law>` |
| `IOGAUGE_ON_ERROR` | `stop` (default) or `continue` |
| `IOGAUGE_DESTROY` | files that may be overwritten or removed although they are not plain files of a test |
| `IOGAUGE_QUIET` | `1`: no notes and no progress on standard error |
";

fn entry(row: &Row, out: &mut String) {
    let escaped = |text: &str| text.replace('|', "\\|").replace('<', "&lt;");
    let era = match row.era {
        Era::Any => "",
        Era::Old => "0.4",
        Era::New => "1.0",
    };
    let _ = writeln!(
        out,
        "| `{}{}` | {era} | {} | {} |",
        row.flag.name,
        row.flag.value.replace('|', "\\|"),
        escaped(row.flag.meaning),
        escaped(row.flag.mapping)
    );
}

#[test]
fn compat_page_is_that_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/compat/sysbench.md");
    if env::var_os("IOGAUGE_BLESS").is_some_and(|value| value == "1") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, page()).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page(),
        "docs/compat/sysbench.md is not what the flag table says; write it anew with: \
         IOGAUGE_BLESS=1 cargo test --lib compat_page"
    );
}
