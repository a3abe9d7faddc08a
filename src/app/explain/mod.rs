//! `iogauge explain -- LINE`: what each option means and what the run would do, or the same load in
//! another language; runs nothing.

mod json;
mod pattern;
mod plan;
mod stream;
mod words;

use std::ffi::OsString;

use self::json::Document;
use super::terminal;
use crate::{
    exit::ExitCode,
    guard,
    offsets::{preview, render_preview},
    personality::{
        Command, Environment, Personality, UsageError, diskspd,
        express::{Expressed, Language, fio},
        native::Telling,
    },
    plan::{Plan, Target, wire},
};

/// A size for targets that neither exist nor are made by the plan.
const UNKNOWN_SIZE: u64 = 1 << 30;

/// Explains a line in words, by its first I/Os, or in another language.
pub(super) fn run(
    face: &dyn Personality,
    args: &[OsString],
    around: &Environment,
    telling: Telling,
) -> ExitCode {
    if super::batch::file(face.name(), args).is_some() {
        let message =
            "iogauge: a batch file is explained line by line: iogauge explain -- <a line of it>";
        if telling == Telling::Json {
            return refuse(face.name(), message.to_owned());
        }
        terminal::complain(message);
        return ExitCode::Usage;
    }
    let mut around = around.clone();
    around.explaining = true;
    let command = face.parse(args, &around);
    match telling {
        Telling::Words => in_words(face, args, &around, command),
        Telling::Json => in_json(face, args, &around, command),
        Telling::Offsets(count) => list(face, command, count),
        Telling::As(language) => translate(face, command, language),
    }
}

/// A document about a line that nothing was made of.
pub(super) fn refuse(face: &str, message: String) -> ExitCode {
    let code = ExitCode::Usage;
    Document::refused(face, code.number(), vec![message]).show(code)
}

fn in_json(
    face: &dyn Personality,
    args: &[OsString],
    around: &Environment,
    command: Result<Command, UsageError>,
) -> ExitCode {
    let code = match &command {
        Ok(_) => ExitCode::Ok,
        Err(error) => ExitCode::Face(error.exit),
    };
    let lines = face.explain(args, around);
    Document::new(face.name(), &lines, command).show(code)
}

fn in_words(
    face: &dyn Personality,
    args: &[OsString],
    around: &Environment,
    command: Result<Command, UsageError>,
) -> ExitCode {
    let width = around.form.width;
    let mut text = words::options(&face.explain(args, around), width);
    match command {
        Ok(Command::Run(job)) => {
            terminal::tell(face.name(), &job.warnings);
            text.push_str(&words::plan(&job.plan, &refusals(&job.plan), width));
            terminal::show(text.as_bytes(), ExitCode::Ok)
        }
        Ok(Command::Print { .. }) => {
            text.push_str("\nThis line prints and runs nothing.\n");
            terminal::show(text.as_bytes(), ExitCode::Ok)
        }
        Err(error) => {
            let code = terminal::show(text.as_bytes(), ExitCode::Face(error.exit));
            terminal::tell(face.name(), &error.messages);
            code
        }
    }
}

/// The load of a line in another language.
fn translate(
    face: &dyn Personality,
    command: Result<Command, UsageError>,
    language: Language,
) -> ExitCode {
    match command {
        Ok(Command::Run(job)) => {
            terminal::tell(face.name(), &job.warnings);
            match expressed(&job.plan, language) {
                Ok(expressed) => terminal::show(expressed.annotated().as_bytes(), ExitCode::Ok),
                Err(error) => {
                    terminal::complain(&format!("iogauge: {error}"));
                    ExitCode::Usage
                }
            }
        }
        Ok(Command::Print { .. }) => {
            terminal::complain(
                "iogauge: this line runs nothing, so there is no load to write down",
            );
            ExitCode::Usage
        }
        Err(error) => {
            terminal::tell(face.name(), &error.messages);
            ExitCode::Face(error.exit)
        }
    }
}

fn expressed(plan: &Plan, language: Language) -> Result<Expressed, String> {
    Ok(match language {
        Language::Toml => Expressed {
            text: wire::to_toml(plan).map_err(|error| error.to_string())?,
            comment: ("#", ""),
            lost: (!plan.consent.is_empty())
                .then(|| {
                    "consent: what may be destroyed is named where the plan is run, by --destroy"
                        .to_owned()
                })
                .into_iter()
                .collect(),
        },
        Language::Fio => fio::express(plan).map_err(|error| error.to_string())?,
        Language::Diskspd => diskspd::express::express(plan),
    })
}

/// The first `count` I/Os of each thread, of a line that has some.
fn list(face: &dyn Personality, command: Result<Command, UsageError>, count: usize) -> ExitCode {
    match command {
        Ok(Command::Run(job)) if job.plan.spans().any(|span| span.visits.is_some()) => {
            terminal::complain("iogauge: visitors read whole files, so there are no offsets");
            ExitCode::Usage
        }
        Ok(Command::Run(job)) if job.plan.spans().next().is_some() => {
            list_offsets(&job.plan, count)
        }
        Ok(Command::Run(_)) => {
            terminal::complain(
                "iogauge: this line makes or removes files and loads none, so there are no \
                 offsets",
            );
            ExitCode::Usage
        }
        Ok(Command::Print { .. }) => {
            terminal::complain("iogauge: this line runs nothing, so there are no offsets");
            ExitCode::Usage
        }
        Err(error) => {
            terminal::tell(face.name(), &error.messages);
            ExitCode::Face(error.exit)
        }
    }
}

/// What a run of this line would be refused for, as things are now.
fn refusals(plan: &Plan) -> Vec<String> {
    let refused = guard::check(plan, &guard::System::default());
    refused.into_iter().map(|refusal| refusal.message).collect()
}

fn list_offsets(plan: &Plan, count: usize) -> ExitCode {
    let mut text = String::new();
    for span in plan.spans() {
        let sizes: Vec<u64> = span.targets.iter().map(size).collect();
        match preview(span, &sizes, count) {
            Ok(rows) => text.push_str(&render_preview(&rows)),
            Err(error) => {
                terminal::complain(&format!("iogauge: {error}"));
                return ExitCode::Failed;
            }
        }
    }
    terminal::show(text.as_bytes(), ExitCode::Ok)
}

/// What the file will have, has, or (said by nobody) might have.
fn size(target: &Target) -> u64 {
    let existing = || std::fs::metadata(&target.path).ok().map(|data| data.len());
    target
        .planned_size
        .or_else(existing)
        .filter(|size| *size > 0)
        .unwrap_or(UNKNOWN_SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::sqlio::Sqlio;

    #[test]
    fn a_batch_file_is_no_line() {
        let args = ["--batch", "run.cmd"].map(OsString::from);
        let code = run(&Sqlio, &args, &Environment::default(), Telling::Words);
        assert_eq!(code, ExitCode::Usage);
    }
}
