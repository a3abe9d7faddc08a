//! The profile as XML: what `-Rpxml` prints, and a part of the XML results.

use super::write::XmlWriter;
use crate::personality::diskspd::profile::{
    Cache, Distribution, DistributionRange, Etw, Flush, Format, Pattern, Precreate, Profile,
    Target, Throughput, TimeSpan,
};

/// The profile as a document of its own.
pub(crate) fn render(profile: &Profile) -> String {
    let mut xml = XmlWriter::default();
    write(profile, &mut xml);
    xml.finish()
}

/// The element `Profile`.
pub(crate) fn write(profile: &Profile, xml: &mut XmlWriter) {
    xml.open("Profile");
    xml.text("Progress", &profile.progress);
    if profile.experiment_flags != 0 {
        xml.text("ExperimentFlags", &profile.experiment_flags);
    }
    let format = match profile.format {
        Format::Text => "text",
        Format::Xml => "xml",
    };
    xml.text("ResultFormat", &format);
    xml.text("Verbose", &profile.verbose);
    if profile.verbose_stats {
        xml.text("VerboseStats", &true);
    }
    if let Some(precreate) = profile.precreate {
        xml.text("PrecreateFiles", &precreate_word(precreate));
    }
    if let Some(etw) = &profile.etw {
        write_etw(etw, xml);
    }
    xml.open("TimeSpans");
    for span in &profile.spans {
        write_span(span, xml);
    }
    xml.close("TimeSpans");
    xml.close("Profile");
}

/// The schema's word.
pub(crate) fn precreate_word(precreate: Precreate) -> &'static str {
    match precreate {
        Precreate::UseMaxSize => "UseMaxSize",
        Precreate::OnlyConstantSizes => "CreateOnlyFilesWithConstantSizes",
        Precreate::OnlyConstantOrZeroSizes => "CreateOnlyFilesWithConstantOrZeroSizes",
    }
}

/// The schema's word.
pub(crate) fn flush_word(flush: Flush) -> &'static str {
    match flush {
        Flush::View => "ViewOfFile",
        Flush::NonVolatile => "NonVolatileMemory",
        Flush::NonVolatileNoDrain => "NonVolatileMemoryNoDrain",
    }
}

fn write_etw(etw: &Etw, xml: &mut XmlWriter) {
    xml.open("ETW");
    for (name, on) in [
        ("Process", etw.process),
        ("Thread", etw.thread),
        ("ImageLoad", etw.image_load),
        ("DiskIO", etw.disk_io),
        ("MemoryPageFaults", etw.memory_page_faults),
        ("MemoryHardFaults", etw.memory_hard_faults),
        ("Network", etw.network),
        ("Registry", etw.registry),
        ("UsePagedMemory", etw.use_paged_memory),
        ("UsePerfTimer", etw.use_perf_timer),
        ("UseSystemTimer", etw.use_system_timer),
        ("UseCyclesCounter", etw.use_cycles_counter),
    ] {
        xml.text(name, &on);
    }
    xml.close("ETW");
}

fn write_span(span: &TimeSpan, xml: &mut XmlWriter) {
    xml.open("TimeSpan");
    xml.text("CompletionRoutines", &span.completion_routines);
    xml.text("MeasureLatency", &span.measure_latency);
    xml.text("CalculateIopsStdDev", &span.iops_stddev);
    xml.text("DisableAffinity", &span.disable_affinity);
    if span.random_write_data {
        // The original reads this element but forgets to write it.
        xml.text("RandomWriteData", &true);
    }
    xml.text("Duration", &span.duration);
    xml.text("Warmup", &span.warmup);
    xml.text("Cooldown", &span.cooldown);
    xml.text("ThreadCount", &span.thread_count);
    xml.text("RequestCount", &span.request_count);
    xml.text("IoBucketDuration", &span.interval_ms);
    xml.text("RandSeed", &span.seed);
    if !span.affinity.is_empty() {
        xml.open("Affinity");
        for (group, cpu) in &span.affinity {
            xml.empty(
                "AffinityGroupAssignment",
                &[("Group", group), ("Processor", cpu)],
            );
        }
        xml.close("Affinity");
    }
    xml.open("Targets");
    for target in &span.targets {
        write_target(target, xml);
    }
    xml.close("Targets");
    xml.close("TimeSpan");
}

