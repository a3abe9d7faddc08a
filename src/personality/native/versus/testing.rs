//! Made-up plans and comparisons for tests.

use crate::{
    plan::{
        AccessPattern, Affinity, BlockSizes, Cleanup, Content, Dispatch, Distribution,
        FilePreparation, Plan, Policy, Prepare, Step, Through, Whose, WorkerGroup,
        fixtures::{plan, span, stream, target},
    },
    results::{
        compare::{Class, Compared, Comparison, Measure, Part, Rule, Verdict},
        statistics::Estimate,
    },
};

/// A figure: of what, which, B to A, and the verdict.
pub(super) type Figure = (Class, Measure, f64, Verdict);

/// Eight random operations of 4 KiB in flight.
pub(super) fn part(class: Class) -> Part {
    let pattern = AccessPattern::Random {
        alignment: 4096,
        distribution: Distribution::Uniform,
    };
    let mut stream = stream(0, pattern, BlockSizes::One(4096));
    stream.queue_depth = 8;
    let group = WorkerGroup {
        name: String::new(),
        workers: 1,
        affinity: Affinity::None,
        streams: vec![stream],
        dispatch: Dispatch::PerStream,
    };
    let mut part = Part::of(&span(vec![target("f", "f")], vec![group])).remove(0);
    part.class = class;
    part
}

/// A's figure is 1,000 everywhere; the interval is the ratio over and times 1.25.
pub(super) fn comparison(told: &[Figure]) -> Comparison {
    let figure = |(class, measure, ratio, verdict): &Figure| {
        let compared = !matches!(verdict, Verdict::NotComparable(_));
        Compared {
            part: part(*class),
            measure: *measure,
            pairs: 6,
            a: compared.then_some(1000.0),
            b: compared.then_some(1000.0 * ratio),
            ratio: compared.then_some(Estimate {
                mean: *ratio,
                low: ratio / 1.25,
                high: ratio * 1.25,
            }),
            verdict: verdict.clone(),
        }
    };
    Comparison {
        figures: told.iter().map(figure).collect(),
        rule: Rule::default(),
    }
}

/// One side's plan: a file, and time spans of these names on it.
pub(super) fn one(path: &str, names: &[&str]) -> Plan {
    let files = vec![FilePreparation {
        label: path.into(),
        path: path.into(),
        size: 4096,
        content: Content::Random,
        policy: Policy::Extend,
        through: Through::Past,
        block: None,
        verify: false,
    }];
    let mut steps = vec![Step::Prepare(Prepare { files })];
    for name in names {
        let mut span = span(vec![target(path, path)], Vec::new());
        span.name = (*name).to_owned();
        steps.push(Step::Run(span));
    }
    steps.push(Step::Cleanup(Cleanup {
        paths: vec![path.into()],
        whose: Whose::Own,
    }));
    let mut plan = plan("native", "iogauge versus a b", steps);
    plan.consent = vec![path.to_owned()];
    plan
}
