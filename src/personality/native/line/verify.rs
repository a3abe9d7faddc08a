//! Whether data is verified: `--verify`, with fio's values too.

use super::Typed;
use crate::personality::native::commands::load::LoadArgs;

/// What fio verifies by; its header holds a checksum of the block by the one or the other.
const METHODS: &[&str] = &[
    "md5",
    "crc64",
    "crc32c",
    "crc32c-intel",
    "crc32",
    "crc16",
    "crc7",
    "xxhash",
    "sha512",
    "sha256",
    "sha1",
    "sha3-224",
    "sha3-256",
    "sha3-384",
    "sha3-512",
    "meta",
];

/// `None` if nothing was said.
pub(super) fn read(args: &LoadArgs, notes: &mut Vec<String>) -> Result<Option<bool>, String> {
    let Some(typed) = Typed::new("--verify", args.verify.as_ref()) else {
        return Ok(None);
    };
    match typed.value {
        "yes" | "1" => Ok(Some(true)),
        "no" | "0" => Ok(Some(false)),
        method if METHODS.contains(&method) => {
            notes.push(format!(
                "--verify={method}: verified by our own checksum and label of each 512 bytes \
                 instead, also while the load runs"
            ));
            Ok(Some(true))
        }
        _ => Err(typed.wrong("yes, no, or a method of fio such as crc32c")),
    }
}
