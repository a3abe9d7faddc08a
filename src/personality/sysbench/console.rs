//! What goes to standard output, as sysbench writes it: line by line and at once, only what the
//! verbosity lets through, and a line that repeats the one before told as a number.
//!
//! The observer writes while the run goes on, the renderer when it is over. Both use one
//! console, so that a repetition from one is still known to the other.

use std::{
    fmt::Write as _,
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

/// How important a message is; it is shown if this is not above `--verbosity`. Level 1 (alert) is
/// in no message of `fileio`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Fatal = 0,
    Warning = 2,
    Notice = 3,
    Info = 4,
    Debug = 5,
}

impl Level {
    fn prefix(self) -> &'static str {
        match self {
            Self::Fatal => "FATAL: ",
            Self::Warning => "WARNING: ",
            Self::Debug => "DEBUG: ",
            Self::Notice | Self::Info => "",
        }
    }
}

/// A message: a line, or lines that belong together, blank ones among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    level: Level,
    /// Complete, but for the last line feed.
    text: String,
    folds: bool,
}

impl Message {
    /// With the prefix of its level; a repetition is folded.
    pub(super) fn new(level: Level, text: impl AsRef<str>) -> Self {
        Self {
            level,
            text: format!("{}{}", level.prefix(), text.as_ref()),
            folds: true,
        }
    }

    /// As it is; a repetition is folded.
    pub(super) fn verbatim(level: Level, text: impl Into<String>) -> Self {
        Self {
            level,
            text: text.into(),
            folds: true,
        }
    }

    /// Shown however often it comes: figures of an interval, of a checkpoint, of the run.
    pub(super) fn figures(text: impl Into<String>) -> Self {
        Self {
            level: Level::Notice,
            text: text.into(),
            folds: false,
        }
    }
}

/// A console that is shared.
#[derive(Debug, Clone)]
pub(super) struct Console(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    verbosity: u8,
    /// The message before, if it can be repeated.
    last: Option<String>,
    repeated: u64,
    /// Why something could not be written while the run went on.
    lost: Option<io::Error>,
}

impl Console {
    pub(super) fn new(verbosity: u8) -> Self {
        Self(Arc::new(Mutex::new(State {
            verbosity,
            last: None,
            repeated: 0,
            lost: None,
        })))
    }

    /// Writes what is to be shown of messages.
    pub(super) fn say(&self, out: &mut dyn Write, messages: &[Message]) -> io::Result<()> {
        // A thread that died while it held the lock has left nothing half done that matters.
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        messages
            .iter()
            .try_for_each(|message| state.say(out, message))
    }

    /// Keeps why something could not be written, for the end. A reader who went away is no reason.
    pub(super) fn lose(&self, error: io::Error) {
        if error.kind() != io::ErrorKind::BrokenPipe {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.lost = Some(error);
        }
    }

    /// Tells of repetitions that nothing followed.
    ///
    /// # Errors
    /// These cannot be written, or something could not be before.
    pub(super) fn finish(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.unfold(out)?;
        state.lost.take().map_or(Ok(()), Err)
    }
}

impl State {
    fn say(&mut self, out: &mut dyn Write, message: &Message) -> io::Result<()> {
        if message.level as u8 > self.verbosity {
            return Ok(());
        }
        if message.folds && self.last.as_ref() == Some(&message.text) {
            self.repeated += 1;
            return Ok(());
        }
        self.unfold(out)?;
        self.last = message.folds.then(|| message.text.clone());
        lines(out, &message.text)
    }

    fn unfold(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.last = None;
        let repeated = std::mem::take(&mut self.repeated);
        if repeated == 0 {
            return Ok(());
        }
        lines(out, &format!("(last message repeated {repeated} times)"))
    }
}

/// One write a line, so that a reader has each as soon as it is known.
fn lines(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let mut line = String::new();
    for part in text.split('\n') {
        line.clear();
        // Writing to a String cannot fail.
        let _ = writeln!(line, "{part}");
        out.write_all(line.as_bytes())?;
        out.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use super::{Console, Level, Message};

    fn shown(verbosity: u8, messages: &[Message]) -> String {
        let mut out = Vec::new();
        let console = Console::new(verbosity);
        console.say(&mut out, messages).unwrap();
        console.finish(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_level_shows_itself_and_what_is_more_important() {
        let levels = [
            Level::Fatal,
            Level::Warning,
            Level::Notice,
            Level::Info,
            Level::Debug,
        ];
        let messages = levels.map(|level| Message::new(level, format!("{level:?}")));
        let all = ["FATAL: Fatal", "WARNING: Warning", "Notice", "Info"];
        for (verbosity, count) in [(0, 1), (1, 1), (2, 2), (3, 3), (4, 4)] {
            assert_eq!(
                shown(verbosity, &messages).lines().collect::<Vec<_>>(),
                all[..count]
            );
        }
        assert!(shown(5, &messages).ends_with("Info\nDEBUG: Debug\n"));
    }

    #[test]
    fn repetitions_become_a_number() {
        // As recorded in v04-threads4-time.
        let limit = Message::new(Level::Info, "Time limit exceeded, exiting...");
        let done = Message::new(Level::Info, "Done.\n");
        let four = [
            limit.clone(),
            limit.clone(),
            limit.clone(),
            limit.clone(),
            done,
        ];
        assert_eq!(
            shown(4, &four),
            "Time limit exceeded, exiting...\n(last message repeated 3 times)\nDone.\n\n"
        );
        // What is hidden comes between nothing.
        let hidden = Message::new(Level::Debug, "x");
        assert_eq!(
            shown(4, &[limit.clone(), hidden, limit]),
            "Time limit exceeded, exiting...\n(last message repeated 1 times)\n"
        );
    }

    #[test]
    fn figures_are_never_folded() {
        let same = Message::figures("[ 1s ] reads");
        assert_eq!(shown(3, &[same.clone(), same]).lines().count(), 2);
    }

    #[test]
    fn what_one_writer_began_another_ends() {
        let console = Console::new(4);
        let line = Message::new(Level::Info, "a");
        let (mut first, mut second) = (Vec::new(), Vec::new());
        console
            .clone()
            .say(&mut first, &[line.clone(), line.clone()])
            .unwrap();
        console.say(&mut second, &[line]).unwrap();
        console.finish(&mut second).unwrap();
        assert_eq!(first, b"a\n");
        assert_eq!(second, b"(last message repeated 2 times)\n");
    }

    #[test]
    fn what_was_lost_is_told_at_the_end_but_for_a_reader_who_left() {
        let console = Console::new(4);
        console.lose(io::ErrorKind::BrokenPipe.into());
        assert!(console.finish(&mut Vec::new()).is_ok());
        console.lose(io::ErrorKind::StorageFull.into());
        let error = console.finish(&mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(console.finish(&mut Vec::new()).is_ok());
    }

    /// Counts writes.
    struct Counting(usize);

    impl Write for Counting {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn each_line_is_one_write() {
        let mut out = Counting(0);
        let message = Message::new(Level::Notice, "a\n\nb");
        Console::new(3).say(&mut out, &[message]).unwrap();
        assert_eq!(out.0, 3);
    }
}
