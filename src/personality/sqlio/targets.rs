//! Where the files of a line are on this machine. `X:` is a raw partition and `9:` a physical
//! disk; everything else is a file, `X:name` too.

use std::{ffi::OsStr, path::PathBuf};

use crate::personality::{
    Environment,
    places::{self, Nowhere, Place, is_number},
};

/// Finds a target.
pub(super) fn resolve(name: &OsStr, around: &Environment) -> Result<Place, Nowhere> {
    let Some(text) = name.to_str() else {
        return Ok(Place::at(PathBuf::from(name)));
    };
    let Some(raw) = raw(text) else {
        if around.machine.drive_letters {
            return Ok(Place::at(PathBuf::from(text)));
        }
        return places::file(text, around).map(Place::at);
    };
    // Nothing could tell yet what would be lost.
    if around.machine.drive_letters {
        return Err(Nowhere::Because(format!(
            "'{text}' is a whole disk or volume; iogauge measures files only on this system: name \
             a file on it"
        )));
    }
    match around.settings.drives.get(&raw) {
        Some(path) => Ok(Place {
            note: Some(format!("{text} is {}", path.display())),
            path: path.clone(),
            device: true,
        }),
        None => Err(Nowhere::Drive(raw)),
    }
}

/// The letter (in upper case) or number of a raw target.
fn raw(text: &str) -> Option<String> {
    let name = text.strip_suffix(':')?;
    let letter = name.len() == 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    (letter || is_number(name)).then(|| name.to_ascii_uppercase())
}

/// The place of a target that is nowhere here, for a plan that is only told.
pub(super) fn supposed(name: &OsStr, around: &Environment) -> Place {
    let text = name.to_string_lossy();
    Place {
        path: places::translated(&text, around),
        device: raw(&text).is_some(),
        note: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around() -> Environment {
        let mut around = Environment::default();
        let drives = [("E", "/mnt/e"), ("D", "/dev/sdd1"), ("9", "/dev/sdz")];
        for (name, path) in drives {
            around.settings.drives.insert(name.to_owned(), path.into());
        }
        around
    }

    #[test]
    fn drives_and_disks_are_mapped() {
        for (name, path, device) in [
            ("testfile.dat", "testfile.dat", false),
            (r"E:\dir\F.dat", "/mnt/e/dir/F.dat", false),
            ("e:F.dat", "/mnt/e/F.dat", false),
            ("D:", "/dev/sdd1", true),
            ("d:", "/dev/sdd1", true),
            ("9:", "/dev/sdz", true),
            ("/dev/sdb", "/dev/sdb", true),
            (r".\a\b.dat", "./a/b.dat", false),
        ] {
            let place = resolve(OsStr::new(name), &around()).unwrap();
            assert_eq!((place.path, place.device), (path.into(), device), "{name}");
        }
        for (name, drive) in [("C:", "C"), ("c:x", "C"), ("13:", "13")] {
            let nowhere = resolve(OsStr::new(name), &around());
            assert_eq!(nowhere, Err(Nowhere::Drive(drive.to_owned())), "{name}");
        }
    }

    #[test]
    fn volumes_are_refused_where_paths_are_those_of_windows() {
        let mut around = around();
        around.machine.drive_letters = true;
        let file = resolve(OsStr::new("E:F.dat"), &around).unwrap();
        assert_eq!(file.path, PathBuf::from("E:F.dat"));
        for name in ["E:", "9:"] {
            let nowhere = resolve(OsStr::new(name), &around);
            assert!(matches!(nowhere, Err(Nowhere::Because(_))), "{name}");
        }
    }
}
