//! A profile as one command line.

use std::ffi::OsStr;

use crate::personality::diskspd::profile::{
    Cache, Distribution, Flush, Pattern, Profile, Target, Throughput, TimeSpan,
};

/// The line; `None` where one cannot say it: all targets of a line have the same parameters, and
/// weights are a matter of XML.
pub(super) fn line(profile: &Profile) -> Option<String> {
    let [span] = &profile.spans[..] else {
        return None;
    };
    let (first, others) = span.targets.split_first()?;
    let like_first = |target: &Target| {
        *first
            == Target {
                path: first.path.clone(),
                ..target.clone()
            }
    };
    let weighted = first.weight != 1 || !first.thread_targets.is_empty();
    let comma = first
        .source_path
        .as_ref()
        .is_some_and(|path| path.to_str().is_none());
    if weighted || comma || !others.iter().all(like_first) {
        return None;
    }
    let mut words = vec!["diskspd".to_owned()];
    load(span, first, &mut words);
    whole(profile, span, &mut words);
    for target in &span.targets {
        words.push(named(&target.path)?);
    }
    Some(
        words
            .iter()
            .map(|word| quoted(word))
            .collect::<Vec<_>>()
            .join(" "),
    )
}

/// A target behind the options, none of which it may look like.
fn named(path: &OsStr) -> Option<String> {
    let name = path.to_str()?;
    if name.starts_with('-') {
        return Some(format!("./{name}"));
    }
    Some(name.to_owned())
}

/// What is done to each target.
fn load(span: &TimeSpan, target: &Target, words: &mut Vec<String>) {
    let mut add = |word: String| words.push(word);
    add(format!("-b{}", size(target.block_size.into())));
    add(pattern(target));
    if let Pattern::Random {
        alignment: Some(alignment),
        percent,
    } = target.pattern
        && percent < 100
    {
        add(format!("-r{}", size(alignment)));
    }
    if let Some(distribution) = &target.distribution {
        add(self::distribution(distribution));
    }
    if target.parallel {
        add("-p".to_owned());
    }
    if target.thread_stride > 0 {
        add(format!("-T{}", size(target.thread_stride)));
    }
    add(format!("-w{}", target.write_ratio));
    if span.thread_count == 0 {
        add(format!("-t{}", target.threads));
    } else {
        add(format!("-F{}", span.thread_count));
    }
    if span.thread_count > 0 && span.request_count > 0 {
        add(format!("-O{}", span.request_count));
    } else {
        add(format!("-o{}", target.request_count));
    }
    if let Some(cache) = cache(target) {
        add(cache);
    }
    if let Some(flush) = target.flush {
        add(match flush {
            Flush::View => "-Nv",
            Flush::NonVolatile => "-Nn",
            Flush::NonVolatileNoDrain => "-Ni",
        }
        .to_owned());
    }
    range(target, words);
    pacing(target, words);
    data(span, target, words);
    hints(target, words);
}

fn range(target: &Target, words: &mut Vec<String>) {
    if target.base > 0 {
        words.push(format!("-B{}", size(target.base)));
    }
    if target.max_size > 0 {
        words.push(format!("-f{}", size(target.max_size)));
    }
    if let Some(bytes) = target.create_size {
        words.push(format!("-c{}", size(bytes)));
    }
}

fn pacing(target: &Target, words: &mut Vec<String>) {
    match target.throughput {
        Throughput::Unlimited => {}
        Throughput::BytesPerMs(bytes) => words.push(format!("-g{bytes}")),
        Throughput::Iops(operations) => words.push(format!("-g{operations}i")),
    }
    if let (Some(burst), Some(pause)) = (target.burst_size, target.think_time) {
        words.push(format!("-i{burst}"));
        words.push(format!("-j{pause}"));
    }
}

fn data(span: &TimeSpan, target: &Target, words: &mut Vec<String>) {
    if target.zero_buffers {
        words.push("-Z".to_owned());
    }
    if target.source_size > 0 {
        let file = target.source_path.as_ref();
        let file = file.map_or(String::new(), |path| format!(",{}", path.to_string_lossy()));
        words.push(format!("-Z{}{file}", size(target.source_size)));
    }
    if span.random_write_data {
        words.push("-Zr".to_owned());
    }
}

