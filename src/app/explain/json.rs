//! The same for programs: plain bytes and nanoseconds, with the unit in the key. A line that is
//! refused is a whole document too.

use serde::Serialize;

use super::{plan::PlanFacts, refusals, terminal};
use crate::{
    exit::ExitCode,
    personality::{Command, Explained, UsageError},
};

/// Version of the form. Names of fields stay as they are within a version.
const VERSION: u32 = 1;

#[derive(Serialize)]
pub(super) struct Document<'a> {
    iogauge_explain: u32,
    version: &'static str,
    face: &'a str,
    outcome: Outcome,
    /// Of a run of this line, where it is known before.
    exit_code: Option<u8>,
    options: Vec<Typed<'a>>,
    whole_line: Vec<&'a str>,
    warnings: Vec<String>,
    errors: Vec<String>,
    refused_as_things_are: Vec<String>,
    plan: Option<PlanFacts>,
}

/// What a run of the line would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Runs,
    Prints,
    Refused,
}

#[derive(Serialize)]
struct Typed<'a> {
    typed: &'a str,
    meaning: &'a str,
}

impl<'a> Document<'a> {
    /// A line that a face looked at.
    pub(super) fn new(
        face: &'a str,
        lines: &'a [Explained],
        command: Result<Command, UsageError>,
    ) -> Self {
        let typed = |line: &'a Explained| Typed {
            typed: &line.argument,
            meaning: &line.meaning,
        };
        let (with, without): (Vec<_>, Vec<_>) =
            lines.iter().partition(|line| !line.argument.is_empty());
        let document = Self {
            options: with.into_iter().map(typed).collect(),
            whole_line: without.into_iter().map(|line| &*line.meaning).collect(),
            ..Self::refused(face, 0, Vec::new())
        };
        match command {
            Ok(Command::Run(job)) => Self {
                outcome: Outcome::Runs,
                exit_code: None,
                refused_as_things_are: refusals(&job.plan),
                plan: Some(PlanFacts::of(&job.plan)),
                warnings: job.warnings,
                ..document
            },
            Ok(Command::Print { warnings, exit, .. }) => Self {
                outcome: Outcome::Prints,
                exit_code: Some(exit),
                warnings,
                ..document
            },
            Err(error) => Self {
                exit_code: Some(error.exit),
                errors: error.messages,
                ..document
            },
        }
    }

    /// A line that is refused as a whole.
    pub(super) fn refused(face: &'a str, exit: u8, errors: Vec<String>) -> Self {
        Self {
            iogauge_explain: VERSION,
            version: env!("CARGO_PKG_VERSION"),
            face,
            outcome: Outcome::Refused,
            exit_code: Some(exit),
            options: Vec::new(),
            whole_line: Vec::new(),
            warnings: Vec::new(),
            errors,
            refused_as_things_are: Vec::new(),
            plan: None,
        }
    }

    /// Writes it to standard output.
    pub(super) fn show(&self, code: ExitCode) -> ExitCode {
        match serde_json::to_string_pretty(self) {
            Ok(text) => terminal::show(format!("{text}\n").as_bytes(), code),
            Err(error) => {
                terminal::complain(&format!("iogauge: explain --json: {error}"));
                ExitCode::Failed
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use serde_json::Value;

    use super::*;
    use crate::personality::{Environment, find};

    fn value(face: &str, line: &str) -> Value {
        let face = find(face).unwrap();
        let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let around = Environment {
            explaining: true,
            ..Environment::default()
        };
        let lines = face.explain(&args, &around);
        let document = Document::new(face.name(), &lines, face.parse(&args, &around));
        serde_json::from_str(&serde_json::to_string(&document).unwrap()).unwrap()
    }

    #[test]
    fn a_load_is_told_in_bytes_and_nanoseconds() {
        let line = "-b8K -d300 -h -L -o32 -r -w40 -t8 -c1G ./datafile.dat";
        let told = value("diskspd", line);
        assert_eq!(told["iogauge_explain"], 1);
        assert_eq!(told["outcome"], "runs");
        assert_eq!(told["exit_code"], Value::Null);
        let typed: Vec<&str> = told["options"]
            .as_array()
            .unwrap()
            .iter()
            .map(|option| option["typed"].as_str().unwrap())
            .collect();
        assert_eq!(typed, line.split(' ').collect::<Vec<_>>());
        let plan = &told["plan"];
        assert_eq!(plan["files_made"][0]["size_bytes"], 1_073_741_824_u64);
        let span = &plan["time_spans"][0];
        // DiskSpd warms up for 5 s where nobody says.
        assert_eq!(span["warmup_ns"], 5_000_000_000_u64);
        assert_eq!(span["ends"]["after_ns"], 300_000_000_000_u64);
        assert_eq!(
            (&span["threads"], &span["in_flight_max"]),
            (&8.into(), &256.into())
        );
        let target = &span["targets"][0];
        assert_eq!(target["access"], "read_write");
        assert_eq!(target["open_flags"][0], "O_DIRECT");
        let stream = &span["groups"][0]["streams"][0];
        assert_eq!(stream["write_percent"], 40);
        assert_eq!(stream["reads"][0]["bytes"], 8192);
        assert_eq!(stream["reads"][0]["share_percent"], 100.0);
        assert_eq!(stream["pattern"]["kind"], "random");
        assert_eq!(stream["pattern"]["alignment_bytes"], 8192);
    }

    #[test]
    fn a_refused_line_is_a_document_with_the_reason() {
        let told = value("diskspd", "-b8K -qq x");
        assert_eq!(told["outcome"], "refused");
        assert_eq!(told["exit_code"], 3);
        assert_eq!(told["plan"], Value::Null);
        assert!(told["errors"].to_string().contains("-qq"), "{told}");
        assert_eq!(told["options"][1]["typed"], "-qq");
    }

    #[test]
    fn shared_requests_and_removed_files_have_their_keys() {
        let line = "--test=fileio --file-total-size=1G --file-test-mode=rndrw --max-time=300 \
                    --max-requests=0 run";
        let told = value("sysbench", line);
        let span = &told["plan"]["time_spans"][0];
        assert_eq!(span["ends"]["after_ns"], 300_000_000_000_u64);
        let requests = &span["requests"];
        assert_eq!(requests["threads"], 1);
        // 1 GiB in sysbench's 128 files, by blocks of 16 KiB, three reads for two writes.
        assert_eq!(requests["file_bytes"], 8_388_608);
        assert_eq!(requests["request_bytes"], 16384);
        assert_eq!(requests["reads_per_write"], 1.5);
        assert_eq!(span["targets"].as_array().unwrap().len(), 128);
        let told = value("sysbench", "--test=fileio --file-num=3 cleanup");
        let removed = told["plan"]["files_removed"].as_array().unwrap();
        assert_eq!(removed.len(), 3);
        assert_eq!(removed[0]["only_if_made_here"], false);
    }

    #[test]
    fn a_line_that_prints_says_so() {
        let told = value("sysbench", "--version");
        assert_eq!(told["outcome"], "prints");
        assert_eq!(told["exit_code"], 0);
    }
}
