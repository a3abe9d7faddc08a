//! Values that a plan file holds as the words of the command line.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Something with a grammar of its own, as text.
pub(super) struct Words<T>(pub(super) T);

impl<T: fmt::Display> Serialize for Words<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl<'de, T: FromStr<Err = String>> Deserialize<'de> for Words<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let value = text.parse().map_err(|right| {
            de::Error::custom(format_args!("'{}' is not {right}", text.escape_debug()))
        })?;
        Ok(Self(value))
    }
}
