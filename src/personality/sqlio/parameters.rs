//! Parameter files (`-F`): a line for each file, `name threads [mask [sizeMB]]`.

use std::ffi::OsStr;

use super::{
    flags::{FILES_MAX, NAME_MAX, THREADS_MAX},
    line::{mask, small, too_long, whole},
    load::ParameterLine,
    targets,
};
use crate::personality::{Environment, places::Nowhere};

/// MiB that a file has at most.
const MIB_MAX: u64 = i64::MAX as u64 >> 20;

/// What a parameter file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Parameters {
    /// Its lines, without comments.
    pub(super) lines: Vec<ParameterLine>,
    /// What was passed over.
    pub(super) remarks: Vec<String>,
}

/// Reads a parameter file, whose name may be on a drive of Windows.
///
/// # Errors
/// A sentence with the option, and the line that is wrong.
pub(super) fn read(name: &str, around: &Environment) -> Result<Parameters, String> {
    let at = |problem: String| format!("-F{name}: {problem}");
    let place = targets::resolve(OsStr::new(name), around).map_err(|nowhere| match nowhere {
        Nowhere::Drive(drive) => at(format!(
            "there is no drive {drive}: here; say which folder it is: IOGAUGE_DRIVES={drive}=."
        )),
        Nowhere::Because(sentence) => at(sentence),
    })?;
    let bytes = around
        .read(&place.path)
        .map_err(|problem| at(format!("the file cannot be read: {problem}")))?;
    let text = decoded(&bytes).map_err(at)?;
    parse(&text).map_err(at)
}

/// UTF-8, or the UTF-16 that Windows' shells write, each with or without a byte order mark.
pub(super) fn decoded(bytes: &[u8]) -> Result<String, String> {
    let wide = |order: fn([u8; 2]) -> u16, bytes: &[u8]| {
        let units: Vec<u16> = bytes
            .chunks_exact(2)
            .map(|pair| order([pair[0], pair[1]]))
            .collect();
        String::from_utf16(&units).map_err(|_| "the file is no valid UTF-16".to_owned())
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => wide(u16::from_be_bytes, rest),
        _ => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            String::from_utf8(bytes.to_vec()).map_err(|error| {
                // A file of another code page is told by its line.
                let before =
                    error.as_bytes()[..error.utf8_error().valid_up_to()].split(|b| *b == b'\n');
                format!("line {} is not valid UTF-8", before.count())
            })
        }
    }
}

fn parse(text: &str) -> Result<Parameters, String> {
    let mut parameters = Parameters::default();
    // Line ends of Windows, Unix and old Macs; the last one may be missing.
    for (index, line) in text.replace("\r\n", "\n").split(['\n', '\r']).enumerate() {
        let line = line.trim_matches([' ', '\t', '\x1a']);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let number = index + 1;
        let (line, surplus) =
            parse_line(line).map_err(|problem| format!("line {number}: {problem}"))?;
        if let Some(surplus) = surplus {
            let remark = format!("line {number}: '{surplus}' behind the size is ignored");
            parameters.remarks.push(remark);
        }
        parameters.lines.push(line);
    }
    let lines = &parameters.lines;
    if lines.is_empty() {
        return Err("the file names no file (lines that begin with # are comments)".to_owned());
    }
    if lines.len() > FILES_MAX {
        return Err(format!(
            "it names {} files, and at most {FILES_MAX} are taken",
            lines.len()
        ));
    }
    let threads: u64 = lines.iter().map(|line| u64::from(line.threads)).sum();
    if threads > THREADS_MAX {
        return Err(format!(
            "its lines have {threads} threads together, and at most {THREADS_MAX} are taken"
        ));
    }
    Ok(parameters)
}

/// A line, and what follows it that means nothing.
fn parse_line(line: &str) -> Result<(ParameterLine, Option<&str>), String> {
    let (name, rest) = name(line)?;
    if too_long(name) {
        return Err(format!("a file name may have {NAME_MAX} characters"));
    }
    let (threads, rest) = word(rest);
    let threads = small(threads, "the number of threads", &(1..=THREADS_MAX))?;
    let (typed_mask, rest) = word(rest);
    let mask = if typed_mask.is_empty() {
        0
    } else {
        mask(typed_mask)?
    };
    let (size, rest) = word(rest);
    let size_mib = if size.is_empty() {
        None
    } else {
        Some(whole(size, "the size in MiB", &(1..=MIB_MAX))?)
    };
    let line = ParameterLine {
        name: name.to_owned(),
        threads,
        mask,
        size_mib,
    };
    Ok((line, Some(rest).filter(|rest| !rest.is_empty())))
}

