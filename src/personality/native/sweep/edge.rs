//! The highest load that keeps a limit: which load is measured next, by what was measured so far.
//!
//! Nothing is remembered between two questions: whoever asks brings all measurements, so that a report
//! finds the same answer in a run's results whenever it is made. More load is taken to be no easier to
//! carry; where measurements say otherwise, what broke the limit below one that kept it is measured
//! again, and the majority decides.

use std::collections::BTreeMap;

/// A search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge<'a> {
    /// Loads that are all measured first, ascending.
    pub(super) grid: &'a [u64],
    /// Loads between them are tried too.
    pub(super) fine: bool,
    /// How often the answer is measured again.
    pub(super) repeat: u32,
}

/// What a measurement says of the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// It was kept.
    Yes,
    /// It was broken.
    No,
    /// Too few I/Os to tell.
    Unknown,
}

/// What all measurements of one load say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Votes {
    /// Kept so often.
    pub(super) kept: u32,
    /// Broken so often.
    pub(super) broke: u32,
    /// Could not tell.
    pub(super) unknown: u32,
}

/// Where the limit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Answer {
    /// The highest load that kept it, below all that broke it.
    pub(super) kept: Option<u64>,
    /// The lowest that broke it.
    pub(super) broke: Option<u64>,
    /// One above that kept it nevertheless.
    pub(super) contrary: Option<u64>,
}

/// A load that kept the limit and one that broke it are no further apart than this in the end.
const NEAR: f64 = 1.03;
/// So often is measured what broke the limit: once more than it took to find it.
const BREAKS: u32 = 2;
/// So often what is contradictory: then a majority decides.
const MAJORITY: u32 = 3;
/// Measurements beyond the grid and the repeats at most: far more than a search takes whose figures
/// agree.
const BEYOND_GRID: usize = 64;
/// Loads from here on have three digits: a person reads them.
const ROUND: u64 = 1000;

impl Votes {
    fn told(self) -> u32 {
        self.kept + self.broke
    }

    /// The majority of those that can tell; half of them is not enough to say that it is kept.
    fn verdict(self) -> Kept {
        match self.told() {
            0 => Kept::Unknown,
            told if self.kept * 2 > told => Kept::Yes,
            _ => Kept::No,
        }
    }
}

/// The measurements, load by load.
pub(super) fn votes(measured: &[(u64, Kept)]) -> BTreeMap<u64, Votes> {
    let mut all: BTreeMap<u64, Votes> = BTreeMap::new();
    for (load, kept) in measured {
        let votes = all.entry(*load).or_default();
        let count = match kept {
            Kept::Yes => &mut votes.kept,
            Kept::No => &mut votes.broke,
            Kept::Unknown => &mut votes.unknown,
        };
        *count = count.saturating_add(1);
    }
    all
}

/// What the measurements say.
pub(super) fn answer(measured: &[(u64, Kept)]) -> Answer {
    let all = votes(measured);
    let is = |wanted: Kept| {
        all.iter()
            .filter(move |(_, votes)| votes.verdict() == wanted)
            .map(|(load, _)| *load)
    };
    let broke = is(Kept::No).next();
    let below = |load: &u64| broke.is_none_or(|broke| *load < broke);
    Answer {
        kept: is(Kept::Yes).rfind(below),
        broke,
        contrary: is(Kept::Yes).find(|load| !below(load)),
    }
}

impl Edge<'_> {
    /// What is measured next; `None` once enough was.
    pub(super) fn next(&self, measured: &[(u64, Kept)]) -> Option<u64> {
        let all = votes(measured);
        let of = |load: u64| all.get(&load).copied().unwrap_or_default();
        if let Some(load) = self.grid.iter().find(|load| !all.contains_key(load)) {
            return Some(*load);
        }
        let most = self.grid.len() + BEYOND_GRID + self.repeat as usize;
        if measured.len() >= most {
            return None;
        }
        let found = answer(measured);
        let broken = found.broke.map(|load| (load, of(load)));
        if let Some((load, votes)) = broken
            && found.contrary.is_some()
            && votes.told() < MAJORITY
        {
            return Some(load);
        }
        if let (Some(low), Some(high)) = (found.kept, found.broke)
            && let Some(load) = self.between(low, high)
            && !all.contains_key(&load)
        {
            return Some(load);
        }
        if let Some(load) = found.kept
            && of(load).told() <= self.repeat
            // One that cannot tell does not begin to.
            && of(load).unknown <= self.repeat
        {
            return Some(load);
        }
        let (load, votes) = broken?;
        let tied = votes.kept == votes.broke && votes.told() < MAJORITY;
        let again = votes.told() < BREAKS || tied;
        (again && votes.unknown < BREAKS).then_some(load)
    }

    /// A load between one that kept the limit and one that broke it; `None` where they are near enough.
    fn between(&self, low: u64, high: u64) -> Option<u64> {
        let near = high as f64 <= low as f64 * NEAR || high - low < 2;
        if near || !self.fine {
            return None;
        }
        let middle = (low as f64 * high as f64).sqrt();
        let middle = (middle.round() as u64).clamp(low + 1, high - 1);
        let short = three_digits(middle);
        Some(if low < short && short < high {
            short
        } else {
            middle
        })
    }

    /// Measurements beyond the grid where figures agree, at most.
    pub(super) fn beyond_grid(&self) -> u64 {
        let steps = |pair: &[u64]| match pair {
            &[low, high] => self.steps(low, high),
            _ => 0,
        };
        let steps = self.grid.windows(2).map(steps).max().unwrap_or(0);
        steps + u64::from(self.repeat) + 1
    }
}

