//! A line in words: one line per argument as typed, then what holds between them.

mod words;

use std::ffi::{OsStr, OsString};

use crate::personality::{
    Environment, Explained,
    diskspd::{
        flags,
        line::{
            Parsed,
            first::First,
            options::Draft,
            parse,
            paths::{self, Nowhere},
            reader::Reader,
            shown,
            words::{Typed, Word, classify},
        },
        planning::events,
    },
    flags::Support,
};
use words::{Context, meaning};

/// One entry per argument; entries without an argument say what holds for the whole line.
pub(super) fn explain(args: &[OsString], around: &Environment) -> Vec<Explained> {
    let words: Vec<Result<Word, String>> = args
        .iter()
        .enumerate()
        .map(|(index, arg)| classify(index, arg, around))
        .collect();
    let context = context(&words, around);
    let mut draft = Draft::default();
    let mut first = First::default();
    let mut behind_target = false;
    let mut wrong = false;
    let mut explained = Vec::new();
    for (arg, word) in args.iter().zip(&words) {
        let said = match word {
            Err(message) => Err(message.clone()),
            Ok(Word::Target) => {
                behind_target = true;
                Ok(target(arg, around))
            }
            Ok(Word::Option(typed) | Word::DashedOption(typed)) if typed.body == "?" => {
                Ok("prints help and does nothing else".to_owned())
            }
            Ok(Word::Option(_) | Word::DashedOption(_)) if behind_target => {
                Err("options stand before the targets".to_owned())
            }
            Ok(Word::Option(typed) | Word::DashedOption(typed)) => {
                option(typed, &words, &context, &mut first, &mut draft)
            }
        };
        wrong |= said.is_err();
        explained.push(Explained {
            argument: shown(arg),
            meaning: said.unwrap_or_else(|message| format!("refused: {message}")),
        });
    }
    // The passes would only repeat what was said of an argument.
    if !wrong && !args.is_empty() {
        for entry in whole_line(args, around) {
            attach(entry, &mut explained);
        }
    }
    explained
}

/// What all options together come to, wrong ones left out.
fn context(words: &[Result<Word, String>], around: &Environment) -> Context {
    let mut context = Context {
        first: First::default(),
        draft: Draft::default(),
        reader: Reader::new(around.uptime_ms),
        targets: 0,
        events: events::folder(around),
    };
    let options = || {
        words.iter().filter_map(|word| match word {
            Ok(Word::Option(typed) | Word::DashedOption(typed)) => Some(typed),
            _ => None,
        })
    };
    for typed in options() {
        if let Ok(flag) = context.reader.flag(&typed.body) {
            let _ = context
                .first
                .apply(flag.name, &typed.body, &mut context.reader);
        }
    }
    for typed in options() {
        if let Ok(flag) = context.reader.flag(&typed.body) {
            let _ = context
                .draft
                .apply(flag.name, &typed.body, &mut context.reader);
        }
    }
    let is_target = |word: &&Result<Word, String>| matches!(word, Ok(Word::Target));
    context.targets = words.iter().filter(is_target).count();
    context
}

/// An option's meaning, or why it is refused.
fn option(
    typed: &Typed,
    words: &[Result<Word, String>],
    context: &Context,
    first: &mut First,
    draft: &mut Draft,
) -> Result<String, String> {
    let mut reader = context.reader.clone();
    let flag = reader.flag(&typed.body)?;
    let mut alone = (First::default(), Draft::default());
    // Alone it gives this argument's own value, whatever a later one says.
    if let Some(result) = first.apply(flag.name, &typed.body, &mut reader) {
        result?;
        let _ = alone.0.apply(flag.name, &typed.body, &mut reader);
    } else {
        draft.apply(flag.name, &typed.body, &mut reader)?;
        let _ = alone.1.apply(flag.name, &typed.body, &mut reader);
    }
    let mut text = meaning(flag, &typed.body, &alone.0, &alone.1, context);
    if let Some(unread) = reader.unread {
        text.push_str("; ");
        text.push_str(&unread);
    }
    if flag.support == Support::WithoutEffect {
        text = format!("{text}; {}", flags::no_effect(flag));
    }
    if let Some(later) = replaced_by(typed, flag.name, words) {
        text = format!("{text}; replaced by {later} behind it");
    }
    Ok(text)
}

/// Options whose last value wins.
const LAST_WINS: &[&str] = &[
    "-:", "-b", "-c", "-C", "-d", "-D", "-F", "-g", "-i", "-I", "-j", "-N", "-o", "-O", "-P",
    "-rd", "-t", "-T", "-w", "-W", "-z",
];

