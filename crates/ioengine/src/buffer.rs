//! Page-aligned memory for I/O.
//!
//! A [`Region`] is one anonymous mapping; it is either split into [`Buffer`]s, each owned by
//! exactly one holder, or frozen as a source that many writes read from.

use std::{fmt, io, ptr::NonNull, sync::Arc};

/// Which pages back a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PageSize {
    /// Ordinary pages.
    #[default]
    Base,
    /// Reserved huge pages (MAP_HUGETLB); an error when none are free.
    Huge,
    /// Ordinary pages that the kernel may merge (MADV_HUGEPAGE).
    Transparent,
}

/// One mapping of anonymous, zero-filled, page-aligned memory.
pub struct Region {
    start: NonNull<u8>,
    length: usize,
    /// Set for ever by [`Region::split`]: the bytes belong to buffers, never to the region.
    split: bool,
}

// SAFETY: a region is plain memory that any thread may access. Who may access which bytes is
// decided by ownership: of a `Region` by value or `&mut` (all bytes), of a `Buffer` (its bytes, once
// split), and shared reading through `bytes` (never once split).
unsafe impl Send for Region {}
// SAFETY: as above; through `&Region` only shared slices can be had, and only of a region that was
// never split, so that no `Buffer` can write to them; `bytes_mut` needs `&mut Region`, which an
// `Arc` gives out only to its single holder.
unsafe impl Sync for Region {}

impl Region {
    /// Maps `length` bytes (rounded up to whole pages).
    ///
    /// # Errors
    /// Not enough memory, or no huge pages free.
    pub fn allocate(length: usize, pages: PageSize) -> io::Result<Self> {
        let page = match pages {
            PageSize::Huge => crate::sys::huge_page_size(),
            PageSize::Base | PageSize::Transparent => crate::sys::page_size(),
        };
        let length = length
            .max(1)
            .checked_next_multiple_of(page)
            .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let start = crate::sys::map_anonymous(length, pages)?;
        Ok(Self {
            start,
            length,
            split: false,
        })
    }

    /// Bytes in the region.
    #[inline]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Never true: a region has at least one page.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The address of the first byte.
    pub fn address(&self) -> NonNull<u8> {
        self.start
    }

    /// The whole region, to be filled before it is split or shared (put into an [`Arc`]).
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: `&mut self` proves that no buffer of this region exists (each holds the `Arc`
        // that `split` made, and an `Arc` gives `&mut` only to its single holder) and that nobody
        // shares it; an engine that uses it as a source holds an `Arc` too.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }

    /// The whole region, to be read; `None` once it was split, for then its bytes are the buffers'.
    #[inline]
    pub fn bytes(&self) -> Option<&[u8]> {
        if self.split {
            return None;
        }
        // SAFETY: the mapping is alive as long as `self`; writing needs a `Buffer` (there is none:
        // never split) or `&mut self` (which cannot exist beside the `&self` that this borrows).
        Some(unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) })
    }

    /// Splits the region into buffers of `size` bytes, as many as fit. `index` is the region's
    /// place in [`crate::Setup::regions`]. The second value is what to put there.
    pub fn split(mut self, size: usize, index: u32) -> (Vec<Buffer>, Arc<Self>) {
        self.split = true;
        let region = Arc::new(self);
        let count = region.length.checked_div(size).unwrap_or(0);
        let buffers = (0..count)
            .map(|i| Buffer {
                // SAFETY: `i * size + size <= length`, so the pointer stays inside the mapping.
                start: unsafe { region.start.add(i * size) },
                length: size,
                region: Arc::clone(&region),
                index,
            })
            .collect();
        (buffers, region)
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        crate::sys::unmap(self.start, self.length);
    }
}

impl fmt::Debug for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Region")
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

/// Part of a region, owned by one holder at a time.
pub struct Buffer {
    start: NonNull<u8>,
    length: usize,
    region: Arc<Region>,
    index: u32,
}

// SAFETY: a buffer is the only holder of its bytes; moving it to another thread moves them.
unsafe impl Send for Buffer {}

impl Buffer {
    /// Bytes in the buffer.
    #[inline]
    pub fn len(&self) -> usize {
        self.length
    }

    /// True for a buffer without bytes.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Which region it is part of (see [`Region::split`]).
    pub fn region_index(&self) -> u32 {
        self.index
    }

    /// The region that keeps the memory alive.
    pub fn region(&self) -> &Arc<Region> {
        &self.region
    }

    /// The address of the first byte, for the engine that owns the request.
    #[cfg(target_os = "linux")]
    #[inline]
    pub(crate) fn address(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// The bytes.
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: the buffer owns these bytes of a live mapping; while the kernel may write them
        // the buffer itself is owned by the engine.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }

    /// The bytes, writable.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as in `as_slice`, and `&mut self` makes the access unique.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffer")
            .field("length", &self.length)
            .field("region", &self.index)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_disjoint_and_cover_what_fits() {
        let region = Region::allocate(10_000, PageSize::Base).unwrap();
        assert_eq!(region.len() % crate::sys::page_size(), 0);
        let (mut buffers, region) = region.split(3000, 5);
        assert_eq!(buffers.len(), region.len() / 3000);
        for (number, buffer) in buffers.iter_mut().enumerate() {
            buffer.as_mut_slice().fill(number as u8 + 1);
            assert_eq!(buffer.region_index(), 5);
        }
        for (number, buffer) in buffers.iter().enumerate() {
            assert!(buffer.as_slice().iter().all(|b| *b == number as u8 + 1));
        }
    }

    #[test]
    fn a_split_region_cannot_be_read_as_a_whole() {
        let mut region = Region::allocate(1, PageSize::Base).unwrap();
        region.bytes_mut()[0] = 7;
        assert_eq!(region.bytes().unwrap()[0], 7);
        let (buffers, region) = region.split(512, 0);
        drop(buffers);
        assert!(region.bytes().is_none());
    }

    #[test]
    fn a_size_that_does_not_fit_makes_no_buffer() {
        for size in [0, 1 << 30] {
            let (buffers, _) = Region::allocate(1, PageSize::Base).unwrap().split(size, 0);
            assert!(buffers.is_empty());
        }
    }
}
