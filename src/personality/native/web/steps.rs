//! The plan of a line of `web`: files that are made, the first number of visitors, and which number
//! comes next.

use std::{path::PathBuf, time::Duration};

use super::{
    super::NATIVE,
    asked::{Asked, Crowd},
    site::Site,
};
use crate::{
    personality::{DataChoice, Environment, Next, nothing_more},
    plan::{
        Cached, Cleanup, Content, Counting, EngineChoice, Events, FilePreparation, Generator,
        Origin, Plan, Policy, Polling, Prepare, Step, Stop, ThrottleSleep, Through, TimeSpan,
        Visits, Whose, WriteRules,
    },
    results::{Results, VisitFigures, levelled_off},
    units::names::shown,
};

/// Visitors at most, where the line names no number.
const VISITORS_MAX: u32 = 256;

/// Bytes of a read at most: what a web server sends at a time, or more.
const CHUNK: u32 = 256 << 10;

/// Time spans of ever more visitors.
#[derive(Debug, Clone)]
pub(super) struct Steps {
    first: TimeSpan,
    crowd: Crowd,
}

impl Steps {
    pub(super) fn new(asked: &Asked, site: &Site) -> Self {
        let visitors = match asked.crowd {
            Crowd::Fixed(visitors) => visitors,
            Crowd::Growing => 1,
        };
        let visits = Visits {
            visitors,
            files: site.files.clone(),
            popularity: asked.popularity,
            cached: site.cached,
            chunk: CHUNK,
        };
        Self {
            first: span(asked, visits),
            crowd: asked.crowd,
        }
    }

    /// The plan up to the first step.
    pub(super) fn plan(
        &self,
        asked: &Asked,
        site: &Site,
        around: &Environment,
        line: &str,
    ) -> Plan {
        let mut steps = vec![Step::Run(self.first.clone())];
        if let Some(make) = asked.make {
            let content = match around.settings.data {
                DataChoice::Zeros => Content::Zeros,
                _ => Content::Random,
            };
            let file = |path: &PathBuf| FilePreparation {
                label: shown(path.as_os_str()),
                path: path.clone(),
                size: make.size,
                content,
                policy: Policy::Rebuild,
                through: Through::Past,
                block: None,
                verify: false,
            };
            // In the order of their names: popularity comes later.
            let mut paths = site.files.to_vec();
            paths.sort();
            let files = paths.iter().map(file).collect();
            steps.insert(0, Step::Prepare(Prepare { files }));
            if !make.keep {
                let whose = Whose::Own;
                steps.push(Step::Cleanup(Cleanup { paths, whose }));
            }
        }
        Plan {
            steps,
            origin: Origin {
                personality: NATIVE.to_owned(),
                command_line: line.to_owned(),
            },
            engine: EngineChoice::Auto,
            on_error: asked.on_error,
            consent: around.settings.destroy.clone(),
            rules: WriteRules::Own,
            events: Events::default(),
        }
    }

    /// What comes after each step: twice the visitors, as long as that brings a twentieth more.
    pub(super) fn next(self) -> Box<Next> {
        match self.crowd {
            Crowd::Fixed(_) => nothing_more(),
            Crowd::Growing => Box::new(move |results| self.after(results)),
        }
    }

    fn after(&self, results: &Results) -> Option<TimeSpan> {
        let steps = figures(results);
        let visitors = steps.last()?.visitors.checked_mul(2)?;
        if visitors > VISITORS_MAX || levelled_off(&steps) {
            return None;
        }
        let mut span = self.first.clone();
        let visits = span.visits.as_mut()?;
        visits.visitors = visitors;
        if visits.cached == Cached::Filled {
            // By the first step.
            visits.cached = Cached::AsItIs;
        }
        // Other chance: whoever comes first must not have warmed the cache for the next.
        if let Generator::Xoshiro { seed } = &mut span.generator {
            *seed = seed.wrapping_add(steps.len() as u64);
        }
        span.name = name(visitors);
        Some(span)
    }
}

/// The figures of all steps that were measured.
pub(super) fn figures(results: &Results) -> Vec<VisitFigures> {
    let spans = results.plan.spans().zip(&results.spans);
    spans
        .filter_map(|(span, result)| VisitFigures::of(span, result))
        .collect()
}

fn name(visitors: u32) -> String {
    match visitors {
        1 => "1 visitor".to_owned(),
        more => format!("{more} visitors"),
    }
}

fn span(asked: &Asked, visits: Visits) -> TimeSpan {
    TimeSpan {
        name: name(visits.visitors),
        pause_before: Duration::ZERO,
        warmup: asked.warmup,
        stop: Stop {
            after: Some(asked.duration),
            ..Stop::default()
        },
        cooldown: Duration::ZERO,
        counting: Counting::CompletedInWindow,
        interval: Duration::from_secs(1),
        targets: Vec::new(),
        groups: Vec::new(),
        sequence: None,
        visits: Some(Box::new(visits)),
        generator: Generator::Xoshiro { seed: asked.seed },
        polling: Polling::Interrupt,
        throttle_sleep: ThrottleSleep::Short,
        initiation: true,
        whole_milliseconds: false,
        verify: false,
    }
}
