//! What the faces ask of an argument before they read it: that it is text, and no left-over of a
//! script with Windows line ends.

use std::{ffi::OsStr, path::Path};

use super::Environment;
use crate::units::names::shown;

/// The text of an argument; `None` for a name that is none. `name` is what an argument may be
/// besides an option: "target".
///
/// # Errors
/// A sentence about an argument that can be neither.
pub(crate) fn text_of<'a>(
    arg: &'a OsStr,
    name: &str,
    around: &Environment,
) -> Result<Option<&'a str>, String> {
    let bytes = arg.as_encoded_bytes();
    let dashed = bytes.first() == Some(&b'-');
    // A file may have such a name, if hardly ever; none is made.
    if bytes.last() == Some(&b'\r') && (dashed || !around.files.exists(Path::new(arg))) {
        return Err(format!(
            "{}: it ends with a carriage return: the script has Windows line ends (dos2unix \
             changes them)",
            shown(arg)
        ));
    }
    match arg.to_str() {
        Some("") => Err(format!(
            "an argument is empty; it is neither an option nor a {name}"
        )),
        None if dashed => Err(format!("{}: an option must be valid UTF-8", shown(arg))),
        text => Ok(text),
    }
}
