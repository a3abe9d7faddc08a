//! A system that says what a test wants, and plans in few words.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    guard::{Probe, check},
    host::{Contents, DeviceNumber, DeviceUse, FileUse, Identity, Look, PathKind, Process, Space},
    plan::{
        Cleanup, Content, Counting, EngineChoice, Events, FilePreparation, Generator, Hints,
        OnError, Opening, Origin, Plan, Policy, Polling, Prepare, Priority, Step, Stop, Target,
        ThrottleSleep, Through, TimeSpan, Whose, WriteRules,
        target::{Access, Caching, Durability},
    },
};

pub(super) const GIB: u64 = 1 << 30;

#[derive(Clone)]
pub(super) struct Entry {
    pub(super) look: Look,
    pub(super) place: PathBuf,
    pub(super) uses: Vec<DeviceUse>,
    pub(super) file_use: FileUse,
    pub(super) contents: Contents,
    pub(super) filesystem: &'static str,
    pub(super) marked: bool,
}

#[derive(Default)]
pub(super) struct Fake {
    pub(super) entries: HashMap<PathBuf, Entry>,
    pub(super) dangling: Vec<PathBuf>,
    pub(super) available: u64,
    /// A database server that writes below this folder, and one of its files.
    pub(super) database: Option<(PathBuf, Process, PathBuf)>,
    pub(super) unseen: Vec<Process>,
}

impl Probe for Fake {
    fn look(&self, path: &Path) -> io::Result<Look> {
        let entry = self.entries.get(path);
        entry
            .map(|entry| entry.look)
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn is_link(&self, path: &Path) -> bool {
        self.dangling.contains(&path.to_path_buf()) || self.look(path).is_ok_and(|l| l.symlink)
    }
    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        self.entries.get(path).map(|entry| entry.place.clone())
    }
    fn device_use(&self, path: &Path) -> Vec<DeviceUse> {
        self.entries[path].uses.clone()
    }
    fn file_use(&self, path: &Path) -> FileUse {
        self.entries[path].file_use.clone()
    }
    fn contents(&self, path: &Path) -> Contents {
        self.entries[path].contents.clone()
    }
    fn filesystem_kind(&self, path: &Path) -> Option<String> {
        self.entries
            .get(path)
            .map(|entry| entry.filesystem.to_owned())
    }
    fn space(&self, _path: &Path) -> Option<Space> {
        Some(Space {
            size: 100 * GIB,
            available: self.available,
            filesystem: 1,
        })
    }
    fn is_marked(&self, path: &Path) -> bool {
        self.entries.get(path).is_some_and(|entry| entry.marked)
    }
    fn database_beside(&self, path: &Path) -> Option<(Process, PathBuf)> {
        let (folder, process, file) = self.database.as_ref()?;
        let beside = path.starts_with(folder);
        beside.then(|| (process.clone(), file.clone()))
    }
    fn unseen_databases(&self) -> Vec<Process> {
        self.unseen.clone()
    }
}

impl Fake {
    /// A system with one thing at `path`, changed by `change`.
    pub(super) fn with(kind: PathKind, path: &str, change: impl FnOnce(&mut Entry)) -> Self {
        let mut fake = Self {
            available: 50 * GIB,
            ..Self::default()
        };
        fake.put(kind, path, change);
        fake
    }

    pub(super) fn put(&mut self, kind: PathKind, path: &str, change: impl FnOnce(&mut Entry)) {
        let number = self.entries.len() as u32 + 1;
        let identity = match kind {
            PathKind::BlockDevice => Identity::Device(DeviceNumber {
                major: 8,
                minor: number,
            }),
            _ => Identity::File {
                device: 1,
                inode: u64::from(number),
            },
        };
        let mut entry = Entry {
            look: Look {
                kind,
                symlink: false,
                size: GIB,
                allocated: GIB,
                links: 1,
                identity: Some(identity),
            },
            place: PathBuf::from(path),
            uses: Vec::new(),
            file_use: FileUse::default(),
            contents: Contents::Blank,
            filesystem: "ext4",
            marked: false,
        };
        change(&mut entry);
        self.entries.insert(PathBuf::from(path), entry);
    }
}