fn replaced_by<'a>(
    typed: &Typed,
    name: &str,
    words: &'a [Result<Word, String>],
) -> Option<&'a str> {
    if !LAST_WINS.contains(&name) {
        return None;
    }
    words.iter().rev().find_map(|word| match word {
        Ok(Word::Option(later) | Word::DashedOption(later))
            if later.index > typed.index
                && flags::find(&later.body).is_some_and(|flag| flag.name == name) =>
        {
            Some(later.shown.as_str())
        }
        _ => None,
    })
}

fn target(arg: &OsStr, around: &Environment) -> String {
    let text = arg.to_string_lossy();
    if let Some(number) = text.strip_prefix('*') {
        return format!("template target {number}: a run needs a real one in its place");
    }
    match paths::resolve(arg, around) {
        Ok(place) => {
            let kind = if place.device { "device" } else { "file" };
            if place.path.as_os_str() == arg {
                format!("target: a {kind}")
            } else {
                format!("target: the {kind} {}", place.path.display())
            }
        }
        Err(Nowhere::Drive(letter)) => format!(
            "target: on drive {letter}:, which a run must find: \
             IOGAUGE_DRIVES={letter}=. makes it the current folder"
        ),
        Err(Nowhere::Because(sentence)) => format!("target: {sentence}"),
    }
}

/// A message that begins with an argument belongs to it.
fn attach(entry: Explained, explained: &mut Vec<Explained>) {
    let sentence = entry.meaning.strip_prefix("refused: ").unwrap_or_default();
    let owner = explained
        .iter_mut()
        .find(|known| sentence.starts_with(&format!("{}: ", known.argument)));
    match owner {
        Some(known) => {
            let sentence = &sentence[known.argument.len() + 2..];
            known.meaning = format!("refused: {sentence}");
        }
        None => explained.push(entry),
    }
}

fn whole_line(args: &[OsString], around: &Environment) -> Vec<Explained> {
    let messages = match parse(args, around) {
        Ok(Parsed::Help) => Vec::new(),
        Ok(Parsed::Profile(line)) => line.warnings,
        Err(messages) => messages,
    };
    let entry = |meaning: String| Explained {
        argument: String::new(),
        meaning: match meaning.strip_prefix("ERROR: ") {
            Some(sentence) => format!("refused: {sentence}"),
            None => meaning
                .strip_prefix("WARNING: ")
                .map_or(meaning.clone(), ToOwned::to_owned),
        },
    };
    messages.into_iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::diskspd::testing::around;

    fn said(line: &str) -> Vec<(String, String)> {
        let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        explain(&args, &around())
            .into_iter()
            .map(|entry| (entry.argument, entry.meaning))
            .collect()
    }

    fn one(line: &str) -> String {
        said(line).swap_remove(0).1
    }

    #[test]
    fn values_are_resolved_for_this_line() {
        for (line, meaning) in [
            (
                "-r2b -b4K x",
                "random I/O, offsets are multiples of 8 KiB (2 blocks of 4 KiB)",
            ),
            ("-b8K x", "each I/O is 8 KiB"),
            ("-w40 x", "40 % writes and 60 % reads, drawn for each I/O"),
            (
                "-o32 -t8 x y",
                "32 I/Os outstanding of each thread on each target, 512 in all",
            ),
            ("-W10s x", "10 s of load before the measured time"),
            (
                "-o4 -o8 x",
                "4 I/Os outstanding of each thread on each target, 4 in all; replaced by -o8 behind it",
            ),
            (
                "-g500i -b8K x",
                "at most 500 I/Os per second of each thread on each target (3.91 MiB per second)",
            ),
            (
                "-h x",
                "past the system cache (O_DIRECT), a write is done when it is on stable storage (O_DSYNC)",
            ),
        ] {
            assert_eq!(one(line), meaning);
        }
        let size_of_blocks = one("-c100b -b4K x");
        assert!(size_of_blocks.contains("400 KiB"), "{size_of_blocks}");
    }

    #[test]
    fn what_is_wrong_is_said_in_its_line() {
        assert!(one("-o0 x").starts_with("refused: "));
        assert!(one("-bsp x").contains("2.3"));
        assert!(one("-Q x").contains("no such option"));
        assert!(said("-r -s x")[1].1.starts_with("refused: "));
        let beside = said("-Xfoo.xml -o4 x");
        assert_eq!(beside.len(), 3);
        assert!(
            beside[1].1.starts_with("refused: it cannot stand"),
            "{beside:?}"
        );
        assert!(said("x -b4K")[1].1.starts_with("refused: "));
        let whole = said("-i100 x");
        assert_eq!(whole.len(), 3);
        assert!(whole[2].0.is_empty() && whole[2].1.starts_with("refused: -i"));
    }

    #[test]
    fn drives_are_no_reason_to_refuse() {
        let whole = said(r"-b4K D:\x.dat");
        assert!(whole[1].1.contains("IOGAUGE_DRIVES=D=."), "{whole:?}");
        assert_eq!(whole.len(), 2);
    }
}
