//! Values against their ranges: the messages name option, value and range.

use super::{
    refused::Fatal,
    values::{Size, Values},
    words::escaped,
};

/// The largest number that the originals read.
pub(super) const INT_MAX: u32 = i32::MAX as u32;
/// The largest size that is one of anything.
pub(super) const SIZE_MAX: u64 = i64::MAX as u64;

/// How the original writes an option in its message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label {
    /// The name without dashes.
    pub(super) name: &'static str,
    /// What stands before the name.
    pub(super) dashes: &'static str,
    /// What stands behind the value.
    pub(super) end: &'static str,
}

impl Label {
    /// `--name: value.`
    pub(super) const fn dotted(name: &'static str) -> Self {
        Self {
            name,
            dashes: "--",
            end: ".",
        }
    }

    /// `name: value`
    pub(super) const fn bare(name: &'static str) -> Self {
        Self {
            name,
            dashes: "",
            end: "",
        }
    }

    /// The refusal of a value.
    pub(super) fn fatal(self, value: &str, hint: impl Into<String>) -> Fatal {
        let Self { name, dashes, end } = self;
        Fatal::new(
            format!("Invalid value for {dashes}{name}: {value}{end}"),
            hint,
        )
    }
}

/// A number, if it is within its range.
///
/// # Errors
/// It is not.
pub(super) fn within(
    values: &Values,
    label: Label,
    default: u32,
    least: u32,
    most: u32,
) -> Result<u32, Fatal> {
    let Some(number) = values.number(label.name) else {
        return Ok(default);
    };
    u32::try_from(number)
        .ok()
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| {
            let hint = format!("--{} is a number from {least} to {most}", label.name);
            label.fatal(&number.to_string(), hint)
        })
}

/// A size, if it is one and not above `most`.
///
/// # Errors
/// It is not.
pub(super) fn size(values: &Values, label: Label, default: u64, most: u64) -> Result<u64, Fatal> {
    let typed = values.typed(label.name).unwrap_or_default();
    let hint = |what: &str| {
        let typed = escaped(typed);
        format!("--{}={typed}: {what}", label.name)
    };
    let bytes = match values.size(label.name) {
        None => return Ok(default),
        Some(Size::Bytes(0)) => {
            let what = "a size is a whole number and K, M, G, T or nothing, as in 16K";
            return Err(label.fatal("0", hint(what)));
        }
        Some(Size::Bytes(bytes)) if bytes <= most => return Ok(bytes),
        Some(Size::Bytes(bytes)) => bytes.to_string(),
        Some(Size::Beyond) => escaped(typed),
    };
    let what = format!("it is from 1 to {most} bytes");
    Err(label.fatal(&bytes, hint(&what)))
}
