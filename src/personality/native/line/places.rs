//! Where random I/Os go: `--dist`, and `--random_distribution` by fio's grammar.

use super::{Typed, typed::Whose};
use crate::{
    personality::native::commands::load::LoadArgs,
    plan::{Distribution, EXPONENTS, Ranks, Share, Skew},
    units::{
        fio, number,
        size::{self, SIZE_MAX},
    },
};

/// fio's own numbers where a line has none.
const FIO_ZIPF: f64 = 1.1;
const FIO_PARETO: f64 = 0.2;

/// Zones at most.
const ZONES_MAX: usize = 256;

const RIGHT: &str = "uniform, shuffled, zipf:0.99, pareto:0.2, normal:10, hot:90/10 or hot:90/1G, \
                     or zones:60/10:30/20:10/rest";
const RIGHT_FIO: &str = "random, zipf:1.1, pareto:0.2, normal:10, zoned:60/10:30/20:10/ or \
                         zoned_abs:60/1g:40/4g";

/// Where random I/Os go.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::personality::native) enum Places {
    /// Drawn, with repeats.
    Drawn(Distribution),
    /// Each once, then again in another order.
    Shuffled,
}

/// `--dist` and fio's name for it.
pub(super) fn read(args: &LoadArgs, notes: &mut Vec<String>) -> Result<Option<Places>, String> {
    let typed = Typed::either(
        ("--dist", args.dist.as_ref()),
        (
            "--random_distribution",
            args.fio.random_distribution.as_ref(),
        ),
    )?;
    match typed {
        None => Ok(None),
        Some((typed, Whose::Ours)) => own(typed).map(Some),
        Some((typed, Whose::Fio)) => fios(typed, notes).map(Places::Drawn).map(Some),
    }
}

fn own(typed: Typed<'_>) -> Result<Places, String> {
    let drawn = match typed.value.split_once(':') {
        None if typed.value == "uniform" => Distribution::Uniform,
        None if typed.value == "shuffled" => return Ok(Places::Shuffled),
        Some(("zipf", text)) => ranked(Skew::Zipf(exponent(typed, text)?), None),
        Some(("pareto", text)) => ranked(Skew::Pareto(h(typed, text)?), None),
        Some(("normal", text)) => normal(deviation(typed, text)?, None),
        Some(("hot", text)) => zones(typed, &hot(typed, text)?)?,
        Some(("zones", text)) => zones(typed, &items(typed, text, own_size)?)?,
        _ => return Err(typed.wrong(RIGHT)),
    };
    Ok(Places::Drawn(drawn))
}

fn fios(typed: Typed<'_>, notes: &mut Vec<String>) -> Result<Distribution, String> {
    let (kind, rest) = match typed.value.split_once(':') {
        None => (typed.value, None),
        Some((kind, rest)) => (kind, Some(rest)),
    };
    if let ("zoned" | "zoned_abs", Some(text)) = (kind, rest) {
        if text.contains(',') {
            return Err(typed.wrong("one list of zones: reads and writes go to the same ones"));
        }
        let size = if kind == "zoned" {
            fio_percent
        } else {
            fio_bytes
        };
        return zones(typed, &items(typed, text, size)?);
    }
    // A number, and behind a second colon where the middle is, from 0 to 1.
    let (figure, centre) = match rest.map(|rest| rest.split_once(':').unwrap_or((rest, ""))) {
        None => (None, None),
        Some((figure, "")) => (Some(figure), None),
        Some((figure, centre)) => {
            let centre = number::decimal(centre, 0.0, 1.0)
                .map_err(|right| typed.wrong(&format!("{RIGHT_FIO}; a centre is {right}")))?;
            (Some(figure), Some(centre * 100.0))
        }
    };
    match (kind, figure) {
        ("random", None) => Ok(Distribution::Uniform),
        ("zipf", figure) => {
            let exponent = figure.map_or(Ok(FIO_ZIPF), |text| exponent(typed, text))?;
            Ok(ranked(Skew::Zipf(exponent), centre))
        }
        ("pareto", figure) => {
            let h = figure.map_or(Ok(FIO_PARETO), |text| h(typed, text))?;
            Ok(ranked(Skew::Pareto(h), centre))
        }
        ("normal", Some(figure)) => {
            notes.push(
                "normal: I/Os lie around a middle of the range; fio itself scatters them all over it"
                    .to_owned(),
            );
            Ok(normal(deviation(typed, figure)?, centre))
        }
        _ => Err(typed.wrong(RIGHT_FIO)),
    }
}

