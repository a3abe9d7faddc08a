//! One call for many pieces of memory: not here.

use std::{fs, io};

use super::unsupported;
use crate::Errno;

/// There is none.
pub(crate) enum PieceList {}

impl PieceList {
    pub(crate) fn new(_: u32) -> io::Result<Self> {
        Err(unsupported())
    }

    pub(crate) fn read_at(
        &mut self,
        _: &fs::File,
        _: &mut [u8],
        _: usize,
        _: u64,
    ) -> Result<u32, Errno> {
        match *self {}
    }

    pub(crate) fn write_at(
        &mut self,
        _: &fs::File,
        _: &[u8],
        _: usize,
        _: u64,
    ) -> Result<u32, Errno> {
        match *self {}
    }
}
