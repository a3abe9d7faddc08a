//! A line in words: one line per argument as typed, then what holds between them.

use std::ffi::{OsStr, OsString};

use super::{
    flags,
    line::{
        self, DEFAULT_FACTOR, Parsed,
        options::Draft,
        words::{Typed, Word, classify},
    },
    load::{Binding, Buffering, CpuTable, Load, Pattern, Timer},
    parameters, targets,
};
use crate::{
    personality::{
        Environment, Explained,
        flags::{Flag, Support},
        places::Nowhere,
    },
    plan::Assembly,
    units::{ByteSize, names::shown},
};

/// One entry per argument; entries without an argument say what holds for the whole line.
pub(super) fn explain(args: &[OsString], around: &Environment) -> Vec<Explained> {
    let words: Vec<Result<Word, String>> = args
        .iter()
        .enumerate()
        .map(|(index, arg)| classify(index, arg, around))
        .collect();
    let whole = whole(&words);
    let mut wrong = false;
    let mut explained = Vec::new();
    for (arg, word) in args.iter().zip(&words) {
        let said = match word {
            Err(message) => Err(message.clone()),
            Ok(Word::Name) => Ok(name(arg, &whole, around)),
            Ok(Word::Option(typed) | Word::DashedOption(typed)) => {
                option(typed, &words, &whole, around)
            }
        };
        wrong |= said.is_err();
        explained.push(Explained {
            argument: shown(arg),
            meaning: said.unwrap_or_else(|message| format!("refused: {message}")),
        });
    }
    if !wrong {
        explained.extend(whole_line(args, &whole, around));
    }
    explained
}

/// What all options come to, wrong ones left out.
fn whole(words: &[Result<Word, String>]) -> Draft {
    let mut draft = Draft::default();
    for word in words {
        if let Ok(Word::Option(typed) | Word::DashedOption(typed)) = word
            && let Some(flag) = flags::find(&typed.body)
        {
            let _ = draft.apply(flag.name, typed.value(flag));
        }
    }
    draft
}

/// An option's meaning, or why it is refused.
fn option(
    typed: &Typed,
    words: &[Result<Word, String>],
    whole: &Draft,
    around: &Environment,
) -> Result<String, String> {
    let flag = flags::find(&typed.body)
        .ok_or_else(|| "there is no such option; sqlio -? lists them".to_owned())?;
    // Alone it gives this argument's own value, whatever a later one says.
    let mut alone = Draft::default();
    alone.apply(flag.name, typed.value(flag))?;
    let mut text = meaning(flag, &alone, whole, around);
    if let Some(remark) = alone.remark {
        text = format!("{text}; {remark}");
    }
    if flag.support == Support::WithoutEffect {
        text = format!("{text}; no effect here: {}", flag.mapping);
    }
    let ignored = matches!(flag.name, "-t" | "-d" | "-R" | "-p" | "-a");
    if ignored && whole.parameter_file.is_some() {
        text = format!("ignored beside -F: {text}");
    }
    if let Some(later) = replaced_by(typed, flag, words) {
        text = format!("{text}; replaced by {later} behind it");
    }
    Ok(text)
}

/// The same option further on: the last one wins.
fn replaced_by<'a>(
    typed: &Typed,
    flag: &Flag,
    words: &'a [Result<Word, String>],
) -> Option<&'a str> {
    let binds = |name: &str| matches!(name, "-a" | "-p");
    words.iter().rev().find_map(|word| match word {
        Ok(Word::Option(later) | Word::DashedOption(later)) if later.index > typed.index => {
            let other = flags::find(&later.body)?;
            let same = other.name == flag.name || (binds(other.name) && binds(flag.name));
            (same && flag.support == Support::Supported).then_some(later.shown.as_str())
        }
        _ => None,
    })
}

/// What an option that is right means on this line. `alone` holds its value.
fn meaning(flag: &Flag, alone: &Draft, whole: &Draft, around: &Environment) -> String {
    load(alone, whole)
        .or_else(|| access(alone))
        .or_else(|| place(alone, around))
        .unwrap_or_else(|| flag.meaning.to_owned())
}

