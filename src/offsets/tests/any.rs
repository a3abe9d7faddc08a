//! A plan file may say anything that is valid: the first I/Os of any time span are told or refused,
//! whatever the numbers are.

use proptest::prelude::*;

use super::super::preview;
use crate::plan::{Step, fixtures, fixtures::any, validate::validate};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_span_panics(span in any::span(), size in prop::sample::select(vec![
        0, 1, 511, 4096, 1 << 30, (1 << 40) + 1, i64::MAX as u64, u64::MAX,
    ])) {
        let span = fixtures::repaired(span);
        let plan = fixtures::plan("x", "", vec![Step::Run(span.clone())]);
        // What is not valid is none of ours.
        prop_assume!(span.sequence.is_some() || !span.groups.is_empty());
        prop_assert_eq!(validate(&plan), Ok(()));
        let sizes = vec![size; span.targets.len()];
        let _ = preview(&span, &sizes, 20);
    }
}
