//! The highest load that keeps a limit, in sentences: which, and how sure that is.

use super::{
    super::sweep::axis::Axis,
    asked::{Asked, figure_name},
    edge::{self, Kept, Votes},
    measured::{self, Judged, KEEPS_UP, Point},
    words,
};
use crate::{
    plan::Condition,
    report::text::{milliseconds, percent},
    results::{Results, Spread},
    units::words::plural,
};

/// What is said of a limit.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Said {
    /// The sentences.
    pub(super) lines: Vec<String>,
    /// The load that is the answer.
    pub(super) load: Option<u64>,
}

/// The answer on one axis.
pub(super) fn said(results: &Results, asked: &Asked, axis: &Axis, points: &[Point]) -> Said {
    let judged = measured::judged(results, asked);
    let history: Vec<(u64, Kept)> = judged.iter().map(|one| (one.load, one.kept)).collect();
    let answer = edge::answer(&history);
    let all = edge::votes(&history);
    let votes = |load: u64| all.get(&load).copied().unwrap_or_default();
    let about = About {
        results,
        asked,
        axis,
        judged: &judged,
    };
    let mut lines = match (answer.kept, answer.broke) {
        (Some(kept), broke) => {
            let mut lines = vec![about.found(kept, broke, points)];
            lines.push(about.sure(kept, votes(kept), broke.map(|broke| (broke, votes(broke)))));
            lines
        }
        (None, Some(broke)) => vec![format!(
            "{} is broken already by {} ({}).",
            about.limits(),
            words::load(axis.what, broke),
            about.why(broke)
        )],
        (None, None) => Vec::new(),
    };
    if let (Some(broke), Some(contrary)) = (answer.broke, answer.contrary) {
        lines.push(format!(
            "{} breaks it though {} keeps it: here more load is not always slower, and the answer \
             is below the first that broke.",
            words::load(axis.what, broke),
            words::load(axis.what, contrary)
        ));
    }
    let unknown: Vec<String> = all
        .iter()
        .filter(|(load, votes)| {
            let matters = answer.kept.is_none_or(|kept| **load > kept);
            matters && votes.kept + votes.broke == 0 && answer.broke.is_none_or(|b| **load < b)
        })
        .map(|(load, _)| words::load(axis.what, *load))
        .collect();
    if !unknown.is_empty() {
        lines.push(format!(
            "Not known at {}: too few I/Os for {}; a longer --duration tells.",
            unknown.join(", "),
            about.names()
        ));
    }
    Said {
        lines,
        load: answer.kept,
    }
}

/// What sentences are about.
struct About<'a> {
    results: &'a Results,
    asked: &'a Asked,
    axis: &'a Axis,
    judged: &'a [Judged],
}