pub(super) fn target(label: &str, path: &Path, access: Access) -> Target {
    Target {
        label: label.to_owned(),
        path: path.to_path_buf(),
        base: 0,
        end: None,
        planned_size: None,
        access,
        caching: Caching::Direct,
        durability: Durability::None,
        remote_only: false,
        mapped: None,
        hints: Hints::default(),
        priority: Priority::Normal,
        huge_pages: false,
        opening: Opening::AtLeast(0),
    }
}

pub(super) fn plan(steps: Vec<Step>, consent: &[&str]) -> Plan {
    Plan {
        steps,
        origin: Origin {
            personality: "diskspd".into(),
            command_line: "diskspd".into(),
        },
        engine: EngineChoice::Auto,
        on_error: OnError::Stop,
        consent: consent.iter().map(|&name| name.to_owned()).collect(),
        rules: WriteRules::Named,
        events: Events::default(),
    }
}

pub(super) fn run(targets: Vec<Target>) -> Step {
    Step::Run(TimeSpan {
        pause_before: Duration::ZERO,
        warmup: Duration::ZERO,
        stop: Stop::default(),
        cooldown: Duration::ZERO,
        counting: Counting::CompletedInWindow,
        interval: Duration::from_secs(1),
        targets,
        groups: Vec::new(),
        generator: Generator::Xoshiro { seed: 1 },
        polling: Polling::Interrupt,
        name: String::new(),
        sequence: None,
        visits: None,
        throttle_sleep: ThrottleSleep::Short,
        initiation: false,
        whole_milliseconds: false,
        verify: false,
    })
}

pub(super) fn prepare(path: &Path, size: u64, policy: Policy) -> Step {
    Step::Prepare(Prepare {
        files: vec![FilePreparation {
            through: Through::Past,
            block: None,
            verify: false,
            label: path.display().to_string(),
            path: path.to_path_buf(),
            size,
            content: Content::Random,
            policy,
        }],
    })
}

pub(super) fn cleanup(paths: &[&Path]) -> Step {
    Step::Cleanup(Cleanup {
        paths: paths.iter().map(|path| path.to_path_buf()).collect(),
        whose: Whose::Named,
    })
}

/// The answer for a file that is to go: removed, replaced by a new one, or removed for a load. It is
/// the same for each.
pub(super) fn removing(probe: &dyn Probe, path: impl AsRef<Path>, consent: &[&str]) -> String {
    let path = path.as_ref();
    let answer = |step: Step| {
        let refusals = check(&plan(vec![step], consent), probe);
        assert!(refusals.len() <= 1, "{refusals:?}");
        let mut messages = refusals.into_iter().map(|refusal| refusal.message);
        messages.next().unwrap_or_default()
    };
    let message = answer(cleanup(&[path]));
    assert_eq!(message, answer(prepare(path, GIB, Policy::Replace)));
    let mut anew = target("as typed", path, Access::Write);
    anew.opening = Opening::Anew { size: 0 };
    assert_eq!(message, answer(run(vec![anew])));
    message
}

/// The answer for one target, by reading and by writing.
pub(super) fn access(
    probe: &dyn Probe,
    path: impl AsRef<Path>,
    access: Access,
    consent: &[&str],
) -> String {
    let path = path.as_ref();
    let steps = vec![run(vec![target("as typed", path, access)])];
    let refusals = check(&plan(steps, consent), probe);
    assert!(refusals.iter().all(|refusal| refusal.target == "as typed"));
    let messages: Vec<String> = refusals
        .into_iter()
        .map(|refusal| refusal.message)
        .collect();
    messages.join("\n")
}

pub(super) fn reading(probe: &dyn Probe, path: impl AsRef<Path>) -> String {
    access(probe, path, Access::Read, &[])
}

pub(super) fn writing(probe: &dyn Probe, path: impl AsRef<Path>, consent: &[&str]) -> String {
    let both = access(probe, &path, Access::ReadWrite, consent);
    assert_eq!(both, access(probe, &path, Access::Write, consent));
    both
}
