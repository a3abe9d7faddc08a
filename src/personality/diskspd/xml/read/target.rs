//! Reads the element `Target` of an XML profile.

use super::list;
use crate::personality::diskspd::{
    profile::{
        Cache, Distribution, DistributionRange, Flush, Pattern, Target, ThreadTarget, Throughput,
    },
    xml::{
        fields::{
            attribute, boolean, check_children, leaf, number, number_beside_attributes, number_in,
            required, text, unknown, word,
        },
        tree::{Element, Fault},
    },
};

/// What several elements say together.
#[derive(Default)]
struct Together {
    stride: Option<u64>,
    interlocked: bool,
    alignment: Option<u64>,
    random_percent: Option<u32>,
    all_cache_off: bool,
    local_cache_off: bool,
    os_cache_off: bool,
}

/// A target.
pub(super) fn target(element: &Element) -> Result<Target, Fault> {
    check_children(element, &[])?;
    required(element, "Path")?;
    let mut target = Target::default();
    let mut together = Together::default();
    for child in &element.children {
        let known = take_shape(&mut target, &mut together, child)?
            || take_access(&mut target, &mut together, child)?
            || take_load(&mut target, child)?;
        if !known {
            return Err(unknown(child, element));
        }
    }
    target.pattern = together.pattern(element)?;
    if together.all_cache_off {
        target.write_through = true;
    }
    target.cache = match &together {
        t if t.os_cache_off => Cache::NoOsCache,
        t if t.local_cache_off => Cache::NoLocalCache,
        t if t.all_cache_off => Cache::NoOsCache,
        _ => Cache::Cached,
    };
    Ok(target)
}

/// Where the I/O goes: true if the element is one of these.
fn take_shape(
    target: &mut Target,
    together: &mut Together,
    child: &Element,
) -> Result<bool, Fault> {
    match child.name.as_str() {
        "Path" => target.path = path(child)?.into(),
        "BlockSize" => target.block_size = number_in(child, 1, u32::MAX)?,
        "StrideSize" => together.stride = Some(number(child)?),
        "InterlockedSequential" => together.interlocked = boolean(child)?,
        "Random" => together.alignment = Some(number(child)?),
        "RandomRatio" => together.random_percent = Some(number_in(child, 1, 99)?),
        "BaseFileOffset" => target.base = number(child)?,
        "MaxFileSize" => target.max_size = number(child)?,
        "FileSize" => target.create_size = Some(number(child)?),
        "ThreadStride" => target.thread_stride = number(child)?,
        "ParallelAsyncIO" => target.parallel = boolean(child)?,
        "Distribution" => target.distribution = Some(distribution(child)?),
        _ => return Ok(false),
    }
    Ok(true)
}

