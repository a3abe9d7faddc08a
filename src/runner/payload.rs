//! What write buffers and shared sources hold.

use std::{
    fs::File,
    io::{self, Read, Seek},
    path::Path,
    sync::Arc,
};

use ioengine::{PageSize, Region, clock};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::plan::{Content, Payload};

/// Random bytes that differ from run to run, so that no device recognises them.
#[derive(Debug, Clone)]
pub(super) struct Noise(Xoshiro256PlusPlus);

impl Noise {
    /// A stream of its own for each `number` in this run.
    pub(super) fn fresh(number: u64) -> Self {
        let time = clock::wall().as_nanos() as u64 ^ clock::now().0.rotate_left(32);
        let mix = time ^ u64::from(std::process::id()) << 40 ^ number.wrapping_mul(0x9e37_79b9);
        Self(Xoshiro256PlusPlus::seed_from_u64(mix))
    }

    /// One number.
    pub(super) fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Fills `bytes`.
    pub(super) fn fill(&mut self, bytes: &mut [u8]) {
        let mut words = bytes.chunks_exact_mut(8);
        for word in &mut words {
            word.copy_from_slice(&self.0.next_u64().to_le_bytes());
        }
        let rest = words.into_remainder();
        let last = self.0.next_u64().to_le_bytes();
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

/// Numbers writes, so that no two of them are alike, of this worker or of another, in this run or in
/// another.
#[derive(Debug, Clone)]
pub(super) struct Stamp {
    /// Drawn for the run.
    run: u64,
    /// Number of the worker in the upper 16 bits, number of its next write in the others.
    next: u64,
}

/// Each of these begins with the number: the unit by which devices find copies.
const STAMPED_EVERY: usize = 4096;

impl Stamp {
    /// For worker number `worker` of the run that drew `run`.
    pub(super) fn new(run: u64, worker: usize) -> Self {
        Self {
            run,
            next: (worker as u64) << 48,
        }
    }

    /// Numbers the bytes of one write.
    pub(super) fn put(&mut self, bytes: &mut [u8]) {
        let mut stamp = [0; 16];
        stamp[..8].copy_from_slice(&self.next.to_le_bytes());
        stamp[8..].copy_from_slice(&self.run.to_le_bytes());
        for block in bytes.chunks_mut(STAMPED_EVERY) {
            let length = block.len().min(stamp.len());
            block[..length].copy_from_slice(&stamp[..length]);
        }
        self.next = self.next.wrapping_add(1);
    }
}

/// Fills one slot's write buffer.
pub(super) fn fill_buffer(payload: &Payload, noise: &mut Noise, bytes: &mut [u8]) {
    match payload {
        Payload::Zeros | Payload::Source { .. } => bytes.fill(0),
        Payload::BytePattern => fill_pattern(bytes),
        Payload::Random | Payload::Stamped | Payload::FreshRandom => noise.fill(bytes),
    }
}

/// Fills a block of a new file.
pub(super) fn fill_content(content: Content, noise: &mut Noise, bytes: &mut [u8]) {
    match content {
        Content::Random | Content::Verifiable => noise.fill(bytes),
        Content::Zeros => bytes.fill(0),
        Content::BytePattern => fill_pattern(bytes),
    }
}

fn fill_pattern(bytes: &mut [u8]) {
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = index as u8;
    }
}

/// Makes the shared source of a stream; `None` when its writes send their own buffers.
///
/// # Errors
/// Not enough memory, or the file cannot be read or is empty.
pub(super) fn source(payload: &Payload) -> io::Result<Option<Arc<Region>>> {
    let Payload::Source { size, file } = payload else {
        return Ok(None);
    };
    let length = usize::try_from(*size).map_err(|_| io::ErrorKind::OutOfMemory)?;
    let mut region = Region::allocate(length, PageSize::Base)?;
    match file {
        None => Noise::fresh(u64::MAX).fill(&mut region.bytes_mut()[..length]),
        Some(path) => fill_from_file(path, &mut region.bytes_mut()[..length])?,
    }
    Ok(Some(Arc::new(region)))
}

/// Repeats the file until the source is full; reads no byte beyond it.
fn fill_from_file(path: &Path, bytes: &mut [u8]) -> io::Result<()> {
    // Opening a FIFO would wait for its other end, reading a device might never end.
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is no plain file",
        ));
    }
    let mut file = File::open(path)?;
    let mut filled = 0;
    while filled < bytes.len() {
        let read = file.read(&mut bytes[filled..])?;
        if read == 0 {
            if filled == 0 {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    "the file is empty",
                ));
            }
            file.rewind()?;
        }
        filled += read;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_source_file_is_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("source");
        std::fs::write(&path, b"abc").unwrap();
        let payload = Payload::Source {
            size: 8,
            file: Some(path),
        };
        let mut region = Arc::try_unwrap(source(&payload).unwrap().unwrap()).unwrap();
        assert_eq!(&region.bytes_mut()[..8], b"abcabcab");
    }

    #[test]
    fn an_empty_or_missing_source_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("source");
        let payload = Payload::Source {
            size: 8,
            file: Some(path.clone()),
        };
        assert!(source(&payload).is_err());
        std::fs::write(&path, b"").unwrap();
        assert!(source(&payload).is_err());
    }

    #[test]
    fn noise_differs_between_streams_and_fills_odd_lengths() {
        let (mut a, mut b) = ([0; 13], [0; 13]);
        Noise::fresh(1).fill(&mut a);
        Noise::fresh(2).fill(&mut b);
        assert_ne!(a, b);
        assert_ne!(a[8..], [0; 5]);
    }

    #[test]
    fn every_four_kib_of_every_write_begin_with_a_number_of_their_own() {
        let mut seen = std::collections::BTreeSet::new();
        for (run, worker) in [(1, 0), (1, 1), (2, 0)] {
            let mut stamp = Stamp::new(run, worker);
            for _ in 0..100 {
                let mut bytes = vec![7; 3 * 4096 + 100];
                stamp.put(&mut bytes);
                let heads: Vec<&[u8]> = bytes.chunks(4096).map(|block| &block[..16]).collect();
                assert!(heads.iter().all(|head| *head == heads[0]));
                assert!(
                    bytes
                        .chunks(4096)
                        .all(|block| block[16..].iter().all(|b| *b == 7))
                );
                assert!(seen.insert(heads[0].to_vec()), "a number twice");
            }
        }
        Stamp::new(1, 1).put(&mut [0; 5]);
        Stamp::new(1, 1).put(&mut []);
    }

    #[test]
    fn the_original_pattern_counts_bytes() {
        let mut bytes = [9; 600];
        fill_content(Content::BytePattern, &mut Noise::fresh(0), &mut bytes);
        assert_eq!(
            (bytes[0], bytes[255], bytes[256], bytes[599]),
            (0, 255, 0, 87)
        );
    }
}
