//! The page `docs/compat/diskspd.md` is what the flag table says; a test keeps it so.

use std::{env, fmt::Write, fs, path::Path};

use super::flags::FLAGS;
use crate::personality::flags::{Support, page_row};

/// The whole page.
fn page() -> String {
    let mut out = String::from(
        "# DiskSpd compatibility

What `iogauge diskspd` does with every option of DiskSpd 2.2's command line, on Linux. This page is made from the table that the
program parses with. XML profiles (`-X`) are read and written in full; what the reports look like is fixed by recorded
ones.

- *Supported*: does what the original does, by the means in the last column.
- *Accepted*: taken so that existing command lines work, has no effect here; one line on standard error says so.
- *Refused*: known and refused by name, exit code 3, before any I/O.

`iogauge explain -- diskspd ...` says what the options of a line mean, one by one, and runs nothing.
",
    );
    for (title, support) in [
        ("Supported", Support::Supported),
        ("Accepted, without effect", Support::WithoutEffect),
        ("Refused", Support::Refused),
    ] {
        let _ = write!(
            out,
            "\n## {title}\n\n| option | meaning | on Linux |\n| --- | --- | --- |\n"
        );
        for flag in FLAGS.iter().filter(|flag| flag.support == support) {
            out.push_str(&page_row(flag));
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
| `-c` extends the file without writing it where it may | every byte is written, flushed and dropped from the page cache; \
reading what was never written measures nothing |
| `-F` without `-O` sends all I/O of several targets to the first | every target gets its own |
| a base (`-B`) behind the end of the target runs with figures of nothing | refused, exit code 1 |
| a rate limit (`-g`) can round to no limit at all | kept as asked |
| a rate limit counts from before the start, and catches up without bound | counts from the start, catches up within bounds |
| a short transfer counts as a whole I/O | told, not counted, exit code 1 |
| an I/O error lets the other phases pass before the end | ends the run at once |
| text in XML is not escaped | escaped |
| per-target total latency is missing in XML results, `-Zr` in XML profiles | both are there |
| charts of several paths come in any order | in the order of the command line |
| every distinct latency is kept, in memory without bound | a histogram within 0.1 %, with exact means, deviations and extremes |
| a mapping (`-Sm`) is writable even where nothing is written (`-w0`) | read-only: a test that only reads needs no \
permission to write |
| `-b0` and unaligned sizes without the system cache fail while running | refused before any I/O |
| `/` begins an option everywhere | not where a path is meant: `/datafile.dat`, `/data` |
";

/// What the original's options cannot say.
const ENVIRONMENT: &str = "
## Environment

| variable | says |
| --- | --- |
| `IOGAUGE_DISKSPD` | the version whose text report is printed: `2.0` (as of 2015), `2.1` or `2.2` (default); for scripts that \
read an older one |
| `IOGAUGE_DRIVES` | where Windows drives and disk numbers are: `D=/mnt/d,1=/dev/sdb` |
| `IOGAUGE_DATA` | content of new files and write buffers: `random` (default), `zeros`, or `original` for what DiskSpd writes |
| `IOGAUGE_ENGINE` | the engine that issues the I/O: `auto` (default), a name, or `sim:<law>` |
| `IOGAUGE_ON_ERROR` | `stop` (default) or `continue` |
| `IOGAUGE_DESTROY` | devices or files that may be overwritten |
| `IOGAUGE_QUIET` | `1`: no notes and no progress on standard error |
| `XDG_RUNTIME_DIR` | the folder that holds `iogauge/<event>` for the options `-y` |

## Events

An event of `-ys`, `-yf`, `-yr`, `-yp` or `-ye` is a file: `$XDG_RUNTIME_DIR/iogauge/<event>`, or `/tmp/iogauge-<user \
number>/<event>`
without that variable or where its folder is not there (a folder that must be yours alone: it is made so, or the line is \
refused). It is signalled once the file exists, so `touch` signals it, a shell loop can wait for it, and `rm` \
resets it.
A run removes the files of `-ys` and `-yf` when it begins; it never removes those of `-yr` and `-yp`. The prefixes `Global\\` and
`Local\\` of Windows are dropped.
";

#[test]
fn compat_page_is_that_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/compat/diskspd.md");
    if env::var_os("IOGAUGE_BLESS").is_some_and(|value| value == "1") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, page()).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page(),
        "docs/compat/diskspd.md is not what the flag table says; write it anew with: \
         IOGAUGE_BLESS=1 cargo test --lib compat_page"
    );
}