/// The name, and what follows it. One with blanks stands between quotes.
fn name(line: &str) -> Result<(&str, &str), String> {
    let Some(quoted) = line.strip_prefix('"') else {
        return Ok(word(line));
    };
    match quoted.split_once('"') {
        Some(("", _)) => Err("the file name is empty".to_owned()),
        Some((name, rest)) => Ok((name, rest)),
        None => Err("a quotation mark is not closed".to_owned()),
    }
}

/// The first word, and what follows it.
fn word(text: &str) -> (&str, &str) {
    const BLANKS: [char; 2] = [' ', '\t'];
    let text = text.trim_start_matches(BLANKS);
    let (word, rest) = text.split_once(BLANKS).unwrap_or((text, ""));
    (word, rest.trim_start_matches(BLANKS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(String, u32, u64, Option<u64>)> {
        let lines = parse(&decoded(text.as_bytes()).unwrap()).unwrap().lines;
        lines
            .into_iter()
            .map(|line| (line.name, line.threads, line.mask, line.size_mib))
            .collect()
    }

    #[test]
    fn published_files_are_read() {
        // The file that is shipped with the tool, and one without a last line feed.
        let shipped = "c:\\testfile.dat 2 0x0 100\r\n#d:\\testfile.dat 2 0x0 100\r\n";
        let expected = ("c:\\testfile.dat".to_owned(), 2, 0, Some(100));
        assert_eq!(lines(shipped), std::slice::from_ref(&expected));
        let bare = "\u{feff}c:\\testfile.dat 2 0x0 2048\n#I:\\testfile.dat 2 0x0 20480\n\
                    #d:\\testfile.dat 2 0x0 100";
        assert_eq!(lines(bare)[0].3, Some(2048));
        let four = "H:\\testfile.dat 2 0x0 25000\nI:\\testfile.dat 2 0x0 25000\n\
                    J:\\testfile.dat 2 0x0 25000\nK:\\testfile.dat 2 0x0 25000\n";
        assert_eq!(lines(four).len(), 4);
    }

    #[test]
    fn blanks_masks_and_missing_parts() {
        let text = "\t# comment\r\r  a.dat\t4\n\n\"b c.dat\" 1 15\nd 256 0xF 1 \n";
        assert!(parse(text).is_err(), "more than 256 threads");
        let text = text.replace("256", "25");
        assert_eq!(
            lines(&text),
            [
                ("a.dat".to_owned(), 4, 0, None),
                ("b c.dat".to_owned(), 1, 15, None),
                ("d".to_owned(), 25, 15, Some(1)),
            ]
        );
        let surplus = parse("a 1 0 5 # five").unwrap();
        assert_eq!(
            surplus.remarks,
            ["line 1: '# five' behind the size is ignored"]
        );
    }

    #[test]
    fn shells_of_windows_write_utf_16() {
        let text = "a.dat 2 0x0 9\r\n";
        let little: Vec<u8> = std::iter::once(0xfeff)
            .chain(text.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        let big: Vec<u8> = little
            .chunks(2)
            .flat_map(|pair| [pair[1], pair[0]])
            .collect();
        for bytes in [little, big] {
            assert_eq!(decoded(&bytes).unwrap(), text);
        }
        assert!(decoded(b"\xff\xfe\x00\xd8").is_err());
        let problem = decoded(b"a 1\nb\xe4r 1").unwrap_err();
        assert_eq!(problem, "line 2 is not valid UTF-8");
    }

    #[test]
    fn what_is_wrong_is_told_by_line() {
        for (text, problem) in [
            ("", "names no file"),
            ("#a 1", "names no file"),
            ("a", "line 1: the number of threads is missing"),
            ("a 0", "line 1: the number of threads must be"),
            ("a 257", "from 1 to 256"),
            ("\na x", "line 2: "),
            ("a 1 xf", "a CPU mask"),
            ("a 1 0x0 0", "the size in MiB must be a whole number from 1"),
            ("a 1 0x0 8796093022208", "the size in MiB"),
            ("a 1 0x0 -5", "the size in MiB"),
            ("\"a 1", "not closed"),
            ("\"\" 1", "is empty"),
        ] {
            let message = parse(text).unwrap_err();
            assert!(message.contains(problem), "{text}: {message}");
        }
        let many = "a 1\n".repeat(257);
        assert!(parse(&many).unwrap_err().contains("257 files"));
        let long = format!("{} 1", "x".repeat(257));
        assert!(parse(&long).unwrap_err().contains("256 characters"));
    }
}
