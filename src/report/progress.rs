//! What a person at standard error sees while files are made: a live line on a terminal, and one
//! line for each file that was made for a test.

mod estimate;
mod many;

use std::{ffi::OsStr, io::Write, time::Duration};

use estimate::Estimate;
use many::Many;

use super::text::{self, Charset, Form, Surface, cut, span_of_time};
use crate::{
    plan::{Plan, WriteRules},
    results::{Event, Observer, mib_per_second},
    units::{
        ByteSize,
        names::{escaped, shown},
    },
};

/// Takes a line away that was drawn on a terminal.
const CLEAR: &str = "\r\x1b[K";
/// Columns of a live line, which must not be broken; nearly all terminals have them.
const LIVE_WIDTH: usize = 79;

/// Tells of preparations; the load itself belongs to the personality's own observer.
#[derive(Debug)]
pub struct Progress<W: Write> {
    out: W,
    live: bool,
    drawn: bool,
    /// Files are made for a test that follows. Where they are all that is wanted, the report tells
    /// of them.
    test: bool,
    /// The run is one of our own, whose sentences are broken at 80 columns; a face's lines stay whole.
    own: bool,
    /// Bytes that the file under way had before.
    kept: u64,
    /// How long the file under way is going to take.
    estimate: Estimate,
    /// Files that are told of together.
    many: Option<Many>,
}

impl<W: Write> Progress<W> {
    /// Writes to `out`, with a live line where its form has room for one.
    pub fn new(out: W, plan: &Plan, form: Form) -> Self {
        Self {
            out,
            live: form.surface == Surface::Terminal,
            drawn: false,
            test: plan.spans().next().is_some(),
            own: plan.rules == WriteRules::Own,
            kept: 0,
            estimate: Estimate::default(),
            many: Many::of(plan),
        }
    }
}

impl<W: Write> Observer for Progress<W> {
    fn observe(&mut self, event: &Event<'_>) {
        if let Some(text) = self.text(event) {
            self.write(&text);
        }
    }
}

/// What comes after a file that failed begins on a clean line.
impl<W: Write> Drop for Progress<W> {
    fn drop(&mut self) {
        let clear = self.clear();
        if !clear.is_empty() {
            self.write(clear);
        }
    }
}

impl<W: Write> Progress<W> {
    /// In one write, so that lines do not mix. Nothing can be done when standard error is gone; the
    /// run goes on.
    fn write(&mut self, text: &str) {
        let written = self.out.write_all(text.as_bytes());
        let _ = written.and_then(|()| self.out.flush());
    }

