//! What a person at a terminal sees while rounds go on: one live line that says which round it is. On
//! a pipe it says nothing.

use std::{io::Write, time::Duration};

use super::{plan::InTurn, text::name};
use crate::{
    plan::TimeSpan,
    report::text::{Form, Surface, span_of_time},
    results::{Event, Observer, compare::Part},
};

/// Columns that a live line may have.
const WIDTH: usize = 79;

/// One line that is written again and again.
#[derive(Debug)]
pub struct Live<W: Write> {
    out: W,
    shown: bool,
    drawn: bool,
}

impl<W: Write> Live<W> {
    /// On `out`, where its form has room for it.
    pub fn new(out: W, form: Form) -> Self {
        Self {
            out,
            shown: form.surface == Surface::Terminal,
            drawn: false,
        }
    }
}

impl<W: Write> Live<W> {
    /// Shows text in place of what was there.
    pub fn show(&mut self, text: &str) {
        if self.shown {
            let text: String = text.chars().take(WIDTH).collect();
            self.drawn = true;
            self.write(&format!("\r\x1b[K{text}"));
        }
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            self.write("\r\x1b[K");
        }
    }

    /// Nothing can be done when standard error is gone; the run goes on.
    fn write(&mut self, text: &str) {
        let written = self.out.write_all(text.as_bytes());
        let _ = written.and_then(|()| self.out.flush());
    }
}

impl<W: Write> Drop for Live<W> {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Tells which round of which row begins.
#[derive(Debug)]
pub struct Rounds<W: Write> {
    live: Live<W>,
    /// The line of each time span.
    lines: Vec<String>,
}

impl<W: Write> Rounds<W> {
    /// Of this plan.
    pub fn new(live: Live<W>, turns: &InTurn) -> Self {
        Self {
            live,
            lines: lines(turns),
        }
    }
}

impl<W: Write> Observer for Rounds<W> {
    fn observe(&mut self, event: &Event<'_>) {
        match event {
            Event::SpanBegins { number } => {
                let line = number.checked_sub(1).and_then(|at| self.lines.get(at));
                if let Some(line) = line.cloned() {
                    self.live.show(&line);
                }
            }
            Event::SpanEnds { .. } | Event::Warning { .. } | Event::Interrupted => {
                self.live.clear();
            }
            _ => {}
        }
    }
}

/// How long a time span takes, where it says so.
pub fn length(span: &TimeSpan) -> Duration {
    span.warmup + span.stop.after.unwrap_or_default() + span.cooldown
}

fn lines(turns: &InTurn) -> Vec<String> {
    let spans: Vec<&TimeSpan> = turns.plan.spans().collect();
    let mut left: Duration = spans.iter().map(|span| length(span)).sum();
    let mut lines = Vec::new();
    for (number, row) in turns.rows.iter().enumerate() {
        let rounds = row.pairs.len() * 2;
        let parts = Part::of(&row.span);
        let called = if row.span.name.is_empty() {
            parts.first().map(name).unwrap_or_default()
        } else {
            row.span.name.clone()
        };
        for round in 0..rounds {
            // A B B A.
            let side = if matches!(round % 4, 0 | 3) { 'A' } else { 'B' };
            let (row, rows) = (number + 1, turns.rows.len());
            let round = round + 1;
            let time = if left.is_zero() {
                String::new()
            } else {
                format!(", {} left", span_of_time(left))
            };
            lines.push(format!(
                "row {row}/{rows}, round {round}/{rounds} ({side}){time}: {called}"
            ));
            let span = spans.get(lines.len() - 1);
            left = left.saturating_sub(span.map_or(Duration::ZERO, |span| length(span)));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{
        super::{plan::in_turn, testing::one},
        *,
    };

    #[test]
    fn the_line_says_where_it_is_and_goes_away() {
        // The fixtures' time spans take 65 s each: 4 rounds of 2 rows are 8 min 40 s.
        let turns = in_turn(one("a", &["r", "w"]), one("b", &["r", "w"]), 1);
        let live = Live {
            out: Vec::new(),
            shown: true,
            drawn: false,
        };
        let mut rounds = Rounds::new(live, &turns);
        for number in [1, 2, 8, 9, 0] {
            rounds.observe(&Event::SpanBegins { number });
        }
        rounds.observe(&Event::SpanEnds { number: 8 });
        rounds.observe(&Event::SpanEnds { number: 8 });
        let text = String::from_utf8(rounds.live.out.clone()).unwrap();
        let expected = [
            "",
            "row 1/2, round 1/4 (A), 8 min 40 s left: r",
            "row 1/2, round 2/4 (B), 7 min 35 s left: r",
            "row 2/2, round 4/4 (A), 1 min 5 s left: w",
            "",
        ];
        assert_eq!(text.split("\r\x1b[K").collect::<Vec<_>>(), expected);
    }

    #[test]
    fn nobody_sees_it_on_a_pipe() {
        let mut live = Live {
            out: Vec::new(),
            shown: false,
            drawn: false,
        };
        live.show("x");
        live.clear();
        assert!(live.out.is_empty());
    }
}
