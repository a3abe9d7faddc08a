//! Fields of the plan's own types that are written as a type of the format.

use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Serializes a field of one type as another one: `#[serde(with = "Via::<Bytes<u64>>")]`.
pub(super) struct Via<W>(PhantomData<W>);

impl<W> Via<W> {
    pub(super) fn serialize<T: Clone, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error>
    where
        W: From<T> + Serialize,
    {
        W::from(value.clone()).serialize(to)
    }

    pub(super) fn deserialize<'de, T, D: Deserializer<'de>>(from: D) -> Result<T, D::Error>
    where
        W: Into<T> + Deserialize<'de>,
    {
        W::deserialize(from).map(Into::into)
    }
}

/// The same for a field that may be absent.
pub(super) struct ViaOption<W>(PhantomData<W>);

impl<W> ViaOption<W> {
    #[expect(clippy::ref_option, reason = "serde passes references to fields")]
    pub(super) fn serialize<T: Clone, S: Serializer>(
        value: &Option<T>,
        to: S,
    ) -> Result<S::Ok, S::Error>
    where
        W: From<T> + Serialize,
    {
        value.clone().map(W::from).serialize(to)
    }

    pub(super) fn deserialize<'de, T, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error>
    where
        W: Into<T> + Deserialize<'de>,
    {
        Option::<W>::deserialize(from).map(|value| value.map(Into::into))
    }
}

/// The same for a list.
pub(super) struct ViaList<W>(PhantomData<W>);

impl<W> ViaList<W> {
    pub(super) fn serialize<T: Clone, S: Serializer>(value: &[T], to: S) -> Result<S::Ok, S::Error>
    where
        W: From<T> + Serialize,
    {
        to.collect_seq(value.iter().cloned().map(W::from))
    }

    pub(super) fn deserialize<'de, T, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error>
    where
        W: Into<T> + Deserialize<'de>,
    {
        let list = Vec::<W>::deserialize(from)?;
        Ok(list.into_iter().map(Into::into).collect())
    }
}
