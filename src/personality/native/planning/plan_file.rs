//! `run PLAN.toml [TARGET]`: a plan that somebody wrote, perhaps on another target.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use super::{
    Planned,
    asked::Settled,
    words::{Named, is_folder},
};
use crate::{
    personality::{Environment, native::commands::run::RunArgs},
    plan::{Origin, Plan, Step, Whose, wire},
    units::names::shown as name,
};

/// Options that a plan leaves open besides what every load has.
const OPEN: &[&str] = &["--ioengine", "--continue_on_error"];

/// The plan.
pub(super) fn plan(
    file: &Path,
    args: &RunArgs,
    settled: &Settled,
    targets: &[Named],
    around: &Environment,
    command_line: &str,
) -> Result<Planned, String> {
    let shown = name(file.as_os_str());
    let typed = args
        .load
        .typed()
        .into_iter()
        .chain(args.load.workload.typed().into_iter().map(|(name, _)| name));
    let seed = settled.asked.seed.map(|_| "--seed");
    if let Some(name) = typed.chain(seed).find(|name| !OPEN.contains(name)) {
        return Err(format!(
            "{name} is for loads made of options; a plan says that itself: change {shown}"
        ));
    }
    let bytes = around
        .read(file)
        .map_err(|error| format!("{shown}: cannot be read: {error}"))?;
    let text =
        String::from_utf8(bytes).map_err(|_| format!("{shown}: a plan must be valid UTF-8"))?;
    let mut plan = wire::from_toml(&text).map_err(|error| format!("{shown}: {error}"))?;
    if !targets.is_empty() {
        move_to(&mut plan, targets, around)?;
    }
    let settings = &around.settings;
    plan.origin = Origin {
        personality: "native".to_owned(),
        command_line: command_line.to_owned(),
    };
    plan.consent.clone_from(&settings.destroy);
    if let Some(engine) = &settings.engine {
        plan.engine = engine.clone();
    }
    if let Some(on_error) = settings.on_error {
        plan.on_error = on_error;
    }
    if settled.keep {
        plan.steps
            .retain(|step| !matches!(step, Step::Cleanup(cleanup) if cleanup.whose == Whose::Own));
    }
    Ok(Planned {
        plan,
        warnings: Vec::new(),
        notes: Vec::new(),
        resolved: None,
        db_size: None,
        search: None,
    })
}

/// The same plan on another file, or its files in another folder.
fn move_to(plan: &mut Plan, targets: &[Named], around: &Environment) -> Result<(), String> {
    let [Named { role: None, path }] = targets else {
        return Err("a plan takes one target: the folder of its files, or its one file".to_owned());
    };
    let mut paths = BTreeSet::new();
    each_path(plan, |path| {
        paths.insert(path.clone());
    });
    let folder = is_folder(path, around);
    if paths.len() > 1 && !folder {
        return Err(format!(
            "the plan has {} files: name a folder for them in place of {}",
            paths.len(),
            name(path.as_os_str())
        ));
    }
    let names: BTreeSet<_> = paths.iter().map(|path| path.file_name()).collect();
    if folder && names.len() < paths.len() {
        return Err(
            "the plan has several files of one name, which cannot be in one folder".to_owned(),
        );
    }
    each_path(plan, |old| match old.file_name() {
        Some(name) if folder => *old = path.join(name),
        _ => old.clone_from(path),
    });
    for step in &mut plan.steps {
        match step {
            Step::Prepare(prepare) => {
                for file in &mut prepare.files {
                    file.label = name(file.path.as_os_str());
                }
            }
            Step::Run(span) => {
                for target in &mut span.targets {
                    target.label = name(target.path.as_os_str());
                }
            }
            Step::Cleanup(_) => {}
        }
    }
    Ok(())
}

/// Each path of a file or device that the plan loads, makes or removes.
fn each_path(plan: &mut Plan, mut see: impl FnMut(&mut PathBuf)) {
    for step in &mut plan.steps {
        match step {
            Step::Prepare(prepare) => prepare
                .files
                .iter_mut()
                .for_each(|file| see(&mut file.path)),
            Step::Run(span) => span
                .targets
                .iter_mut()
                .for_each(|target| see(&mut target.path)),
            Step::Cleanup(cleanup) => cleanup.paths.iter_mut().for_each(&mut see),
        }
    }
}