/// How much.
fn load(alone: &Draft, whole: &Draft) -> Option<String> {
    if let Some(write) = alone.write {
        return Some(if write { "writes" } else { "reads" }.to_owned());
    }
    if let Some(threads) = alone.threads {
        return Some(match threads {
            1 => "1 thread".to_owned(),
            more => format!("{more} threads, each of which works on every file"),
        });
    }
    if let Some(seconds) = alone.seconds {
        return Some(format!(
            "the load lasts {seconds} s; what is in flight then is waited for and counted"
        ));
    }
    if let Some(depth) = alone.depth {
        return Some(match depth {
            0 => "one I/O at a time of each thread, its files in turn".to_owned(),
            depth => format!("{depth} I/Os outstanding of each thread on each file"),
        });
    }
    if let Some(kib) = alone.block_kib {
        return Some(format!("each I/O is {}", size(u64::from(kib) << 10)));
    }
    if let Some(rows) = alone.rows {
        let striped = matches!(whole.pattern, None | Some(Pattern::Striped(_)));
        return Some(if striped {
            format!("a run is {rows} I/Os, then the next one begins a block further on")
        } else {
            format!("{rows} I/Os of a run, which mean nothing without stripes (-f<factor>)")
        });
    }
    if let Some(start) = alone.start {
        let block = u64::from(whole.block_kib.unwrap_or(2)) << 10;
        let bytes = start.saturating_mul(block);
        return Some(format!(
            "begins {start} blocks into each file, at byte {bytes}"
        ));
    }
    alone.pattern.map(|order| pattern(order, whole))
}

fn pattern(pattern: Pattern, whole: &Draft) -> String {
    let block = u64::from(whole.block_kib.unwrap_or(2)) << 10;
    match pattern {
        Pattern::Random => format!(
            "random order: each I/O is drawn among all blocks of {}",
            size(block)
        ),
        Pattern::Sequential => {
            "sequential order: all threads take the next block of a file from one cursor".to_owned()
        }
        Pattern::Striped(1) => "sequential order within the -i blocks of the file".to_owned(),
        Pattern::Striped(factor) => format!(
            "striped order: each I/O is {factor} blocks ({}) behind the one before; a file needs \
             {}",
            size(factor.saturating_mul(block)),
            size(
                whole
                    .rows
                    .unwrap_or(64)
                    .saturating_mul(factor)
                    .saturating_add(whole.start.unwrap_or(0))
                    .saturating_mul(block)
            )
        ),
    }
}

/// How it reaches the device, and what is told of it.
fn access(alone: &Draft) -> Option<String> {
    if let Some(buffering) = alone.buffering {
        return Some(
            match buffering {
                Buffering::Nothing => "past all caches (O_DIRECT and O_DSYNC)",
                Buffering::Everything => "through all caches: file cache and disk cache",
                Buffering::Disk => "past the file cache (O_DIRECT); the disk's own cache may help",
                Buffering::File => {
                    "through the file cache; a write is done when it is durable (O_DSYNC)"
                }
            }
            .to_owned(),
        );
    }
    if let Some(timing) = alone.timing {
        let timer = match timing.timer {
            Timer::System => "system",
            Timer::Processor => "processor",
        };
        let more = if timing.initiation {
            ", and how long initiating each I/O took"
        } else {
            ""
        };
        return Some(format!(
            "reports latencies by the timer of the {timer}{more} (here both are one clock)"
        ));
    }
    if let Some(table) = alone.cpu_table {
        return Some(match table {
            CpuTable::Together => "reports CPU use of all CPUs together".to_owned(),
            CpuTable::Each => "reports CPU use of all CPUs together and of each".to_owned(),
        });
    }
    if let Some(assembly) = alone.assembly {
        return Some(match assembly {
            Assembly::Copied { pieces } => {
                format!("each I/O is copied to or from {pieces} pieces as part of it")
            }
            Assembly::Scattered { pieces } => {
                format!("each I/O is scattered or gathered over {pieces} pages by the system")
            }
            Assembly::Whole => "each I/O is in one piece".to_owned(),
        });
    }
    alone
        .again
        .then(|| "the first run of each thread again and again".to_owned())
}

