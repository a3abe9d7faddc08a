//! Profiles of several time spans: each has its results, an interrupt ends them in order, and the
//! XML of it all is well-formed whatever happened.

use std::{fs, thread, time::Duration};

use quick_xml::{Reader, events::Event};

use crate::util::{self, Dir, Output};

/// A time span of two targets.
fn span(seconds: u32, threads: u32, warm_up: u32) -> String {
    let target = |name: &str| {
        format!(
            "<Target><Path>{name}</Path><BlockSize>4096</BlockSize><Random>4096</Random>\
             <RequestCount>2</RequestCount><WriteRatio>30</WriteRatio>\
             <ThreadsPerFile>{threads}</ThreadsPerFile></Target>"
        )
    };
    let targets = [target("a.dat"), target("b &amp; c.dat")].concat();
    format!(
        "<TimeSpan><MeasureLatency>true</MeasureLatency><Duration>{seconds}</Duration>\
         <Warmup>{warm_up}</Warmup><Cooldown>0</Cooldown><Targets>{targets}</Targets></TimeSpan>"
    )
}

/// A folder with the profile and its files.
fn prepared(spans: &[String], format: &str) -> Dir {
    let dir = Dir::new();
    let spans = spans.concat();
    let profile = format!(
        "<Profile><Progress>0</Progress><ResultFormat>{format}</ResultFormat>\
         <Verbose>false</Verbose><TimeSpans>{spans}</TimeSpans></Profile>"
    );
    fs::write(dir.join("profile.xml"), profile).expect("a profile");
    dir.file("a.dat", 1 << 20);
    dir.file("b & c.dat", 1 << 20);
    dir
}

/// One `TimeSpan` of results: its elements by their path below it, with their text.
#[derive(Debug, Default)]
struct Span(Vec<(String, String)>);

impl Span {
    /// Texts of the elements at a path.
    fn all<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a str> {
        let found = self.0.iter().filter(move |(at, _)| at == path);
        found.map(|(_, text)| text.as_str())
    }

    fn sum(&self, path: &str) -> u64 {
        let numbers = self.all(path).map(str::parse::<u64>);
        numbers.map(|number| number.expect("a number")).sum()
    }
}

