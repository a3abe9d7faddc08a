//! The load of a profile: its files find their places, options and the configuration change what
//! they may.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use super::{
    DURATION, INTERVAL, Planned, WARMUP,
    asked::Settled,
    assemble,
    load::repeated,
    place::{Found, Place},
    words::{Named, is_folder},
};
use crate::{
    host,
    personality::{
        Environment,
        native::{commands::run::RunArgs, config::Config, line::Pace},
    },
    plan::{Affinity, Content, FilePreparation, Opening, TimeSpan},
    profiles::{Mark, NeededFile, Profile, Rate, Resolved, Role, Wanted},
};

/// Options of a load that a profile leaves open; it says all others itself.
const OPEN: &[&str] = &[
    "--size",
    "--duration",
    "--warmup",
    "--interval",
    "--rate",
    "--qd",
    "--threads",
    "--cpus",
    "--repeat",
    "--filename",
    "--directory",
    "--iodepth",
    "--numjobs",
    "--runtime",
    "--ramp_time",
    "--ioengine",
    "--randseed",
    "--continue_on_error",
    "--name",
    "--group_reporting",
    "--time_based",
];

/// A logical sector where nobody knows better.
const SECTOR: u32 = 512;

/// The plan.
pub(super) fn plan(
    profile: &Profile,
    args: &RunArgs,
    settled: &Settled,
    targets: &[Named],
    around: &Environment,
    command_line: &str,
) -> Result<Planned, String> {
    if let Some(name) = args
        .load
        .typed()
        .into_iter()
        .find(|name| !OPEN.contains(name))
    {
        return Err(format!(
            "{name} changes nothing of {}: the profile says that itself (iogauge profiles {0} \
             shows it)",
            profile.name
        ));
    }
    let homes = Homes::of(profile, targets, around)?;
    let resolved = resolved(profile, settled, &homes, around)?;
    let Placed { files, made, spans } = placed(&resolved, &homes, settled, around)?;
    let mut notes = settled.notes(&made);
    notes.splice(0..0, resolved.notes.iter().cloned());
    let repeat = settled.asked.repeat.unwrap_or(1);
    let spans = spans
        .iter()
        .flat_map(|span| repeated(span, repeat, settled.seed))
        .collect();
    Ok(Planned {
        plan: assemble(files, made, spans, settled, around, command_line)?,
        warnings: Vec::new(),
        notes,
        resolved: Some(Box::new(resolved)),
        db_size: settled.asked.workload.db_size,
    })
}

/// What the profile comes to here.
fn resolved(
    profile: &Profile,
    settled: &Settled,
    homes: &Homes<'_>,
    around: &Environment,
) -> Result<Resolved, String> {
    let asked = &settled.asked;
    let workload = &asked.workload;
    let limits = asked.limits;
    if profile.ends_by_itself() && limits.duration.is_some() {
        return Err(format!(
            "--duration changes nothing of {}: it ends after its own number of bytes",
            profile.name
        ));
    }
    let rate = match asked.pace {
        None => None,
        Some(Pace::Arrivals {
            per_second,
            poisson,
        }) => Some(Rate {
            per_second: per_second as f64,
            poisson,
        }),
        Some(_) => {
            return Err(format!(
                "--rate of {} is a number of {} a second, without a unit",
                profile.name, profile.rate_unit
            ));
        }
    };
    let wanted = Wanted {
        machine: workload.machine.as_ref().unwrap_or(&around.machine),
        max_dop: workload.max_dop,
        generation: workload.generation.unwrap_or_default(),
        flush: workload.flush.unwrap_or_default(),
        transfer: workload.transfer,
        stripes: workload.stripes,
        compression: workload.compression.unwrap_or(1.0),
        rate,
        queue_depth: asked.depth,
        threads: asked.threads,
        data_files: homes.data_files(),
        data_size: homes.data_size(settled, around)?,
        log_sector: homes.log_sector(),
        warmup: limits.warmup.unwrap_or(WARMUP),
        duration: limits.duration.unwrap_or(DURATION),
        interval: asked.interval.unwrap_or(INTERVAL),
        seed: settled.seed,
    };
    let mut resolved = profile.resolve(&wanted)?;
    judge_by(&mut resolved.marks, &settled.config);
    Ok(resolved)
}

/// Marks that the user set win over those of the profile.
fn judge_by(marks: &mut [Mark], config: &Config) {
    for mark in marks {
        if let Some([good, acceptable, slow]) = config.marks.get(&mark.group) {
            mark.good_ms = *good;
            mark.acceptable_ms = *acceptable;
            mark.slow_ms = *slow;
            mark.source = config.file.display().to_string();
        }
    }
}

/// A load whose files have places.
struct Placed {
    /// Files that are made before it.
    files: Vec<FilePreparation>,
    /// All that are not there before.
    made: Vec<PathBuf>,
    spans: Vec<TimeSpan>,
}

