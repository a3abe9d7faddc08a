//! The bytes of a new file, in the order in which they are written.

use super::super::{
    payload::{self, Noise},
    trailer::Sealer,
};
use crate::{
    plan::{Content, FilePreparation},
    verify::{Label, SECTOR},
};

/// Gives the bytes of a file, piece by piece from some offset on.
#[derive(Debug)]
pub(super) struct Bytes {
    content: Content,
    noise: Noise,
    sealer: Option<Sealer>,
    /// Run and table of labelled sectors.
    table: (u64, u32),
}

impl Bytes {
    /// The bytes from `from` on; labelled sectors are of this run and table.
    pub(super) fn new(file: &FilePreparation, from: u64, table: (u64, u32)) -> Self {
        let block = file.block.filter(|_| file.verify);
        Self {
            content: file.content,
            noise: Noise::fresh(from ^ u64::from(u32::MAX)),
            sealer: block.and_then(|block| Sealer::new(block, from)),
            table,
        }
    }

    /// Fills the piece at `at`, which is where the last one ended. It holds zeros, or what an
    /// earlier call left there.
    pub(super) fn fill(&mut self, at: u64, piece: &mut [u8]) {
        match self.content {
            // Zeros stay zeros: nothing is spent on them, unless a trailer was put among them.
            Content::Zeros if self.sealer.is_none() => {}
            // The pattern counts from the start of the file.
            Content::BytePattern => {
                for (index, byte) in piece.iter_mut().enumerate() {
                    *byte = (at as u8).wrapping_add(index as u8);
                }
            }
            Content::Verifiable => self.label(at, piece),
            content => payload::fill_content(content, &mut self.noise, piece),
        }
        if let Some(sealer) = &mut self.sealer {
            sealer.pass(piece);
        }
    }

    /// Labels the whole sectors of a piece; parts of one are filled by chance.
    fn label(&mut self, at: u64, piece: &mut [u8]) {
        let head = (at.next_multiple_of(SECTOR as u64) - at).min(piece.len() as u64);
        let (head, rest) = piece.split_at_mut(head as usize);
        let (run, table) = self.table;
        let first = at + head.len() as u64;
        let mut sectors = rest.chunks_exact_mut(SECTOR);
        for (sector, offset) in sectors.by_ref().zip((first..).step_by(SECTOR)) {
            Label::prepared(run, table, offset).seal(sector);
        }
        self.noise.fill(head);
        self.noise.fill(sectors.into_remainder());
    }
}