impl Edge<'_> {
    /// Loads that are tried between these two at most.
    fn steps(&self, low: u64, high: u64) -> u64 {
        self.between(low, high).map_or(0, |middle| {
            1 + self.steps(low, middle).max(self.steps(middle, high))
        })
    }
}

fn three_digits(load: u64) -> u64 {
    if load < ROUND {
        return load;
    }
    let unit = 10_u64.pow(load.ilog10().saturating_sub(2));
    load / unit * unit + if load % unit * 2 >= unit { unit } else { 0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Answer, Edge, Kept, answer, three_digits, votes};

    /// Asks until the end; `keeps` says whether the nth measurement of a load keeps the limit.
    fn search(edge: &Edge<'_>, keeps: &mut dyn FnMut(u64, usize) -> Kept) -> Vec<(u64, Kept)> {
        let mut measured: Vec<(u64, Kept)> = Vec::new();
        while let Some(load) = edge.next(&measured) {
            let before = measured.iter().filter(|(known, _)| *known == load).count();
            measured.push((load, keeps(load, before)));
            assert!(measured.len() < 1000, "it does not end: {measured:?}");
        }
        measured
    }

    fn up_to(most: u64) -> impl FnMut(u64, usize) -> Kept {
        move |load, _| if load <= most { Kept::Yes } else { Kept::No }
    }

    const POWERS: &[u64] = &[1, 2, 4, 8, 16, 32, 64];

    fn edge(fine: bool, repeat: u32) -> Edge<'static> {
        Edge {
            grid: POWERS,
            fine,
            repeat,
        }
    }

    fn loads(measured: &[(u64, Kept)]) -> Vec<u64> {
        measured.iter().map(|(load, _)| *load).collect()
    }

    #[test]
    fn the_grid_comes_first_then_what_is_between_then_the_answer_again() {
        // sqrt(8 * 16) = 11.3; sqrt(11 * 16) = 13.3; sqrt(11 * 13) = 12.0.
        let measured = search(&edge(true, 3), &mut up_to(12));
        let expected = [POWERS, &[11, 13, 12], &[12, 12, 12, 13]].concat();
        assert_eq!(loads(&measured), expected);
        let expected = Answer {
            kept: Some(12),
            broke: Some(13),
            contrary: None,
        };
        assert_eq!(answer(&measured), expected);
        // Sizes have nothing between.
        let measured = search(&edge(false, 1), &mut up_to(12));
        assert_eq!(loads(&measured)[POWERS.len()..], [8, 16]);
    }

    #[test]
    fn the_ends_of_the_grid() {
        let measured = search(&edge(true, 2), &mut up_to(1000));
        assert_eq!(loads(&measured)[POWERS.len()..], [64, 64]);
        let found = answer(&measured);
        assert_eq!((found.kept, found.broke), (Some(64), None));
        let measured = search(&edge(true, 2), &mut up_to(0));
        assert_eq!(loads(&measured)[POWERS.len()..], [1]);
        let found = answer(&measured);
        assert_eq!((found.kept, found.broke), (None, Some(1)));
    }

    #[test]
    fn one_break_below_loads_that_keep_the_limit_is_looked_at_again() {
        // A stall in the first measurement of 4.
        let mut stalled = |load, before| match (load, before) {
            (4, 0) => Kept::No,
            _ => up_to(12)(load, before),
        };
        let measured = search(&edge(true, 1), &mut stalled);
        assert_eq!(loads(&measured)[POWERS.len()..][..2], [4, 4]);
        assert_eq!(answer(&measured).kept, Some(12));
        assert_eq!(answer(&measured).contrary, None);
        // It breaks each time, and 8 keeps it: said, and the answer is below.
        let mut odd = |load, _| match load {
            4 | 16.. => Kept::No,
            _ => Kept::Yes,
        };
        let measured = search(&edge(true, 1), &mut odd);
        let found = answer(&measured);
        assert_eq!((found.kept, found.broke), (Some(3), Some(4)));
        assert_eq!(found.contrary, Some(8));
        assert_eq!(votes(&measured)[&4].broke, 3);
    }

    #[test]
    fn an_answer_that_does_not_hold_gives_way_to_a_lower_one() {
        // 12 keeps it only when it is measured first.
        let mut once = |load, before| match (load, before) {
            (12, 1..) => Kept::No,
            _ => up_to(12)(load, before),
        };
        let measured = search(&edge(true, 3), &mut once);
        let found = answer(&measured);
        assert_eq!((found.kept, found.broke), (Some(11), Some(12)));
        assert_eq!(votes(&measured)[&11].kept, 4);
    }

    #[test]
    fn what_cannot_tell_is_neither() {
        let mut few = |load, before| match load {
            1 | 2 | 11 => Kept::Unknown,
            _ => up_to(12)(load, before),
        };
        let measured = search(&edge(true, 1), &mut few);
        let found = answer(&measured);
        assert_eq!((found.kept, found.broke), (Some(8), Some(16)));
        let measured = search(&edge(true, 3), &mut |_, _| Kept::Unknown);
        assert_eq!(loads(&measured), POWERS);
        assert_eq!(answer(&measured), Answer::default());
    }

    #[test]
    fn three_digits_are_enough() {
        for (load, short) in [
            (999, 999),
            (1004, 1000),
            (1005, 1010),
            (12_345, 12_300),
            (99_999, 100_000),
        ] {
            assert_eq!(three_digits(load), short);
        }
    }

    proptest! {
        /// Whatever the grid and wherever the edge: the answer is right to 3 %, nothing is measured
        /// more often than its repeats, and the number of measurements is what was announced.
        #[test]
        fn the_edge_of_any_monotone_law_is_found(
            grid in proptest::collection::btree_set(1_u64..1 << 40, 2..20),
            share in 0.0_f64..1.2,
            fine: bool,
            repeat in 1_u32..5,
        ) {
            let grid: Vec<u64> = grid.into_iter().collect();
            let (first, last) = (grid[0], grid[grid.len() - 1]);
            // By ratio, so that all magnitudes come; a little below and above the grid too.
            let span = (last as f64 / first as f64).max(2.0);
            let most = (first as f64 * 0.9 * span.powf(share)) as u64;
            let edge = Edge { grid: &grid, fine, repeat };
            let measured = search(&edge, &mut up_to(most));
            let found = answer(&measured);
            prop_assert_eq!(found.contrary, None);
            prop_assert_eq!(found.kept.is_none(), most < first);
            prop_assert_eq!(found.broke.is_none(), most >= last);
            if let (Some(kept), Some(broke)) = (found.kept, found.broke) {
                prop_assert!(kept <= most && most < broke);
                let near = broke as f64 <= kept as f64 * 1.03 || broke - kept == 1;
                let neighbours = grid.windows(2).any(|pair| pair == [kept, broke]);
                let right = if fine { near } else { neighbours };
                prop_assert!(right);
            }
            for votes in votes(&measured).values() {
                prop_assert!(votes.kept <= 1 + repeat && votes.broke <= 2);
            }
            let beyond = (measured.len() - grid.len()) as u64;
            prop_assert!(beyond <= edge.beyond_grid(), "{} {}", beyond, edge.beyond_grid());
        }

        /// Whatever is measured, it ends, and no load is measured for ever.
        #[test]
        fn it_always_ends(
            said in proptest::collection::vec(0_u8..3, 1..40),
            fine: bool,
            repeat in 1_u32..100,
        ) {
            let mut turn = 0;
            let mut any = |_: u64, _: usize| {
                turn += 1;
                match said[turn % said.len()] {
                    0 => Kept::Yes,
                    1 => Kept::No,
                    _ => Kept::Unknown,
                }
            };
            let measured = search(&edge(fine, repeat), &mut any);
            prop_assert!(measured.len() <= POWERS.len() + 64 + repeat as usize);
        }
    }
}