/// Gives the targets their places.
fn placed(
    resolved: &Resolved,
    homes: &Homes<'_>,
    settled: &Settled,
    around: &Environment,
) -> Result<Placed, String> {
    let mut places: BTreeMap<(Role, u32), (Place, u64)> = BTreeMap::new();
    let (mut files, mut made) = (Vec::new(), Vec::new());
    let anew: BTreeSet<(Role, u32)> = resolved
        .spans
        .iter()
        .flat_map(|span| span.targets.iter().zip(&resolved.files))
        .filter(|(target, _)| matches!(target.opening, Opening::Anew { .. }))
        .map(|(_, needed)| (needed.role, needed.number))
        .collect();
    for needed in &resolved.files {
        let key = (needed.role, needed.number);
        if places.contains_key(&key) {
            continue;
        }
        let place = homes.place(needed, around)?;
        let (asked, default) = homes.size(needed, settled);
        let extent = place.extent(asked, default)?;
        if let Some(problem) = needed.too_small(extent.size, &place.label) {
            return Err(problem);
        }
        if let Some(size) = extent.make {
            made.push(place.path.clone());
            // A file that the load itself makes needs no preparation.
            if !anew.contains(&key) {
                files.push(place.preparation(size, Content::Random));
            }
        }
        places.insert(key, (place, extent.size));
    }
    let place = |mut span: TimeSpan| {
        for (target, needed) in span.targets.iter_mut().zip(&resolved.files) {
            if let Some((place, size)) = places.get(&(needed.role, needed.number)) {
                target.label.clone_from(&place.label);
                target.path.clone_from(&place.path);
                target.planned_size = Some(*size);
                target.end = target.end.or(Some(*size));
            }
        }
        if let Some(cpus) = &settled.asked.cpus {
            for group in &mut span.groups {
                group.affinity = Affinity::List(cpus.clone());
            }
        }
        span
    };
    let spans = resolved.spans.iter().cloned().map(place).collect();
    Ok(Placed { files, made, spans })
}

/// Where the files of each role go.
struct Homes<'a> {
    by_role: BTreeMap<Role, Vec<&'a Path>>,
    /// The role whose files have the size of `--size`.
    main: Role,
}

impl<'a> Homes<'a> {
    /// Plain words are for data, or for the one role that there is; a folder takes all roles that
    /// are nowhere else.
    fn of(profile: &Profile, targets: &'a [Named], around: &Environment) -> Result<Self, String> {
        let roles: Vec<Role> = profile.files.iter().map(|file| file.role).collect();
        let main = if roles.contains(&Role::Data) {
            Role::Data
        } else {
            roles.first().copied().unwrap_or(Role::Data)
        };
        let mut by_role: BTreeMap<Role, Vec<&Path>> = BTreeMap::new();
        for named in targets {
            let role = named.role.unwrap_or(main);
            if !roles.contains(&role) {
                return Err(format!(
                    "{} has no {} file: leave {1}= out",
                    profile.name,
                    role.word()
                ));
            }
            by_role.entry(role).or_default().push(&named.path);
        }
        let folder = by_role
            .get(&main)
            .and_then(|paths| paths.first())
            .copied()
            .filter(|path| is_folder(path, around));
        for role in roles {
            if by_role.contains_key(&role) {
                continue;
            }
            let folder = folder.ok_or_else(|| {
                format!(
                    "{} also has a {} file: name a folder for all of them, or add {1}=PATH",
                    profile.name,
                    role.word()
                )
            })?;
            by_role.insert(role, vec![folder]);
        }
        Ok(Self { by_role, main })
    }

    fn paths(&self, role: Role) -> &[&'a Path] {
        self.by_role.get(&role).map_or(&[], Vec::as_slice)
    }

    /// Files of data that were named.
    fn data_files(&self) -> u32 {
        u32::try_from(self.paths(Role::Data).len().max(1)).unwrap_or(u32::MAX)
    }

    /// Bytes of the smallest data file, where it is not to be the profile's own size.
    fn data_size(&self, settled: &Settled, around: &Environment) -> Result<Option<u64>, String> {
        if settled.size.is_some() {
            return Ok(settled.size);
        }
        let mut smallest = None;
        for (number, path) in self.paths(Role::Data).iter().enumerate() {
            let name = file_name(Role::Data, number as u32);
            let size = match Place::find(path, &name, around)?.found {
                Found::Nothing => continue,
                Found::File { size } | Found::Ours { size } | Found::Device { size } => size,
            };
            smallest = Some(smallest.map_or(size, |least: u64| least.min(size)));
        }
        Ok(smallest.filter(|size| *size > 0))
    }

    /// Bytes of a logical sector under the log.
    fn log_sector(&self) -> u32 {
        self.paths(Role::Log)
            .first()
            .and_then(|path| host::device_of(path)?.logical_sector)
            .unwrap_or(SECTOR)
    }

    /// The place of a file.
    fn place(&self, needed: &NeededFile, around: &Environment) -> Result<Place, String> {
        let paths = self.paths(needed.role);
        let name = file_name(needed.role, needed.number);
        let own = paths.get(needed.number as usize);
        let shared = || {
            let first = paths.first()?;
            is_folder(first, around).then_some(first)
        };
        let path = own.or_else(shared).ok_or_else(|| {
            format!(
                "this load has more {} files than were named: name a folder for them",
                needed.role.word()
            )
        })?;
        Place::find(path, &name, around)
    }

    /// The size that is asked of a file, and the one that a new file has otherwise.
    fn size(&self, needed: &NeededFile, settled: &Settled) -> (Option<u64>, u64) {
        if needed.role == self.main {
            return (settled.size, needed.size);
        }
        // What is beside the data need not be larger than it.
        let default = settled
            .size
            .map_or(needed.size, |size| size.min(needed.size));
        (None, default.max(needed.size_min))
    }
}

/// The name of a file in a folder.
fn file_name(role: Role, number: u32) -> String {
    match number {
        0 => format!("iogauge-{}.dat", role.word()),
        number => format!("iogauge-{}-{}.dat", role.word(), number + 1),
    }
}
