//! A line of a face, run in each of two folders in turn.

use std::{
    env,
    ffi::OsString,
    fs,
    io::stderr,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use super::{CUT_BY_FAILURE, CUT_BY_SIGNAL, announce, caution, length, one_thing, refuse, signals};
use crate::{
    app::terminal,
    exit::ExitCode,
    personality::{
        Command, Environment, Job, Personality,
        native::versus::{
            asked::Asked,
            observer::Live,
            text::{Said, Told},
        },
    },
    plan::Plan,
    report::text::Form,
    results::{
        Results, Silent,
        compare::{Side, Turn, compare},
    },
    runner::{self, Surroundings},
    units::names::shown,
};

/// A line, and where it is run.
struct Line<'a> {
    face: &'a dyn Personality,
    args: &'a [OsString],
    folders: [PathBuf; 2],
    around: &'a Environment,
    interrupt: &'a AtomicBool,
}

/// Runs the line in each folder, A B B A, and prints the comparison.
pub(super) fn run(
    face: &dyn Personality,
    args: &[OsString],
    asked: &Asked,
    around: &Environment,
    interrupt: &AtomicBool,
) -> ExitCode {
    let [a, b] = [Side::A, Side::B].map(|side| folder(side, asked));
    let folders = match (a, b) {
        (Ok(a), Ok(b)) => [a, b],
        (Err(problem), _) | (_, Err(problem)) => return refuse(&problem),
    };
    let line = Line {
        face,
        args,
        folders,
        around,
        interrupt,
    };
    let before = env::current_dir();
    let code = line.compare(asked);
    // Only what is printed comes after this.
    let _ = before.and_then(env::set_current_dir);
    code
}

/// A side's folder in full, since the folder that the process is in changes.
fn folder(side: Side, asked: &Asked) -> Result<PathBuf, String> {
    let (letter, typed) = match side {
        Side::A => ('A', &asked.sides[0]),
        Side::B => ('B', &asked.sides[1]),
    };
    let told = shown(typed.as_os_str());
    match fs::canonicalize(typed) {
        Ok(path) if path.is_dir() => Ok(path),
        Ok(_) => Err(format!(
            "{letter} is '{told}', which is no folder: a line behind -- is run in two folders"
        )),
        Err(error) => Err(format!("{letter} is '{told}': {error}")),
    }
}

/// What came of all rounds.
#[derive(Default)]
struct Rounds {
    /// Whole results of A and B, pair by pair.
    pairs: Vec<[Results; 2]>,
    /// What ended the rounds early.
    ended: Option<Ended>,
}

/// What ended the rounds early.
enum Ended {
    Interrupted,
    /// What to say.
    Failed(Vec<String>),
}

