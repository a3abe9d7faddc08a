//! Columns of numbers behind a label.

use std::fmt::Write as _;

use super::{Charset, Form};

/// Blanks between columns, where there is room.
const GAP: usize = 2;
/// Columns that a label keeps, however wide the numbers are.
const LABEL_MIN: usize = 8;

/// Rows of a label and right-aligned cells.
#[derive(Debug, Clone)]
pub struct Table {
    heads: Vec<Vec<String>>,
    rows: Vec<(String, Vec<String>)>,
    width_min: usize,
}

impl Table {
    /// With this line of heads over the cells; each column is at least `width_min` wide.
    pub fn new(heads: &[&str], width_min: usize) -> Self {
        Self {
            heads: vec![heads.iter().map(|head| (*head).to_owned()).collect()],
            rows: Vec::new(),
            width_min,
        }
    }

    /// Adds a row.
    pub fn row(&mut self, label: impl Into<String>, cells: Vec<String>) {
        self.rows.push((label.into(), cells));
    }

    /// True without rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines, the heads first, with `over` above the heads from column `from` on, if it is not
    /// empty. A label that leaves no room for its numbers is cut.
    pub fn lines(&self, form: &Form, over: &str, from: usize) -> Vec<String> {
        let count = self.rows.iter().map(|(_, cells)| cells.len()).max();
        let count = count.unwrap_or(0).max(self.heads[0].len());
        let cells = || {
            self.heads
                .iter()
                .chain(self.rows.iter().map(|(_, cells)| cells))
        };
        let widths: Vec<usize> = (0..count)
            .map(|column| {
                let each = cells().filter_map(|cells| cells.get(column));
                let widest = each.map(|cell| cell.chars().count()).max();
                widest.unwrap_or(0).max(self.width_min)
            })
            .collect();
        let labels = self.rows.iter().map(|(label, _)| label.chars().count());
        let longest = labels.max().unwrap_or(0);
        let wide = |gap: usize| widths.iter().map(|width| width + gap).sum::<usize>();
        let gap = if longest + wide(GAP) <= form.width {
            GAP
        } else {
            1
        };
        let room = form.width.saturating_sub(wide(gap)).max(LABEL_MIN);
        let label = longest.min(room);
        let laid = |name: &str, cells: &[String]| {
            let name = cut(name, label, form.charset);
            let mut line = format!("{name:<label$}");
            for (cell, width) in cells.iter().zip(&widths) {
                // Writing to a string cannot fail.
                let _ = write!(line, "{cell:>width$}", width = width + gap);
            }
            line.trim_end().to_owned()
        };
        let mut lines = Vec::new();
        if !over.is_empty() {
            let left: usize = widths.iter().take(from).map(|width| width + gap).sum();
            let right: usize = widths.iter().skip(from).map(|width| width + gap).sum();
            let blank = label + left + gap;
            let over = format!(" {over} ");
            let right = right.saturating_sub(gap);
            lines.push(format!("{:blank$}{over:-^right$}", ""));
        }
        lines.extend(self.heads.iter().map(|heads| laid("", heads)));
        lines.extend(self.rows.iter().map(|(name, cells)| laid(name, cells)));
        lines
    }
}

/// A text in at most `width` columns: its end is cut, visibly.
pub fn cut(text: &str, width: usize, charset: Charset) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mark = match charset {
        Charset::Unicode => '…',
        Charset::Ascii => '~',
    };
    let kept = text.chars().take(width.saturating_sub(1));
    kept.chain(std::iter::once(mark).take(width)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Charset, Form, Table, cut};

    #[test]
    fn numbers_are_aligned_right_and_labels_cut() {
        let mut table = Table::new(&["IOPS", "max"], 4);
        table.row("read", vec!["1".into(), "12,345".into()]);
        table.row("write", vec!["22".into()]);
        let lines = table.lines(&Form::default(), "", 0);
        assert_eq!(
            lines,
            ["       IOPS     max", "read      1  12,345", "write    22",]
        );
        let over = table.lines(&Form::default(), "ms", 1);
        assert_eq!(over[0], "             - ms -");
        let narrow = Form {
            width: 20,
            ..Form::default()
        };
        let mut table = Table::new(&["IOPS"], 10);
        table.row("a long name", vec!["1".into()]);
        // One blank less between columns before a label is cut.
        assert_eq!(table.lines(&narrow, "", 0)[1], "a long n~          1");
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(cut("abc", 3, Charset::Ascii), "abc");
        assert_eq!(cut("abcd", 3, Charset::Ascii), "ab~");
        assert_eq!(cut("abcd", 3, Charset::Unicode), "ab…");
        assert_eq!(cut("abcd", 0, Charset::Ascii), "");
    }
}