fn exponent(typed: Typed<'_>, text: &str) -> Result<f64, String> {
    number::decimal(text, *EXPONENTS.start(), *EXPONENTS.end())
        .map_err(|right| typed.wrong(&format!("zipf: and an exponent, {right}, as in zipf:0.99")))
}

fn h(typed: Typed<'_>, text: &str) -> Result<f64, String> {
    let h = number::decimal(text, 0.0, 1.0).ok();
    h.filter(|h| *h > 0.0 && *h < 1.0).ok_or_else(|| {
        typed.wrong(
            "pareto: and a number above 0 and below 1, as in pareto:0.2 (80 % of the I/Os at 20 % \
             of the places)",
        )
    })
}

fn deviation(typed: Typed<'_>, text: &str) -> Result<f64, String> {
    let deviation = number::decimal(text, 0.0, 100.0).ok();
    deviation
        .filter(|deviation| *deviation > 0.0)
        .ok_or_else(|| {
            typed.wrong(
                "normal: and the standard deviation in percent of the range, above 0 and up to \
                 100, as in normal:10",
            )
        })
}

fn ranked(skew: Skew, centre: Option<f64>) -> Distribution {
    Distribution::Ranked {
        skew,
        ranks: centre.map_or(Ranks::Scattered, Ranks::ScatteredFrom),
    }
}

fn normal(deviation_percent: f64, centre: Option<f64>) -> Distribution {
    Distribution::Normal {
        deviation_percent,
        centre_percent: centre.unwrap_or(50.0),
    }
}

/// How large a zone is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Length {
    Percent(u64),
    Bytes(u64),
    /// What the others leave.
    Rest,
}

/// A zone as typed; a share that is left out is what the others leave.
type Zone = (Option<u64>, Length);

/// `90/10`, `90/1G`: the first zone, and the rest.
fn hot(typed: Typed<'_>, text: &str) -> Result<Vec<Zone>, String> {
    let zone = text.split_once('/').and_then(|(share, length)| {
        let share = number::within(share, 1, 99).ok()?;
        let length = own_size(length)
            .filter(|length| !matches!(length, Length::Rest) && *length != Length::Percent(100))?;
        Some((share, length))
    });
    let (share, length) = zone.ok_or_else(|| {
        typed.wrong(
            "hot: and percent of the I/Os, percent of the range, each from 1 to 99, as in \
             hot:90/10; or a size with its unit, as in hot:90/1G",
        )
    })?;
    Ok(vec![(Some(share), length), (None, Length::Rest)])
}

/// `60/10:30/20:10/rest`.
fn items(
    typed: Typed<'_>,
    text: &str,
    size: fn(&str) -> Option<Length>,
) -> Result<Vec<Zone>, String> {
    let item = |text: &str| {
        let (share, length) = text.split_once('/')?;
        let share = match share {
            "" => None,
            share => Some(number::within(share, 0, 100).ok()?),
        };
        Some((share, size(length)?))
    };
    let zones: Option<Vec<Zone>> = text.split(':').take(ZONES_MAX + 1).map(item).collect();
    zones
        .filter(|zones| zones.len() <= ZONES_MAX)
        .ok_or_else(|| wrong_zones(typed))
}

