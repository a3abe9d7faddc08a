//! Whether random I/O has somewhere to go: what always hits the same few blocks measures a cache, or
//! I/Os that wait for each other.

use crate::{
    offsets::Window,
    plan::{AccessPattern, Stream, TimeSpan},
    results::{Finding, Severity},
};

/// Fewer places than this are told, whatever is in flight.
const FEW: u64 = 16;

/// One finding for each target that is loaded at random and has few places for it.
pub(super) fn few(span: &TimeSpan, windows: &[Window]) -> Vec<Finding> {
    let targets = span.targets.iter().zip(windows).enumerate();
    targets
        .filter_map(|(index, (target, window))| {
            let (places, in_flight) = of(span, index, window.length)?;
            finding(&target.label, places, in_flight)
        })
        .collect()
}

/// The fewest places that a random stream on a target has, and how many I/Os of such streams are in
/// flight on it; `None` without one.
fn of(span: &TimeSpan, index: usize, length: u64) -> Option<(u64, u64)> {
    let mut seen: Option<(u64, u64)> = None;
    for group in &span.groups {
        for stream in group.streams.iter().filter(|s| s.target.0 == index) {
            let Some(places) = places(stream, length) else {
                continue;
            };
            let more = u64::from(group.workers).saturating_mul(u64::from(stream.queue_depth));
            let (least, in_flight) = seen.unwrap_or((u64::MAX, 0));
            seen = Some((least.min(places), in_flight.saturating_add(more)));
        }
    }
    seen
}

/// Distinct offsets at which an I/O of a random stream lies inside so many bytes.
fn places(stream: &Stream, length: u64) -> Option<u64> {
    let (AccessPattern::Random { alignment, .. } | AccessPattern::Mixed { alignment, .. }) =
        stream.pattern
    else {
        return None;
    };
    let last = length.checked_sub(u64::from(stream.sizes.largest()))?;
    Some(last / alignment.max(1) + 1)
}

fn finding(label: &str, places: u64, in_flight: u64) -> Option<Finding> {
    let (severity, what) = if places == 1 {
        let what = "all random I/Os go to one place, so that caches answer them".to_owned();
        (Severity::Misleading, what)
    } else if places < in_flight {
        let what = format!(
            "random I/Os have only {places} places, fewer than the {in_flight} in flight, so that \
             they hit and hold up each other"
        );
        (Severity::Misleading, what)
    } else if places < FEW {
        let what = format!("random I/Os have only {places} places, which caches may hold");
        (Severity::Caution, what)
    } else {
        return None;
    };
    Some(Finding {
        severity,
        code: "few-places",
        message: format!("{label}: {what}; use a smaller alignment or a larger range"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Affinity, BlockSizes, Dispatch, Distribution, WorkerGroup, fixtures};

    /// Findings of random I/O of 4 KiB by so many threads with four in flight each.
    fn found(length: u64, alignment: u64, workers: u32) -> Vec<(Severity, String)> {
        let pattern = AccessPattern::Random {
            alignment,
            distribution: Distribution::Uniform,
        };
        let mut stream = fixtures::stream(0, pattern, BlockSizes::One(4096));
        stream.queue_depth = 4;
        let group = WorkerGroup {
            name: String::new(),
            workers,
            affinity: Affinity::None,
            streams: vec![stream],
            dispatch: Dispatch::PerStream,
        };
        let span = fixtures::span(vec![fixtures::target("f", "f")], vec![group]);
        let window = Window {
            base: 0,
            length,
            direct: true,
        };
        let findings = few(&span, &[window]);
        findings
            .into_iter()
            .map(|f| (f.severity, f.message))
            .collect()
    }

    #[test]
    fn one_place_is_no_random_load() {
        // 1 GiB on a grid of 1 GiB: only offset 0 is inside.
        let found_one = found(1 << 30, 1 << 30, 1);
        assert_eq!(found_one.len(), 1);
        assert_eq!(found_one[0].0, Severity::Misleading);
        assert!(found_one[0].1.contains("one place"), "{found_one:?}");
        // As large as one block.
        assert_eq!(found(4096, 4096, 1)[0].0, Severity::Misleading);
        // 1 GiB and 4 KiB have room at 1 GiB too.
        assert!(
            found((1 << 30) + 4096, 1 << 30, 1)[0]
                .1
                .contains("only 2 places")
        );
    }

    #[test]
    fn fewer_places_than_ios_in_flight_are_told() {
        // 16 places: as many as four threads of four have in flight; five have 20.
        assert_eq!(found(16 * 4096, 4096, 4), []);
        let told = found(16 * 4096, 4096, 5);
        assert_eq!(told[0].0, Severity::Misleading);
        assert!(told[0].1.contains("only 16 places"), "{told:?}");
        assert!(told[0].1.contains("the 20 in flight"), "{told:?}");
        // 15 are few for anybody.
        assert_eq!(found(15 * 4096, 4096, 1)[0].0, Severity::Caution);
        // On a grid of 512 bytes there are 113 of them in 15 blocks: 14 x 8 + 1.
        assert_eq!(found(15 * 4096, 512, 28), []);
        assert!(found(15 * 4096, 512, 29)[0].1.contains("113 places"));
    }
}
