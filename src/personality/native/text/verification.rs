//! Whether what was read is what was written: bad data above everything else, and what was verified
//! below the figures.

use super::load::listed;
use crate::{
    report::text::Page,
    results::{Bad, Kind, ReadBack, Results, SECTOR, SpanResult, Verification},
    units::words::{grouped, plural, size},
};

/// Bad blocks that are told with their places.
const TOLD: usize = 5;

/// Writes what is wrong, if anything is.
pub(super) fn bad(page: &mut Page, results: &Results) {
    let count: u64 = seen(results).map(|(_, seen)| seen.bad_count()).sum();
    if count == 0 {
        return;
    }
    let kinds: Vec<String> = Kind::ALL
        .into_iter()
        .filter_map(|kind| {
            let each = seen(results).filter_map(|(_, seen)| seen.counts.get(&kind));
            let sum: u64 = each.sum();
            (sum > 0).then(|| format!("{} {kind}", grouped(sum)))
        })
        .collect();
    page.wrapped(&format!(
        "!! BAD DATA: {} ({}).",
        plural(count, "bad block"),
        listed(&kinds)
    ));
    let all = seen(results).flat_map(|(span, seen)| seen.bad.iter().map(move |bad| (span, bad)));
    for (span, bad) in all.take(TOLD) {
        page.wrapped(&format!("  {}", told(span, bad)));
    }
    if let Some(more @ 1..) = count.checked_sub(TOLD as u64) {
        page.line(&format!("  and {} more", grouped(more)));
    }
}

/// Writes what was verified.
pub(super) fn done(page: &mut Page, results: &Results) {
    for (index, (_, seen)) in seen(results).enumerate() {
        if index == 0 {
            page.gap();
        }
        page.wrapped(&verified(seen));
    }
}

fn seen(results: &Results) -> impl Iterator<Item = (&SpanResult, &Verification)> {
    let spans = results.spans.iter();
    spans.filter_map(|span| Some((span, span.verification.as_deref()?)))
}

/// `lost: ./f at offset 40,960 (4,096 bytes): it holds ...`.
fn told(span: &SpanResult, bad: &Bad) -> String {
    let target = span.targets.get(bad.target);
    let label = target.map_or("", |target| &target.label);
    let block = &bad.block;
    // Each sector has wrong bits of its own; the words are of the first.
    let more = match (block.kind, block.length / SECTOR as u64) {
        (Kind::Flipped, 2) => "; and 1 more sector has wrong bits".to_owned(),
        (Kind::Flipped, sectors @ 3..) => {
            format!(
                "; and {} more sectors have wrong bits",
                grouped(sectors - 1)
            )
        }
        _ => String::new(),
    };
    format!(
        "{}: {label} at offset {} ({}): {}{more}",
        block.kind,
        grouped(block.offset),
        plural(block.length, "byte"),
        block.detail
    )
}

fn verified(seen: &Verification) -> String {
    let ReadBack::Partly { bytes, of, why } = &seen.read_back else {
        let back = match seen.read_back {
            ReadBack::Whole { bytes } => bytes,
            _ => 0,
        };
        return match (seen.bytes, back, seen.bad_count()) {
            (0, 0, _) => "Verified: nothing. Nobody knows what the target held before, and \
                          nothing was written."
                .to_owned(),
            (load, back, bad) => format!(
                "Verified: {}; {}.",
                parts(load, back),
                match bad {
                    0 => "all of it is what was written".to_owned(),
                    bad => plural(bad, "bad block"),
                }
            ),
        };
    };
    format!(
        "Verified: {}, and that is not all: of {} that were written only {} were read back, for \
         {why}.",
        parts(seen.bytes, *bytes),
        size(*of),
        size(*bytes)
    )
}

fn parts(load: u64, back: u64) -> String {
    match (load, back) {
        (load, 0) => format!("{} read in the load", size(load)),
        (0, back) => format!("{} read back after the load", size(back)),
        (load, back) => format!(
            "{} read in the load, {} read back after it",
            size(load),
            size(back)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            Shape,
            testing::{group, measured, planned, random, rendered, report, results},
        },
        *,
    };
    use crate::results::{BadBlock, StreamResult};

    fn with(seen: Verification) -> Results {
        let mut span = measured(vec![StreamResult::default()]);
        span.verification = Some(Box::new(seen));
        results(vec![(planned("", vec![group("", 1, random(50))]), span)])
    }

    #[test]
    fn bad_data_is_the_first_thing_that_is_said() {
        let mut seen = Verification {
            bytes: 1 << 20,
            read_back: ReadBack::Whole { bytes: 1 << 30 },
            ..Verification::default()
        };
        for number in 0..6 {
            let block = BadBlock {
                offset: 40_960 + number * 8192,
                length: 4096,
                kind: Kind::Lost,
                detail: "it holds what preparation wrote".to_owned(),
                belongs: None,
            };
            seen.add(0, block);
        }
        let text = rendered(&report(Shape::Rows), &with(seen));
        let begin = "!! BAD DATA: 6 bad blocks (6 lost).\n  lost: ./t/data.dat at offset 40,960 \
                     (4,096 bytes): it holds what preparation\n    wrote\n";
        assert!(text.starts_with(begin), "{text}");
        assert!(text.contains("\n  and 1 more\n"), "{text}");
        let end = "Verified: 1 MiB read in the load, 1 GiB read back after it; 6 bad blocks.";
        assert!(text.contains(end), "{text}");
    }

    #[test]
    fn sectors_with_wrong_bits_behind_the_first_are_counted() {
        let words = |kind, sectors: u64| {
            let mut seen = Verification::default();
            let block = BadBlock {
                offset: 8192,
                length: sectors * 512,
                kind,
                detail: "bit 2 is wrong".to_owned(),
                belongs: None,
            };
            seen.add(0, block);
            let text = rendered(&report(Shape::Rows), &with(seen));
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        for (sectors, end) in [
            (2, "bit 2 is wrong; and 1 more sector has wrong bits"),
            (8, "bit 2 is wrong; and 7 more sectors have wrong bits"),
        ] {
            let text = words(Kind::Flipped, sectors);
            assert!(text.contains(end), "{text}");
        }
        assert!(!words(Kind::Flipped, 1).contains("more sector"));
        assert!(!words(Kind::Lost, 8).contains("more sector"));
    }

    #[test]
    fn what_was_verified_is_told() {
        for (bytes, read_back, words) in [
            (0, ReadBack::Needless, "Verified: nothing."),
            (
                4096,
                ReadBack::Needless,
                "Verified: 4 KiB read in the load; all of it is what was written.",
            ),
            (
                0,
                ReadBack::Whole { bytes: 8192 },
                "Verified: 8 KiB read back after the load; all of it is what was written.",
            ),
            (
                4096,
                ReadBack::Partly {
                    bytes: 8192,
                    of: 16384,
                    why: "it was interrupted".to_owned(),
                },
                "of 16 KiB that were written only 8 KiB were read back",
            ),
        ] {
            let text = rendered(
                &report(Shape::Rows),
                &with(Verification {
                    bytes,
                    read_back,
                    ..Verification::default()
                }),
            );
            let text = text.replace('\n', " ");
            assert!(text.contains(words), "{text}");
        }
    }
}
