//! Profiles of the user's own.

use super::command;
use crate::util::{Dir, run};

const OWN: &str = "name = \"mine\"\nsummary = \"my own reads\"\n\n[[file]]\nrole = \"data\"\nsize = \
                   \"1GiB\"\n\n[[group]]\nname = \"reader\"\nthreads = \"maxdop\"\nqueue-depth = 4\n\n\
                   [[group.stream]]\nfile = \"data\"\npattern = \"random\"\nalign = \"4KiB\"\nread = \
                   [[\"4KiB\", 3], [\"8KiB\", 1]]\n";

/// What `iogauge profiles ARGS` does where the user's folder has these files.
fn with(files: &[(&str, &str)], args: &[&str]) -> crate::util::Output {
    let dir = Dir::new();
    let folder = dir.join("iogauge/profiles");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("a file can be written");
    }
    run(command(args).env("XDG_CONFIG_HOME", dir.path()))
}

#[test]
fn own_profiles_are_listed_and_shown() {
    let list = with(&[("mine.toml", OWN)], &[]);
    list.expect_code(0);
    assert!(
        list.stdout.contains("mine ") && list.stdout.contains("my own reads"),
        "{list:?}"
    );
    let one = with(&[("mine.toml", OWN)], &["mine", "--machine", "lp=6"]);
    one.expect_code(0);
    for part in ["4 KiB 75 %, 8 KiB 25 %", "6 (MAXDOP"] {
        assert!(one.stdout.contains(part), "{one:?}");
    }
    let near = with(&[("mine.toml", OWN)], &["mien"]);
    near.expect_code(2);
    assert!(near.told().contains("did you mean mine?"), "{near:?}");
}

#[test]
fn a_file_that_means_nothing_is_named_with_line_and_key() {
    for (text, says) in [
        (OWN.replace("mine", "etcd"), "key 'name': 'etcd'"),
        (
            OWN.replace("align", "alignment"),
            "line 16: unknown field `alignment`",
        ),
        (
            OWN.replace("queue-depth = 4", "queue-depth = 100000000000000000000"),
            "line 11",
        ),
        (
            OWN.replace("threads = \"maxdop\"", "threads = -1"),
            "line 10",
        ),
    ] {
        let output = with(&[("bad.toml", &text)], &[]);
        output.expect_code(2);
        assert!(output.told().contains("bad.toml: "), "{output:?}");
        assert!(output.told().contains(says), "{output:?} / {says}");
        // What is built in is not spoilt by it.
        with(&[("bad.toml", &text)], &["sqlserver/log"]).expect_code(0);
    }
}