    /// Takes the live line away, if there is one.
    fn clear(&mut self) -> &'static str {
        if std::mem::take(&mut self.drawn) {
            CLEAR
        } else {
            ""
        }
    }

    /// One more of many files is there.
    fn one_of_many(&mut self, bytes: u64, took: Duration) -> Option<String> {
        let many = self.many.as_mut()?;
        many.done(bytes, took);
        if many.whole() {
            let line = if self.test {
                many.line()
            } else {
                String::new()
            };
            return Some(format!("{}{line}", self.clean()));
        }
        if !self.live {
            return None;
        }
        let line = many.live();
        self.drawn = true;
        Some(format!("{CLEAR}{line}"))
    }

    /// What goes before a line that stays. Others may have drawn a live line on a terminal too.
    fn clean(&mut self) -> &'static str {
        self.drawn = false;
        if self.live { CLEAR } else { "" }
    }

    /// A line on a file that takes long.
    fn estimate(&mut self, label: &str, done: u64, size: u64) -> Option<String> {
        let whole = self.estimate.whole(done, size)?;
        let (label, clear) = (one_line(label), self.clean());
        Some(format!(
            "{clear}making {label} takes about {}: {} at {:.0} MiB/s\n",
            span_of_time(Duration::from_secs(whole.as_secs())),
            ByteSize(size),
            mib_per_second(size, whole)
        ))
    }

    /// What is to be shown of an event.
    fn text(&mut self, event: &Event<'_>) -> Option<String> {
        match event {
            Event::Kept { .. } if self.many.is_some() => self.one_of_many(0, Duration::ZERO),
            Event::Prepared { size, took, .. } if self.many.is_some() => {
                self.one_of_many(*size, *took)
            }
            Event::Preparing { kept, .. } => {
                self.kept = *kept;
                self.estimate.begin();
                None
            }
            Event::PrepareProgress { label, done, size } => {
                let told = self.estimate(label, *done, *size);
                if !self.live {
                    return told;
                }
                self.drawn = true;
                let percent = u128::from(*done) * 100 / u128::from((*size).max(1));
                let far = format!(": {percent} % of {}", ByteSize(*size));
                let room = LIVE_WIDTH.saturating_sub("making ".len() + far.len());
                let label = cut(&one_line(label), room, Charset::Ascii);
                let told = told.unwrap_or_default();
                Some(format!("{told}{CLEAR}making {label}{far}"))
            }
            Event::ReadBack { label, done, size } if self.live => {
                self.drawn = true;
                let percent = u128::from(*done) * 100 / u128::from((*size).max(1));
                let far = format!(": {percent} % of {}", ByteSize(*size));
                let room = LIVE_WIDTH.saturating_sub("reading back ".len() + far.len());
                let label = cut(&one_line(label), room, Charset::Ascii);
                Some(format!("{CLEAR}reading back {label}{far}"))
            }
            Event::Prepared { label, size, took } => {
                let label = one_line(label);
                if !self.test {
                    return Some(self.clear().to_owned());
                }
                let clear = self.clean();
                // Somebody's file that grows is not one that was made.
                let what = match std::mem::take(&mut self.kept) {
                    0 => format!("made {label}:"),
                    kept => format!("extended {label}, which had {}, by", ByteSize(kept)),
                };
                Some(format!(
                    "{clear}{what} {} in {:.2} s ({:.0} MiB/s), not part of the test\n",
                    ByteSize(*size),
                    took.as_secs_f64(),
                    mib_per_second(*size, *took)
                ))
            }
            Event::Interrupted if std::mem::take(&mut self.drawn) => Some("\n".to_owned()),
            Event::Warning { message } => {
                let mut text = escaped(message);
                if self.own {
                    text = text::message(&text);
                }
                Some(format!("{}{text}\n", self.clean()))
            }
            _ => None,
        }
    }
}

/// A target's name as a line shows it.
fn one_line(label: &str) -> String {
    shown(OsStr::new(label))
}

/// Two observers, one after the other.
pub struct Both(pub Box<dyn Observer>, pub Box<dyn Observer>);

impl Observer for Both {
    fn observe(&mut self, event: &Event<'_>) {
        self.0.observe(event);
        self.1.observe(event);
    }

    fn looks_at_windows(&self) -> bool {
        self.0.looks_at_windows() || self.1.looks_at_windows()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIVE: &str = "\r\x1b[Kmaking f: 25 % of 4MiB";

    /// What is shown of a file that is made.
    fn shown(live: bool, test: bool) -> String {
        let mut progress = Progress {
            out: Vec::new(),
            live,
            drawn: false,
            test,
            own: true,
            kept: 0,
            estimate: Estimate::default(),
            many: None,
        };
        let label = "f";
        let (done, size) = (1 << 20, 4 << 20);
        progress.observe(&Event::PrepareProgress { label, done, size });
        let took = Duration::from_secs(2);
        progress.observe(&Event::Prepared { label, size, took });
        progress.observe(&Event::PrepareProgress { label, done, size });
        progress.observe(&Event::Warning { message: "oh" });
        String::from_utf8(progress.out.clone()).unwrap()
    }

    #[test]
    fn a_line_tells_of_a_file_that_is_no_part_of_the_test() {
        let told = "made f: 4MiB in 2.00 s (2 MiB/s), not part of the test\n";
        assert_eq!(shown(false, true), format!("{told}oh\n"));
        let text = format!("{LIVE}{CLEAR}{told}{LIVE}{CLEAR}oh\n");
        assert_eq!(shown(true, true), text);
    }

    #[test]
    fn the_live_line_is_never_broken() {
        let mut progress = Progress {
            out: Vec::new(),
            live: true,
            drawn: false,
            test: true,
            own: true,
            kept: 0,
            estimate: Estimate::default(),
            many: None,
        };
        let label = "x".repeat(500);
        let (done, size) = (u64::MAX, u64::MAX);
        progress.observe(&Event::PrepareProgress {
            label: &label,
            done,
            size,
        });
        let text = String::from_utf8(progress.out.clone()).unwrap();
        assert_eq!(text.trim_start_matches(CLEAR).len(), 79);
        assert!(text.ends_with("~: 100 % of 16777216.00TiB"), "{text}");
    }

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        assert_eq!(one_line("a\nb\x1b[2J"), "a\\nb\\u{1b}[2J");
    }

