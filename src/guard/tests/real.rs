//! The rules on files and a loop device that exist.

use std::{fs, os::unix::fs::OpenOptionsExt, path::Path, process::Command};

use super::{
    super::{System, check, output},
    fake::{plan, prepare, reading, writing},
};
use crate::plan::Policy;

/// Of Linux on the architectures that tests run on.
const O_EXCL: i32 = 0o200;

#[test]
fn real_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("plain"), vec![0xa5; 10_000]).unwrap();
    fs::write(at("mail.db"), b"SQLite format 3\0 and more").unwrap();
    fs::write(at("twice"), b"x").unwrap();
    fs::hard_link(at("twice"), at("again")).unwrap();
    std::os::unix::fs::symlink(at("plain"), at("link")).unwrap();
    std::os::unix::fs::symlink(at("nowhere"), at("dangling")).unwrap();
    assert_eq!(writing(&System::default(), at("plain"), &[]), "");
    assert_eq!(writing(&System::default(), at("missing"), &[]), "");
    assert!(writing(&System::default(), at("mail.db"), &[]).contains("an SQLite database"));
    let mail = at("mail.db");
    assert_eq!(
        writing(&System::default(), &mail, &[mail.to_str().unwrap()]),
        ""
    );
    assert!(writing(&System::default(), at("twice"), &[]).contains("2 names"));
    assert!(writing(&System::default(), at("link"), &[]).contains("symbolic link"));
    assert!(writing(&System::default(), at("dangling"), &[]).contains("leads nowhere"));
    assert!(reading(&System::default(), folder.path()).contains("is a folder"));
    assert!(reading(&System::default(), "/dev/null").contains("a character device"));
    assert!(writing(&System::default(), "/proc/self/comm", &[]).contains("is on proc"));
    let told = |path: &Path| output(path, &[], &System::default()).unwrap_or_default();
    assert_eq!(told(&at("plain")) + &told(&at("missing")), "");
    assert_eq!(told(Path::new("/dev/null")), "");
    assert!(told(&at("mail.db")).contains("an SQLite database"));
    assert!(told(&at("dangling")).contains("leads nowhere"));
    assert!(told(folder.path()).contains("is a folder"));
    let huge = vec![prepare(&at("huge"), u64::MAX, Policy::Rebuild)];
    assert_eq!(check(&plan(huge, &[]), &System::default()).len(), 1);
    let before = fs::read(at("plain")).unwrap();
    assert_eq!(before, vec![0xa5; 10_000]);
}

/// A loop device over a new file; detached when it goes.
struct Loop(String);

impl Loop {
    fn over(file: &Path) -> Option<Self> {
        let output = Command::new("losetup")
            .args(["--find", "--show"])
            .arg(file)
            .output();
        let output = output.ok().filter(|output| output.status.success())?;
        Some(Self(
            String::from_utf8(output.stdout).unwrap().trim().to_owned(),
        ))
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = Command::new("losetup").args(["--detach", &self.0]).status();
    }
}

#[test]
fn a_real_block_device() {
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("image");
    fs::File::create(&image).unwrap().set_len(16 << 20).unwrap();
    let Some(device) = Loop::over(&image) else {
        eprintln!("skipped: no loop devices here");
        return;
    };
    let path = device.0.as_str();
    assert_eq!(reading(&System::default(), path), "");
    assert!(writing(&System::default(), path, &[]).contains("looks blank"));
    assert_eq!(writing(&System::default(), path, &[path]), "");
    let file = writing(&System::default(), &image, &[image.to_str().unwrap()]);
    assert!(file.contains(&format!("{path} is made of")), "{file}");
    let swap = Command::new("mkswap").args(["-q", path]).status();
    if swap.is_ok_and(|status| status.success()) {
        assert!(writing(&System::default(), path, &[]).contains("holds swap space"));
        assert_eq!(writing(&System::default(), path, &[path]), "");
    }
    // Somebody who claims the device, as a mount would.
    let claim = fs::OpenOptions::new()
        .read(true)
        .custom_flags(O_EXCL)
        .open(path)
        .unwrap();
    assert!(writing(&System::default(), path, &[path]).contains("has claimed it"));
    drop(claim);
}
