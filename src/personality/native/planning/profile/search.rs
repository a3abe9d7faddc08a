//! The highest rate that keeps the marks: the first time span is in the plan, the others follow from
//! what was measured.

use super::{Places, Wishes};
use crate::{
    personality::{
        Next,
        native::search::{self, FIRST, Lengths, Purpose, Search},
    },
    plan::TimeSpan,
    profiles::{Mark, Profile, Rate, Wanted},
};

/// A search that has not begun.
#[derive(Debug, Clone, PartialEq)]
pub struct Searching {
    profile: Profile,
    wishes: Wishes,
    places: Places,
    marks: Vec<Mark>,
}

/// What the first time span is resolved for.
pub(super) fn first(wishes: &Wishes) -> Wanted<'_> {
    let asked = Search::new(FIRST).asked();
    at(wishes, rate(asked.per_second), asked.purpose)
}

fn rate(per_second: f64) -> Rate {
    Rate {
        per_second,
        poisson: false,
    }
}

fn at(wishes: &Wishes, rate: Rate, purpose: Purpose) -> Wanted<'_> {
    let lengths = Lengths::of(wishes.duration, wishes.warmup);
    let (warmup, duration) = lengths.get(purpose);
    Wanted {
        warmup,
        duration,
        ..wishes.wanted(Some(rate))
    }
}

impl Searching {
    pub(super) fn new(profile: Profile, wishes: Wishes, places: Places, marks: Vec<Mark>) -> Self {
        Self {
            profile,
            wishes,
            places,
            marks,
        }
    }

    /// The time spans behind the first.
    pub(in crate::personality::native) fn next(self) -> Box<Next> {
        let marks = self.marks.clone();
        let make = move |rate, purpose| self.span(rate, purpose);
        search::following(Search::new(FIRST), marks, false, make)
    }

    fn span(&self, rate: Rate, purpose: Purpose) -> Option<TimeSpan> {
        let resolved = self
            .profile
            .resolve(&at(&self.wishes, rate, purpose))
            .ok()?;
        self.places.put(&resolved).into_iter().next()
    }
}