impl About<'_> {
    /// `p99<2ms and mean<1ms`.
    fn limits(&self) -> String {
        let all = self.asked.limits.iter().map(ToString::to_string);
        all.collect::<Vec<_>>().join(" and ")
    }

    fn names(&self) -> String {
        let all = self.asked.limits.iter().map(figure_name);
        all.collect::<Vec<_>>().join(" and ")
    }

    /// What a limit's figure was in all measurements of a load.
    fn spread(&self, load: u64, limit: &Condition) -> Option<Spread> {
        let spans = self.judged.iter().filter(|one| one.load == load);
        let each = spans.filter_map(|one| self.results.figure_of(one.span, limit));
        Spread::of(&each.map(|ns| ns / 1e6).collect::<Vec<_>>())
    }

    fn found(&self, kept: u64, broke: Option<u64>, points: &[Point]) -> String {
        let what = self.axis.what;
        let point = points.iter().find(|point| point.load() == kept);
        let got = point.map_or(String::new(), |point| {
            format!(": {}", words::rate(what, point))
        });
        let figures: Vec<String> = self
            .asked
            .limits
            .iter()
            .filter_map(|limit| {
                let spread = self.spread(kept, limit)?;
                Some(format!(
                    "{} {}",
                    figure_name(limit),
                    milliseconds(spread.mean)
                ))
            })
            .collect();
        let at = if figures.is_empty() {
            String::new()
        } else {
            format!(" at {}", figures.join(", "))
        };
        let load = words::load(what, kept);
        let limits = self.limits();
        match broke {
            Some(_) => format!(
                "{} is the highest load that keeps {limits}{got}{at}.",
                capital(&load)
            ),
            None => format!("{limits} is still kept by {load}, the most that was tried{got}{at}."),
        }
    }

    /// How sure it is: how often it was kept, in which range, and how often the next was broken.
    fn sure(&self, kept: u64, votes: Votes, broke: Option<(u64, Votes)>) -> String {
        let measured = votes.kept + votes.broke;
        let ranges: Vec<String> = self
            .asked
            .limits
            .iter()
            .filter_map(|limit| {
                let spread = self.spread(kept, limit)?;
                let interval = spread.interval?;
                let name = figure_name(limit);
                let (min, max) = (milliseconds(spread.min), milliseconds(spread.max));
                if min == max {
                    return Some(format!("{name} {min} each time"));
                }
                Some(format!(
                    "{name} {min} to {max}, 95 % interval of its mean {} to {}",
                    milliseconds(interval.low.max(0.0)),
                    milliseconds(interval.high)
                ))
            })
            .collect();
        let next = broke.map(|(load, next)| {
            format!(
                "{} broke it in {} of {} ({})",
                words::load(self.axis.what, load),
                next.broke,
                next.kept + next.broke,
                self.why(load)
            )
        });
        let agreed = votes.broke == 0 && broke.is_none_or(|(_, next)| next.kept == 0);
        let enough = measured > self.asked.repeat && broke.is_none_or(|(_, next)| next.broke > 1);
        let how = match (agreed, enough) {
            (false, _) => "Borderline",
            (true, true) => "Sure",
            (true, false) => "Not confirmed",
        };
        let mut text = format!(
            "{how}: kept in {} of {}",
            votes.kept,
            plural(measured.into(), "measurement")
        );
        for part in ranges.into_iter().chain(next) {
            text.push_str("; ");
            text.push_str(&part);
        }
        text.push('.');
        text
    }

    /// What broke a limit: a figure beyond it, or a load that fell behind.
    fn why(&self, load: u64) -> String {
        let beyond = self.asked.limits.iter().filter_map(|limit| {
            let mean = self.spread(load, limit)?.mean;
            let told = format!("{} {}", figure_name(limit), milliseconds(mean));
            (mean * 1e6 >= limit.bound as f64).then_some(told)
        });
        let beyond: Vec<String> = beyond.collect();
        if !beyond.is_empty() {
            return beyond.join(", ");
        }
        let spans = self.judged.iter().filter(|one| one.load == load);
        let shares = spans.filter_map(|one| self.results.load_figures(one.span));
        let share = shares.map(|figures| figures.share).fold(1.0, f64::min);
        if share < KEEPS_UP {
            format!("{} of what was due was done", percent(100.0 * share))
        } else {
            "not each time".to_owned()
        }
    }
}

/// With a capital letter.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Of two axes: the point that got the most of those that keep the limits.
pub(super) fn of_grid(results: &Results, asked: &Asked, points: &[Point]) -> Option<String> {
    let about = About {
        results,
        asked,
        axis: asked.main()?,
        judged: &[],
    };
    let keeps = |point: &&Point| {
        let mut spans = point.spans.iter();
        spans.all(|span| measured::kept(results, *span, asked) == Some(Kept::Yes))
    };
    let best = points
        .iter()
        .filter(keeps)
        .max_by(|a, b| a.figures.per_second.total_cmp(&b.figures.per_second));
    Some(match best {
        None => format!("No point is known to keep {}.", about.limits()),
        Some(point) => format!(
            "Of the points that keep {} {} gets the most: {}; measured once, with nothing tried \
             between the points.",
            about.limits(),
            asked.name(&point.values),
            words::rate(about.axis.what, point)
        ),
    })
}