fn write_target(target: &Target, xml: &mut XmlWriter) {
    xml.open("Target");
    xml.text("Path", &target.label());
    xml.text("BlockSize", &target.block_size);
    xml.text("BaseFileOffset", &target.base);
    xml.text("SequentialScan", &target.sequential_scan);
    xml.text("RandomAccess", &target.random_access);
    xml.text("TemporaryFile", &target.temporary);
    xml.text("UseLargePages", &target.large_pages);
    write_caching(target, xml);
    write_buffers(target, xml);
    xml.text("ParallelAsyncIO", &target.parallel);
    if let Some(burst) = target.burst_size {
        xml.text("BurstSize", &burst);
    }
    if let Some(pause) = target.think_time {
        xml.text("ThinkTime", &pause);
    }
    if let Some(size) = target.create_size {
        xml.text("FileSize", &size);
    }
    write_pattern(target, xml);
    xml.text("ThreadStride", &target.thread_stride);
    xml.text("MaxFileSize", &target.max_size);
    xml.text("RequestCount", &target.request_count);
    xml.text("WriteRatio", &target.write_ratio);
    match target.throughput {
        Throughput::Unlimited => xml.text("Throughput", &0),
        Throughput::BytesPerMs(rate) => xml.text("Throughput", &rate),
        Throughput::Iops(rate) => xml.text_with("Throughput", &[("unit", &"IOPS")], &rate),
    }
    xml.text("ThreadsPerFile", &target.threads);
    xml.text("IOPriority", &target.priority);
    xml.text("Weight", &target.weight);
    if !target.thread_targets.is_empty() {
        xml.open("ThreadTargets");
        for thread_target in &target.thread_targets {
            xml.open("ThreadTarget");
            xml.text("Thread", &thread_target.thread);
            if thread_target.weight > 0 {
                xml.text("Weight", &thread_target.weight);
            }
            xml.close("ThreadTarget");
        }
        xml.close("ThreadTargets");
    }
    xml.close("Target");
}

fn write_caching(target: &Target, xml: &mut XmlWriter) {
    match target.cache {
        Cache::Cached => {}
        Cache::NoLocalCache => xml.text("DisableLocalCache", &true),
        Cache::NoOsCache => xml.text("DisableOSCache", &true),
    }
    if target.write_through {
        xml.text("WriteThrough", &true);
    }
    if target.memory_mapped {
        xml.text("MemoryMappedIo", &true);
    }
    if let Some(flush) = target.flush {
        xml.text("FlushType", &flush_word(flush));
    }
}

fn write_buffers(target: &Target, xml: &mut XmlWriter) {
    xml.open("WriteBufferContent");
    if target.zero_buffers {
        xml.text("Pattern", &"zero");
    } else if target.source_size > 0 {
        xml.text("Pattern", &"random");
        xml.open("RandomDataSource");
        xml.text("SizeInBytes", &target.source_size);
        if let Some(path) = &target.source_path {
            xml.text("FilePath", &path.to_string_lossy());
        }
        xml.close("RandomDataSource");
    } else {
        xml.text("Pattern", &"sequential");
    }
    xml.close("WriteBufferContent");
}

fn write_pattern(target: &Target, xml: &mut XmlWriter) {
    let step = target.alignment();
    match target.pattern {
        Pattern::Sequential { interlocked, .. } => {
            xml.text("StrideSize", &step);
            xml.text("InterlockedSequential", &interlocked);
        }
        Pattern::Random { percent, .. } => {
            xml.text("Random", &step);
            if percent < 100 {
                xml.text("RandomRatio", &percent);
            }
            match &target.distribution {
                None => {}
                Some(Distribution::Percent(ranges)) => write_distribution("Percent", ranges, xml),
                Some(Distribution::Absolute(ranges)) => write_distribution("Absolute", ranges, xml),
            }
        }
    }
}

fn write_distribution(kind: &str, ranges: &[DistributionRange], xml: &mut XmlWriter) {
    xml.open("Distribution");
    xml.open(kind);
    for range in ranges {
        xml.text_with("Range", &[("IO", &range.io_percent)], &range.length);
    }
    xml.close(kind);
    xml.close("Distribution");
}

#[cfg(test)]
mod tests {
    use super::render;
    use crate::personality::diskspd::{
        profile::{Etw, Profile, Target},
        testing::{echoed_as_xml, profile, recorded, span, target},
    };

    #[test]
    fn every_recorded_profile_comes_out_byte_for_byte() {
        for (case, profile) in echoed_as_xml() {
            let ours = render(&profile);
            // The original loses -Zr.
            let ours = ours.replace("        <RandomWriteData>true</RandomWriteData>\n", "");
            let ours = ours.replace("      <RandomWriteData>true</RandomWriteData>\n", "");
            assert_eq!(ours, recorded(case, "stdout"), "{case}");
        }
    }

    #[test]
    fn text_is_escaped() {
        let profile = profile(vec![span(vec![target("a&b<c>.dat")])]);
        assert!(render(&profile).contains("<Path>a&amp;b&lt;c&gt;.dat</Path>"));
    }

    #[test]
    fn both_kinds_of_write_buffer_are_zero() {
        let target = Target {
            zero_buffers: true,
            source_size: 1 << 20,
            ..target("x.dat")
        };
        let profile = Profile {
            etw: Some(Etw::default()),
            ..profile(vec![span(vec![target])])
        };
        let text = render(&profile);
        assert!(text.contains("<Pattern>zero</Pattern>") && !text.contains("RandomDataSource"));
    }
}
