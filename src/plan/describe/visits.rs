//! Visits of files, in words.

use std::path::Path;

use super::{
    files,
    sheet::{Sheet, bytes, plural},
};
use crate::plan::{Cached, Popularity, TimeSpan, Visits};

/// Who visits what, and how.
pub(super) fn visits(sheet: &mut Sheet, span: &TimeSpan, visits: &Visits) {
    sheet.entry(1, "chance", &super::generator(span.generator));
    let visitors = u64::from(visits.visitors);
    sheet.entry(
        1,
        "visitors",
        &format!(
            "{}, each asking for one file after the other without a pause",
            plural(visitors, "visitor")
        ),
    );
    let paths: Vec<&Path> = visits.files.iter().map(AsRef::as_ref).collect();
    sheet.entry(1, "files", &files::set(&paths));
    let chunk = bytes(visits.chunk.into());
    sheet.entry(
        1,
        "a visit",
        &format!(
            "opens the file, reads it to its end in reads of at most {chunk}, and closes it; \
             nothing is written"
        ),
    );
    let popularity = match visits.popularity {
        Popularity::Uniform => "every file is asked for alike often".to_owned(),
        Popularity::Zipf(exponent) => format!(
            "the file of rank r is asked for in proportion to 1 / r^{exponent} (Zipf's law), in the \
             order of the list"
        ),
    };
    sheet.entry(1, "which", &popularity);
    let cache = match visits.cached {
        Cached::AsItIs => "as it is: what was read before is answered from memory",
        Cached::Filled => "filled: each file is read once before the load begins",
        Cached::Dropped => {
            "each file is dropped from it before it is opened, outside of the latency"
        }
    };
    sheet.entry(1, "page cache", cache);
    let memory = visitors.saturating_mul(visits.chunk.into());
    sheet.entry(
        1,
        "in all",
        &format!(
            "{}, {} of memory for their data",
            plural(visitors, "thread"),
            bytes(memory)
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::super::describe;
    use crate::plan::{Cached, Popularity, Step, fixtures};

    #[test]
    fn visitors_files_and_cache_are_told() {
        let mut span = fixtures::visits_span(3);
        let visits = span.visits.as_mut().unwrap();
        visits.popularity = Popularity::Zipf(0.99);
        visits.cached = Cached::Dropped;
        let plan = fixtures::plan("iogauge", "web site", vec![Step::Run(span)]);
        let text = describe(&plan, 100);
        for line in [
            "  visitors     2 visitors, each asking for one file after the other without a pause",
            "  files        3 files, site/0 to site/2",
            "  which        the file of rank r is asked for in proportion to 1 / r^0.99 (Zipf's law), in the",
            "  page cache   each file is dropped from it before it is opened, outside of the latency",
            "  in all       2 threads, 524,288 bytes (512 KiB) of memory for their data",
        ] {
            assert!(text.lines().any(|l| l == line), "{line}\n{text}");
        }
        assert!(
            text.contains("counts       visits that end inside the measured time"),
            "{text}"
        );
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    }
}
