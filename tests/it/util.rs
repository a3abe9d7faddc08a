//! What the tests of the executable share: a folder of their own, running iogauge and other
//! programs with a limit, loop devices, and saying that a test was skipped.

use std::{
    ffi::OsStr,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{RwLock, RwLockReadGuard, RwLockWriteGuard},
    thread,
    time::{Duration, Instant},
};

use crate::parsed::Report;

/// No command of a test takes longer than this on a busy machine; one that does hangs.
pub(crate) const LIMIT: Duration = Duration::from_mins(2);

/// Says that a test cannot run here, past the capture of the test harness, in a form that a
/// script can count.
pub(crate) fn skip(reason: &str) {
    let line = format!("SKIPPED: {reason}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}

static MACHINE: RwLock<()> = RwLock::new(());

/// Held by tests that load the machine, so that those which measure can wait for them.
pub(crate) fn busy() -> RwLockReadGuard<'static, ()> {
    MACHINE
        .read()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Held by tests that measure: no other test of ours loads the machine meanwhile.
pub(crate) fn quiet() -> RwLockWriteGuard<'static, ()> {
    MACHINE
        .write()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A process that is being started has, for a moment, every file that another thread has open for
/// writing; a run would rightly refuse such a file. So files are made while nothing is started.
static STARTING: RwLock<()> = RwLock::new(());

fn spawn(command: &mut Command) -> std::io::Result<Child> {
    let _alone = STARTING
        .write()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    command.spawn()
}

/// A folder for one test, on the disk that the build is on, gone with it.
pub(crate) struct Dir(tempfile::TempDir);

impl Dir {
    /// A new one.
    pub(crate) fn new() -> Self {
        let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let dir = tempfile::Builder::new().prefix("it-").tempdir_in(parent);
        Self(dir.expect("the build's folder can be written"))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// A path in it.
    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Makes a file of `size` bytes that do not repeat.
    pub(crate) fn file(&self, name: &str, size: usize) -> PathBuf {
        let path = self.join(name);
        let content = noise(size);
        let _none_starts = STARTING
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        std::fs::write(&path, content).expect("a test file can be written");
        path
    }

    /// Names in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.path())
            .expect("our folder can be read")
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// `iogauge ARGS`, to be run in it.
    pub(crate) fn iogauge<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = iogauge();
        command.args(args).current_dir(self.path());
        command
    }

    /// `iogauge diskspd LINE`, the line split at blanks, to be run in it.
    pub(crate) fn diskspd(&self, line: &str) -> Command {
        let mut command = self.iogauge(&["diskspd"]);
        command.args(line.split_whitespace());
        command
    }

    /// `iogauge sysbench LINE`, the line split at blanks, to be run in it.
    pub(crate) fn sysbench(&self, line: &str) -> Command {
        let mut command = self.iogauge(&["sysbench"]);
        command.args(line.split_whitespace());
        command
    }

    /// `iogauge sqlio LINE`, the line split at blanks, to be run in it.
    pub(crate) fn sqlio(&self, line: &str) -> Command {
        let mut command = self.iogauge(&["sqlio"]);
        command.args(line.split_whitespace());
        command
    }

    /// The set of files of a sysbench line, made by its `prepare`.
    #[track_caller]
    pub(crate) fn prepared(options: &str) -> Self {
        let dir = Self::new();
        run(&mut dir.sysbench(&format!("fileio {options} prepare"))).expect_code(0);
        dir
    }
}

/// The executable, with no setting of whoever runs the tests.
pub(crate) fn iogauge() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_iogauge"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("IOGAUGE_") {
            command.env_remove(name);
        }
    }
    command.env("IOGAUGE_HISTORY", "off");
    command
}

/// Threads of a process: its first, and those that have a name of their own, but for the one that
/// waits for signals. (A thread is called like the program until it has named itself.)
pub(crate) fn threads(id: u32) -> usize {
    let tasks = std::fs::read_dir(format!("/proc/{id}/task"));
    let first = std::ffi::OsString::from(id.to_string());
    let others = tasks.into_iter().flatten().flatten();
    let names = others
        .filter(|task| task.file_name() != first)
        .map(|task| std::fs::read_to_string(task.path().join("comm")).unwrap_or_default());
    let nameless = |name: &String| ["", "signals", "iogauge"].contains(&name.trim_end());
    1 + names.filter(|name| !nameless(name)).count()
}

