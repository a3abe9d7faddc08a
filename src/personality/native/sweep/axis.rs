//! What a sweep varies, and over which values: `qd=1..64`, `bs=4k,64k`, `region=64M..max`.

use crate::{
    personality::native::line::{DEPTH_MAX, RATE_MAX, THREADS_MAX, Typed, block},
    units::{
        ByteSize, number, size,
        words::{grouped, plural},
    },
};

/// Values of an axis at most.
const VALUES_MAX: usize = 64;

/// An axis of a sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Axis {
    /// What is varied.
    pub(super) what: Varied,
    /// Its values, ascending; two at least.
    pub(super) values: Vec<u64>,
}

/// What is varied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Varied {
    /// I/Os in flight of each thread.
    Depth,
    /// Threads of each target.
    Threads,
    /// Bytes of an I/O.
    Block,
    /// Bytes that are used of the target.
    Region,
    /// I/Os that arrive a second.
    Rate {
        /// At distances of chance.
        poisson: bool,
    },
}

/// All of them, by their names.
const NAMES: [(&str, Varied); 5] = [
    ("qd", Varied::Depth),
    ("threads", Varied::Threads),
    ("bs", Varied::Block),
    ("region", Varied::Region),
    ("rate", Varied::Rate { poisson: false }),
];

impl Varied {
    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Depth => "qd",
            Self::Threads => "threads",
            Self::Block => "bs",
            Self::Region => "region",
            Self::Rate { .. } => "rate",
        }
    }

    /// The options of a load that would say the same.
    pub(super) fn options(self) -> &'static [&'static str] {
        match self {
            Self::Depth => &["--qd", "--iodepth"],
            Self::Threads => &["--threads", "--numjobs"],
            Self::Block => &["--bs", "--bssplit"],
            Self::Region => &["--region"],
            Self::Rate { .. } => &["--rate", "--cap", "--rate_iops", "--think", "--thinktime"],
        }
    }

    /// A value in a table or a sentence.
    pub(super) fn words(self, value: u64) -> String {
        match self {
            Self::Depth => format!("depth {}", grouped(value)),
            Self::Threads => plural(value, "thread"),
            Self::Block | Self::Region => exact(value),
            Self::Rate { .. } => format!("{} a second", grouped(value)),
        }
    }

    /// A value as the line that is to be typed has it.
    pub(super) fn typed(self, value: u64) -> String {
        match self {
            Self::Depth | Self::Threads => value.to_string(),
            Self::Block | Self::Region if ByteSize(value).is_whole() => ByteSize(value).to_string(),
            Self::Block | Self::Region => value.to_string(),
            Self::Rate { poisson: true } => format!("{value},poisson"),
            Self::Rate { poisson: false } => value.to_string(),
        }
    }

    /// The value that was typed so.
    pub(super) fn read_typed(self, text: &str) -> Option<u64> {
        match self {
            Self::Depth | Self::Threads => text.parse().ok(),
            Self::Block | Self::Region => {
                let size = size::parse(text, 1, size::SIZE_MAX).ok()?;
                Some(size.bytes)
            }
            Self::Rate { poisson: true } => text.strip_suffix(",poisson")?.parse().ok(),
            Self::Rate { poisson: false } => text.parse().ok(),
        }
    }

    /// Whether loads between the values mean something.
    pub(super) fn is_fine(self) -> bool {
        !matches!(self, Self::Block | Self::Region)
    }

    /// What is right, as the end of a sentence.
    fn right(self) -> String {
        let (name, range, example) = match self {
            Self::Depth => ("qd", format!("1 to {DEPTH_MAX}"), "qd=1,2,4 or qd=1..64"),
            Self::Threads => (
                "threads",
                format!("1 to {THREADS_MAX}"),
                "threads=1,2,4 or threads=1..16",
            ),
            Self::Block => ("bs", "1 to 1G".to_owned(), "bs=4k,64k or bs=4k..1M"),
            Self::Region => (
                "region",
                "1 byte on".to_owned(),
                "region=64M,1G or region=64M..max",
            ),
            Self::Rate { .. } => (
                "rate",
                format!("1 to {RATE_MAX} a second"),
                "rate=1000..16000 or rate=1000..16000,poisson",
            ),
        };
        format!("{name} with 2 to {VALUES_MAX} values from {range}, as in {example}")
    }

    /// One value.
    fn value(self, typed: Typed<'_>, text: &str, max: Option<u64>) -> Result<u64, String> {
        let wrong = || typed.wrong(&self.right());
        match self {
            Self::Depth => number::within(text, 1, DEPTH_MAX.into()).map_err(|_| wrong()),
            Self::Threads => number::within(text, 1, THREADS_MAX.into()).map_err(|_| wrong()),
            Self::Rate { .. } => number::within(text, 1, RATE_MAX).map_err(|_| wrong()),
            // A size that may be read in two ways has words of its own.
            Self::Block => block(typed, text).map_err(|problem| {
                if size::parse(text, 1, size::SIZE_MAX).is_ok_and(|size| size.bytes <= 1 << 30) {
                    problem
                } else {
                    wrong()
                }
            }),
            Self::Region if text == "max" => max.ok_or_else(wrong),
            Self::Region => size::parse(text, 1, size::SIZE_MAX)
                .map(|size| size.bytes)
                .map_err(|_| wrong()),
        }
    }
}

