//! `-R`: raw targets. Partitions are letters, physical disks are numbers.

/// The targets as the report names them: `D:`, `13:`.
///
/// Commas part them, as in `-R13` for disk 13 and `-R2,3`. The original's own example has none:
/// `-RDEF123` is the partitions D, E and F and the disks 1, 2 and 3. So digits in a piece with
/// letters are one disk each.
///
/// # Errors
/// A sentence that says what would be accepted.
pub(super) fn targets(value: &str) -> Result<Vec<String>, String> {
    let wrong = || {
        format!(
            "letters of partitions and numbers of disks must follow, with commas between, as in \
             -RD,1, not '{value}'"
        )
    };
    let mut targets = Vec::new();
    for piece in value.split(',') {
        let digit = |c: char| c.is_ascii_digit();
        if piece.is_empty() || !piece.chars().all(|c| digit(c) || c.is_ascii_alphabetic()) {
            return Err(wrong());
        }
        if piece.chars().all(digit) {
            let number = piece.trim_start_matches('0');
            targets.push(format!("{}:", if number.is_empty() { "0" } else { number }));
        } else {
            targets.extend(piece.chars().map(|c| format!("{c}:")));
        }
    }
    Ok(targets)
}

#[cfg(test)]
mod tests {
    use super::targets;

    #[test]
    fn letters_and_numbers_with_and_without_commas() {
        for (value, expected) in [
            ("D", "D:"),
            ("13", "13:"),
            ("2,3", "2: 3:"),
            ("D,13", "D: 13:"),
            ("DEF123", "D: E: F: 1: 2: 3:"),
            ("D1", "D: 1:"),
            ("007", "7:"),
            ("0", "0:"),
        ] {
            assert_eq!(targets(value).unwrap().join(" "), expected, "{value}");
        }
        for value in ["", ",", "D,", "D:", "-1", "1 2", "ä"] {
            assert!(targets(value).is_err(), "{value}");
        }
    }
}