    #[test]
    fn a_file_that_grows_is_not_told_as_made() {
        let mut progress = Progress {
            out: Vec::new(),
            live: false,
            drawn: false,
            test: true,
            own: true,
            kept: 0,
            estimate: Estimate::default(),
            many: None,
        };
        let (label, size, kept) = ("f", 4 << 20, 2048);
        progress.observe(&Event::Preparing { label, size, kept });
        let took = Duration::from_secs(2);
        progress.observe(&Event::Prepared { label, size, took });
        assert_eq!(
            String::from_utf8(progress.out.clone()).unwrap(),
            "extended f, which had 2KiB, by 4MiB in 2.00 s (2 MiB/s), not part of the test\n"
        );
    }

    #[test]
    fn sentences_of_our_own_runs_are_broken_and_those_of_faces_are_not() {
        use crate::plan::fixtures;
        let sentence = "word ".repeat(20);
        let message = sentence.trim_end();
        let shown = |rules| {
            let mut plan = fixtures::plan("x", "", Vec::new());
            plan.rules = rules;
            let mut progress = Progress::new(Vec::new(), &plan, Form::default());
            progress.observe(&Event::Warning { message });
            String::from_utf8(std::mem::take(&mut progress.out)).unwrap()
        };
        assert_eq!(shown(WriteRules::Named), format!("{message}\n"));
        // 16 words of five are 80 with a blank at the end.
        let broken = format!("{}\n  word word word word\n", "word ".repeat(16).trim_end());
        assert_eq!(shown(WriteRules::Own), broken);
    }

    #[test]
    fn where_files_are_all_that_is_wanted_only_the_live_line_is_shown() {
        assert_eq!(shown(false, false), "oh\n");
        let text = format!("{LIVE}{CLEAR}{LIVE}{CLEAR}oh\n");
        assert_eq!(shown(true, false), text);
    }

    #[test]
    fn many_files_have_one_line_together() {
        use crate::plan::{Step, fixtures};
        let file = |number: u64| crate::plan::FilePreparation {
            label: number.to_string(),
            path: number.to_string().into(),
            size: 1 << 20,
            content: crate::plan::Content::Random,
            policy: crate::plan::Policy::Extend,
            through: crate::plan::Through::Past,
            block: None,
            verify: false,
        };
        let shown = |files: u64, live: bool| {
            let prepare = crate::plan::Prepare {
                files: (0..files).map(file).collect(),
            };
            let load = fixtures::span(Vec::new(), Vec::new());
            let steps = vec![Step::Prepare(prepare), Step::Run(load)];
            let mut progress = Progress {
                out: Vec::new(),
                live,
                drawn: false,
                test: true,
                own: true,
                kept: 0,
                estimate: Estimate::default(),
                many: Many::of(&fixtures::plan("iogauge", "", steps)),
            };
            let took = Duration::from_millis(500);
            for number in 0..files {
                let label = &number.to_string();
                let size = 1 << 20;
                if number == 3 {
                    progress.observe(&Event::Kept { label });
                } else {
                    progress.observe(&Event::Prepared { label, size, took });
                }
            }
            String::from_utf8(std::mem::take(&mut progress.out)).unwrap()
        };
        // 19 of 20 are made, half a second each; one was there.
        let told = "made 20 files: 19MiB in 9.50 s (2 MiB/s), not part of the test\n";
        assert_eq!(shown(20, false), told);
        let live = shown(20, true);
        assert!(
            live.starts_with("\r\x1b[Kmaking files: 1 of 20, 1MiB\r"),
            "{live:?}"
        );
        assert!(live.ends_with(&format!("{CLEAR}{told}")), "{live:?}");
        assert_eq!(shown(16, false).lines().count(), 15);
    }
}