fn wrong_zones(typed: Typed<'_>) -> String {
    typed.wrong(
        "zones one behind the other, each with its percent of the I/Os and its size: all sizes in \
         percent of the range, or all in bytes; shares make 100, and so do percents: \
         zones:60/10:30/20:10/rest, zones:90/1G:10/rest (fio: zoned:60/10:40/, zoned_abs:90/1g:10/4g)",
    )
}

/// Percent of the range, or a size with its unit.
fn own_size(text: &str) -> Option<Length> {
    if text == "rest" {
        return Some(Length::Rest);
    }
    if text.ends_with(|c: char| c.is_ascii_alphabetic()) {
        let size = size::parse(text, 1, SIZE_MAX).ok()?;
        return Some(Length::Bytes(size.bytes));
    }
    number::within(text, 1, 100).ok().map(Length::Percent)
}

fn fio_percent(text: &str) -> Option<Length> {
    match text {
        "" => Some(Length::Rest),
        text => number::within(text, 1, 100).ok().map(Length::Percent),
    }
}

fn fio_bytes(text: &str) -> Option<Length> {
    fio::size(text, 1, SIZE_MAX).ok().map(Length::Bytes)
}

/// The distribution of zones that follow each other from the start of the range.
fn zones(typed: Typed<'_>, zones: &[Zone]) -> Result<Distribution, String> {
    shares(zones)
        .zip(lengths(zones))
        .map(|(shares, (lengths, in_bytes))| {
            let mut from = 0_u64;
            let zone = |(io_percent, length): (u64, u64)| {
                let share = Share {
                    io_percent: io_percent as u32,
                    from,
                    length,
                };
                from = from.saturating_add(length);
                share
            };
            let zones = shares.into_iter().zip(lengths).map(zone).collect();
            if in_bytes {
                Distribution::Absolute(zones)
            } else {
                Distribution::Percent(zones)
            }
        })
        .ok_or_else(|| wrong_zones(typed))
}

/// Percent of the I/Os of each zone, which make 100.
fn shares(zones: &[Zone]) -> Option<Vec<u64>> {
    let given = || zones.iter().filter_map(|(share, _)| *share);
    let left = 100_u64.checked_sub(given().sum())?;
    let open = (zones.len() - given().count()) as u64;
    let each = match open {
        0 => (left == 0).then_some(0)?,
        open => left.is_multiple_of(open).then_some(left / open)?,
    };
    Some(
        zones
            .iter()
            .map(|(share, _)| share.unwrap_or(each))
            .collect(),
    )
}

/// Their lengths, and whether these are bytes: the last zone in bytes may end with the range.
fn lengths(zones: &[Zone]) -> Option<(Vec<u64>, bool)> {
    let in_bytes = zones
        .iter()
        .any(|(_, length)| matches!(length, Length::Bytes(_)));
    if in_bytes {
        let (last, others) = zones.split_last()?;
        let bytes = |(_, length): &Zone| match length {
            Length::Bytes(bytes) => Some(*bytes),
            Length::Percent(_) | Length::Rest => None,
        };
        let mut lengths: Vec<u64> = others.iter().map(bytes).collect::<Option<_>>()?;
        lengths.push(match last.1 {
            Length::Rest => 0,
            _ => bytes(last)?,
        });
        return Some((lengths, true));
    }
    let percent = |length: Length| match length {
        Length::Percent(percent) => Some(percent),
        Length::Bytes(_) | Length::Rest => None,
    };
    let given = || zones.iter().filter_map(|(_, length)| percent(*length));
    let left = 100_u64.checked_sub(given().sum())?;
    let open = (zones.len() - given().count()) as u64;
    let each = match open {
        0 => (left == 0).then_some(0)?,
        open => (left > 0 && left.is_multiple_of(open)).then_some(left / open)?,
    };
    let lengths = zones
        .iter()
        .map(|(_, length)| percent(*length).unwrap_or(each));
    Some((lengths.collect(), false))
}
