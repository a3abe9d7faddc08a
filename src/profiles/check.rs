//! Whether a profile's file makes sense. What passes here can be resolved for any machine.

use super::{
    Profile,
    format::{Bytes, Copies, GroupSpec, Pattern, RateSpec, StreamSpec, Threads},
};

/// Bytes of an I/O at most.
const IO_MAX: u64 = 1 << 30;
/// Bytes of a file at most.
const FILE_MAX: u64 = 1 << 60;
/// Threads of a group at most.
pub(super) const THREADS_MAX: u32 = 1 << 16;
/// I/Os in flight of a worker at most.
const DEEPEST_MAX: u64 = 1 << 16;
/// A weight at most: sums stay far from any limit.
const WEIGHT_MAX: u32 = 1_000_000;
/// Sizes of a list at most.
const SIZES_MAX: usize = 64;

impl Profile {
    /// # Errors
    /// The first key that makes no sense, and what would.
    pub(super) fn check(&self) -> Result<(), String> {
        let fits = |c: char| c.is_ascii_alphanumeric() || "/-_.".contains(c);
        let dotted = std::path::Path::new(&self.name)
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("toml"));
        if self.name.is_empty() || !self.name.chars().all(fits) || dotted {
            return Err(format!(
                "key 'name': '{}' is no name of a workload: letters, digits, '/', '-', '_' and '.', \
                 not ending in .toml",
                self.name
            ));
        }
        if self.files.is_empty() || self.groups.is_empty() {
            return Err("a profile needs a [[file]] and a [[group]] at least".to_owned());
        }
        for (number, file) in self.files.iter().enumerate() {
            within("size", file.size.0, 1, FILE_MAX)?;
            if self.files[..number]
                .iter()
                .any(|other| other.role == file.role)
            {
                return Err(format!(
                    "key 'role': there are two files of the role '{}'; 'count' makes several",
                    file.role.word()
                ));
            }
        }
        if let Some(Bytes(bytes)) = self.ends_after {
            within("ends-after", bytes, 1, FILE_MAX)?;
        }
        self.groups.iter().try_for_each(|group| self.group(group))?;
        self.marks()
    }

    fn marks(&self) -> Result<(), String> {
        for mark in &self.marks {
            if !self.groups.iter().any(|group| group.name == mark.group) {
                return Err(format!("a mark: there is no group '{}'", mark.group));
            }
            let mut numbers = vec![mark.good_ms, mark.acceptable_ms, mark.slow_ms];
            numbers.extend(mark.percentile.map(|(_, limit)| limit));
            if numbers.iter().any(|ms| !ms.is_finite() || *ms <= 0.0) {
                return Err(format!(
                    "the mark of '{}': its milliseconds must be above 0",
                    mark.group
                ));
            }
            if mark.good_ms > mark.acceptable_ms || mark.acceptable_ms > mark.slow_ms {
                return Err(format!(
                    "the mark of '{}': good-ms, acceptable-ms and slow-ms must each be not below \
                     the one before",
                    mark.group
                ));
            }
            if mark
                .percentile
                .is_some_and(|(part, _)| !(part > 0.0 && part < 1.0))
            {
                return Err("a mark: a percentile is above 0 and below 1, as 0.99".to_owned());
            }
        }
        Ok(())
    }

    fn group(&self, group: &GroupSpec) -> Result<(), String> {
        let inside = |problem: String| format!("group '{}': {problem}", group.name);
        if let Threads::Fixed(threads) = group.threads {
            within("threads", threads.into(), 1, THREADS_MAX.into()).map_err(inside)?;
        }
        let deepest = u64::from(group.queue_depth_max);
        within("queue-depth-max", deepest, 1, DEEPEST_MAX).map_err(inside)?;
        within("queue-depth", group.queue_depth.into(), 1, deepest).map_err(inside)?;
        if group.streams.is_empty() {
            return Err(inside("it needs a [[group.stream]]".to_owned()));
        }
        if let Some(rate) = &group.rate {
            self::rate(group, rate).map_err(inside)?;
        }
        for (index, stream) in group.streams.iter().enumerate() {
            self.stream(stream).map_err(inside)?;
            if stream.copies == Copies::Previous {
                let before = index.checked_sub(1).map(|before| &group.streams[before]);
                if group.streams.len() != 2
                    || before.is_none_or(|before| !before.write.is_empty())
                    || !stream.read.is_empty()
                {
                    return Err(inside(
                        "key 'copies': a group that copies has two streams, one that reads and \
                         one that writes"
                            .to_owned(),
                    ));
                }
            }
        }
        for variant in &group.variants {
            sizes("write", &variant.write).map_err(inside)?;
        }
        Ok(())
    }

    fn stream(&self, stream: &StreamSpec) -> Result<(), String> {
        if !self.files.iter().any(|file| file.role == stream.file) {
            return Err(format!(
                "key 'file': there is no [[file]] with the role '{}'",
                stream.file.word()
            ));
        }
        if stream.read.is_empty() && stream.write.is_empty() {
            return Err("a stream needs sizes to 'read' or to 'write'".to_owned());
        }
        if !stream.read.is_empty() {
            sizes("read", &stream.read)?;
        }
        if !stream.write.is_empty() {
            sizes("write", &stream.write)?;
        }
        let both = !stream.read.is_empty() && !stream.write.is_empty();
        if stream.read_percent.is_some() != both {
            return Err("key 'read-percent': it is for streams that read and write".to_owned());
        }
        within(
            "read-percent",
            stream.read_percent.unwrap_or(0).into(),
            0,
            100,
        )?;
        within("share", stream.share.into(), 1, WEIGHT_MAX.into())?;
        if let Some(Bytes(align)) = stream.align {
            within("align", align, 1, IO_MAX)?;
        }
        if stream.pattern == Pattern::Random && stream.align.is_none() {
            return Err("key 'align': a random stream needs it".to_owned());
        }
        if let Some(flush) = stream.flush {
            within("every", flush.every.into(), 1, u32::MAX.into())?;
        }
        Ok(())
    }
}