/// How the target is opened: true if the element is one of these.
fn take_access(
    target: &mut Target,
    together: &mut Together,
    child: &Element,
) -> Result<bool, Fault> {
    match child.name.as_str() {
        "SequentialScan" => target.sequential_scan = boolean(child)?,
        "RandomAccess" => target.random_access = boolean(child)?,
        "TemporaryFile" => target.temporary = boolean(child)?,
        "UseLargePages" => target.large_pages = boolean(child)?,
        "DisableAllCache" => together.all_cache_off = boolean(child)?,
        "DisableLocalCache" => together.local_cache_off = boolean(child)?,
        "DisableOSCache" => together.os_cache_off = boolean(child)?,
        "WriteThrough" => target.write_through = boolean(child)?,
        "MemoryMappedIo" => target.memory_mapped = boolean(child)?,
        "FlushType" => target.flush = Some(flush(child)?),
        "IOPriority" => {
            // 0 says that none was set.
            let given = number_in(child, 0, 3)?;
            target.priority = if given == 0 { 3 } else { given };
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// How much of it: true if the element is one of these.
fn take_load(target: &mut Target, child: &Element) -> Result<bool, Fault> {
    match child.name.as_str() {
        "RequestCount" => target.request_count = number(child)?,
        "WriteRatio" => target.write_ratio = number_in(child, 0, 100)?,
        "ThreadsPerFile" => target.threads = number(child)?,
        "Weight" => target.weight = number(child)?,
        "BurstSize" => target.burst_size = Some(number(child)?).filter(|n| *n > 0),
        "ThinkTime" => target.think_time = Some(number(child)?).filter(|n| *n > 0),
        "Throughput" => target.throughput = throughput(child)?,
        "WriteBufferContent" => write_buffer(target, child)?,
        "ThreadTargets" => {
            target.thread_targets = list(child, "ThreadTarget", thread_target)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

impl Together {
    fn pattern(&self, element: &Element) -> Result<Pattern, Fault> {
        let fault = |message: &str| Err(Fault::new(element.at, message));
        let is_random = self.alignment.is_some() || self.random_percent.is_some();
        if !is_random {
            return Ok(Pattern::Sequential {
                // -s0 is -s.
                stride: self.stride.filter(|stride| *stride > 0),
                interlocked: self.interlocked,
            });
        }
        if self.stride.is_some() {
            return fault("a target has StrideSize together with Random or RandomRatio");
        }
        if self.interlocked {
            return fault("a target has InterlockedSequential together with Random or RandomRatio");
        }
        if self.alignment == Some(0) {
            return fault("Random is 0: an alignment is expected");
        }
        Ok(Pattern::Random {
            alignment: self.alignment,
            percent: self.random_percent.unwrap_or(100),
        })
    }
}

fn path(element: &Element) -> Result<&str, Fault> {
    let path = text(element)?;
    if path.is_empty() {
        return Err(Fault::new(element.at, "Path is empty"));
    }
    if path.contains('\0') {
        return Err(Fault::new(element.at, "Path holds a null character"));
    }
    Ok(path)
}

fn flush(element: &Element) -> Result<Flush, Fault> {
    word(
        element,
        &[
            ("ViewOfFile", Flush::View),
            ("NonVolatileMemory", Flush::NonVolatile),
            ("NonVolatileMemoryNoDrain", Flush::NonVolatileNoDrain),
        ],
    )
}

fn throughput(element: &Element) -> Result<Throughput, Fault> {
    leaf(element, &["unit"])?;
    let rate = number_beside_attributes(element)?;
    let unit = element.attributes.first().map(|(_, unit)| unit.as_str());
    match unit {
        _ if rate == 0 => Ok(Throughput::Unlimited),
        None | Some("BPMS") => Ok(Throughput::BytesPerMs(rate)),
        Some("IOPS") => Ok(Throughput::Iops(rate)),
        Some(_) => Err(Fault::new(
            element.at,
            "the unit of Throughput is IOPS or BPMS",
        )),
    }
}

#[derive(Clone, Copy)]
enum Fill {
    Sequential,
    Zero,
    Random,
}

fn write_buffer(target: &mut Target, element: &Element) -> Result<(), Fault> {
    check_children(element, &[])?;
    let mut fill = Fill::Sequential;
    let mut source = None;
    for child in &element.children {
        match child.name.as_str() {
            "Pattern" => {
                fill = word(
                    child,
                    &[
                        ("sequential", Fill::Sequential),
                        ("zero", Fill::Zero),
                        ("random", Fill::Random),
                    ],
                )?;
            }
            "RandomDataSource" => source = Some(data_source(child)?),
            _ => return Err(unknown(child, element)),
        }
    }
    match (fill, source) {
        // A source beside another pattern is not used.
        (Fill::Sequential, _) => {}
        (Fill::Zero, _) => target.zero_buffers = true,
        (Fill::Random, Some((size, path))) => {
            target.source_size = size;
            target.source_path = path.map(Into::into);
        }
        (Fill::Random, None) => {
            let message = "the pattern \"random\" needs a RandomDataSource";
            return Err(Fault::new(element.at, message));
        }
    }
    Ok(())
}

fn data_source(element: &Element) -> Result<(u64, Option<&str>), Fault> {
    check_children(element, &[])?;
    required(element, "SizeInBytes")?;
    let (mut size, mut file) = (0, None);
    for child in &element.children {
        match child.name.as_str() {
            "SizeInBytes" => size = number(child)?,
            "FilePath" => file = Some(path(child)?),
            _ => return Err(unknown(child, element)),
        }
    }
    if size == 0 {
        return Err(Fault::new(element.at, "SizeInBytes is 0"));
    }
    Ok((size, file))
}

fn thread_target(element: &Element) -> Result<ThreadTarget, Fault> {
    check_children(element, &[])?;
    required(element, "Thread")?;
    let (mut thread, mut weight) = (0, 0);
    for child in &element.children {
        match child.name.as_str() {
            "Thread" => thread = number(child)?,
            "Weight" => weight = number(child)?,
            _ => return Err(unknown(child, element)),
        }
    }
    Ok(ThreadTarget { thread, weight })
}

fn distribution(element: &Element) -> Result<Distribution, Fault> {
    check_children(element, &[])?;
    let [kind] = element.children.as_slice() else {
        let message = "Distribution holds one Percent or one Absolute";
        return Err(Fault::new(element.at, message));
    };
    let is_percent = match kind.name.as_str() {
        "Percent" => true,
        "Absolute" => false,
        _ => return Err(unknown(kind, element)),
    };
    let mut next = 0_u64;
    let mut io_total = 0_u32;
    let mut ranges = list(kind, "Range", |range| {
        leaf(range, &["IO"])?;
        let share: u32 = attribute(range, "IO")?;
        if share > 100 {
            return Err(Fault::new(range.at, "the share of a Range is over 100 %"));
        }
        Ok(DistributionRange {
            io_percent: share,
            from: 0,
            length: number_beside_attributes(range)?,
        })
    })?;
    for range in &mut ranges {
        range.from = next;
        next = next.saturating_add(range.length);
        io_total = io_total.saturating_add(range.io_percent);
    }
    if io_total < 100 {
        // What is left of the I/O goes to what is left of the target.
        ranges.push(DistributionRange {
            io_percent: 100 - io_total,
            from: next,
            length: if is_percent {
                100_u64.saturating_sub(next)
            } else {
                0
            },
        });
    }
    Ok(if is_percent {
        Distribution::Percent(ranges)
    } else {
        Distribution::Absolute(ranges)
    })
}