/// The time spans of results in XML; fails on what is not well-formed.
#[track_caller]
fn results(text: &str) -> Vec<Span> {
    assert!(text.starts_with("<Results>\n"), "{text}");
    assert!(text.ends_with("</Results>"), "{text}");
    let mut reader = Reader::from_str(text);
    reader.config_mut().enable_all_checks(true);
    let (mut spans, mut path): (Vec<Span>, Vec<String>) = (Vec::new(), Vec::new());
    let place = |path: &[String]| path.get(2..).unwrap_or_default().join("/");
    loop {
        let event = reader.read_event();
        let event = event.unwrap_or_else(|error| panic!("not well-formed: {error}\n{text}"));
        let inside = path.len() >= 2 && path[1] == "TimeSpan";
        match event {
            Event::Start(tag) => {
                for attribute in tag.attributes() {
                    let wrong = |error| panic!("not well-formed: {error}\n{text}");
                    attribute.unwrap_or_else(wrong);
                }
                path.push(tag.name().as_ref().to_owned());
                if path.len() == 2 && path[1] == "TimeSpan" {
                    spans.push(Span::default());
                } else if inside {
                    let span = spans.last_mut().expect("inside of one");
                    span.0.push((place(&path), String::new()));
                }
            }
            Event::Text(text) if inside => {
                if let Some((at, said)) = spans.last_mut().and_then(|span| span.0.last_mut())
                    && *at == place(&path)
                {
                    said.push_str(text.trim());
                }
            }
            Event::End(_) => {
                path.pop();
            }
            Event::GeneralRef(entity) => {
                let known = ["amp", "lt", "gt", "quot", "apos"].contains(&&*entity);
                assert!(known || entity.starts_with('#'), "&{};", &*entity);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(path.is_empty(), "not closed: {path:?}");
    spans
}

#[track_caller]
fn measured(span: &Span, threads: u64) {
    assert_eq!(span.sum("ThreadCount"), threads, "{span:#?}");
    assert_eq!(span.all("Error").count(), 0, "{span:#?}");
    assert_eq!(span.all("Thread/Target").count() as u64, threads);
    let ios = span.sum("Thread/Target/IOCount");
    assert!(ios > 0, "{span:#?}");
    let parts = span.sum("Thread/Target/ReadCount") + span.sum("Thread/Target/WriteCount");
    assert_eq!(ios, parts);
    assert_eq!(span.sum("Thread/Target/BytesCount"), ios * 4096);
}

#[test]
fn every_span_has_its_results() {
    let _turn = util::busy();
    let dir = prepared(&[span(1, 1, 0), span(1, 2, 0)], "xml");
    let output = util::run(&mut dir.diskspd("-Xprofile.xml"));
    let spans = results(&output.expect_code(0).stdout);
    assert_eq!(spans.len(), 2);
    measured(&spans[0], 2);
    measured(&spans[1], 4);
}

/// Starts the profile, waits until the thread `io-N` of a span is at work, then interrupts it.
fn interrupted(dir: &Dir, last: u32) -> Output {
    let mut running = util::start(dir.diskspd("-Xprofile.xml").env("IOGAUGE_ENGINE", "psync"));
    let name = format!("io-{last}");
    let seen = running.until(|id| {
        let tasks = fs::read_dir(format!("/proc/{id}/task"))
            .into_iter()
            .flatten();
        let mut names = tasks
            .flatten()
            .filter_map(|task| fs::read_to_string(task.path().join("comm")).ok());
        names.any(|comm| comm.trim() == name)
    });
    assert!(seen, "no thread {name} was seen");
    thread::sleep(Duration::from_millis(700));
    running.signal("INT");
    let output = running.finish();
    crate::signals::nothing_runs_in(dir);
    output
}

/// What was measured stays, the span under way has its part, and the next says that it was not run.
#[test]
fn an_interrupt_in_the_second_of_three_spans_keeps_what_there_is() {
    let _turn = util::busy();
    let spans = [span(1, 1, 0), span(600, 2, 0), span(600, 3, 0)];
    let dir = prepared(&spans, "xml");
    let output = interrupted(&dir, 3);
    let spans = results(&output.expect_code(0).stdout);
    assert_eq!(spans.len(), 3, "{output:#?}");
    measured(&spans[0], 2);
    measured(&spans[1], 4);
    let seconds: Vec<&str> = spans[1].all("TestTimeSeconds").collect();
    let seconds: f64 = seconds.concat().parse().expect("seconds");
    assert!((0.2..300.0).contains(&seconds), "{seconds}");
    let [(at, said)] = &spans[2].0[..] else {
        panic!("{:#?}", spans[2]);
    };
    assert_eq!(at, "Error");
    assert!(said.contains("interrupted"), "{said}");

    // The same in words.
    let dir = prepared(&[span(1, 1, 0), span(600, 2, 0), span(600, 3, 0)], "text");
    let output = interrupted(&dir, 3);
    let text = &output.expect_code(0).stdout;
    let results: Vec<&str> = text.split("Results for timespan ").collect();
    assert_eq!(results.len(), 4, "{output:#?}");
    let said = "The test was interrupted before the measurements began.";
    for (part, complete) in results[1..].iter().zip([true, true, false]) {
        assert_eq!(part.contains("Total IO"), complete, "{part}");
        assert_eq!(part.contains(said), !complete, "{part}");
    }
    assert!(!text.contains("NaN"), "{text}");
}

/// In the warm-up of the first, nothing was measured at all.
#[test]
fn an_interrupt_in_the_first_warm_up_leaves_errors_only() {
    let dir = prepared(&[span(600, 1, 600), span(600, 2, 0)], "xml");
    let output = interrupted(&dir, 1);
    let spans = results(&output.expect_code(0).stdout);
    assert_eq!(spans.len(), 2);
    for span in &spans {
        let places: Vec<&str> = span.0.iter().map(|(at, _)| at.as_str()).collect();
        assert_eq!(places, ["Error"]);
    }
}

#[test]
fn what_is_not_well_formed_is_seen() {
    let good = "<Results>\n<TimeSpan><A>1</A><B><A>2</A><A>3</A></B></TimeSpan></Results>";
    let spans = results(good);
    assert_eq!(spans[0].sum("A"), 1);
    assert_eq!(spans[0].sum("B/A"), 5);
    for (right, wrong) in [
        ("</B>", "</C>"),
        ("</B>", ""),
        ("<A>3", "<A a=\"1\" a=\"2\">3"),
        ("<A>3", "<A>&nbsp;"),
        ("<A>3", "<A>a & b"),
    ] {
        let bad = good.replacen(right, wrong, 1);
        let read = std::panic::catch_unwind(|| results(&bad).len());
        assert!(read.is_err(), "{bad}");
    }
}
