//! The second pass over the options: everything that cannot stand beside an XML profile.

use super::{
    lists::{affinity, distribution, etw},
    reader::Reader,
};
use crate::personality::diskspd::{
    flags,
    planning::events::own_name,
    profile::{Etw, Events, Flush, Target, Throughput, TimeSpan},
};

/// Bytes of a file's name at most, on all file systems that matter.
const NAME_MAX: usize = 255;

/// The time span and target that a command line describes, while it is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    /// Options of the time span.
    pub(crate) span: TimeSpan,
    /// Options that every target of the line gets.
    pub(crate) target: Target,
    /// `-P`
    pub(crate) progress: u32,
    /// `-e`
    pub(crate) etw: Option<Etw>,
    /// `-y`
    pub(crate) events: Events,
    /// `-r` was given.
    pub(crate) random: bool,
    /// Its alignment.
    pub(crate) alignment: Option<u64>,
    /// `-rs`
    pub(crate) random_percent: Option<u32>,
    /// `-s`: given, its stride, interlocked.
    pub(crate) sequential: Option<(Option<u64>, bool)>,
    /// A cache mode was given.
    pub(crate) cache_given: bool,
    /// `-B` was given.
    pub(crate) base_given: bool,
    /// `-f` or the length of `-B` was given.
    pub(crate) end_given: bool,
}

impl Draft {
    /// Takes one option, given by its row's name and its text without the switch character.
    pub(crate) fn apply(
        &mut self,
        name: &str,
        body: &str,
        reader: &mut Reader,
    ) -> Result<(), String> {
        let value = &body[name.len() - 1..];
        match name {
            "-B" => self.base(value, reader),
            "-f" | "-fr" | "-fs" | "-ft" => self.end_or_hints(&body[1..], reader),
            "-h" => self.uncached_durable(value, reader),
            "-r" => self.random_aligned(value, reader),
            "-rs" => self.random_share(value, reader),
            "-s" | "-si" => self.sequential(name == "-si", value, reader),
            _ if name.starts_with("-S") => self.cache_modes(&body[1..]),
            _ if name.starts_with("-y") => self.event(name, value),
            _ => self
                .switch(name, value, reader)
                .or_else(|| self.number(name, value, reader))
                .unwrap_or_else(|| self.list(name, &body[1..], value, reader)),
        }
    }

    /// Options without a value.
    fn switch(
        &mut self,
        name: &str,
        value: &str,
        reader: &mut Reader,
    ) -> Option<Result<(), String>> {
        match name {
            "-l" => self.target.large_pages = true,
            "-L" => self.span.measure_latency = true,
            "-n" => self.span.disable_affinity = true,
            "-p" => self.target.parallel = true,
            "-x" => self.span.completion_routines = true,
            _ => return None,
        }
        Some(reader.nothing(value))
    }

    /// Options whose value is one integer.
    fn number(
        &mut self,
        name: &str,
        value: &str,
        reader: &mut Reader,
    ) -> Option<Result<(), String>> {
        let (span, target) = (&mut self.span, &mut self.target);
        let read = match name {
            "-F" => reader
                .within(value, "the number of threads", 1, i32::MAX)
                .map(|n| span.thread_count = n),
            "-i" => reader
                .within(value, "the I/Os of a burst", 1, i32::MAX)
                .map(|n| target.burst_size = Some(n)),
            "-I" => reader
                .within(value, "the priority", 1, 3)
                .map(|n| target.priority = n),
            "-j" => reader
                .within(value, "the pause in milliseconds", 1, i32::MAX)
                .map(|n| target.think_time = Some(n)),
            "-o" => reader
                .within(value, "the number of outstanding I/Os", 1, i32::MAX)
                .map(|n| target.request_count = n),
            "-O" => reader
                .within(value, "the number of outstanding I/Os", 1, i32::MAX)
                .map(|n| span.request_count = n),
            "-t" => reader
                .within(value, "the number of threads", 1, i32::MAX)
                .map(|n| target.threads = n),
            "-w" if value.is_empty() => {
                Err("the share of writes is missing: -w0 (reads only) to -w100".to_owned())
            }
            "-w" => reader
                .within(value, "the share of writes in percent", 0, 100)
                .map(|n| target.write_ratio = n),
            "-D" => interval(value, reader).map(|ms| {
                span.iops_stddev = true;
                span.interval_ms = ms;
            }),
            "-P" => progress(value, reader).map(|n| self.progress = n),
            _ => return None,
        };
        Some(read)
    }

    /// Options whose value has a grammar of its own.
    fn list(
        &mut self,
        name: &str,
        behind_letter: &str,
        value: &str,
        reader: &mut Reader,
    ) -> Result<(), String> {
        match name {
            "-a" | "-ag" => {
                self.span.affinity.extend(affinity(behind_letter)?);
                Ok(())
            }
            "-c" => {
                self.target.create_size = Some(reader.size(value, "the file size")?);
                Ok(())
            }
            "-e" => etw(value, self.etw.get_or_insert_default()),
            "-g" => self.limit(value, reader),
            "-N" => self.flush_mode(value),
            "-rd" => {
                self.target.distribution = Some(distribution(value, reader.block)?);
                Ok(())
            }
            "-T" => {
                self.target.thread_stride =
                    reader.size_above_zero(value, "the distance between threads")?;
                Ok(())
            }
            "-Z" => self.write_data(value, reader),
            "-Zr" if value.is_empty() => {
                self.span.random_write_data = true;
                Ok(())
            }
            "-Zr" => Err(format!("-Zr takes no value, but '{value}' follows it")),
            _ => Err("there is no such option; diskspd -? lists them".to_owned()),
        }
    }

