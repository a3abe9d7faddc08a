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
}

// SAFETY: a region is plain memory; who may access which bytes is decided by `Buffer` ownership
// (unique) or by never handing out mutable access after `share` (shared).
unsafe impl Send for Region {}
// SAFETY: as above; `Region` itself gives out only shared slices of frozen memory.
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
        Ok(Self { start, length })
    }

    /// Bytes in the region.
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

    /// The whole region, to be filled before it is split or shared.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: `&mut self` proves that no buffer of this region exists (buffers hold the `Arc`
        // that `split` consumed) and nobody shares it.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }

    /// Splits the region into buffers of `size` bytes, as many as fit. `index` is the region's
    /// place in [`crate::Setup::regions`]. The second value is what to put there.
    pub fn split(self, size: usize, index: u32) -> (Vec<Buffer>, Arc<Self>) {
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
    pub(crate) fn address(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: the buffer owns these bytes of a live mapping; while the kernel may write them
        // the buffer itself is owned by the engine.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }

    /// The bytes, writable.
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
