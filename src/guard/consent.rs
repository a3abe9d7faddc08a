//! Did the user name this as something that may be destroyed, and how would they?

use std::path::{Path, PathBuf};

use super::Probe;
use crate::{host::Look, plan::WriteRules};

/// What the user gave away, and by whose rules the rest is judged.
#[derive(Debug, Clone, Copy)]
pub(super) struct Consent<'a> {
    /// Names of devices or files.
    pub(super) names: &'a [String],
    /// Whose rules hold.
    pub(super) rules: WriteRules,
}

impl Consent<'_> {
    /// True if one of the names is this path, leads to it, or is the same file or device by number.
    pub(super) fn covers(&self, path: &Path, look: &Look, probe: &dyn Probe) -> bool {
        self.names.iter().map(Path::new).any(|name| {
            let same_place = || {
                let place = probe.canonical(path);
                place.is_some() && place == probe.canonical(name)
            };
            let same_thing = || {
                let identity = probe.look(name).ok().and_then(|named| named.identity);
                identity.is_some() && identity == look.identity
            };
            name == path || same_place() || same_thing()
        })
    }

    /// The same for a file that is not there yet: one of the names would make it.
    pub(super) fn covers_new(&self, path: &Path, probe: &dyn Probe) -> bool {
        let place = new_place(path, probe);
        self.names
            .iter()
            .map(Path::new)
            .any(|name| name == path || place.is_some() && place == new_place(name, probe))
    }

    /// The line to type, as the end of a sentence.
    pub(super) fn remedy(&self, path: &Path) -> String {
        let word = shell_word(path);
        match self.rules {
            WriteRules::Named => {
                format!("to allow it, set IOGAUGE_DESTROY={word} or give iogauge --destroy {word}")
            }
            WriteRules::Own => format!("to allow it, add --destroy {word}"),
        }
    }
}

/// The folder without links, and the name in it.
fn new_place(path: &Path, probe: &dyn Probe) -> Option<PathBuf> {
    let folder = match path.parent()? {
        folder if folder == Path::new("") => Path::new("."),
        folder => folder,
    };
    Some(probe.canonical(folder)?.join(path.file_name()?))
}

/// A path for people: control characters, which could paint over the terminal, are spelled out.
pub(super) fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.chars().any(char::is_control) {
        text.escape_debug().to_string()
    } else {
        text.into_owned()
    }
}

/// A path as a shell takes it.
pub fn shell_word(path: &Path) -> String {
    let text = shown(path);
    let plain = |c: char| c.is_alphanumeric() || "/._-+:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        for (path, word) in [
            ("/dev/sdb", "/dev/sdb"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("$x", "'$x'"),
            ("", "''"),
        ] {
            assert_eq!(shell_word(Path::new(path)), word);
        }
        assert_eq!(shown(Path::new("a\x1b[2J")), r"a\u{1b}[2J");
    }
}
