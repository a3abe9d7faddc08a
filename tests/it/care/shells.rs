//! Completions are scripts that their shells take, and the manual page is one that `man` takes.

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use crate::util::{self, Dir};

fn script(shell: &str) -> String {
    let output = util::run(util::iogauge().args(["completions", shell]));
    output.expect_code(0);
    output.stdout.clone()
}

#[test]
fn bash_takes_the_script_and_completes_commands() {
    if !util::has("bash") {
        util::skip("bash is missing");
        return;
    }
    let dir = Dir::new();
    let path = dir.join("completions");
    fs::write(&path, script("bash")).expect("our folder");
    let ask = "source \"$0\"; COMP_WORDS=(iogauge doc); COMP_CWORD=1; _iogauge iogauge doc iogauge; \
               echo \"${COMPREPLY[@]}\"; COMP_WORDS=(iogauge sys); _iogauge iogauge sys iogauge; \
               echo \"${COMPREPLY[@]}\"; COMP_WORDS=(iogauge run etc); COMP_CWORD=2; \
               _iogauge iogauge etc run; echo \"${COMPREPLY[@]}\"";
    let output = util::run(Command::new("bash").args(["--norc", "-c", ask]).arg(&path));
    assert_eq!(
        output.expect_code(0).stdout,
        "doctor\nsysbench\netcd\n",
        "{output:#?}"
    );
    assert_eq!(output.stderr, "");
}

#[test]
fn other_shells_have_scripts_of_their_own() {
    for (shell, start) in [("zsh", "#compdef iogauge"), ("fish", "# Print")] {
        let script = script(shell);
        assert!(script.starts_with(start), "{shell}: {script}");
        if !util::has(shell) {
            util::skip(&format!(
                "{shell} is missing: its script was not read by it"
            ));
            continue;
        }
        let dir = Dir::new();
        let path = dir.join("completions");
        fs::write(&path, script).expect("our folder");
        util::run(Command::new(shell).arg("-n").arg(&path)).expect_code(0);
    }
    let refused = util::run(util::iogauge().args(["completions", "tcsh"]));
    refused.expect_code(2);
    assert!(
        refused.stderr.contains("'tcsh'") && refused.stderr.contains("bash"),
        "{refused:#?}"
    );
}

#[test]
fn the_manual_page_is_set_without_a_complaint() {
    let page = util::run(util::iogauge().arg("man"))
        .expect_code(0)
        .stdout
        .clone();
    assert!(page.contains(".SH DOCTOR"), "{page}");
    if !util::has("groff") {
        util::skip("groff is missing: the page was not set");
        return;
    }
    let mut groff = Command::new("groff")
        .args(["-man", "-Tutf8", "-ww", "-z"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("groff runs");
    let mut input = groff.stdin.take().expect("piped");
    input.write_all(page.as_bytes()).expect("groff reads");
    drop(input);
    let output = groff.wait_with_output().expect("groff ends");
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && complaints.is_empty(),
        "{complaints}"
    );
}
