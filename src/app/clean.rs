//! `iogauge clean`: test files of ours that were kept, or left by a kill.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal, Write},
    path::Path,
    time::Duration,
};

use ioengine::clock;

use super::{terminal, words};
use crate::{
    exit::ExitCode,
    guard,
    host::{self, Depth, Leftover, Leftovers, OpenFiles},
    personality::native::commands::clean::CleanArgs,
    units::names::shown,
};

/// Carries it out.
pub(super) fn run(args: &CleanArgs) -> ExitCode {
    let depth = if args.recursive {
        Depth::Below
    } else {
        Depth::Folder
    };
    let found = match host::leftovers(&args.folder, depth) {
        Ok(found) => found,
        Err(error) => {
            let folder = shown(args.folder.as_os_str());
            terminal::complain(&format!(
                "iogauge: clean {folder}: the folder cannot be read: {error}: name another one"
            ));
            return ExitCode::Usage;
        }
    };
    for (folder, error) in &found.unread {
        let folder = shown(folder.as_os_str());
        terminal::complain(&format!("iogauge: {folder} was not looked into: {error}"));
    }
    let list = list(&args.folder, &found, clock::wall());
    let shown = terminal::show(list.as_bytes(), ExitCode::Ok);
    let going: Vec<&Leftover> = going(&found);
    if going.is_empty() || args.dry_run || shown != ExitCode::Ok {
        return shown;
    }
    if args.yes {
        return remove(&going);
    }
    if !io::stdin().is_terminal() {
        terminal::complain(&format!(
            "nothing was removed: to remove what is listed, type {}",
            line_to_type(args)
        ));
        return ExitCode::Usage;
    }
    if agreed(going.len()) {
        remove(&going)
    } else {
        terminal::show(b"Nothing was removed.\n", ExitCode::Ok)
    }
}

fn going(found: &Leftovers) -> Vec<&Leftover> {
    let files = found.files.iter();
    files.filter(|file| file.stays.is_none()).collect()
}

/// What was found, one line a file.
fn list(folder: &Path, found: &Leftovers, now: Duration) -> String {
    let place = shown(folder.as_os_str());
    if found.files.is_empty() {
        return format!("No test files of ours in {place}.\n");
    }
    let mut text = format!("Test files of ours in {place}:\n\n      SIZE      AGE  FILE\n");
    for file in &found.files {
        let age = file.written.map_or_else(
            || "?".to_owned(),
            |written| words::age(now.saturating_sub(written)),
        );
        let name = shown(file.path.as_os_str());
        let size = words::size(file.size);
        let _ = writeln!(text, "{size:>10}  {age:>7}  {name}");
        if let Some(reason) = &file.stays {
            let _ = writeln!(text, "                     stays: {reason}");
        }
    }
    let going = going(found);
    let sum = going
        .iter()
        .map(|file| file.size)
        .fold(0, u64::saturating_add);
    let _ = writeln!(
        text,
        "\n{} to remove, {}",
        words::count(going.len(), "file"),
        words::size(sum)
    );
    text
}

/// The same command with consent.
fn line_to_type(args: &CleanArgs) -> String {
    let recursive = if args.recursive { " -r" } else { "" };
    let folder = if args.folder == Path::new(".") {
        String::new()
    } else {
        format!(" {}", guard::shell_word(&args.folder))
    };
    format!("iogauge clean --yes{recursive}{folder}")
}

/// Asks; anything but a yes is a no.
fn agreed(count: usize) -> bool {
    let question = format!("Remove {}? [y/N] ", words::count(count, "file"));
    let mut out = io::stdout().lock();
    let asked = out
        .write_all(question.as_bytes())
        .and_then(|()| out.flush());
    let mut answer = String::new();
    let answered = asked.and_then(|()| io::stdin().read_line(&mut answer));
    answered.is_ok() && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

/// Each of them, as it is now.
fn remove(files: &[&Leftover]) -> ExitCode {
    let open = OpenFiles::now();
    let (mut count, mut bytes) = (0, 0_u64);
    let mut code = ExitCode::Ok;
    for file in files {
        match host::remove_leftover(file, &open) {
            Ok(()) => {
                count += 1;
                bytes = bytes.saturating_add(file.size);
            }
            Err(error) => {
                let name = shown(file.path.as_os_str());
                terminal::complain(&format!("iogauge: {name} was not removed: {error}"));
                code = ExitCode::Failed;
            }
        }
    }
    let line = format!(
        "Removed {}, {}.\n",
        words::count(count, "file"),
        words::size(bytes)
    );
    terminal::show(line.as_bytes(), code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_to_type_is_the_same_with_consent() {
        let args = |folder: &str, recursive| CleanArgs {
            folder: folder.into(),
            recursive,
            yes: false,
            dry_run: false,
        };
        assert_eq!(line_to_type(&args(".", false)), "iogauge clean --yes");
        assert_eq!(
            line_to_type(&args("/mnt", true)),
            "iogauge clean --yes -r /mnt"
        );
    }
}
