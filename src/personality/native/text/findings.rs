//! What audits saw, in words: what spoils figures above them, the rest below.

use crate::{
    report::text::Page,
    results::{Finding, Results, Severity},
};

/// Findings below the figures at most; as many above them.
const SHOWN: usize = 3;

/// Whether figures mean something else than they seem to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::personality::native) enum Spoiled {
    /// They do not.
    No,
    /// They do.
    Yes,
}

/// Writes those of severity *misleading*.
pub(in crate::personality::native) fn misleading(page: &mut Page, results: &Results) -> Spoiled {
    let findings = of(results, |severity| severity == Severity::Misleading);
    write(page, &findings);
    if findings.is_empty() {
        Spoiled::No
    } else {
        Spoiled::Yes
    }
}

/// Writes the others, the worst first.
pub(in crate::personality::native) fn others(page: &mut Page, results: &Results) {
    let findings = of(results, |severity| severity != Severity::Misleading);
    if !findings.is_empty() {
        page.gap();
    }
    write(page, &findings);
}

/// Each once: time spans may have seen the same.
fn of(results: &Results, wanted: fn(Severity) -> bool) -> Vec<&Finding> {
    let mut findings: Vec<&Finding> = Vec::new();
    for finding in &results.findings {
        if wanted(finding.severity) && !findings.contains(&finding) {
            findings.push(finding);
        }
    }
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

fn write(page: &mut Page, findings: &[&Finding]) {
    for finding in findings.iter().take(SHOWN) {
        page.finding(finding.severity, &finding.message);
    }
    if let Some(more @ 1..) = findings.len().checked_sub(SHOWN) {
        page.line(&format!("  and {more} more"));
    }
}
