//! How the simulated device behaves, and the words for it.

use std::{fmt, str::FromStr};

use crate::Errno;

/// How long a device works on one I/O, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Service {
    /// Always the same.
    Fixed(u64),
    /// Any from the first to the second, alike.
    Uniform(u64, u64),
    /// Exponential with this mean.
    Exponential(u64),
}

/// In which order what is due is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Order {
    /// As it completes.
    #[default]
    Time,
    /// As it was submitted: nothing completes before what was submitted earlier.
    Submission,
    /// What one `reap` gives is shuffled.
    Random,
}

/// How the simulated device behaves.
///
/// As text: parts separated by commas, each at most once, each optional, in any order; times take
/// `ns`, `us`, `ms` or `s`, sizes `B`, `KiB`, `MiB`, `GiB` or `TiB`.
///
/// | part | meaning | without it |
/// |---|---|---|
/// | `seed=N` | seeds every draw | 1 |
/// | `servers=N` | I/Os that the device works on at once; the others queue | 1 |
/// | `read=LAW` | service time of a read | `fixed:100us` |
/// | `write=LAW` | of a write | `fixed:100us` |
/// | `flush=LAW` | of a flush | `fixed:1ms` |
/// | `per_byte=TIME` | is added for each byte; decimals down to `0.001ns` | nothing |
/// | `submit=TIME` | virtual time that each submission takes | nothing |
/// | `error_every=N:ERRNO` | every Nth I/O fails (`EIO` or a number) | never |
/// | `short_every=N` | every Nth I/O transfers half of its bytes | never |
/// | `hang_after=N` | what comes after the first N I/Os never completes | never |
/// | `order=time`, `submission`, `random` | see [`Order`] | `time` |
/// | `stall=FROM..TO` | the device stands still between these times after its start | never |
/// | `size=SIZE` | reads end there, writes past it fail with ENOSPC | no end |
///
/// `LAW` is `fixed:TIME`, `uniform:TIME..TIME` or `exp:TIME` (the mean). `Display` writes all that
/// differs from the default, so that a law survives being written and read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Law {
    /// Seeds every draw.
    pub seed: u64,
    /// I/Os that the device works on at once.
    pub servers: u32,
    /// Of a read.
    pub read: Service,
    /// Of a write.
    pub write: Service,
    /// Of a flush.
    pub flush: Service,
    /// Picoseconds for each byte.
    pub per_byte_ps: u64,
    /// Nanoseconds that a submission takes.
    pub submit_ns: u64,
    /// Every how manieth I/O fails, and how.
    pub error_every: Option<(u64, Errno)>,
    /// Every how manieth I/O is short.
    pub short_every: Option<u64>,
    /// How many I/Os complete; later ones hang.
    pub hang_after: Option<u64>,
    /// Order of completions.
    pub order: Order,
    /// From and to, nanoseconds after the start.
    pub stall: Option<(u64, u64)>,
    /// Bytes of each file.
    pub size: Option<u64>,
}

impl Default for Law {
    fn default() -> Self {
        Self {
            seed: 1,
            servers: 1,
            read: Service::Fixed(100_000),
            write: Service::Fixed(100_000),
            flush: Service::Fixed(1_000_000),
            per_byte_ps: 0,
            submit_ns: 0,
            error_every: None,
            short_every: None,
            hang_after: None,
            order: Order::Time,
            stall: None,
            size: None,
        }
    }
}

impl FromStr for Law {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut law = Self::default();
        let mut seen: Vec<&str> = Vec::new();
        for part in text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            let Some((key, value)) = part.split_once('=') else {
                return Err(format!("'{part}' in the device's law: KEY=VALUE is wanted"));
            };
            if seen.contains(&key) {
                return Err(format!("'{key}' is twice in the device's law"));
            }
            seen.push(key);
            law.set(key, value)
                .map_err(|why| format!("'{part}' in the device's law: {why}"))?;
        }
        Ok(law)
    }
}

impl Law {
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "seed" => self.seed = number(value)?,
            "servers" => {
                self.servers = u32::try_from(positive(value)?)
                    .ok()
                    .filter(|count| *count <= 1 << 16)
                    .ok_or("at most 65536 servers")?;
            }
            "read" => self.read = value.parse()?,
            "write" => self.write = value.parse()?,
            "flush" => self.flush = value.parse()?,
            "per_byte" => self.per_byte_ps = picoseconds(value)?,
            "submit" => self.submit_ns = nanoseconds(value)?,
            "error_every" => {
                let (every, errno) = value.split_once(':').unwrap_or((value, "EIO"));
                self.error_every = Some((positive(every)?, errno_named(errno)?));
            }
            "short_every" => self.short_every = Some(positive(value)?),
            "hang_after" => self.hang_after = Some(number(value)?),
            "order" => {
                self.order = match value {
                    "time" => Order::Time,
                    "submission" => Order::Submission,
                    "random" => Order::Random,
                    _ => return Err("time, submission or random is wanted".to_owned()),
                }
            }
            "stall" => self.stall = Some(span(value)?),
            "size" => self.size = Some(bytes(value)?),
            _ => {
                return Err(
                    "there is no such part; there are seed, servers, read, write, flush, per_byte, \
                     submit, error_every, short_every, hang_after, order, stall, size"
                        .to_owned(),
                );
            }
        }
        Ok(())
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = Self::default();
        let mut parts = vec![format!("seed={}", self.seed)];
        let mut add = |differs: bool, part: String| {
            if differs {
                parts.push(part);
            }
        };
        add(
            self.servers != plain.servers,
            format!("servers={}", self.servers),
        );
        add(self.read != plain.read, format!("read={}", self.read));
        add(self.write != plain.write, format!("write={}", self.write));
        add(self.flush != plain.flush, format!("flush={}", self.flush));
        add(
            self.per_byte_ps != 0,
            format!(
                "per_byte={}.{:03}ns",
                self.per_byte_ps / 1000,
                self.per_byte_ps % 1000
            ),
        );
        add(
            self.submit_ns != 0,
            format!("submit={}", Time(self.submit_ns)),
        );
        if let Some((every, errno)) = self.error_every {
            let name = errno.name().map_or(errno.0.to_string(), str::to_owned);
            add(true, format!("error_every={every}:{name}"));
        }
        if let Some(every) = self.short_every {
            add(true, format!("short_every={every}"));
        }
        if let Some(after) = self.hang_after {
            add(true, format!("hang_after={after}"));
        }
        match self.order {
            Order::Time => {}
            Order::Submission => add(true, "order=submission".to_owned()),
            Order::Random => add(true, "order=random".to_owned()),
        }
        if let Some((from, to)) = self.stall {
            add(true, format!("stall={}..{}", Time(from), Time(to)));
        }
        if let Some(size) = self.size {
            add(true, format!("size={}", Size(size)));
        }
        f.write_str(&parts.join(","))
    }
}