/// Where.
fn place(alone: &Draft, around: &Environment) -> Option<String> {
    if let Some(letters) = &alone.drives {
        let drives: Vec<String> = letters.iter().map(|letter| format!("{letter}:")).collect();
        let joined = drives.join(" and on ");
        return Some(format!("the file name is looked for on {joined}"));
    }
    if let Some(raw) = &alone.raw {
        let raw: Vec<String> = raw
            .iter()
            .map(|name| resolved(OsStr::new(name), around))
            .collect();
        return Some(format!("raw targets: {}", raw.join(", ")));
    }
    if let Some(binding) = alone.binding {
        return Some(bound(binding, &around.machine.usable));
    }
    let file = alone.parameter_file.as_ref()?;
    Some(match parameters::read(file, around) {
        Ok(read) => {
            let lines: Vec<String> = read
                .lines
                .iter()
                .map(|line| match line.threads {
                    1 => format!("{} by 1 thread", line.name),
                    more => format!("{} by {more} threads", line.name),
                })
                .collect();
            format!("parameter file: {}", lines.join(", "))
        }
        Err(problem) => format!("parameter file, which cannot be used: {problem}"),
    })
}

/// What a binding comes to on the CPUs that may be used, as the plan has it.
fn bound(binding: Binding, usable: &[u32]) -> String {
    let list = |cpus: &[u32]| {
        let cpus: Vec<String> = cpus.iter().map(u32::to_string).collect();
        cpus.join(", ")
    };
    let (here, missing) = binding.sorted(usable);
    let text = match (&here[..], binding.dealt, binding.ideal) {
        _ if binding.mask == 0 => return "threads are not bound to CPUs".to_owned(),
        (_, _, true) => {
            let all: Vec<u32> = binding.cpus().collect();
            return format!("a wish for CPU {}, which binds nothing", list(&all));
        }
        ([], _, _) => {
            let missing = list(&missing);
            return format!("CPU {missing}, none of which this process may use");
        }
        (_, true, _) => format!("threads are dealt to CPU {} one by one", list(&here)),
        ([one], _, _) => format!("all threads on CPU {one}"),
        _ if here.len() == usable.len() => format!(
            "threads may run on CPU {}, which are all that there are: none is bound",
            list(&here)
        ),
        _ => format!("threads are bound to CPU {}, one each in turn", list(&here)),
    };
    if missing.is_empty() {
        return text;
    }
    let missing = list(&missing);
    format!("{text}; CPU {missing} left out, as this process may not use it")
}

fn name(arg: &OsStr, whole: &Draft, around: &Environment) -> String {
    if whole.parameter_file.is_some() {
        return "ignored: the parameter file names the files".to_owned();
    }
    if let Some(letters) = &whole.drives {
        let on_drive = |letter: &char| {
            let mut path = OsString::from(format!("{letter}:"));
            path.push(arg);
            resolved(&path, around)
        };
        let places: Vec<String> = letters.iter().map(on_drive).collect();
        return format!("file name, on each drive: {}", places.join(", "));
    }
    format!("target: {}", resolved(arg, around))
}

/// A name and where it is here.
fn resolved(name: &OsStr, around: &Environment) -> String {
    match targets::resolve(name, around) {
        Ok(place) if place.path.as_os_str() == name => shown(name),
        Ok(place) => format!("{}, here {}", shown(name), shown(place.path.as_os_str())),
        Err(nowhere @ Nowhere::Drive(_)) => nowhere.for_a_run(name),
        Err(Nowhere::Because(sentence)) => sentence,
    }
}

/// `8 KiB`, `512 bytes`.
fn size(bytes: u64) -> String {
    let text = ByteSize(bytes).to_string();
    match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(unit) => format!("{} {}", &text[..unit], &text[unit..]),
        None => format!("{text} bytes"),
    }
}

fn whole_line(args: &[OsString], whole: &Draft, around: &Environment) -> Vec<Explained> {
    let lines = match line::parse(args, around) {
        Ok(Parsed::Help) => Vec::new(),
        Ok(Parsed::Load(line)) => defaults(&line.load, whole).into_iter().collect(),
        Err(refused) => refused
            .messages
            .iter()
            .map(|line| format!("refused: {}", line.trim_start_matches("sqlio: ")))
            .collect(),
    };
    let entry = |meaning: String| Explained {
        argument: String::new(),
        meaning,
    };
    lines.into_iter().map(entry).collect()
}