impl Line<'_> {
    fn compare(&self, asked: &Asked) -> ExitCode {
        // Both are looked at before either is loaded.
        let mut notes = Vec::new();
        for side in [Side::A, Side::B] {
            match self.job(side) {
                Ok(job) => {
                    if side == Side::A {
                        let rounds = asked.cycles.saturating_mul(4);
                        announce(asked, 1, length(&job.plan) * rounds, self.around);
                        if !self.around.settings.quiet {
                            job.warnings
                                .iter()
                                .for_each(|line| terminal::complain(line));
                        }
                        notes.extend(fixed_targets(&job.plan));
                    }
                }
                Err(code) => return code,
            }
        }
        let rounds = self.rounds(asked.cycles);
        self.show(asked, &rounds, &notes)
    }

    fn rounds(&self, cycles: u32) -> Rounds {
        let mut rounds = Rounds::default();
        let form = if self.around.settings.quiet {
            Form::default()
        } else {
            self.around.live
        };
        let mut live = Live::new(stderr(), form);
        let mut round = 0;
        let all = cycles.saturating_mul(4);
        for _ in 0..cycles {
            for order in [[Side::A, Side::B], [Side::B, Side::A]] {
                let mut of = [None, None];
                for side in order {
                    round += 1;
                    live.show(&format!("round {round}/{all} ({})", letter(side)));
                    match self.round(side) {
                        Ok(results) => of[index(side)] = Some(results),
                        Err(ended) => {
                            rounds.ended = Some(ended);
                            return rounds;
                        }
                    }
                }
                if let [Some(a), Some(b)] = of {
                    rounds.pairs.push([a, b]);
                }
            }
        }
        rounds
    }

    /// One run of the line on one side.
    fn round(&self, side: Side) -> Result<Results, Ended> {
        let failed = |messages| Err(Ended::Failed(messages));
        let Ok(mut job) = self.job(side) else {
            return failed(vec![
                "the line means something else than at first".to_owned(),
            ]);
        };
        let around = Surroundings {
            machine: &self.around.machine,
            interrupt: self.interrupt,
        };
        // What the original prints while it runs is not what is asked for.
        let results = runner::run_on(&job.plan, around, &mut Silent, &mut job.next);
        if self.interrupt.load(Ordering::Relaxed) || results.interrupted() {
            return Err(Ended::Interrupted);
        }
        if results.failed() || results.ended.is_some() {
            return failed(self.complaints(side, &results));
        }
        Ok(results)
    }

    /// The line as it is understood in a side's folder; else it is told why not.
    fn job(&self, side: Side) -> Result<Job, ExitCode> {
        let folder = &self.folders[index(side)];
        let letter = letter(side);
        if let Err(error) = env::set_current_dir(folder) {
            let folder = shown(folder.as_os_str());
            return Err(refuse(&format!("{letter} is '{folder}': {error}")));
        }
        match self.face.parse(self.args, self.around) {
            Ok(Command::Run(job)) if job.plan.spans().next().is_some() => Ok(*job),
            Ok(_) => Err(refuse(
                "the line behind -- measures nothing: versus compares lines that load a target",
            )),
            Err(error) => {
                terminal::tell(self.face.name(), &error.messages);
                Err(ExitCode::Usage)
            }
        }
    }

    /// Why a round failed, and what may help.
    fn complaints(&self, side: Side, results: &Results) -> Vec<String> {
        let spans = results.spans.iter().flat_map(|span| &span.failures);
        let mut lines: Vec<String> = results
            .failures
            .iter()
            .chain(spans)
            .map(|failure| format!("{} failed: {}", letter(side), failure.message))
            .collect();
        if lines.is_empty() {
            lines.push(format!(
                "{} failed: some operations failed or fell short",
                letter(side)
            ));
        }
        lines.extend(self.preparation(side));
        lines
    }

    /// The line that makes a set of files, where the face has one of its own for that.
    fn preparation(&self, side: Side) -> Option<String> {
        if self.face.name() != "sysbench" {
            return None;
        }
        let run = self.args.iter().rposition(|arg| arg == "run")?;
        let mut line = vec!["iogauge".to_owned(), self.face.name().to_owned()];
        for (index, arg) in self.args.iter().enumerate() {
            line.push(if index == run {
                "prepare".to_owned()
            } else {
                shown(arg)
            });
        }
        let folder = shown(self.folders[index(side)].as_os_str());
        Some(format!(
            "If its files are missing, make them first:\n  (cd {folder} && {})",
            line.join(" ")
        ))
    }

    fn show(&self, asked: &Asked, rounds: &Rounds, notes: &[String]) -> ExitCode {
        let (code, cut) = match &rounds.ended {
            None => (ExitCode::Ok, None),
            Some(Ended::Interrupted) => {
                let code = ExitCode::Face(signals::exit_code());
                (code, Some(CUT_BY_SIGNAL))
            }
            Some(Ended::Failed(messages)) => {
                for message in messages {
                    terminal::complain(&format!("iogauge: {message}"));
                }
                (ExitCode::Failed, Some(CUT_BY_FAILURE))
            }
        };
        if rounds.pairs.is_empty() {
            return code;
        }
        let mut above: Vec<Said> = cut.map(caution).into_iter().collect();
        above.extend(one_thing([&self.folders[0], &self.folders[1]]));
        let turns = turns(&rounds.pairs);
        let comparison = compare(&turns, asked.rule);
        let typed = asked.sides.each_ref().map(|side| shown(side.as_os_str()));
        let line: Vec<String> = self.args.iter().map(|arg| shown(arg)).collect();
        let load = format!("{} {}: {}", self.face.name(), line.join(" "), asked.turns());
        let told = Told {
            sides: typed.each_ref().map(String::as_str),
            load: &load,
            above: &above,
            below: &[],
            notes,
            comparison: &comparison,
        };
        terminal::show(told.text(self.around.form).as_bytes(), code)
    }
}

/// The rounds of each time span of the line.
fn turns(pairs: &[[Results; 2]]) -> Vec<Turn<'_>> {
    let Some([first, _]) = pairs.first() else {
        return Vec::new();
    };
    let spans = first.plan.spans().enumerate();
    spans
        .map(|(number, span)| Turn {
            span,
            pairs: pairs
                .iter()
                .filter_map(|[a, b]| Some((a.spans.get(number)?, b.spans.get(number)?)))
                .collect(),
        })
        .collect()
}

/// A sentence for a line that loads the same target in both folders.
fn fixed_targets(plan: &Plan) -> Option<String> {
    let target = plan
        .spans()
        .flat_map(|span| &span.targets)
        .find(|target| Path::is_absolute(&target.path))?;
    Some(format!(
        "The line names {}: it is the same on both sides, whatever the folder.",
        shown(target.label.as_ref())
    ))
}

fn index(side: Side) -> usize {
    match side {
        Side::A => 0,
        Side::B => 1,
    }
}

fn letter(side: Side) -> char {
    match side {
        Side::A => 'A',
        Side::B => 'B',
    }
}