fn rate(group: &GroupSpec, rate: &RateSpec) -> Result<(), String> {
    let positive = |key: &str, number: f64| {
        let fits = number.is_finite() && number > 0.0 && number <= 1e6;
        fits.then_some(())
            .ok_or_else(|| format!("key '{key}': {number} is not above 0 and at most 1000000"))
    };
    if group
        .streams
        .iter()
        .any(|stream| stream.copies == Copies::Previous)
    {
        return Err("key 'rate': what copies has no rate".to_owned());
    }
    match rate {
        RateSpec::Arrivals { each } => positive("each", *each),
        RateSpec::GroupCommit { record, largest } => {
            within("largest", largest.0, 512, IO_MAX)?;
            within("record", record.0, 1, largest.0)?;
            match &group.streams[..] {
                [stream] if stream.read.is_empty() => Ok(()),
                _ => Err("key 'rate': a group commit has one stream, which writes".to_owned()),
            }
        }
        RateSpec::Checkpoint { pages, every, .. } => {
            positive("pages", *pages)?;
            within("every", every.0.as_millis() as u64, 1, 86_400_000)
        }
    }
}

fn sizes(key: &str, sizes: &[(Bytes, u32)]) -> Result<(), String> {
    within("number of sizes", sizes.len() as u64, 1, SIZES_MAX as u64)
        .map_err(|problem| format!("key '{key}': {problem}"))?;
    for (bytes, weight) in sizes {
        within(key, bytes.0, 1, IO_MAX)?;
        within("weight", (*weight).into(), 1, WEIGHT_MAX.into())
            .map_err(|problem| format!("key '{key}': {problem}"))?;
    }
    Ok(())
}

fn within(key: &str, value: u64, least: u64, most: u64) -> Result<(), String> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(format!(
            "key '{key}': {value} is not from {least} to {most}"
        ))
    }
}