/// A size that is no whole number of its unit is told in bytes: rounded it would be another.
fn exact(bytes: u64) -> String {
    if ByteSize(bytes).is_whole() {
        ByteSize(bytes).words()
    } else {
        plural(bytes, "byte")
    }
}

impl Axis {
    /// Reads `qd=1..64`; `max` is the most that can be used of the target.
    ///
    /// # Errors
    /// A sentence with the option as typed and what would be right.
    pub(super) fn read(
        typed: Typed<'_>,
        max: &dyn Fn() -> Result<u64, String>,
    ) -> Result<Self, String> {
        let unknown = || {
            typed.wrong(
                "qd, threads, bs, region or rate and its values, as in qd=1..64 or bs=4k,64k",
            )
        };
        let (name, values) = typed.value.split_once('=').ok_or_else(unknown)?;
        let named = NAMES.iter().find(|(known, _)| *known == name);
        let (_, mut what) = *named.ok_or_else(unknown)?;
        let mut items: Vec<&str> = values.split(',').collect();
        if let Varied::Rate { poisson } = &mut what
            && items.len() > 1
            && items.last() == Some(&"poisson")
        {
            *poisson = true;
            items.pop();
        }
        let needs_max = what == Varied::Region && items.iter().any(|item| item.ends_with("max"));
        let max = if needs_max { Some(max()?) } else { None };
        let mut values = Vec::new();
        for item in items {
            match item.split_once("..") {
                None => values.push(what.value(typed, item, max)?),
                Some((from, to)) => {
                    let (from, to) = (what.value(typed, from, None)?, what.value(typed, to, max)?);
                    if from > to && item.ends_with("max") {
                        return Err(format!(
                            "{}='{}': the target has {} to use, less than the begin of the range",
                            typed.name,
                            typed.value.escape_debug(),
                            exact(to)
                        ));
                    }
                    values.extend(doubled(from, to).ok_or_else(|| typed.wrong(&what.right()))?);
                }
            }
        }
        values.sort_unstable();
        values.dedup();
        if !(2..=VALUES_MAX).contains(&values.len()) {
            return Err(typed.wrong(&what.right()));
        }
        Ok(Self { what, values })
    }

    /// `depth 1 to 64`, `1 to 16 threads`: what is varied, for a heading.
    pub(super) fn range(&self) -> String {
        let (Some(first), Some(last)) = (self.values.first(), self.values.last()) else {
            return String::new();
        };
        let [from, to] = [first, last].map(|value| match self.what {
            Varied::Block | Varied::Region => exact(*value),
            _ => grouped(*value),
        });
        match self.what {
            Varied::Depth => format!("depth {from} to {to}"),
            Varied::Threads => format!("{from} to {to} threads"),
            Varied::Block => format!("blocks of {from} to {to}"),
            Varied::Region => format!("regions of {from} to {to}"),
            Varied::Rate { poisson: false } => format!("{from} to {to} due a second"),
            Varied::Rate { poisson: true } => {
                format!("{from} to {to} due a second at distances of chance")
            }
        }
    }
}

