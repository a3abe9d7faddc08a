//! Files that are made and removed, in words. A set of alike files is told as one.

use std::path::{Path, PathBuf};

use ioengine::{Caching, Durability};

use super::{
    super::{Cleanup, Content, FilePreparation, Policy, Prepare, Through, Whose},
    sheet::{Sheet, bytes, plural, size},
};
use crate::units::names::shown;

/// So many alike files have a line each.
const SHOWN: usize = 4;

/// `a`, or `128 files, a.0 to a.127`.
pub(super) fn set(paths: &[&Path]) -> String {
    match paths {
        [] => "no file".to_owned(),
        [one] => shown(one.as_os_str()),
        [first, .., last] => format!(
            "{}, {} to {}",
            plural(paths.len() as u64, "file"),
            shown(first.as_os_str()),
            shown(last.as_os_str())
        ),
    }
}

/// Files to make. `loaded` says that a load comes after them.
pub(super) fn preparation(sheet: &mut Sheet, prepare: &Prepare, loaded: bool) {
    sheet.heading(if loaded {
        "Before the load"
    } else {
        "Files to make"
    });
    let alike = |a: &FilePreparation, b: &FilePreparation| {
        let named = FilePreparation {
            label: a.label.clone(),
            path: a.path.clone(),
            ..b.clone()
        };
        *a == named
    };
    for files in prepare.files.chunk_by(alike) {
        if files.len() > SHOWN {
            let paths: Vec<&Path> = files.iter().map(|file| file.path.as_path()).collect();
            let text = format!("{}: each {}", set(&paths), in_words(&files[0]));
            sheet.entry(1, "makes", &text);
            continue;
        }
        for file in files {
            let text = format!("{}: {}", shown(file.path.as_os_str()), in_words(file));
            sheet.entry(1, "makes", &text);
        }
    }
    let total = prepare.files.iter().fold(0, |sum: u64, file| {
        sum.saturating_add(file.size_from(0).unwrap_or(u64::MAX))
    });
    let extends = prepare
        .files
        .iter()
        .any(|file| file.policy == Policy::Extend);
    let most = if extends { "at most " } else { "" };
    let when = if loaded {
        " before the load begins"
    } else {
        ""
    };
    sheet.entry(1, "writes", &format!("{most}{}{when}", bytes(total)));
}

/// What one file becomes, and how.
fn in_words(file: &FilePreparation) -> String {
    let content = match file.content {
        Content::Random => "random bytes",
        Content::Zeros => "zeros, really written",
        Content::BytePattern => "the bytes 0 to 255 again and again",
        Content::Verifiable => "labelled sectors that can be verified",
    };
    let policy = match file.policy {
        Policy::Rebuild => "an existing file is cut to nothing and written again",
        Policy::Extend => "an existing file is kept if it is large enough, else extended",
        Policy::Replace => "an existing file is removed and made anew",
    };
    let mut text = format!("{} of {content}; {policy}", bytes(file.size));
    if let Some(block) = file.block {
        let block = size(u64::from(block));
        text.push_str("; it grows by whole blocks of ");
        text.push_str(&block);
        text.push_str(" from where it ended, and so may become larger");
    }
    if file.verify {
        text.push_str("; each block ends with a checksum and its offset");
    }
    if let Through::As {
        caching,
        durability,
    } = file.through
    {
        text.push_str(match caching {
            Caching::Buffered => "; through the page cache, which keeps it",
            Caching::Direct => "; past the page cache (O_DIRECT), or not at all",
        });
        text.push_str(match durability {
            Durability::None => "",
            Durability::Dsync => ", with O_DSYNC",
            Durability::Sync => ", with O_SYNC",
        });
    }
    text
}

/// Files to remove. `loaded` says that a load comes before.
pub(super) fn cleanup(sheet: &mut Sheet, cleanup: &Cleanup, loaded: bool) {
    sheet.heading(if loaded {
        "After the load"
    } else {
        "Files to remove"
    });
    let paths: Vec<&Path> = cleanup.paths.iter().map(PathBuf::as_path).collect();
    let each = if paths.len() > SHOWN { paths.len() } else { 1 };
    for some in paths.chunks(each) {
        let text = match cleanup.whose {
            Whose::Own => format!("{}, if this run made it", set(some)),
            Whose::Named => format!("{}, whoever made it, if it is there", set(some)),
        };
        sheet.entry(1, "removes", &text);
    }
}
