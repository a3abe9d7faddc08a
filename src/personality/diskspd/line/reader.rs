//! How option values are read: the grammars of [`grammar`](super::grammar) with messages for people, and what DiskSpd
//! would silently skip.

use super::grammar::{self, NumberError};
use crate::personality::{
    diskspd::flags,
    flags::{Flag, Support},
};

/// Reads option values and remembers what they left unread.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    /// True where only an option that takes its whole text is one: behind `/`.
    pub(crate) strict: bool,
    /// What one `b` is in sizes.
    pub(crate) block: u32,
    /// A bare `-z`.
    pub(crate) uptime_ms: u64,
    /// Text that the last option had and nothing looks at, with what was read of it.
    pub(crate) unread: Option<String>,
    /// Options met that do nothing here.
    pub(crate) idle: Vec<&'static Flag>,
}

impl Reader {
    /// A reader for a line as it is.
    pub(crate) fn new(uptime_ms: u64) -> Self {
        Self {
            strict: false,
            block: 64 << 10,
            uptime_ms,
            unread: None,
            idle: Vec::new(),
        }
    }

    /// The row of an option, if it may be used.
    pub(crate) fn flag(&mut self, body: &str) -> Result<&'static Flag, String> {
        self.unread = None;
        let flag = flags::find(body)
            .ok_or_else(|| "there is no such option; diskspd -? lists them".to_owned())?;
        match flag.support {
            Support::Refused => Err(flags::refusal(flag)),
            Support::WithoutEffect => {
                self.is_idle(flag);
                Ok(flag)
            }
            Support::Supported => Ok(flag),
        }
    }

    /// Remembers an option that does nothing here.
    pub(crate) fn is_idle(&mut self, flag: &'static Flag) {
        if !self.idle.iter().any(|known| known.name == flag.name) {
            self.idle.push(flag);
        }
    }

    /// A C integer.
    pub(super) fn int(&mut self, text: &str) -> Result<i32, NumberError> {
        if self.strict {
            return grammar::whole(text);
        }
        let (value, rest) = grammar::int(text)?;
        // Units that say what the option means anyway are no cause for a word.
        if !matches!(rest, "" | "s" | "%" | "ms") {
            self.unread = Some(format!("it is read as {value}, '{rest}' is ignored"));
        }
        Ok(value)
    }

    /// An integer from `least` to `most`, called `what` in the message.
    pub(crate) fn within(
        &mut self,
        text: &str,
        what: &str,
        least: i32,
        most: i32,
    ) -> Result<u32, String> {
        let range =
            || format!("{what} must be a whole number from {least} to {most}, not '{text}'");
        let value = self.int(text).map_err(|_| range())?;
        if value < least || value > most {
            return Err(range());
        }
        Ok(value.unsigned_abs())
    }

    /// A size, called `what` in the message.
    pub(crate) fn size(&self, text: &str, what: &str) -> Result<u64, String> {
        grammar::size(text, self.block).map_err(|error| size_message(what, text, &error))
    }

    /// A size above 0.
    pub(crate) fn size_above_zero(&self, text: &str, what: &str) -> Result<u64, String> {
        match self.size(text, what)? {
            0 => Err(format!("{what} must be above 0")),
            size => Ok(size),
        }
    }

    /// Nothing should follow; DiskSpd does not look.
    pub(crate) fn nothing(&mut self, rest: &str) -> Result<(), String> {
        if rest.is_empty() {
            return Ok(());
        }
        if self.strict {
            return Err(format!("'{rest}' follows an option without a value"));
        }
        self.unread = Some(format!("'{rest}' is ignored: the option takes no value"));
        Ok(())
    }
}

/// Why a size is none.
pub(super) fn size_message(what: &str, text: &str, error: &NumberError) -> String {
    if text.is_empty() {
        format!("{what} is missing: {error}")
    } else {
        format!("{what} '{text}': {error}")
    }
}
