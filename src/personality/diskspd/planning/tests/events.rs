//! Named events become files of the user.

use std::{io, path::Path};

use super::planned;
use crate::personality::{
    Command, Environment, Files, Personality,
    diskspd::{
        DiskSpd,
        testing::{args, around},
    },
};

fn with_runtime_folder() -> Environment {
    let mut around = around();
    around.settings.runtime_folder = Some("/run/user/7".into());
    around.files = Files::with(
        |path| path == Path::new("/run/user/7"),
        |_| Err(io::ErrorKind::NotFound.into()),
    );
    around
}

#[test]
fn events_are_files_of_the_user() {
    let text = r"-ysGlobal\begun -yfended -yrLocal\go -yphalt x";
    let events = planned(text, &with_runtime_folder()).plan.events;
    let file = |name: &str| Some(Path::new("/run/user/7/iogauge").join(name));
    assert_eq!(events.signal_started, file("begun"));
    assert_eq!(events.signal_finished, file("ended"));
    assert_eq!(events.wait_before_start, file("go"));
    assert_eq!(events.stop_when, file("halt"));
    for name in ["a/b", r"a\b", "..", r"Global\"] {
        let refused = DiskSpd.parse(&args(&format!("-ys{name} x")), &around());
        let message = refused.err().unwrap().messages.join("\n");
        assert!(message.contains("named like a file"), "{message}");
    }
}

#[test]
fn a_signal_for_another_run_makes_its_file_and_fails() {
    let print = |around: &Environment| match DiskSpd.parse(&args("-yego x"), around) {
        Ok(Command::Print {
            text,
            warnings,
            exit,
        }) => (text, warnings, exit),
        _ => panic!("-ye runs nothing"),
    };
    let mut around = with_runtime_folder();
    let files = around.files;
    let expected = |path: &Path| {
        assert_eq!(path, Path::new("/run/user/7/iogauge/go"));
        Ok(())
    };
    around.files = files.making(expected);
    assert_eq!(print(&around), (String::new(), Vec::new(), 1));
    around.files = files.making(|_| Err(io::ErrorKind::PermissionDenied.into()));
    let (_, warnings, exit) = print(&around);
    assert!(
        exit == 1 && warnings[0].starts_with("ERROR: -yego: "),
        "{warnings:?}"
    );
    assert!(
        warnings[0].contains("/run/user/7/iogauge/go"),
        "{warnings:?}"
    );
    around.explaining = true;
    assert_eq!(print(&around), (String::new(), Vec::new(), 1));
}

#[test]
fn a_signal_to_stop_that_is_there_already_is_told() {
    let mut around = with_runtime_folder();
    assert_eq!(planned("-yphalt x", &around).notes.len(), 0);
    around.files = Files::with(
        |path| path == Path::new("/run/user/7") || path.ends_with("iogauge/halt"),
        |_| Err(io::ErrorKind::NotFound.into()),
    );
    let notes = planned("-yphalt x", &around).notes;
    assert!(
        notes[0].contains("-yphalt: the event is signalled already"),
        "{notes:?}"
    );
}

#[test]
fn without_a_runtime_folder_that_is_there_events_need_a_private_one() {
    let mut gone = with_runtime_folder();
    gone.files = Files::default();
    for mut around in [around(), gone] {
        let started = planned("-ysgo x", &around).plan.events.signal_started;
        let folder = started.unwrap().parent().unwrap().to_owned();
        assert_eq!(folder.parent(), Some(std::env::temp_dir().as_path()));
        around.files = Files::default()
            .making(|_| panic!("nothing is made in a folder of others"))
            .checking(|_| Err(io::Error::other("it belongs to user 8")));
        let refused = DiskSpd.parse(&args("-ysgo x"), &around).err().unwrap();
        let message = refused.messages.join("\n");
        assert!(
            refused.exit == 3 && message.contains("it belongs to user 8"),
            "{message}"
        );
        assert!(message.contains(folder.to_str().unwrap()), "{message}");
        // Lines without events need no folder, and nothing is made while a line is explained.
        assert!(DiskSpd.parse(&args("x"), &around).is_ok());
        match DiskSpd.parse(&args("-yego x"), &around) {
            Ok(Command::Print { warnings, exit, .. }) => {
                assert!(exit == 1 && warnings[0].contains("user 8"), "{warnings:?}");
            }
            _ => panic!("-ye runs nothing"),
        }
        around.explaining = true;
        assert!(DiskSpd.parse(&args("-ysgo x"), &around).is_ok());
    }
}
