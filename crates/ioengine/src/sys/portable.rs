//! Systems other than Linux.