/// Bytes that do not repeat and do not compress, the same each time.
pub(crate) fn noise(size: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut bytes = Vec::with_capacity(size + 8);
    while bytes.len() < size {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes.truncate(size);
    bytes
}

/// What a program left.
#[derive(Debug)]
pub(crate) struct Output {
    /// Exit code; `None` if a signal or the limit ended it.
    pub(crate) code: Option<i32>,
    /// True if the limit ended it.
    pub(crate) hung: bool,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

impl Output {
    /// What standard error says, wherever its lines are broken.
    pub(crate) fn told(&self) -> String {
        self.stderr.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Fails with everything that is known unless the exit code is `code`.
    #[track_caller]
    pub(crate) fn expect_code(&self, code: i32) -> &Self {
        assert!(!self.hung, "did not end within {LIMIT:?}: {self:#?}");
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert!(!self.stderr.contains("panicked"), "{self:#?}");
        self
    }

    /// The report on standard output.
    #[track_caller]
    pub(crate) fn report(&self) -> Report {
        Report::parse(&self.stdout)
    }
}

/// A program under way, its output being read.
pub(crate) struct Running {
    child: Child,
    stdout: thread::JoinHandle<String>,
    stderr: thread::JoinHandle<String>,
    started: Instant,
}

/// Starts a command with nothing on standard input.
pub(crate) fn start(command: &mut Command) -> Running {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = spawn(command).expect("the program starts");
    let stdout = drain(child.stdout.take().expect("piped"));
    let stderr = drain(child.stderr.take().expect("piped"));
    Running {
        child,
        stdout,
        stderr,
        started: Instant::now(),
    }
}

fn drain(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

impl Running {
    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// True while it runs.
    pub(crate) fn alive(&mut self) -> bool {
        self.child
            .try_wait()
            .expect("a child can be waited for")
            .is_none()
    }

    /// Waits until `ready`, while it runs; false if it ended or the limit passed first.
    pub(crate) fn until(&mut self, mut ready: impl FnMut(u32) -> bool) -> bool {
        let id = self.id();
        while self.alive() && self.started.elapsed() < LIMIT {
            if ready(id) {
                return true;
            }
            thread::sleep(Duration::from_millis(2));
        }
        false
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([format!("-{name}"), self.id().to_string()])
            .status();
        assert!(sent.expect("kill runs").success());
    }

    /// Waits for its end.
    pub(crate) fn finish(mut self) -> Output {
        let mut hung = false;
        while self.alive() {
            if self.started.elapsed() > LIMIT {
                hung = true;
                let _ = self.child.kill();
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
        let status = self.child.wait().expect("a child can be waited for");
        Output {
            code: status.code(),
            hung,
            stdout: self.stdout.join().expect("the reader ends"),
            stderr: self.stderr.join().expect("the reader ends"),
        }
    }
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Output {
    start(command).finish()
}

/// Runs a helper program; `None` if it is missing or fails.
pub(crate) fn tool(name: &str, args: &[&str]) -> Option<String> {
    let mut command = Command::new(name);
    command.args(args).env("LC_ALL", "C");
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = spawn(&mut command).ok()?.wait_with_output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// True if a program can be started.
pub(crate) fn has(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(["/usr/sbin", "/sbin"].map(PathBuf::from))
        .any(|folder| folder.join(name).is_file())
}

/// True for the superuser.
pub(crate) fn is_root() -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| {
        status
            .lines()
            .any(|line| line.starts_with("Uid:") && line.split_whitespace().nth(2) == Some("0"))
    })
}

/// A loop device over a file of its own; detached when dropped.
pub(crate) struct Loop {
    /// `/dev/loopN`.
    pub(crate) device: String,
    mounted: Option<PathBuf>,
}

impl Loop {
    /// Makes one over `file`; says that the test is skipped and gives `None` where it cannot.
    pub(crate) fn over(file: &Path) -> Option<Self> {
        if !is_root() {
            skip("a loop device needs root");
            return None;
        }
        let file = file.to_str().expect("our own paths are text");
        let made = tool("losetup", &["--find", "--show", "--direct-io=on", file])
            .or_else(|| tool("losetup", &["--find", "--show", file]));
        let Some(device) = made else {
            skip("losetup cannot make a loop device here");
            return None;
        };
        Some(Self {
            device: device.trim().to_owned(),
            mounted: None,
        })
    }

    /// Mounts an ext4 filesystem on it; makes it first unless it is mounted read-only.
    pub(crate) fn mount_ext4(&mut self, at: &Path, options: &str) -> bool {
        self.mount(at, "ext4", options)
    }

    /// A small disk of the test's own with a new ext4 on it, and where it is mounted; `None` where
    /// that cannot be had, which is told.
    pub(crate) fn small_ext4(dir: &Dir) -> Option<(Self, PathBuf)> {
        let mut disk = Self::over(&dir.file("image", 16 << 20))?;
        let place = dir.join("mnt");
        disk.mount_ext4(&place, "rw").then_some((disk, place))
    }

    /// As `mount_ext4`, for another kind of filesystem.
    pub(crate) fn mount(&mut self, at: &Path, kind: &str, options: &str) -> bool {
        let place = at.to_str().expect("our own paths are text");
        let _ = std::fs::create_dir(at);
        let options_of_mkfs: &[&str] = match kind {
            "ext4" => &["-q", "-F", "-m0"],
            _ => &["-q", "-f"],
        };
        let blank = [options_of_mkfs, &[&self.device]].concat();
        let made = options == "ro" || tool(&format!("mkfs.{kind}"), &blank).is_some();
        let mount = ["-t", kind, "-o", options, &self.device, place];
        if made && tool("mount", &mount).is_some() {
            self.mounted = Some(at.to_owned());
            return true;
        }
        skip(&format!(
            "a filesystem of kind {kind} cannot be made and mounted here"
        ));
        false
    }

    /// Unmounts it.
    pub(crate) fn unmount(&mut self) {
        if let Some(at) = self.mounted.take() {
            let place = at.to_string_lossy().into_owned();
            if tool("umount", &[&place]).is_none() {
                let _ = tool("umount", &["-l", &place]);
            }
        }
    }

    /// The short name: `loopN`.
    pub(crate) fn name(&self) -> &str {
        self.device.trim_start_matches("/dev/")
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        self.unmount();
        let _ = tool("losetup", &["-d", &self.device]);
    }
}
