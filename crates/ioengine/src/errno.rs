//! Error numbers of the operating system, small enough to live in a completion.

use std::{fmt, io};

/// An error number: Linux's own. Other systems' codes are translated where they mean the same, and
/// are kept as negative numbers where Linux has no such error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Errno(pub i32);

impl Errno {
    /// "Input/output error".
    pub const EIO: Self = Self(5);
    /// "Bad file descriptor".
    pub const EBADF: Self = Self(9);
    /// "Try again".
    pub const EAGAIN: Self = Self(11);
    /// "Interrupted system call".
    pub const EINTR: Self = Self(4);
    /// "File too large".
    pub const EFBIG: Self = Self(27);
    /// "Invalid argument".
    pub const EINVAL: Self = Self(22);
    /// "No space left on device".
    pub const ENOSPC: Self = Self(28);
    /// "Operation canceled".
    pub const ECANCELED: Self = Self(125);

    /// From an [`io::Error`]; errors that carry no number become `EIO`.
    pub fn from_io(error: &io::Error) -> Self {
        error
            .raw_os_error()
            .map_or(Self::EIO, |code| Self(number_of(code)))
    }

    /// The number of a symbolic name.
    pub fn named(name: &str) -> Option<Self> {
        NAMES
            .iter()
            .find(|(_, known)| *known == name)
            .map(|(number, _)| Self(*number))
    }

    /// The symbolic name, where we know it.
    pub fn name(self) -> Option<&'static str> {
        NAMES
            .iter()
            .find(|(number, _)| *number == self.0)
            .map(|(_, name)| *name)
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let foreign = self.0 < 0;
        if !foreign && !cfg!(target_os = "linux") {
            // This system's texts belong to other numbers.
            return match self.name() {
                Some(name) => f.write_str(name),
                None => write!(f, "error {}", self.0),
            };
        }
        let text = io::Error::from_raw_os_error(self.0.saturating_abs()).to_string();
        let text = text.split(" (os error").next().unwrap_or_default();
        match self.name() {
            Some(name) => write!(f, "{text} ({name})"),
            None => write!(f, "{text} (error {})", self.0.saturating_abs()),
        }
    }
}

impl From<Errno> for io::Error {
    fn from(errno: Errno) -> Self {
        if errno.0 < 0 || cfg!(target_os = "linux") {
            Self::from_raw_os_error(errno.0.saturating_abs())
        } else {
            Self::other(errno.to_string())
        }
    }
}

/// This system's code as an [`Errno`]'s number.
#[cfg(target_os = "linux")]
#[inline]
const fn number_of(code: i32) -> i32 {
    code
}

/// As above: the BSDs and Linux agree up to 34, but for EAGAIN and EDEADLK.
#[cfg(all(unix, not(target_os = "linux")))]
const fn number_of(code: i32) -> i32 {
    match code {
        35 => 11,
        1..=10 | 12..=34 => code,
        _ => -code,
    }
}

/// As above: winerror.h.
#[cfg(windows)]
const fn number_of(code: i32) -> i32 {
    match code {
        // ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND: ENOENT.
        2 | 3 => 2,
        // ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION: EACCES.
        5 | 32 => 13,
        // ERROR_INVALID_HANDLE: EBADF.
        6 => 9,
        // ERROR_NOT_ENOUGH_MEMORY, ERROR_OUTOFMEMORY: ENOMEM.
        8 | 14 => 12,
        // ERROR_WRITE_PROTECT: EROFS.
        19 => 30,
        // ERROR_CRC, ERROR_IO_DEVICE: EIO.
        23 | 1117 => 5,
        // ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL: ENOSPC.
        39 | 112 => 28,
        // ERROR_INVALID_PARAMETER: EINVAL.
        87 => 22,
        // ERROR_OPERATION_ABORTED: ECANCELED.
        995 => 125,
        _ => -code,
    }
}

/// Numbers of Linux on x86-64 and AArch64 (include/uapi/asm-generic/errno*.h).
const NAMES: &[(i32, &str)] = &[
    (1, "EPERM"),
    (2, "ENOENT"),
    (4, "EINTR"),
    (5, "EIO"),
    (6, "ENXIO"),
    (9, "EBADF"),
    (11, "EAGAIN"),
    (12, "ENOMEM"),
    (13, "EACCES"),
    (14, "EFAULT"),
    (16, "EBUSY"),
    (17, "EEXIST"),
    (19, "ENODEV"),
    (20, "ENOTDIR"),
    (21, "EISDIR"),
    (22, "EINVAL"),
    (23, "ENFILE"),
    (24, "EMFILE"),
    (26, "ETXTBSY"),
    (27, "EFBIG"),
    (28, "ENOSPC"),
    (29, "ESPIPE"),
    (30, "EROFS"),
    (32, "EPIPE"),
    (36, "ENAMETOOLONG"),
    (38, "ENOSYS"),
    (40, "ELOOP"),
    (61, "ENODATA"),
    (75, "EOVERFLOW"),
    (84, "EILSEQ"),
    (95, "EOPNOTSUPP"),
    (110, "ETIMEDOUT"),
    (116, "ESTALE"),
    (121, "EREMOTEIO"),
    (122, "EDQUOT"),
    (125, "ECANCELED"),
];

#[cfg(test)]
mod tests {
    use super::Errno;

    #[test]
    fn names_and_numbers_lead_to_each_other() {
        assert_eq!(Errno::named("ENOSPC"), Some(Errno::ENOSPC));
        assert_eq!(Errno::named("EWHAT"), None);
        assert_eq!(Errno::EIO.name(), Some("EIO"));
        assert!(Errno::EIO.to_string().contains("EIO"));
        assert!(Errno(4000).to_string().contains("4000"));
        assert!(!Errno(i32::MIN).to_string().is_empty());
    }

    #[test]
    fn the_number_survives_an_io_error() {
        let error = std::io::Error::from(Errno::ENOSPC);
        if cfg!(target_os = "linux") {
            assert_eq!(Errno::from_io(&error), Errno::ENOSPC);
            assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
        }
        assert_eq!(
            Errno::from_io(&std::io::Error::other("no number")),
            Errno::EIO
        );
    }
}
