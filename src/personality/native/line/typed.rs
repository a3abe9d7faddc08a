//! One option as typed: its name, its value, and what both mean.

use std::{str::FromStr, time::Duration};

use crate::{
    personality::settings,
    units::{fio, number, size, time},
};

/// An option with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::personality::native) struct Typed<'a> {
    /// Its name, with dashes.
    pub(in crate::personality::native) name: &'a str,
    /// Its value.
    pub(in crate::personality::native) value: &'a str,
}

/// Whose name an option has, and so whose grammar its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Ours,
    Fio,
}

impl<'a> Typed<'a> {
    /// An option that was given.
    pub(in crate::personality::native) fn new(
        name: &'a str,
        value: Option<&'a String>,
    ) -> Option<Self> {
        value.map(|value| Self { name, value })
    }

    /// Our own name for something, or fio's.
    ///
    /// # Errors
    /// Both were given.
    pub(super) fn either(
        ours: (&'a str, Option<&'a String>),
        fio: (&'a str, Option<&'a String>),
    ) -> Result<Option<(Self, Whose)>, String> {
        let (ours, fio) = (Self::new(ours.0, ours.1), Self::new(fio.0, fio.1));
        match (ours, fio) {
            (Some(ours), Some(fio)) => Err(apart(ours.name, fio.name)),
            (Some(typed), None) => Ok(Some((typed, Whose::Ours))),
            (None, Some(typed)) => Ok(Some((typed, Whose::Fio))),
            (None, None) => Ok(None),
        }
    }

    /// The sentence about a value that means nothing.
    pub(in crate::personality::native) fn wrong(self, right: &str) -> String {
        settings::wrong(self.name, self.value, right)
    }

    /// A part of the value, under the same name.
    pub(super) fn part(self, value: &'a str) -> Self {
        Self { value, ..self }
    }

    /// A whole number.
    pub(in crate::personality::native) fn number(
        self,
        least: u64,
        most: u64,
    ) -> Result<u64, String> {
        number::within(self.value, least, most).map_err(|right| self.wrong(&right))
    }

    /// A whole number that fits 32 bits.
    pub(in crate::personality::native) fn small(
        self,
        least: u32,
        most: u32,
    ) -> Result<u32, String> {
        let number = self.number(least.into(), most.into())?;
        u32::try_from(number).map_err(|_| self.wrong("a smaller number"))
    }

    /// A time of ours.
    pub(in crate::personality::native) fn time(self, least: Duration) -> Result<Duration, String> {
        time::parse(self.value, least).map_err(|right| self.wrong(&right))
    }

    /// A size of ours; a decimal one is echoed.
    pub(in crate::personality::native) fn size(
        self,
        least: u64,
        notes: &mut Vec<String>,
    ) -> Result<u64, String> {
        let typed =
            size::parse(self.value, least, size::SIZE_MAX).map_err(|right| self.wrong(&right))?;
        if let Some(sentence) = self.doubtful() {
            return Err(sentence);
        }
        notes.extend(size::echo(self.value, typed));
        Ok(typed.bytes)
    }

    /// The sentence about `kB`, which some read as 1000 bytes and others as 1024.
    pub(in crate::personality::native) fn doubtful(self) -> Option<String> {
        let kilo = self.value.trim_start_matches(|c: char| c.is_ascii_digit());
        if !kilo.eq_ignore_ascii_case("kB") {
            return None;
        }
        let typed = size::parse(self.value, 0, size::SIZE_MAX).ok()?;
        let readings = size::readings(self.value, typed)?;
        Some(format!("{}='{}': {readings}", self.name, self.value))
    }

    /// A time of fio, in seconds where no unit says otherwise.
    pub(super) fn fio_time(self, least: Duration) -> Result<Duration, String> {
        fio::time(self.value, least).map_err(|right| self.wrong(&right))
    }

    /// A time by whose name the option has.
    pub(super) fn time_of(self, whose: Whose, least: Duration) -> Result<Duration, String> {
        match whose {
            Whose::Ours => self.time(least),
            Whose::Fio => self.fio_time(least),
        }
    }

    /// Something with a grammar of its own.
    pub(super) fn parsed<T: FromStr<Err = String>>(self) -> Result<T, String> {
        self.value
            .parse()
            .map_err(|right: String| self.wrong(&right))
    }

    /// The meaning among these words.
    pub(super) fn one_of<T: Clone>(self, known: &[(&str, T)]) -> Result<T, String> {
        let found = known.iter().find(|(word, _)| *word == self.value);
        found.map(|(_, meaning)| meaning.clone()).ok_or_else(|| {
            let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
            self.wrong(&listed(&words))
        })
    }
}

/// `a, b or c`.
fn listed(words: &[&str]) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

/// Two options that say one thing.
pub(in crate::personality::native) fn apart(one: &str, other: &str) -> String {
    format!("{one} and {other} cannot both be given: leave one of them out")
}
