//! Limits of the process and what it has used.

use std::{fs, io};

use rustix::process::{Resource, Rlimit};

use super::super::Limit;

fn read(resource: Resource) -> Limit {
    let Rlimit { current, maximum } = rustix::process::getrlimit(resource);
    Limit {
        soft: current,
        hard: maximum,
    }
}

/// How many files the process may have open.
///
/// # Errors
/// None on Linux.
pub fn open_files_limit() -> io::Result<Limit> {
    Ok(read(Resource::Nofile))
}

/// Raises the soft limit of open files to the hard one; returns what holds afterwards.
///
/// # Errors
/// As the system says.
pub fn raise_open_files_limit() -> io::Result<Limit> {
    let mut limit = rustix::process::getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    rustix::process::setrlimit(Resource::Nofile, limit)?;
    open_files_limit()
}

/// How many bytes the process may lock in memory; a capable process (CAP_IPC_LOCK) may exceed it.
///
/// # Errors
/// None on Linux.
pub fn locked_memory_limit() -> io::Result<Limit> {
    Ok(read(Resource::Memlock))
}

/// Bytes of address space that the process may still take; `None` without a limit.
pub fn address_space_left() -> Option<u64> {
    let limit = read(Resource::As).soft?;
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(pages * super::page_size() as u64))
}

/// Keeps the C library from reserving 64 MiB of address space for the allocations of each thread,
/// where address space is limited; threads then share one heap.
pub fn share_heap_if_limited() {
    if read(Resource::As).soft.is_some() {
        #[cfg(target_env = "gnu")]
        // SAFETY: the call takes two numbers and changes how the allocator goes on.
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
        }
    }
}

/// Memory mappings that the process may still make (vm.max_map_count); `None` where nobody knows.
pub fn mappings_left() -> Option<u64> {
    let limit = fs::read_to_string("/proc/sys/vm/max_map_count").ok()?;
    let limit: u64 = limit.trim().parse().ok()?;
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    Some(limit.saturating_sub(maps.lines().count() as u64))
}

/// The most bytes of memory that the process has held (VmHWM of /proc/self/status).
pub fn peak_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

/// The real user.
pub fn user_id() -> Option<u32> {
    Some(rustix::process::getuid().as_raw())
}

/// The user whose rights count.
pub fn effective_user_id() -> Option<u32> {
    Some(rustix::process::geteuid().as_raw())
}
