//! Where the targets of a DiskSpd line are on this machine: `\`, drive letters, disk numbers.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

pub(crate) use crate::personality::places::{Nowhere, Place, translated};
use crate::personality::{
    Environment,
    places::{self, drive, is_number},
};

/// Finds a file or target.
pub(crate) fn resolve(typed: &OsStr, around: &Environment) -> Result<Place, Nowhere> {
    let Some(text) = typed.to_str() else {
        return Ok(Place::at(PathBuf::from(typed)));
    };
    if around.machine.drive_letters {
        return at_home(text).map(Place::at);
    }
    if let Some(number) = text.strip_prefix('#')
        && is_number(number)
    {
        return disk(number, around);
    }
    if drive(text).is_some_and(|(_, rest)| rest.is_empty()) && !around.files.exists(Path::new(text))
    {
        return Err(Nowhere::Because(format!(
            "'{text}' is a whole volume in Windows; name a file on it, or the block device \
             that holds it (lsblk lists them)"
        )));
    }
    places::file(text, around).map(Place::at)
}

/// Where the system writes paths as DiskSpd's lines do, every path is taken as it stands. Whole disks
/// and volumes are not opened there: nothing could tell yet what would be lost.
fn at_home(text: &str) -> Result<PathBuf, Nowhere> {
    let disk = text.strip_prefix('#').is_some_and(is_number);
    let volume = drive(text).is_some_and(|(_, rest)| rest.is_empty());
    if disk || volume || text.starts_with(r"\\.\") {
        return Err(Nowhere::Because(format!(
            "'{text}' is a whole disk or volume; iogauge measures files only on this system: name \
             a file on it"
        )));
    }
    Ok(PathBuf::from(text))
}

/// The place of a target that is nowhere here, for a plan that is only told: as Windows has it,
/// and a device where that is one.
pub(crate) fn supposed(typed: &OsStr, around: &Environment) -> Place {
    let text = typed.to_string_lossy();
    let volume = drive(&text).is_some_and(|(_, rest)| rest.is_empty());
    Place {
        path: translated(&text, around),
        device: volume || text.starts_with('#') || text.starts_with(r"\\.\"),
        note: None,
    }
}

fn disk(number: &str, around: &Environment) -> Result<Place, Nowhere> {
    let found = around.settings.drives.get(number).cloned().or_else(|| {
        let index: usize = number.parse().ok()?;
        let name = around.disks.get(index)?;
        // The kernel writes '!' for '/' in names of block devices.
        Some(Path::new("/dev").join(name.replace('!', "/")))
    });
    let Some(path) = found else {
        let known: Vec<String> = around
            .disks
            .iter()
            .enumerate()
            .map(|(i, name)| format!("#{i} {name}"))
            .collect();
        let known = if known.is_empty() {
            "none is known".to_owned()
        } else {
            known.join(", ")
        };
        return Err(Nowhere::Because(format!(
            "there is no disk '#{number}' here ({known}); name the device itself, or say which it \
             is: IOGAUGE_DRIVES={number}=/dev/..."
        )));
    };
    Ok(Place {
        note: Some(format!("#{number} is {}", path.display())),
        path,
        device: true,
    })
}

/// The line to type when drives are not mapped.
pub(crate) fn line_with_drives(
    names: &[String],
    around: &Environment,
    args: &[OsString],
) -> String {
    places::line_with_drives("diskspd", names, around, args)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around() -> Environment {
        let mut around = Environment::default();
        around
            .settings
            .drives
            .insert("E".to_owned(), "/mnt/e".into());
        around
            .settings
            .drives
            .insert("9".to_owned(), "/dev/sdz".into());
        around.disks = vec!["cciss!c0d0".to_owned(), "sda".to_owned()];
        around
    }

    fn path(text: &str) -> PathBuf {
        resolve(OsStr::new(text), &around()).unwrap().path
    }

    #[test]
    fn windows_paths_are_translated() {
        for (text, expected) in [
            (r".\datafile.dat", "./datafile.dat"),
            ("x.dat", "x.dat"),
            (r"a\b/c", r"a\b/c"),
            (r"E:\dir\F.dat", "/mnt/e/dir/F.dat"),
            ("e:/dir/f.dat", "/mnt/e/dir/f.dat"),
            ("e:f.dat", "/mnt/e/f.dat"),
            ("#0", "/dev/cciss/c0d0"),
            ("#1", "/dev/sda"),
            ("#9", "/dev/sdz"),
            ("#x", "#x"),
        ] {
            assert_eq!(path(text), PathBuf::from(expected), "{text}");
        }
    }

    #[test]
    fn what_is_nowhere_is_refused() {
        for text in ["C:", "#7", r"\\server\share\f", r"\\.\PhysicalDrive1"] {
            let result = resolve(OsStr::new(text), &around());
            assert!(matches!(result, Err(Nowhere::Because(_))), "{text}");
        }
        assert_eq!(
            resolve(OsStr::new(r"d:\x"), &around()),
            Err(Nowhere::Drive("D".to_owned()))
        );
    }

    #[test]
    fn paths_of_windows_stand_as_typed_in_windows() {
        let mut around = around();
        around.machine.drive_letters = true;
        for text in [
            r".\datafile.dat",
            r"E:\dir\F.dat",
            "d:/x",
            "e:f.dat",
            r"\\server\share\f",
            "#x",
        ] {
            let place = resolve(OsStr::new(text), &around).unwrap();
            assert_eq!((place.path, place.device), (text.into(), false), "{text}");
        }
        for text in ["C:", "#0", "#9", r"\\.\PhysicalDrive1", r"\\.\C:"] {
            let result = resolve(OsStr::new(text), &around);
            assert!(matches!(result, Err(Nowhere::Because(_))), "{text}");
        }
    }

    #[test]
    fn the_line_to_type_can_be_pasted() {
        let args: Vec<_> = ["-b8K", r"D:\it's.dat"].map(Into::into).to_vec();
        assert_eq!(
            line_with_drives(&["D".to_owned()], &around(), &args),
            r"IOGAUGE_DRIVES=9=/dev/sdz,E=/mnt/e,D=. diskspd -b8K 'D:\it'\''s.dat'"
        );
    }

    #[test]
    fn disks_are_devices_and_files_are_not() {
        for (text, device) in [
            ("#1", true),
            ("/dev/sdb", true),
            ("/dev/shm/x", false),
            ("x", false),
        ] {
            assert_eq!(
                resolve(OsStr::new(text), &around()).unwrap().device,
                device,
                "{text}"
            );
        }
    }
}
