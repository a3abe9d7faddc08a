//! What must hold for the ranges of `-rd`.

use super::Verdict;
use crate::personality::diskspd::profile::{Distribution, Pattern, Target};

/// Checks a target's distribution, which is complete (see `line::complete`).
pub(super) fn distribution(target: &Target, verdict: &mut Verdict) {
    let Some(distribution) = &target.distribution else {
        return;
    };
    verdict.refuse_if(
        matches!(target.pattern, Pattern::Sequential { .. }),
        "-rd (distribution of random I/O) needs random I/O (-r or -rs)",
    );
    let (ranges, absolute) = match distribution {
        Distribution::Percent(ranges) => (ranges, false),
        Distribution::Absolute(ranges) => (ranges, true),
    };
    let said = verdict.messages.len();
    let (mut io, mut covered) = (0_u64, 0_u64);
    for (i, range) in ranges.iter().enumerate() {
        let share = u64::from(range.io_percent);
        verdict.refuse_if(
            io + share > 100,
            format!(
                "-rd: {share} % of the I/Os can be {} % at most here, for all add up to 100 %",
                100_u64.saturating_sub(io)
            ),
        );
        io += share;
        if absolute {
            let open = range.length == 0;
            verdict.refuse_if(
                open && i + 1 < ranges.len(),
                "-rd: only the last range may have no length, which means to the end",
            );
            verdict.refuse_if(
                !open && range.length < u64::from(target.block_size),
                format!(
                    "-rd: a range of {} bytes is smaller than the block size of {} bytes",
                    range.length, target.block_size
                ),
            );
        } else {
            verdict.refuse_if(
                covered.saturating_add(range.length) > 100,
                format!(
                    "-rd: {} % of the target can be {} % at most here, for all add up to 100 %",
                    range.length,
                    100_u64.saturating_sub(covered)
                ),
            );
            covered = covered.saturating_add(range.length);
        }
        if verdict.messages.len() > said {
            return;
        }
    }
    let whole = absolute || covered == 100;
    verdict.refuse_if(
        !whole,
        format!("-rd: the ranges cover {covered} % of the target and must cover all of it"),
    );
    verdict.refuse_if(
        io < 100,
        format!("-rd: the ranges get {io} % of the I/Os and cover the target already; 100 % must be given"),
    );
}
