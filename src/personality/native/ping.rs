//! `iogauge ping`: its options as values.

use std::time::Duration;

use super::{commands::ping::PingArgs, line::Typed};
use crate::{
    plan::{Caching, Ping},
    units::size,
};

/// Shorter rests make a load of it.
const INTERVAL_MIN: Duration = Duration::from_millis(1);

/// Bytes of a read: what devices can, to what is still small.
const SIZE: (u64, u64) = (512, 16 << 20);

/// What a decimal size comes to, for people who thought in the other one.
pub fn echo(args: &PingArgs) -> Option<String> {
    let text = args.size.as_deref()?;
    size::echo(text, size::parse(text, 0, size::SIZE_MAX).ok()?)
}

/// What the line asks for. `seed` is another one in each run.
///
/// # Errors
/// A sentence with the option as typed, its value and what would be right.
pub fn asked(args: &PingArgs, seed: u64) -> Result<Ping, String> {
    let count = Typed::new("--count", args.count.as_ref());
    let interval = Typed::new("--interval", args.interval.as_ref());
    let size = Typed::new("--size", args.size.as_ref());
    Ok(Ping {
        path: args.path.clone(),
        size: size.map_or(Ok(4096), bytes)?,
        count: count.map(|typed| typed.number(1, u64::MAX)).transpose()?,
        interval: interval.map_or(Ok(Duration::from_secs(1)), |typed| typed.time(INTERVAL_MIN))?,
        caching: if args.buffered {
            Caching::Buffered
        } else {
            Caching::Direct
        },
        seed,
    })
}

fn bytes(typed: Typed<'_>) -> Result<u32, String> {
    let (least, most) = SIZE;
    if let Some(sentence) = typed.doubtful() {
        return Err(sentence);
    }
    let bytes = typed.size(least, &mut Vec::new());
    let bytes = bytes.ok().filter(|bytes| *bytes <= most);
    bytes
        .and_then(|bytes| u32::try_from(bytes).ok())
        .ok_or_else(|| typed.wrong("a size from 512 to 16M, as in 4k"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::number::STRANGE;

    fn args() -> PingArgs {
        PingArgs {
            path: "x".into(),
            ..PingArgs::default()
        }
    }

    #[test]
    fn a_bare_line_reads_4_kib_a_second_past_the_cache() {
        assert_eq!(
            asked(&args(), 5),
            Ok(Ping {
                path: "x".into(),
                size: 4096,
                count: None,
                interval: Duration::from_secs(1),
                caching: Caching::Direct,
                seed: 5,
            })
        );
        let typed = PingArgs {
            count: Some("3".into()),
            interval: Some("250ms".into()),
            size: Some("64k".into()),
            buffered: true,
            ..args()
        };
        let ping = asked(&typed, 5).unwrap();
        assert_eq!((ping.count, ping.size), (Some(3), 65536));
        assert_eq!(ping.interval, Duration::from_millis(250));
        assert_eq!(ping.caching, Caching::Buffered);
    }

    #[test]
    fn numbers_that_mean_nothing_are_refused_by_name() {
        for value in STRANGE.iter().chain(&["0"]) {
            let value = Some((*value).to_owned());
            let told = |args: PingArgs| asked(&args, 5).unwrap_err();
            let count = told(PingArgs {
                count: value.clone(),
                ..args()
            });
            assert!(
                count.contains("--count") && count.contains("from 1 to"),
                "{count}"
            );
            let interval = told(PingArgs {
                interval: value.clone(),
                ..args()
            });
            assert!(interval.contains("--interval") && interval.contains("from 1ms"));
            let size = told(PingArgs {
                size: value,
                ..args()
            });
            assert!(
                size.contains("--size") && size.contains("from 512 to 16M"),
                "{size}"
            );
        }
        for size in ["511", "16777217", "17M"] {
            let typed = PingArgs {
                size: Some(size.into()),
                ..args()
            };
            assert!(asked(&typed, 5).unwrap_err().contains(size));
        }
    }
}
