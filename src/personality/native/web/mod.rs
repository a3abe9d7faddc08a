//! `iogauge web DIR`: existing files read as visitors of a web site would, with ever more visitors
//! until more of them bring no more files.

mod asked;
mod site;
mod steps;
#[cfg(test)]
mod tests;
mod text;
mod words;

use super::{
    commands::{load::CommonArgs, web::WebArgs},
    observer,
    planning::usage_error,
    verdict,
};
use crate::{
    personality::{Environment, Job, UsageError},
    results::{Observer, Silent},
};
use asked::Asked;
use site::Site;
use text::Report;

/// The options that are settings too.
pub(super) fn common(args: &WebArgs) -> CommonArgs {
    CommonArgs {
        on_error: args.on_error.clone(),
        destroy: args.destroy.clone(),
        quiet: args.quiet,
        ..CommonArgs::default()
    }
}

/// The job of a line of `web`. `around` has heard its options already.
///
/// # Errors
/// An option that means nothing, a folder that cannot be read, and one without files.
pub(super) fn job(args: &WebArgs, around: &Environment, line: &str) -> Result<Job, UsageError> {
    let refused = |sentence: String| usage_error(&sentence);
    let asked = Asked::read(args, around).map_err(refused)?;
    let site = Site::find(&asked, around).map_err(refused)?;
    let report = Report::new(&asked, &site, around);
    let steps = steps::Steps::new(&asked, &site);
    let plan = steps.plan(&asked, &site, around, line);
    let observer: Box<dyn Observer> = if around.settings.quiet {
        Box::new(Silent)
    } else {
        observer::watch(&plan, around.live)
    };
    Ok(Job {
        plan,
        warnings: Vec::new(),
        next: steps.next(),
        observer,
        report: Box::new(report),
        verdict: verdict::verdict,
    })
}
