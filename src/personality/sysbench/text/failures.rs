//! What went wrong, in the words of 1.0, for both dialects: FATAL lines, and what may help. Files
//! have their names where the original prints a descriptor's number.

use std::io;

use crate::{
    personality::sysbench::{
        amount::size,
        console::{Level, Message},
        options::{Dialect, Mode, Options},
    },
    results::{Failure, OperationKind, Stage, Subject},
};

/// "No such file or directory".
const ENOENT: i32 = 2;
/// "Input/output error".
const EIO: i32 = 5;

/// The lines for one failure.
pub(super) fn messages(failure: &Failure, options: &Options) -> Vec<Message> {
    let file = failure.target.as_deref().unwrap_or_default();
    let needed = options.file.file_size();
    match failure.subject {
        Subject::Opening => opening(file, failure, options),
        Subject::EmptyTarget => small(file, 0, needed),
        Subject::SmallTarget { size, needed } => small(file, size, needed),
        Subject::Operation {
            kind,
            offset,
            transferred,
            cut_to,
        } => {
            let mut messages = vec![operation(file, failure, kind, offset, transferred, options)];
            messages.extend(cut(file, failure, transferred, cut_to));
            messages
        }
        Subject::Checksum {
            offset,
            calculated,
            stored,
        } => vec![
            fatal(format!("Checksum mismatch in block with offset: {offset}")),
            fatal(format!(
                "    Calculated value: 0x{calculated:x}    Stored value: 0x{stored:x}"
            )),
            invalid(file, offset),
        ],
        Subject::Misplaced { offset, stored } => vec![
            fatal(format!("Misplaced block with offset: {offset}")),
            fatal(format!("    It was written for offset: {stored}")),
            invalid(file, offset),
        ],
        _ => vec![fatal(failure.message.clone())],
    }
}

fn fatal(text: impl AsRef<str>) -> Message {
    Message::new(Level::Fatal, text)
}

fn warning(text: impl AsRef<str>) -> Message {
    Message::new(Level::Warning, text)
}

/// The hint is for missing files only: the original gives it for every reason. Of others our own
/// sentence says more: who may not do what, or how much of something there is.
fn opening(file: &str, failure: &Failure, options: &Options) -> Vec<Message> {
    let Some(errno) = failure.errno else {
        return vec![fatal(failure.message.clone())];
    };
    let mut messages = vec![fatal(format!(
        "Cannot open file '{file}' {}",
        system_error(errno)
    ))];
    let expected = failure.stage == Stage::Open && options.file.mode != Some(Mode::SeqWr);
    if errno == ENOENT && expected {
        messages.push(warning("Did you forget to run the prepare step?"));
    } else {
        messages.push(warning(&failure.message));
    }
    messages
}

fn small(file: &str, found: u64, needed: u64) -> Vec<Message> {
    let size = |bytes: u64| size(bytes as f64, Dialect::V10);
    vec![
        fatal(format!(
            "Size of file '{file}' is {}, but at least {} is expected.",
            size(found),
            size(needed)
        )),
        warning("Did you run 'prepare' with different --file-total-size or --file-num values?"),
    ]
}

fn operation(
    file: &str,
    failure: &Failure,
    kind: OperationKind,
    offset: u64,
    transferred: Option<u32>,
    options: &Options,
) -> Message {
    let (verb, position) = match kind {
        OperationKind::Read => ("read", format!(" pos: {offset}")),
        OperationKind::Write => ("write", format!(" pos: {offset}")),
        OperationKind::Flush | OperationKind::FlushData => ("fsync", String::new()),
    };
    let why = match (failure.errno, transferred) {
        (Some(errno), _) => system_error(errno),
        (None, Some(got)) => {
            format!("expected: {} got: {got}", request_length(options, offset))
        }
        (None, None) => return fatal(failure.message.clone()),
    };
    fatal(format!(
        "Failed to {verb} file! file: {file}{position} {why}"
    ))
}

/// What the line of the original leaves out of a failed operation. A file that was cut gives an
/// error of the medium where it is mapped.
fn cut(
    file: &str,
    failure: &Failure,
    transferred: Option<u32>,
    cut_to: Option<u64>,
) -> Option<Message> {
    if let Some(size) = cut_to {
        let medium = match failure.errno {
            Some(EIO) => "; the medium has no part in this",
            _ => "",
        };
        return Some(warning(format!(
            "'{file}' has only {size} bytes now, and ends before or within the request: it was \
             cut since the run began{medium}"
        )));
    }
    // Without either the sentence is told already.
    let more = match failure.errno {
        Some(_) => failure.stage == Stage::Prepare,
        None => transferred.is_some(),
    };
    more.then(|| warning(&failure.message))
}

/// Bytes of the request at `offset`: a block, or several merged, cut at the end of the file.
fn request_length(options: &Options, offset: u64) -> u64 {
    let file = &options.file;
    let sequential = file.mode.is_some_and(Mode::sequential);
    let blocks = if sequential { file.merged.max(1) } else { 1 };
    let whole = u64::from(file.block) * u64::from(blocks);
    whole.min(file.file_size().saturating_sub(offset))
}

/// Files are numbered by the end of their names.
fn invalid(file: &str, offset: u64) -> Message {
    let number = file.rsplit('.').next().unwrap_or(file);
    fatal(format!(
        "Validation failed on file {number}, block offset {offset}, exiting..."
    ))
}

/// `errno = 2 (No such file or directory)`.
pub(crate) fn system_error(errno: i32) -> String {
    let text = io::Error::from_raw_os_error(errno).to_string();
    // The library says the number too.
    let number = format!(" (os error {errno})");
    let text = text.strip_suffix(&number).unwrap_or(&text);
    format!("errno = {errno} ({text})")
}
