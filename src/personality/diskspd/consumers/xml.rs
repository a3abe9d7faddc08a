//! Readers of the XML results: Process-DiskSpd looks percentiles up by their text, `VMFleet` by
//! their position.

#![expect(
    clippy::float_cmp,
    reason = "counts and printed constants are exact in a float"
)]

use super::{BLOCK, Case, Side, cases, near};
use crate::personality::diskspd::{testing::rendered, xml::XmlReport};

/// An element.
#[derive(Debug, Default)]
struct Node {
    name: String,
    text: String,
    children: Vec<Node>,
}

/// Reads elements and their text; attributes are left out, which none of these programs needs.
fn parse(document: &str) -> Node {
    let mut open = vec![Node::default()];
    for part in document.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap();
        let name = |tag: &str| tag.split_whitespace().next().unwrap().to_owned();
        if let Some(tag) = tag.strip_prefix('/') {
            let done = open.pop().unwrap();
            assert_eq!(done.name, tag);
            open.last_mut().unwrap().children.push(done);
        } else if let Some(tag) = tag.strip_suffix('/') {
            let name = name(tag);
            let empty = Node {
                name,
                ..Node::default()
            };
            open.last_mut().unwrap().children.push(empty);
        } else {
            let (name, text) = (name(tag), text.trim().to_owned());
            open.push(Node {
                name,
                text,
                ..Node::default()
            });
        }
    }
    assert_eq!(open.len(), 1, "an element is not closed");
    open.swap_remove(0).children.swap_remove(0)
}

impl Node {
    /// All elements at a path, as a dotted expression finds them.
    fn all(&self, path: &str) -> Vec<&Self> {
        path.split('/').fold(vec![self], |nodes, step| {
            let children = nodes.into_iter().flat_map(|node| &node.children);
            children.filter(|child| child.name == step).collect()
        })
    }

    fn text(&self, path: &str) -> &str {
        match self.all(path).as_slice() {
            [node, ..] => &node.text,
            [] => panic!("there is no {path}"),
        }
    }

    fn number(&self, path: &str) -> f64 {
        self.text(path).parse().unwrap()
    }

    fn sum(&self, path: &str) -> f64 {
        self.all(path)
            .iter()
            .map(|node| node.text.parse::<f64>().unwrap())
            .sum()
    }
}

fn document(case: &Case) -> String {
    let profile = case.profile.clone();
    rendered(&XmlReport { profile }, &case.results)
}

const SIDES: [(Side, &str); 2] = [(Side::Read, "Read"), (Side::Write, "Write")];

#[test]
fn process_diskspd_finds_its_figures() {
    for case in cases() {
        let text = document(&case);
        assert_eq!(text.lines().next(), Some("<Results>"));
        let results = parse(&text);
        assert_eq!(results.text("System/ComputerName"), "vm");
        let span = results.all("TimeSpan")[0];
        assert_eq!(span.text("TestTimeSeconds"), "1.00");
        let threads = case.ios.iter().map(|io| io.thread + 1).max().unwrap();
        assert_eq!(span.text("ThreadCount"), threads.to_string());
        assert_eq!(span.all("Thread").len(), threads);
        for (side, name) in SIDES {
            let count = case.count(side) as f64;
            assert_eq!(span.sum(&format!("Thread/Target/{name}Count")), count);
            let bytes = span.sum(&format!("Thread/Target/{name}Bytes"));
            assert_eq!(bytes, count * BLOCK as f64);
            if case.has("-D") && count > 0.0 {
                let deviation = span.number(&format!("Iops/{name}IopsStdDev"));
                assert!(
                    near(deviation, case.iops_deviation(side)),
                    "{}: {deviation}",
                    case.line
                );
            }
            latencies_by_text(&case, span, side, name);
        }
        // 30 % and 50 % of use, 20 % and 30 % in the kernel.
        assert_eq!(span.text("CpuUtilization/Average/UsagePercent"), "40.00");
        assert_eq!(span.text("CpuUtilization/Average/KernelPercent"), "25.00");
        let cpus = span.all("CpuUtilization/CPU");
        let most = cpus
            .iter()
            .map(|cpu| cpu.number("UsagePercent"))
            .fold(0.0, f64::max);
        assert_eq!(most, 50.0);
    }
}

fn latencies_by_text(case: &Case, span: &Node, side: Side, name: &str) {
    let buckets = span.all("Latency/Bucket");
    assert_eq!(buckets.is_empty(), !case.has("-L"));
    if buckets.is_empty() || case.count(side) == 0 {
        return;
    }
    let mean = span.number(&format!("Latency/Average{name}Milliseconds"));
    assert!(near(mean, case.mean_ms(side)), "{}: {mean}", case.line);
    for percent in [
        "25", "50", "75", "90", "95", "99", "99.9", "99.99", "99.999", "100",
    ] {
        let found: Vec<_> = buckets
            .iter()
            .filter(|b| b.text("Percentile") == percent)
            .collect();
        assert_eq!(found.len(), 1, "{percent}");
        let value = found[0].number(&format!("{name}Milliseconds"));
        let expected = case.percentile_ms(side, percent.parse().unwrap());
        assert!(
            near(value, expected),
            "{}: {name} {percent}: {value}, {expected}",
            case.line
        );
    }
}

#[test]
fn process_diskspd_finds_what_was_asked() {
    for case in cases() {
        let results = parse(&document(&case));
        let span = results.all("Profile/TimeSpans/TimeSpan")[0];
        assert_eq!(span.text("DisableAffinity"), case.has("-n").to_string());
        let target = span.all("Targets/Target")[0];
        assert_eq!(target.text("BlockSize"), "4096");
        let (there, absent) = if case.has("-r") {
            ("Random", "StrideSize")
        } else {
            ("StrideSize", "Random")
        };
        assert_eq!(target.text(there), "4096");
        assert!(target.all(absent).is_empty());
        let asked = &case.profile.spans[0].targets[0];
        assert_eq!(target.text("WriteRatio"), asked.write_ratio.to_string());
        assert_eq!(target.text("RequestCount"), asked.request_count.to_string());
    }
}

#[test]
fn vmfleet_finds_its_figures() {
    for case in cases() {
        let results = parse(&document(&case));
        let targets = results.all("TimeSpan/Thread/Target");
        assert!(!targets.is_empty(), "the run would count as failed");
        let seconds = results.number("TimeSpan/TestTimeSeconds");
        for (side, name) in SIDES {
            let count: f64 = targets
                .iter()
                .map(|t| t.number(&format!("{name}Count")))
                .sum();
            assert_eq!(count / seconds, case.count(side) as f64);
            if !case.has("-L") || count == 0.0 {
                continue;
            }
            let buckets = results.all("TimeSpan/Latency/Bucket");
            for position in [50, 90, 99] {
                let value = buckets[position].number(&format!("{name}Milliseconds"));
                let expected = case.percentile_ms(side, position as f64);
                assert!(near(value, expected), "{}: {position}: {value}", case.line);
            }
            let mean = results.number(&format!("TimeSpan/Latency/Average{name}Milliseconds"));
            assert!(near(mean, case.mean_ms(side)), "{}: {mean}", case.line);
        }
    }
}
