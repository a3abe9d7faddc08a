//! Which word is the test and which is the command, in whatever order they stand.

use super::{
    dialect::Decision,
    words::{Bare, Words},
};
use crate::personality::sysbench::options::Dialect;

/// The test and the command, as far as the line names them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Roles {
    /// The test.
    pub(crate) test: Option<String>,
    /// The command.
    pub(crate) command: Option<String>,
}

/// Words that cannot be dealt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// One too many.
    Extra(Bare),
    /// 0.4: it is no command.
    Unknown(Bare),
    /// 0.4: two commands.
    Second(Bare),
}

/// What the commands are.
pub(crate) fn is_command(word: &str, dialect: Dialect) -> bool {
    matches!(word, "prepare" | "run" | "cleanup" | "help")
        || (word == "version" && dialect == Dialect::V04)
}

/// Deals the words.
///
/// # Errors
/// A word that is neither.
pub(crate) fn roles(words: &Words, decision: &Decision) -> Result<Roles, Problem> {
    let named = words.last("test").and_then(|typed| typed.value.clone());
    match decision.dialect {
        Dialect::V10 => by_new(named, &words.bare),
        Dialect::V04 => by_old(named, &words.bare, decision.asked()),
    }
}

/// 1.0: the test, then the command. A command that stands first is one all the same.
fn by_new(named: Option<String>, bare: &[Bare]) -> Result<Roles, Problem> {
    let command = |bare: &Bare| is_command(&bare.text, Dialect::V10);
    let word = |bare: &Bare| Some(bare.text.clone());
    let Some(named) = named else {
        let (test, command) = match bare {
            [] => (None, None),
            [one] if command(one) => (None, word(one)),
            [one] => (word(one), None),
            [one, two] if command(one) && !command(two) => (word(two), word(one)),
            [one, two] => (word(one), word(two)),
            [_, _, third, ..] => return Err(Problem::Extra(third.clone())),
        };
        return Ok(Roles { test, command });
    };
    // The test may be said twice.
    let mut rest: Vec<&Bare> = bare.iter().collect();
    if let Some(again) = rest.iter().position(|bare| bare.text == named) {
        rest.remove(again);
    }
    match rest[..] {
        [] => Ok(Roles {
            test: Some(named),
            command: None,
        }),
        [one] => Ok(Roles {
            test: Some(named),
            command: word(one),
        }),
        [_, second, ..] => Err(Problem::Extra(second.clone())),
    }
}

/// 0.4: one word, the command. The test as a word is taken too, but where 0.4 was asked for.
fn by_old(named: Option<String>, bare: &[Bare], strict: bool) -> Result<Roles, Problem> {
    let mut roles = Roles {
        test: named,
        command: None,
    };
    let named = roles.test.is_some();
    for word in bare {
        if is_command(&word.text, Dialect::V04) {
            if roles.command.is_some() {
                return Err(Problem::Second(word.clone()));
            }
            roles.command = Some(word.text.clone());
        } else if strict || (roles.test.is_some() && roles.test.as_ref() != Some(&word.text)) {
            return Err(Problem::Unknown(word.clone()));
        } else if !named {
            roles.test = Some(word.text.clone());
        }
    }
    Ok(roles)
}
