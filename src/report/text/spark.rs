//! A curve in one line.

use super::Charset;

const UNICODE: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII: [char; 8] = ['_', '.', ':', '-', '=', '+', '*', '#'];

/// One character a value. The scale begins at nothing: what looks like half is half.
pub fn sparkline(values: &[f64], charset: Charset) -> String {
    let marks = match charset {
        Charset::Unicode => UNICODE,
        Charset::Ascii => ASCII,
    };
    let sane = |value: &f64| {
        if value.is_finite() {
            value.max(0.0)
        } else {
            0.0
        }
    };
    let most = values.iter().map(sane).fold(0.0, f64::max);
    let mark = |value: f64| {
        if value <= 0.0 {
            return marks[0];
        }
        let steps = marks.len() as f64;
        marks[((value / most * steps).ceil() as usize).clamp(1, marks.len()) - 1]
    };
    values.iter().map(sane).map(mark).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::Charset, sparkline};

    #[test]
    fn the_scale_begins_at_nothing() {
        let values = [0.0, 1.0, 4.0, 8.0];
        assert_eq!(sparkline(&values, Charset::Unicode), "▁▁▄█");
        assert_eq!(sparkline(&values, Charset::Ascii), "__-#");
        assert_eq!(sparkline(&[0.0, 0.0], Charset::Ascii), "__");
        assert_eq!(sparkline(&[f64::NAN, 5.0], Charset::Ascii), "_#");
        assert_eq!(sparkline(&[], Charset::Ascii), "");
    }
}
