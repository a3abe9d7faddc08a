//! Error numbers of the operating system, small enough to live in a completion.

use std::{fmt, io};

/// An operating system error number.
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
        error.raw_os_error().map_or(Self::EIO, Self)
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
        let text = io::Error::from_raw_os_error(self.0).to_string();
        let text = text.split(" (os error").next().unwrap_or_default();
        match self.name() {
            Some(name) => write!(f, "{text} ({name})"),
            None => write!(f, "{text} (error {})", self.0),
        }
    }
}

impl From<Errno> for io::Error {
    fn from(errno: Errno) -> Self {
        Self::from_raw_os_error(errno.0)
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
