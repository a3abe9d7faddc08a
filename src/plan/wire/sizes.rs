//! How large the I/Os are.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, Visitor, value::MapAccessDeserializer},
};

use super::values::{Bytes, Count};
use crate::plan::{BlockSizes, WeightedSize};

/// Bytes of a block where nothing is said.
const BLOCK: u32 = 4096;

/// `"8KiB"`, or sizes with weights, apart for reads and writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block(pub(super) BlockSizes);

impl Default for Block {
    fn default() -> Self {
        Self(BlockSizes::One(BLOCK))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    #[serde(default)]
    read: Vec<Weighted>,
    #[serde(default)]
    write: Vec<Weighted>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weighted {
    bytes: Bytes<u32>,
    weight: Count<u32>,
}

impl Serialize for Block {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let table = |entries: &[WeightedSize]| {
            let entry = |entry: &WeightedSize| Weighted {
                bytes: Bytes(entry.bytes),
                weight: Count(entry.weight),
            };
            entries.iter().map(entry).collect()
        };
        match &self.0 {
            BlockSizes::One(bytes) => Bytes(*bytes).serialize(to),
            BlockSizes::Weighted { read, write } => Tables {
                read: table(read),
                write: table(write),
            }
            .serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for Block {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(BlockVisitor).map(Self)
    }
}

struct BlockVisitor;

impl<'de> Visitor<'de> for BlockVisitor {
    type Value = BlockSizes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a size such as \"8KiB\", or { read = [{ bytes = \"8KiB\", weight = 1 }], write = [] }",
        )
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<BlockSizes, E> {
        let bytes = Bytes::<u32>::deserialize(de::value::I64Deserializer::<E>::new(value))?;
        Ok(BlockSizes::One(bytes.0))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<BlockSizes, E> {
        let bytes = Bytes::<u32>::deserialize(de::value::StrDeserializer::<E>::new(value))?;
        Ok(BlockSizes::One(bytes.0))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<BlockSizes, A::Error> {
        let tables = Tables::deserialize(MapAccessDeserializer::new(map))?;
        let sizes = |entries: Vec<Weighted>| {
            let size = |entry: Weighted| WeightedSize {
                bytes: entry.bytes.0,
                weight: entry.weight.0,
            };
            entries.into_iter().map(size).collect()
        };
        Ok(BlockSizes::Weighted {
            read: sizes(tables.read),
            write: sizes(tables.write),
        })
    }
}
