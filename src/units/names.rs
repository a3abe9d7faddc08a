//! Names in messages: they can neither steer a terminal nor hide in it.

use std::ffi::OsStr;

/// A message whose names are harmless. It may have several lines.
pub fn escaped(message: &str) -> String {
    let special = |c: char| c.is_control() && c != '\n';
    if !message.contains(special) {
        return message.to_owned();
    }
    let mut out = String::new();
    for c in message.chars() {
        if special(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// A name or argument as messages show it: in one line.
pub fn shown(name: &OsStr) -> String {
    escaped(&name.to_string_lossy().replace('\n', "\\n"))
}
