//! The page `docs/compat/sqlio.md` is what the flag table says; a test keeps it so.

use std::{env, fmt::Write, fs, path::Path};

use super::flags::FLAGS;
use crate::personality::flags::{Support, page_row};

/// The whole page.
fn page() -> String {
    let mut out = String::from(
        "# SQLIO compatibility

What `iogauge sqlio` does with every option of SQLIO v1.5.SG's command line, on Linux. This page is made from the table that
the program parses with. What the report looks like is fixed by published ones.

- *Supported*: does what the original does, by the means in the last column.
- *Accepted*: taken so that existing command lines work, has no effect here; one line on standard error says so.

Anything else is refused with the usage, exit code 1. `iogauge explain -- sqlio ...` says what the options of a line mean, one \
by one, and runs nothing.
",
    );
    for (title, support) in [
        ("Supported", Support::Supported),
        ("Accepted, without effect", Support::WithoutEffect),
    ] {
        let _ = write!(
            out,
            "\n## {title}\n\n| option | meaning | on Linux |\n| --- | --- | --- |\n"
        );
        for flag in FLAGS.iter().filter(|flag| flag.support == support) {
            out.push_str(&page_row(flag));
        }
    }
    out.push_str(LINES);
    out.push_str(ELSEWHERE);
    out.push_str(DIFFERENCES);
    out.push_str(ENVIRONMENT);
    out
}

/// What stands around options.
const LINES: &str = "
## Lines, parameter files, batch files

- Options and file names stand in any order; of an option that is there twice the last one wins. A blank inside an argument \
(`\"-o 8\"`) and
  a typographic dash (`–BN`) are taken.
- A parameter file has lines `name threads [mask [sizeMB]]`; `#` begins a comment; line ends of Windows, a byte order mark, UTF-16 and a
  missing last line end are taken, and a name with blanks may stand between quotes.
- `iogauge sqlio --batch FILE` runs the `sqlio` lines of a batch file in order, each with its own `>` or `>>`. `set NAME=value` and
  `%NAME%` work; `rem`, `::`, labels, `echo`, `timeout`, `pause`, `cls`, `title` are passed over (an `echo` into a file is \
written there);
  `exit` ends it; `2>&1` behind a file sends standard error there too, but for progress. Anything else (`cd` too) is refused with \
its line
  before anything runs, and so is an output that is the batch file, a file under test, a parameter file (only `echo` writes these), or
  a file that writing would need consent for. A parameter file may be one that an `echo` above makes.
";

/// The same in other tools.
const ELSEWHERE: &str = "
## The same elsewhere

| SQLIO | DiskSpd | fio | here |
| --- | --- | --- | --- |
| `-kR`, `-kW` | `-w0`, `-w100` | `--rw=read`, `--rw=write` | same |
| `-t8` | `-t8` for each target, `-F8` in all | `--numjobs=8` | same |
| `-s60` | `-d60 -W0` | `--runtime=60 --time_based` | same |
| `-frandom` | `-r` | `--rw=randread`, `--rw=randwrite` | same |
| `-fsequential` | `-si` | `--rw=read`; a job of its own for each thread | same |
| `-f64 -i64` | `-s` with 64 times the block size is near | `--rw=read:<bytes>` is near | same |
| `-o8` | `-o8` | `--iodepth=8 --ioengine=libaio` | same |
| no `-o` | `-o1` | `--ioengine=psync` | same |
| `-b8` | `-b8K` | `--bs=8k` | same |
| `-BN` | `-Sh` | `--direct=1 --sync=dsync` | `O_DIRECT`, `O_DSYNC` |
| `-BH` | `-Su` | `--direct=1` | `O_DIRECT` |
| `-BS` | `-Sw` | `--direct=0 --sync=dsync` | `O_DSYNC` |
| `-BY` | without `-S` | `--direct=0` | neither |
| `-LS` | `-L` | always | same; true mean and 99th percentile on standard error too |
| `-S16` | `-B` with 16 times the block size | `--offset=` | same |
| `-aR0xf` | `-a0,1,2,3` | `--cpus_allowed=0-3 --cpus_allowed_policy=split` | same |
| `-F` lines | targets with `-t` each, XML for more | one job a line | same |
| size in a `-F` line | `-c` | `--size=` | file is made or extended |
";

/// Where doing the same would be wrong, is impossible, or is not known.
const DIFFERENCES: &str = "
## On purpose not the same

| the original | here |
| --- | --- |
| new files and all writes hold zeros, which drives may compress or not store at all | random bytes; `IOGAUGE_DATA=original` \
takes zeros |
| files grow by what the file system calls zeros | every byte is written |
| a mix of `-o` and `-m` is an error | the same, but `-o0` beside `-m` is taken |
| drive letters | folders that `IOGAUGE_DRIVES` names; the report keeps the spelling |
| writing to a raw target asks nobody | needs `IOGAUGE_DESTROY` with its name |
| latencies of the processor's timer differ between processors | one monotonic clock in nanoseconds, whatever `-L` says |
| a run that fails may print figures | none are printed; standard error says what was counted, exit code 1 |
| the average is the cut mean of cut milliseconds | the same in the report; standard error has the true mean |

Not known of the original, and decided here: all threads of `-fsequential` share one cursor for each file; a random or sequential file
that is missing or empty is made with 64 x `-i` blocks; `-S` moves the beginning and leaves the end; `-kWR` writes; where the \
number of threads does not divide
the stripe factor, thread k of t begins at column k x f / t, rounded down; the table of `-U` stands behind `MBs/sec`.
";

/// What the original's options cannot say.
const ENVIRONMENT: &str = "
## Environment

| variable | says |
| --- | --- |
| `IOGAUGE_DRIVES` | where Windows drives and disk numbers are: `E=/mnt/e,9=/dev/sdb` |
| `IOGAUGE_DATA` | content of new files and write buffers: `random` (default), `zeros`, or `original` for what SQLIO writes |
| `IOGAUGE_ENGINE` | the engine that issues the I/O: `auto` (default), a name, or `sim:<law>` |
| `IOGAUGE_ON_ERROR` | `stop` (default) or `continue` |
| `IOGAUGE_DESTROY` | devices or files that may be overwritten |
| `IOGAUGE_QUIET` | `1`: no notes and no progress on standard error |
";

#[test]
fn compat_page_is_that_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/compat/sqlio.md");
    if env::var_os("IOGAUGE_BLESS").is_some_and(|value| value == "1") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, page()).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page(),
        "docs/compat/sqlio.md is not what the flag table says; write it anew with: \
         IOGAUGE_BLESS=1 cargo test --lib compat_page"
    );
}