/// Each twice the one before, both ends included; `None` if the end is before the beginning.
fn doubled(from: u64, to: u64) -> Option<Vec<u64>> {
    let next = |value: &u64| value.checked_mul(2).filter(|next| *next < to);
    let mut values: Vec<u64> = std::iter::successors(Some(from), next).collect();
    values.push(to);
    (from <= to && from > 0).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::{Axis, Varied};
    use crate::{personality::native::line::Typed, units::number::STRANGE};

    fn axis(value: &str) -> Result<Axis, String> {
        let typed = Typed {
            name: "--vary",
            value,
        };
        Axis::read(typed, &|| Ok(1 << 30))
    }

    #[test]
    fn values_are_lists_and_doublings() {
        const POISSON: Varied = Varied::Rate { poisson: true };
        const EVEN: Varied = Varied::Rate { poisson: false };
        for (text, what, values) in [
            ("qd=1,2,4", Varied::Depth, &[1, 2, 4][..]),
            ("qd=1..64", Varied::Depth, &[1, 2, 4, 8, 16, 32, 64]),
            ("qd=3..10", Varied::Depth, &[3, 6, 10]),
            ("qd=8,1..4,4", Varied::Depth, &[1, 2, 4, 8]),
            ("qd=1..32768", Varied::Depth, &{
                let mut all = [0; 16];
                for (power, value) in all.iter_mut().enumerate() {
                    *value = 1 << power;
                }
                all
            }),
            ("threads=1..3", Varied::Threads, &[1, 2, 3]),
            ("bs=4k,64KiB", Varied::Block, &[4096, 65536]),
            ("bs=512..2k", Varied::Block, &[512, 1024, 2048]),
            (
                "region=256M..max",
                Varied::Region,
                &[256 << 20, 512 << 20, 1 << 30],
            ),
            ("region=1M,max", Varied::Region, &[1 << 20, 1 << 30]),
            ("rate=1000..3000", EVEN, &[1000, 2000, 3000]),
            ("rate=1000..3000,poisson", POISSON, &[1000, 2000, 3000]),
        ] {
            let found = axis(text).expect(text);
            assert_eq!((found.what, found.values.as_slice()), (what, values));
        }
    }

    #[test]
    fn anything_else_is_told_with_its_value_and_range() {
        let ranges = [
            ("qd", "1 to 32768"),
            ("threads", "1 to 65536"),
            ("bs", "1 to 1G"),
            ("region", "1 byte on"),
            ("rate", "1 to 1000000000 a second"),
        ];
        for (name, range) in ranges {
            for strange in STRANGE {
                for text in [
                    format!("{name}={strange}"),
                    format!("{name}=1,{strange}"),
                    format!("{name}=1..{strange}"),
                    format!("{name}={strange}..8"),
                ] {
                    let problem = axis(&text).expect_err(&text);
                    let shown = text.escape_debug().to_string();
                    assert!(problem.contains(&format!("'{shown}'")), "{problem}");
                    assert!(problem.contains(range), "{problem}");
                }
            }
        }
        for text in [
            "",
            "qd",
            "qd=",
            "qd=1",
            "qd=0,1",
            "qd=4..1",
            "qd=1..32769",
            "qd=1...4",
            "qd=1..",
            "qd=..4",
            "qd=max",
            "qd=1..4..8",
            "QD=1..4",
            " qd=1..4",
            "depth=1..4",
            "threads=65535..65537",
            "bs=1..2G",
            "rate=poisson",
            "rate=1,2,poisson,4",
            "rate=1..1000000001",
            "region=max",
            "region=max..1k",
            "region=2G..max",
        ] {
            let problem = axis(text).expect_err(text);
            assert!(problem.contains(&format!("'{text}'")), "{problem}");
        }
        let many: Vec<String> = (1..=65).map(|value| value.to_string()).collect();
        assert!(axis(&format!("qd={}", many.join(","))).is_err());
        // 4 kB may be 4,000 or 4,096 bytes: asked, as elsewhere.
        let problem = axis("bs=4kB,8k").expect_err("two readings");
        assert!(problem.contains("4000 or 4096"), "{problem}");
    }
}