impl FromStr for Service {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            Some(("fixed", time)) => Ok(Self::Fixed(nanoseconds(time)?)),
            Some(("exp", time)) => Ok(Self::Exponential(nanoseconds(time)?)),
            Some(("uniform", range)) => span(range).map(|(from, to)| Self::Uniform(from, to)),
            _ => Err("fixed:TIME, uniform:TIME..TIME or exp:TIME is wanted".to_owned()),
        }
    }
}

impl fmt::Display for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Fixed(time) => write!(f, "fixed:{}", Time(time)),
            Self::Uniform(from, to) => write!(f, "uniform:{}..{}", Time(from), Time(to)),
            Self::Exponential(mean) => write!(f, "exp:{}", Time(mean)),
        }
    }
}

const TIME_UNITS: &[(&str, u64)] = &[
    ("ns", 1),
    ("us", 1000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
];
const SIZE_UNITS: &[(&str, u64)] = &[
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("B", 1),
];

/// Nanoseconds in the largest unit that holds them whole.
struct Time(u64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = TIME_UNITS
            .iter()
            .rev()
            .find(|(_, unit)| self.0 != 0 && self.0.is_multiple_of(*unit));
        let (name, unit) = whole.unwrap_or(&("ns", 1));
        write!(f, "{}{name}", self.0 / unit)
    }
}

/// Bytes in the largest unit that holds them whole.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = SIZE_UNITS
            .iter()
            .find(|(_, unit)| self.0 != 0 && self.0.is_multiple_of(*unit));
        let (name, unit) = whole.unwrap_or(&("B", 1));
        write!(f, "{}{name}", self.0 / unit)
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("'{text}' is not a whole number"))
}

fn positive(text: &str) -> Result<u64, String> {
    match number(text)? {
        0 => Err("it must be at least 1".to_owned()),
        count => Ok(count),
    }
}

fn nanoseconds(text: &str) -> Result<u64, String> {
    in_units(text, TIME_UNITS).ok_or_else(|| format!("'{text}' is not a time such as 100us"))
}

fn bytes(text: &str) -> Result<u64, String> {
    in_units(text, SIZE_UNITS).ok_or_else(|| format!("'{text}' is not a size such as 1GiB"))
}

/// A whole number with one of the units; the first that fits.
fn in_units(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (_, unit) = units
        .iter()
        .find(|(name, _)| text.get(digits.len()..) == Some(*name))?;
    digits.parse::<u64>().ok()?.checked_mul(*unit)
}

/// A time down to a thousandth of a nanosecond, in those.
fn picoseconds(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is not a time such as 0.3ns");
    let Some((whole, fraction)) = text.split_once('.') else {
        return nanoseconds(text)?.checked_mul(1000).ok_or_else(wrong);
    };
    let fraction = fraction.strip_suffix("ns").ok_or_else(wrong)?;
    if fraction.is_empty() || fraction.len() > 3 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong());
    }
    let whole: u64 = whole.parse().map_err(|_| wrong())?;
    let fraction: u64 = format!("{fraction:0<3}").parse().map_err(|_| wrong())?;
    whole
        .checked_mul(1000)
        .and_then(|whole| whole.checked_add(fraction))
        .ok_or_else(wrong)
}

/// Two times, the first not after the second.
fn span(text: &str) -> Result<(u64, u64), String> {
    let (from, to) = text
        .split_once("..")
        .ok_or_else(|| format!("'{text}' is not a span such as 50us..90us"))?;
    let (from, to) = (nanoseconds(from)?, nanoseconds(to)?);
    if from > to {
        return Err("the span ends before it begins".to_owned());
    }
    Ok((from, to))
}

fn errno_named(text: &str) -> Result<Errno, String> {
    Errno::named(text)
        .or_else(|| text.parse().ok().filter(|number| *number > 0).map(Errno))
        .ok_or_else(|| format!("'{text}' is not an error such as EIO"))
}

#[cfg(test)]
mod tests;