    /// `-g`: what the number means is decided by the last character.
    fn limit(&mut self, value: &str, reader: &mut Reader) -> Result<(), String> {
        let iops = match value.as_bytes().last() {
            None => {
                return Err(
                    "the limit is missing: -g100 (bytes per millisecond) or -g100i (I/Os per second)"
                        .to_owned(),
                );
            }
            Some(b'i') => true,
            Some(last) if last.is_ascii_digit() => false,
            _ => {
                return Err(format!(
                    "the limit '{value}' must be a number, in bytes per millisecond, \
                     or with i behind it in I/Os per second"
                ));
            }
        };
        let number = if iops {
            &value[..value.len() - 1]
        } else {
            value
        };
        let limit = reader.within(number, "the limit", 1, i32::MAX)?;
        self.target.throughput = if iops {
            Throughput::Iops(limit)
        } else {
            Throughput::BytesPerMs(limit)
        };
        Ok(())
    }

    fn flush_mode(&mut self, value: &str) -> Result<(), String> {
        self.target.flush = Some(match value {
            "v" | "V" => Flush::View,
            "n" | "N" => Flush::NonVolatile,
            "i" | "I" => Flush::NonVolatileNoDrain,
            "" => return Err("the flush mode is missing: -Nv, -Nn or -Ni".to_owned()),
            _ => {
                return Err(format!("the flush mode must be v, n or i, not '{value}'"));
            }
        });
        Ok(())
    }

    fn write_data(&mut self, value: &str, reader: &Reader) -> Result<(), String> {
        if value.is_empty() {
            self.target.zero_buffers = true;
            return Ok(());
        }
        let (size, path) = match value.split_once(',') {
            Some((_, "")) => {
                return Err("the name of the file behind ',' is missing".to_owned());
            }
            Some((size, path)) => (size, Some(path.into())),
            None => (value, None),
        };
        self.target.source_size = reader.size_above_zero(size, "the size of the write buffer")?;
        self.target.source_path = path;
        Ok(())
    }

    fn event(&mut self, name: &str, value: &str) -> Result<(), String> {
        if value.is_empty() {
            return Err("the name of the event is missing".to_owned());
        }
        let own = own_name(value);
        if own.contains(['/', '\\', '\0']) || matches!(own, "" | "." | "..") || own.len() > NAME_MAX
        {
            return Err(format!(
                "the event '{value}' must be named like a file: at most {NAME_MAX} bytes, without \
                 / and \\"
            ));
        }
        let event = Some(value.to_owned());
        match name {
            "-ye" => self.events.signal_and_quit = event,
            "-yf" => self.events.finished = event,
            "-yp" => self.events.stop = event,
            "-yr" => self.events.ready = event,
            _ => self.events.started = event,
        }
        Ok(())
    }

    /// `-f`: a size if a digit follows, else hints.
    fn end_or_hints(&mut self, value: &str, reader: &mut Reader) -> Result<(), String> {
        if value.starts_with(|c: char| c.is_ascii_digit()) {
            return self.end(value, reader);
        }
        if value.is_empty() {
            return Err(
                "a size must follow (-f10G), or hints of access: the letters r, s and t".to_owned(),
            );
        }
        if let Some(letter) = value.chars().find(|c| !matches!(c, 'r' | 's' | 't')) {
            return Err(format!(
                "'{letter}' is no hint of access: r (random), s (sequential) or t (temporary)"
            ));
        }
        self.target.random_access |= value.contains('r');
        self.target.sequential_scan |= value.contains('s');
        if value.contains('t') {
            self.target.temporary = true;
            if let Some(flag) = flags::find("ft") {
                reader.is_idle(flag);
            }
        }
        Ok(())
    }
}

/// `-D`: a value that is not above 0 means a second.
fn interval(value: &str, reader: &mut Reader) -> Result<u32, String> {
    if value.is_empty() {
        return Ok(1000);
    }
    let ms = reader
        .int(value)
        .map_err(|_| outside("the interval in milliseconds", value))?;
    Ok(if ms > 0 { ms.unsigned_abs() } else { 1000 })
}

/// `-P`: a value that is not above 0 means 65536.
fn progress(value: &str, reader: &mut Reader) -> Result<u32, String> {
    if value.is_empty() {
        return Ok(65536);
    }
    let n = reader
        .int(value)
        .map_err(|_| outside("the number of I/Os for a dot", value))?;
    Ok(if n > 0 { n.unsigned_abs() } else { 65536 })
}

fn outside(what: &str, value: &str) -> String {
    format!(
        "{what} must be a whole number from 1 to {}, not '{value}'",
        i32::MAX
    )
}
