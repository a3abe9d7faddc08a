//! The options of the test itself, checked in the order of the original.

use super::{
    checks::{INT_MAX, Label, SIZE_MAX, size, within},
    refused::Fatal,
    values::Values,
    words::escaped,
};
use crate::personality::sysbench::options::{Action, Dialect, ExtraFlags, IoMode, Mode, Options};

/// Files at most: as many as a process can hold open on Linux.
const FILES_MAX: u32 = 1 << 20;
/// Bytes of a request at most.
const REQUEST_MAX: u64 = 1 << 30;
/// Bytes of all files together at most: offsets are signed in every interface of the system.
const TOTAL_MAX: u64 = SIZE_MAX;
/// Bytes of a checked block that hold its checksum and its offset.
const TRAILER: u32 = 12;

/// Takes the options of the test in.
///
/// # Errors
/// The first value that is not accepted.
pub(super) fn fileio(values: &Values, options: &mut Options) -> Result<(), Fatal> {
    let file = &mut options.file;
    let run = options.action == Action::Run;
    file.count = within(values, Label::bare("file-num"), file.count, 1, FILES_MAX)?;
    let total = Label::bare("file-total-size");
    file.total = size(values, total, file.total, TOTAL_MAX)?;
    if run {
        file.mode = Some(mode(values, options.dialect)?);
    } else {
        file.mode = values.text("file-test-mode").and_then(mode_named);
    }
    file.io_mode = io_mode(values)?;
    let merged = Label::dotted("file-merged-requests");
    file.merged = within(values, merged, file.merged, 0, INT_MAX)?;
    let block = Label {
        end: ".",
        ..Label::bare("file-block-size")
    };
    file.block = size(values, block, u64::from(file.block), REQUEST_MAX)? as u32;
    file.flags = extra_flags(values)?;
    let frequency = Label::dotted("file-fsync-freq");
    file.fsync_freq = within(values, frequency, file.fsync_freq, 0, INT_MAX)?;
    file.fdatasync = fdatasync(values)?;
    file.rw_ratio = ratio(values, file.rw_ratio)?;
    file.fsync_all = values.switch("file-fsync-all", file.fsync_all);
    file.fsync_end = values.switch("file-fsync-end", file.fsync_end);
    if file.fsync_all {
        file.fsync_freq = 0;
        file.fsync_end = false;
    }
    // The original looks at it in asynchronous runs alone.
    if run && file.io_mode == IoMode::Async {
        let backlog = Label::dotted("file-async-backlog");
        file.backlog = within(values, backlog, file.backlog, 1, BACKLOG_MAX)?;
    }
    together(options)
}

/// Requests in flight of a thread at most: beyond the limit of any interface.
const BACKLOG_MAX: u32 = 1 << 20;

/// What must hold between values.
fn together(options: &Options) -> Result<(), Fatal> {
    let file = &options.file;
    if options.action == Action::Cleanup {
        return Ok(());
    }
    if file.file_size() == 0 {
        return Err(Fatal::plain(format!(
            "{} bytes in {} files leave no byte for each: --file-total-size must be larger, or \
             --file-num smaller",
            file.total, file.count
        )));
    }
    let sequential = file.mode.is_some_and(Mode::sequential);
    let request = u64::from(file.block) * u64::from(file.merged.max(1));
    if options.action == Action::Run && sequential && request > REQUEST_MAX {
        return Err(Label::dotted("file-merged-requests").fatal(
            &file.merged.to_string(),
            format!(
                "a request is at most 1 GiB, and {} blocks of {} bytes are more",
                file.merged, file.block
            ),
        ));
    }
    if options.validate && file.block <= TRAILER {
        return Err(Fatal::plain(format!(
            "--validate needs blocks of more than {TRAILER} bytes for a checksum and an offset; \
             --file-block-size is {}",
            file.block
        )));
    }
    Ok(())
}

fn mode_named(name: &str) -> Option<Mode> {
    Some(match name {
        "seqwr" => Mode::SeqWr,
        "seqrewr" => Mode::SeqRewr,
        "seqrd" => Mode::SeqRd,
        "rndrd" => Mode::RndRd,
        "rndwr" => Mode::RndWr,
        "rndrw" => Mode::RndRw,
        _ => return None,
    })
}

fn mode(values: &Values, dialect: Dialect) -> Result<Mode, Fatal> {
    let Some(name) = values.text("file-test-mode") else {
        let list = match dialect {
            Dialect::V04 => concat!(include_str!("listing/v04.txt"), "\n").to_owned(),
            Dialect::V10 => format!("\nfileio options:\n{}\n", include_str!("listing/v10.txt")),
        };
        // The list of options is part of what the original prints here.
        let list = list.strip_suffix('\n').unwrap_or(&list);
        return Err(Fatal::plain(format!(
            "Missing required argument: --file-test-mode\n{list}"
        )));
    };
    mode_named(name).ok_or_else(|| {
        Fatal::new(
            format!("Invalid IO operations mode: {}.", escaped(name)),
            "--file-test-mode is one of seqwr, seqrewr, seqrd, rndrd, rndwr, rndrw",
        )
    })
}

fn io_mode(values: &Values) -> Result<IoMode, Fatal> {
    match values.text("file-io-mode") {
        None | Some("sync") => Ok(IoMode::Sync),
        Some("async") => Ok(IoMode::Async),
        Some("mmap") => Ok(IoMode::Mmap),
        Some(name) => Err(Fatal::new(
            format!("unknown I/O mode: {}", escaped(name)),
            "--file-io-mode is one of sync, async, mmap",
        )),
    }
}

fn extra_flags(values: &Values) -> Result<ExtraFlags, Fatal> {
    let mut flags = ExtraFlags::default();
    for word in values.list("file-extra-flags") {
        match word.as_str() {
            "sync" => flags.sync = true,
            "dsync" => flags.dsync = true,
            "direct" => flags.direct = true,
            _ => {
                let hint = "--file-extra-flags is a list of sync, dsync, direct";
                return Err(Label::bare("file-extra-flags").fatal(&escaped(word), hint));
            }
        }
    }
    Ok(flags)
}

fn fdatasync(values: &Values) -> Result<bool, Fatal> {
    match values.text("file-fsync-mode") {
        None | Some("fsync") => Ok(false),
        Some("fdatasync") => Ok(true),
        Some(name) => Err(Fatal::new(
            format!("Invalid fsync mode: {}.", escaped(name)),
            "--file-fsync-mode is fsync or fdatasync",
        )),
    }
}

fn ratio(values: &Values, default: f64) -> Result<f64, Fatal> {
    // A negative zero would be told as one.
    let ratio = values.float("file-rw-ratio").unwrap_or(default) + 0.0;
    if ratio < 0.0 {
        let hint = "--file-rw-ratio is the number of reads for each write, 0 or more";
        return Err(Label::dotted("file-rw-ratio").fatal(&format!("{ratio:.6}"), hint));
    }
    Ok(ratio)
}