fn hints(target: &Target, words: &mut Vec<String>) {
    let letters: String = [
        (target.random_access, 'r'),
        (target.sequential_scan, 's'),
        (target.temporary, 't'),
    ]
    .into_iter()
    .filter_map(|(given, letter)| given.then_some(letter))
    .collect();
    if !letters.is_empty() {
        words.push(format!("-f{letters}"));
    }
    if target.priority != 3 {
        words.push(format!("-I{}", target.priority));
    }
    if target.large_pages {
        words.push("-l".to_owned());
    }
}

/// What holds for the whole time span.
fn whole(profile: &Profile, span: &TimeSpan, words: &mut Vec<String>) {
    words.push(format!("-d{}", span.duration));
    words.push(format!("-W{}", span.warmup));
    if span.cooldown > 0 {
        words.push(format!("-C{}", span.cooldown));
    }
    words.push("-L".to_owned());
    if span.iops_stddev {
        words.push(format!("-D{}", span.interval_ms));
    }
    words.push(format!("-z{}", span.seed));
    if span.disable_affinity {
        words.push("-n".to_owned());
    } else if !span.affinity.is_empty() {
        let mut list = Vec::new();
        let mut current = 0;
        for (group, cpu) in &span.affinity {
            if *group != current {
                list.push(format!("g{group}"));
                current = *group;
            }
            list.push(cpu.to_string());
        }
        words.push(format!("-a{}", list.join(",")));
    }
    if profile.experiment_flags > 0 {
        words.push(format!("-:{}", profile.experiment_flags));
    }
}

fn pattern(target: &Target) -> String {
    let distance = |bytes: Option<u64>| bytes.map_or(String::new(), size);
    match target.pattern {
        Pattern::Sequential {
            stride,
            interlocked: true,
        } => format!("-si{}", distance(stride)),
        Pattern::Sequential { stride, .. } => format!("-s{}", distance(stride)),
        Pattern::Random { percent, .. } if percent < 100 => format!("-rs{percent}"),
        Pattern::Random { alignment, .. } => format!("-r{}", distance(alignment)),
    }
}

fn distribution(distribution: &Distribution) -> String {
    let (word, ranges, percent) = match distribution {
        Distribution::Percent(ranges) => ("pct", ranges, true),
        Distribution::Absolute(ranges) => ("abs", ranges, false),
    };
    let parts: Vec<String> = ranges
        .iter()
        // The part "to the end" is what the others leave.
        .filter(|range| range.length > 0)
        .map(|range| {
            let length = if percent {
                range.length.to_string()
            } else {
                size(range.length)
            };
            format!("{}/{length}", range.io_percent)
        })
        .collect();
    format!("-rd{word}{}", parts.join(":"))
}

/// `-S` with its letters; `None` for the cache as it is.
fn cache(target: &Target) -> Option<String> {
    let mut letters = String::new();
    match target.cache {
        Cache::Cached => {}
        Cache::NoOsCache => letters.push('u'),
        Cache::NoLocalCache => letters.push('r'),
    }
    if target.memory_mapped {
        letters.push('m');
    }
    if target.write_through {
        letters.push('w');
    }
    match letters.as_str() {
        "" => None,
        "uw" => Some("-Sh".to_owned()),
        _ => Some(format!("-S{letters}")),
    }
}

/// `64K`; the largest unit that is whole.
fn size(bytes: u64) -> String {
    let units = [(40, 'T'), (30, 'G'), (20, 'M'), (10, 'K')];
    let whole = units
        .iter()
        .find(|(shift, _)| bytes != 0 && bytes.is_multiple_of(1 << shift));
    whole.map_or_else(
        || bytes.to_string(),
        |(shift, unit)| format!("{}{unit}", bytes >> shift),
    )
}

/// An argument as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+%@#".contains(c);
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with('#') {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