/// What the line leaves to the original's defaults.
fn defaults(load: &Load, whole: &Draft) -> Option<String> {
    let mut words = Vec::new();
    if whole.pattern.is_none() {
        words.push(format!(
            "without -f each I/O is {DEFAULT_FACTOR} blocks ({}) behind the one before, {} of them \
             a run",
            size(DEFAULT_FACTOR.saturating_mul(load.block())),
            load.rows
        ));
    }
    if whole.block_kib.is_none() {
        words.push(format!("without -b each I/O is {}", size(load.block())));
    }
    if whole.seconds.is_none() {
        words.push(format!("without -s the load lasts {} s", load.seconds));
    }
    if whole.buffering.is_none() {
        words.push("without -B nothing is cached (O_DIRECT and O_DSYNC)".to_owned());
    }
    (!words.is_empty()).then(|| words.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::sqlio::testing::{args, around};

    fn said(line: &str) -> Vec<(String, String)> {
        explain(&args(line), &around())
            .into_iter()
            .map(|entry| (entry.argument, entry.meaning))
            .collect()
    }

    #[test]
    fn the_line_of_the_tutorial_is_told_option_by_option() {
        let said = said("-LS -kR -b64 -i64 -f64 -t1 -s300");
        let meanings: Vec<&str> = said.iter().map(|(_, meaning)| meaning.as_str()).collect();
        assert_eq!(
            meanings[..7],
            [
                "reports latencies by the timer of the system (here both are one clock)",
                "reads",
                "each I/O is 64 KiB",
                "a run is 64 I/Os, then the next one begins a block further on",
                "striped order: each I/O is 64 blocks (4 MiB) behind the one before; a file needs \
                 256 MiB",
                "1 thread",
                "the load lasts 300 s; what is in flight then is waited for and counted",
            ]
        );
        assert_eq!(said[0].0, "-LS");
        let rest = "without -B nothing is cached (O_DIRECT and O_DSYNC)";
        assert_eq!(meanings[7..], [rest]);
    }

    #[test]
    fn a_mask_is_told_as_it_comes_to_be_on_this_machine() {
        let binding = |mask, dealt| Binding {
            mask,
            dealt,
            ideal: false,
        };
        for (mask, dealt, usable, expected) in [
            (
                0xf,
                false,
                &[0, 1][..],
                "threads may run on CPU 0, 1, which are all that there are: none is bound; CPU 2, 3 \
                 left out, as this process may not use it",
            ),
            (
                0x3,
                false,
                &[0, 1, 2],
                "threads are bound to CPU 0, 1, one each in turn",
            ),
            (0x2, false, &[0, 1], "all threads on CPU 1"),
            (
                0x3,
                true,
                &[0, 1],
                "threads are dealt to CPU 0, 1 one by one",
            ),
            (
                0x4,
                false,
                &[0, 1],
                "CPU 2, none of which this process may use",
            ),
            (0, false, &[0, 1], "threads are not bound to CPUs"),
        ] {
            assert_eq!(bound(binding(mask, dealt), usable), expected);
        }
    }

    #[test]
    fn what_is_wrong_or_without_effect_is_said_in_its_line() {
        assert!(
            said("-c4")[0]
                .1
                .starts_with("refused: there is no such option")
        );
        assert!(
            said("-t0")[0]
                .1
                .starts_with("refused: the number of threads")
        );
        assert!(said("-D50")[0].1.contains("explain --offsets"));
        assert!(said("-o4 -o8")[0].1.ends_with("replaced by -o8 behind it"));
        assert!(
            said("-f4 -t8")
                .last()
                .unwrap()
                .1
                .starts_with("refused: -f4 -t8")
        );
        let drives = said(r"-dC x.dat");
        assert!(drives[1].1.contains("IOGAUGE_DRIVES=C=."), "{drives:?}");
        let ignored = said("-t8 -Fparam.txt timeout");
        assert!(ignored[0].1.starts_with("ignored"), "{ignored:?}");
        assert!(ignored[2].1.starts_with("ignored"), "{ignored:?}");
        assert!(said("\u{2013}BN")[0].1.starts_with("past all caches"));
    }
}
