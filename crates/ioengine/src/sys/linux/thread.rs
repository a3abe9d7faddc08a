//! Where threads run and how their I/O is ranked.

use std::{io, num::NonZeroU64};

use super::super::IoPriority;

/// The largest affinity mask that we ask for: 64 Ki CPUs, far beyond any kernel's limit.
const MASK_BYTES_MAX: usize = 8192;

/// Ties the calling thread to one CPU.
///
/// # Errors
/// `InvalidInput` when the CPU does not exist, is offline or not allowed.
pub fn set_affinity(cpu: usize) -> io::Result<()> {
    let word = cpu / 64;
    if word >= MASK_BYTES_MAX / 8 {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut mask = vec![0_u64; word + 1];
    mask[word] = 1_u64 << (cpu % 64);
    // SAFETY: the kernel reads exactly the bytes of `mask`; 0 is the calling thread.
    let code = unsafe {
        libc::syscall(
            libc::SYS_sched_setaffinity,
            0,
            mask.len() * 8,
            mask.as_ptr(),
        )
    };
    if code < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Wakes the calling thread as soon after the end of a sleep as the kernel can, where it otherwise
/// takes 50 microseconds to gather several.
///
/// # Errors
/// As the system says.
pub fn set_exact_sleep() -> io::Result<()> {
    rustix::thread::set_current_timer_slack(Some(NonZeroU64::MIN)).map_err(Into::into)
}

/// The CPUs that the process's main thread may run on, in order.
///
/// # Errors
/// As the system says.
pub fn affinity() -> io::Result<Vec<usize>> {
    let mut bytes = 128;
    loop {
        let mut mask = vec![0_u64; bytes / 8];
        // SAFETY: the kernel writes at most the `bytes` bytes of `mask`.
        let filled = unsafe {
            libc::syscall(
                libc::SYS_sched_getaffinity,
                libc::getpid(),
                bytes,
                mask.as_mut_ptr(),
            )
        };
        if filled >= 0 {
            return Ok(numbers(&mask));
        }
        let error = io::Error::last_os_error();
        // A mask shorter than the kernel's own is refused with EINVAL.
        if error.raw_os_error() != Some(libc::EINVAL) || bytes >= MASK_BYTES_MAX {
            return Err(error);
        }
        bytes *= 2;
    }
}

/// The numbers of the bits set.
fn numbers(mask: &[u64]) -> Vec<usize> {
    mask.iter()
        .enumerate()
        .flat_map(|(index, word)| {
            let word = *word;
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| index * 64 + bit)
        })
        .collect()
}

/// IOPRIO_WHO_PROCESS (include/uapi/linux/ioprio.h): one thread, 0 is the calling one.
const WHO_THREAD: i32 = 1;

/// Sets the calling thread's class in the I/O scheduler.
///
/// # Errors
/// As the system says; levels past 7 are `InvalidInput`.
pub fn set_io_priority(priority: IoPriority) -> io::Result<()> {
    // include/uapi/linux/ioprio.h: classes 0 (none), 2 (best effort), 3 (idle), shifted by 13.
    let value = match priority {
        IoPriority::None => 0,
        IoPriority::BestEffort(level) if level <= 7 => 2 << 13 | i32::from(level),
        IoPriority::BestEffort(_) => return Err(io::ErrorKind::InvalidInput.into()),
        IoPriority::Idle => 3 << 13,
    };
    // SAFETY: the call takes three integers and touches no memory.
    if unsafe { libc::syscall(libc::SYS_ioprio_set, WHO_THREAD, 0, value) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_every_word_are_numbered() {
        assert_eq!(numbers(&[0b101, 0, 1_u64 << 63]), [0, 2, 191]);
    }

    #[test]
    fn a_thread_can_be_tied_to_each_allowed_cpu() {
        let cpus = affinity().unwrap();
        assert!(!cpus.is_empty());
        std::thread::spawn(move || {
            for cpu in cpus {
                set_affinity(cpu).unwrap();
            }
            assert!(set_affinity(4095).is_err());
            assert!(set_affinity(usize::MAX).is_err());
        })
        .join()
        .unwrap();
    }

    #[test]
    fn io_priorities_are_taken() {
        std::thread::spawn(|| {
            set_io_priority(IoPriority::BestEffort(3)).unwrap();
            set_io_priority(IoPriority::Idle).unwrap();
            set_io_priority(IoPriority::None).unwrap();
            assert!(set_io_priority(IoPriority::BestEffort(8)).is_err());
        })
        .join()
        .unwrap();
    }
}
