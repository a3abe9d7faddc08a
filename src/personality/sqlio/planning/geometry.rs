//! Which part of a file is used, and how large the file must be for it.

use crate::personality::sqlio::{
    line::DEFAULT_FACTOR,
    load::{Load, Pattern},
};

/// The part of a file that is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    /// First byte.
    pub(super) base: u64,
    /// First byte behind it, a whole number of blocks; `None` if nobody knows yet.
    pub(super) end: Option<u64>,
    /// Bytes of the file when the load begins; `None` if nobody knows yet.
    pub(super) size: Option<u64>,
    /// Bytes that it must have, where the line says.
    pub(super) wanted: Option<u64>,
    /// Bytes that it will have, where it has to grow now.
    pub(super) grows_to: Option<u64>,
    /// MiB that the parameter file gives.
    pub(super) specified_mib: Option<u64>,
}

impl Extent {
    /// Of a file or device with `known` bytes (`None`: it is not there).
    ///
    /// # Errors
    /// A sentence: there is no such part.
    pub(super) fn of(
        load: &Load,
        size_mib: Option<u64>,
        known: Option<u64>,
        device: bool,
    ) -> Result<Self, String> {
        let block = load.block();
        let base = load
            .start
            .checked_mul(block)
            .filter(|base| fits(*base))
            .ok_or_else(|| too_large(load))?;
        let specified_mib = match load.pattern {
            Pattern::Striped(_) => None,
            Pattern::Random | Pattern::Sequential => size_mib,
        };
        let wanted = match (load.pattern, specified_mib) {
            (Pattern::Striped(factor), _) => Some(grid(load, factor)?),
            // The parser's range keeps it within 63 bits.
            (_, Some(mib)) => Some(mib << 20),
            // A file that is not there, or holds nothing, is made in the default size.
            (_, None) if known.unwrap_or(0) == 0 && !device => Some(grid(load, DEFAULT_FACTOR)?),
            (_, None) => None,
        };
        let grows_to = wanted.filter(|wanted| known.unwrap_or(0) < *wanted);
        let size = if device { known } else { wanted.max(known) };
        let used = wanted.or(known);
        let extent = Self {
            base,
            end: used.map(|used| used - used % block),
            size,
            wanted,
            grows_to,
            specified_mib,
        };
        match extent.end {
            Some(end) if end <= base => Err(no_block(load, used.unwrap_or(0))),
            _ => Ok(extent),
        }
    }
}

/// Bytes that a grid needs, with the blocks before it.
fn grid(load: &Load, factor: u64) -> Result<u64, String> {
    let bytes = load
        .rows
        .checked_mul(factor)
        .and_then(|blocks| blocks.checked_add(load.start))
        .and_then(|blocks| blocks.checked_mul(load.block()));
    bytes
        .filter(|bytes| fits(*bytes))
        .ok_or_else(|| too_large(load))
}

/// True for a number of bytes that a file can have.
fn fits(bytes: u64) -> bool {
    i64::try_from(bytes).is_ok()
}

fn too_large(load: &Load) -> String {
    let factor = match load.pattern {
        Pattern::Striped(factor) => factor,
        Pattern::Random | Pattern::Sequential => DEFAULT_FACTOR,
    };
    format!(
        "(-S{} + -i{} x {factor}) x -b{} come to more bytes than a file can have",
        load.start, load.rows, load.block_kib
    )
}

fn no_block(load: &Load, used: u64) -> String {
    let behind = match load.start {
        0 => String::new(),
        start => format!(" behind block {start} (-S)"),
    };
    format!(
        "its {used} bytes hold no block of {} KiB{behind}",
        load.block_kib
    )
}
