//! May this be written? The consent table.
