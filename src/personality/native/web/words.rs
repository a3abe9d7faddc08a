//! The answer in sentences.

use crate::{
    report::spoken::{cut, significant, time},
    results::{Knee, VisitFigures},
    units::words::grouped,
};

/// `One visitor at a time: 140 files a second, 7.1 ms each; 2 in 100 took over 24 ms, the slowest
/// 1.85 s.`
pub(super) fn at_a_time(step: &VisitFigures) -> String {
    let who = match step.visitors {
        1 => "One visitor".to_owned(),
        more => format!("{} visitors", grouped(more.into())),
    };
    let Some(mean) = step.mean_ms else {
        return format!("{who} at a time: no file was read to its end in the measured time.");
    };
    let mut text = format!(
        "{who} at a time: {} files a second, {} each",
        significant(step.rates.per_second, 3),
        time(mean, 2)
    );
    let slow = step.slow.map(|slow| {
        let over = time(cut(slow.over_ms, 2), 2);
        format!(
            "{} in {} took over {over}",
            slow.files,
            grouped(slow.of.into())
        )
    });
    let slowest = step
        .max_ms
        .map(|max| format!("the slowest {}", time(max, 3)));
    let parts: Vec<String> = slow.into_iter().chain(slowest).collect();
    if !parts.is_empty() {
        text.push_str("; ");
        text.push_str(&parts.join(", "));
    }
    text.push('.');
    text
}

/// Where more visitors are of no use.
pub(super) fn enough(knee: &Knee) -> Option<String> {
    let step = &knee.at;
    let mean = time(step.mean_ms?, 2);
    let rate = significant(step.rates.per_second, 3);
    let who = match step.visitors {
        1 => "One visitor alone gets".to_owned(),
        more => format!("With {} visitors", grouped(more.into())),
    };
    let end = if knee.tried_more {
        "more visitors only wait longer"
    } else {
        "more visitors may get more still"
    };
    Some(format!("{who} {rate} files a second at {mean}; {end}."))
}
