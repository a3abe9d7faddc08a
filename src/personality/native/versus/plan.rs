//! Two plans of the same load become one, in which they take turns: A B B A, again, time span by time
//! span, so that what changes slowly is in both.

use std::{collections::BTreeSet, path::PathBuf};

use crate::{
    plan::{Cleanup, Plan, Prepare, Step, TimeSpan},
    results::{
        Results,
        compare::{Comparison, Rule, Turn, compare},
    },
};

/// Both sides' load in turns.
#[derive(Debug, Clone)]
pub struct InTurn {
    /// What is carried out.
    pub plan: Plan,
    /// Which of its time spans are compared.
    pub rows: Vec<Row>,
    /// Time spans that only one side has, by name; they are left out.
    pub left_out: Vec<String>,
}

/// One time span of the load, and where its rounds are in the plan.
#[derive(Debug, Clone)]
pub struct Row {
    /// As planned for A.
    pub span: TimeSpan,
    /// The time spans of A and B of each pair of rounds, counted from 0.
    pub pairs: Vec<(usize, usize)>,
}

/// `cycles` times A B B A for each time span that both plans have.
pub fn in_turn(a: Plan, b: Plan, cycles: u32) -> InTurn {
    let (shared, left_out) = shared_spans(&a, &b);
    let mut steps = preparations(&a, &b);
    let mut rows = Vec::new();
    let mut number = 0;
    for (of_a, of_b) in shared {
        let mut pairs = Vec::new();
        for _ in 0..cycles {
            for span in [of_a, of_b, of_b, of_a] {
                steps.push(Step::Run(span.clone()));
            }
            pairs.extend([(number, number + 1), (number + 3, number + 2)]);
            number += 4;
        }
        let span = of_a.clone();
        rows.push(Row { span, pairs });
    }
    steps.extend(cleanups(&a));
    steps.extend(cleanups(&b));
    let mut plan = Plan { steps, ..a };
    for name in b.consent {
        if !plan.consent.contains(&name) {
            plan.consent.push(name);
        }
    }
    InTurn {
        plan,
        rows,
        left_out,
    }
}

impl InTurn {
    /// What the results say; rounds that are missing are left out.
    pub fn compare(&self, results: &Results, rule: Rule) -> Comparison {
        let pair = |(a, b): &(usize, usize)| Some((results.spans.get(*a)?, results.spans.get(*b)?));
        let turns: Vec<Turn<'_>> = self
            .rows
            .iter()
            .map(|row| Turn {
                span: &row.span,
                pairs: row.pairs.iter().filter_map(pair).collect(),
            })
            .collect();
        compare(&turns, rule)
    }
}

/// Time spans of both, by name, or by place where there are as many; and the names of others.
fn shared_spans<'a>(a: &'a Plan, b: &'a Plan) -> (Vec<(&'a TimeSpan, &'a TimeSpan)>, Vec<String>) {
    let (of_a, of_b): (Vec<_>, Vec<_>) = (a.spans().collect(), b.spans().collect());
    let alike = |(a, b): (&&TimeSpan, &&TimeSpan)| a.name == b.name;
    if of_a.len() == of_b.len() && of_a.iter().zip(&of_b).all(alike) {
        return (of_a.into_iter().zip(of_b).collect(), Vec::new());
    }
    let find = |all: &[&'a TimeSpan], name: &str| all.iter().copied().find(|s| s.name == name);
    let mut shared = Vec::new();
    let mut left_out = Vec::new();
    for span in &of_a {
        match find(&of_b, &span.name) {
            Some(other) => shared.push((*span, other)),
            None => left_out.push(span.name.clone()),
        }
    }
    let only_b = of_b.iter().filter(|span| find(&of_a, &span.name).is_none());
    left_out.extend(only_b.map(|span| span.name.clone()));
    (shared, left_out)
}

/// A's files, then those of B's that are others.
fn preparations(a: &Plan, b: &Plan) -> Vec<Step> {
    let mut made: BTreeSet<PathBuf> = BTreeSet::new();
    let mut steps = Vec::new();
    for step in a.steps.iter().chain(&b.steps) {
        let Step::Prepare(prepare) = step else {
            continue;
        };
        let new = prepare.files.iter();
        let new = new.filter(|file| made.insert(file.path.clone()));
        let files: Vec<_> = new.cloned().collect();
        if !files.is_empty() {
            steps.push(Step::Prepare(Prepare { files }));
        }
    }
    steps
}

fn cleanups(plan: &Plan) -> impl Iterator<Item = Step> + '_ {
    plan.steps.iter().filter_map(|step| match step {
        Step::Cleanup(Cleanup { paths, whose }) => Some(Step::Cleanup(Cleanup {
            paths: paths.clone(),
            whose: *whose,
        })),
        Step::Prepare(_) | Step::Run(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::{super::testing::one, *};

    /// Each time span as its name and target.
    fn order(turns: &InTurn) -> Vec<String> {
        let spans = turns.plan.spans();
        spans
            .map(|span| format!("{}{}", span.name, span.targets[0].label))
            .collect()
    }

    #[test]
    fn each_time_span_is_a_b_b_a_again() {
        let turns = in_turn(one("a", &["r", "w"]), one("b", &["r", "w"]), 2);
        let expected = [
            "ra", "rb", "rb", "ra", "ra", "rb", "rb", "ra", "wa", "wb", "wb", "wa", "wa", "wb",
            "wb", "wa",
        ];
        assert_eq!(order(&turns), expected);
        assert_eq!(turns.rows.len(), 2);
        assert_eq!(turns.rows[0].pairs, [(0, 1), (3, 2), (4, 5), (7, 6)]);
        assert_eq!(turns.rows[1].pairs, [(8, 9), (11, 10), (12, 13), (15, 14)]);
        let steps = &turns.plan.steps;
        assert!(matches!(steps[..2], [Step::Prepare(_), Step::Prepare(_)]));
        let last = &steps[steps.len() - 2..];
        assert!(matches!(last, [Step::Cleanup(_), Step::Cleanup(_)]));
        assert_eq!(turns.plan.consent, ["a", "b"]);
    }

    #[test]
    fn the_same_file_on_both_sides_is_made_once() {
        let turns = in_turn(one("a", &["r"]), one("a", &["r"]), 1);
        let made = turns.plan.steps.iter();
        let made = made.filter(|step| matches!(step, Step::Prepare(_)));
        assert_eq!(made.count(), 1);
        assert_eq!(turns.plan.consent, ["a"]);
    }

    #[test]
    fn what_only_one_side_has_is_left_out_by_name() {
        let turns = in_turn(one("a", &["r", "w"]), one("b", &["x", "r"]), 1);
        assert_eq!(order(&turns), ["ra", "rb", "rb", "ra"]);
        assert_eq!(turns.left_out, ["w", "x"]);
    }
}
