//! The first pass over the options: those that may stand beside an XML profile, and the block
//! size, which is a unit in the others.

use super::{grammar, reader::Reader};
use crate::personality::diskspd::profile::Format;

/// What the options of the first pass say; `None` was not given.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct First {
    /// `-b`
    pub(crate) block: Option<u32>,
    /// `-C`
    pub(crate) cooldown: Option<u32>,
    /// `-d`
    pub(crate) duration: Option<u32>,
    /// `-W`
    pub(crate) warmup: Option<u32>,
    /// `-R`
    pub(crate) format: Option<Format>,
    /// `-Rp`
    pub(crate) profile_only: bool,
    /// `-v`
    pub(crate) verbose: bool,
    /// `-vs`
    pub(crate) verbose_stats: bool,
    /// `-X`
    pub(crate) xml: Option<String>,
    /// `-z`
    pub(crate) seed: Option<u32>,
    /// `-:`
    pub(crate) experiment_flags: Option<u32>,
}

impl First {
    /// Takes one option, given by its row's name and its text without the switch character.
    /// `None` if it belongs to the second pass.
    pub(crate) fn apply(
        &mut self,
        name: &str,
        body: &str,
        reader: &mut Reader,
    ) -> Option<Result<(), String>> {
        let value = &body[name.len() - 1..];
        Some(match name {
            "-:" => reader
                .within(value, "the bit mask", 0, i32::MAX)
                .map(|bits| self.experiment_flags = Some(bits)),
            "-b" => self.block_size(value, reader),
            "-C" => reader
                .within(value, "the cool-down in seconds", 0, i32::MAX)
                .map(|seconds| self.cooldown = Some(seconds)),
            "-d" => reader
                .within(value, "the measured time in seconds", 0, i32::MAX)
                .map(|seconds| self.duration = Some(seconds)),
            "-W" => reader
                .within(value, "the warm-up in seconds", 0, i32::MAX)
                .map(|seconds| self.warmup = Some(seconds)),
            "-R" => self.result_format(value),
            "-v" | "-vs" => match body {
                "v" => {
                    self.verbose = true;
                    Ok(())
                }
                "vs" => {
                    self.verbose_stats = true;
                    Ok(())
                }
                _ => Err("there are only -v and -vs, without a value".to_owned()),
            },
            "-X" => self.profile_file(value),
            "-z" => self.random_seed(value, reader),
            _ => return None,
        })
    }

    fn block_size(&mut self, value: &str, reader: &mut Reader) -> Result<(), String> {
        let size = reader.size(value, "the block size")?;
        // DiskSpd takes 0 here and fails later.
        match u32::try_from(size) {
            Ok(0) => Err("the block size must be above 0".to_owned()),
            Ok(size) if size < u32::MAX => {
                self.block = Some(size);
                reader.block = size;
                Ok(())
            }
            _ => Err(format!(
                "the block size '{value}' must be below 4294967295 bytes"
            )),
        }
    }

    fn result_format(&mut self, value: &str) -> Result<(), String> {
        let (profile_only, format) = match value {
            "text" => (false, Some(Format::Text)),
            "xml" => (false, Some(Format::Xml)),
            "p" => (true, None),
            "ptext" => (true, Some(Format::Text)),
            "pxml" => (true, Some(Format::Xml)),
            "" => return Err("the format is missing: text, xml, p, ptext or pxml".to_owned()),
            _ => {
                return Err(format!(
                    "there is no format '{value}': text, xml, p, ptext or pxml"
                ));
            }
        };
        self.profile_only |= profile_only;
        self.format = format.or(self.format);
        Ok(())
    }

    fn profile_file(&mut self, value: &str) -> Result<(), String> {
        if value.is_empty() {
            return Err("the name of the XML profile is missing: -Xprofile.xml".to_owned());
        }
        if self.xml.is_some() {
            return Err("there is an XML profile already; -X may be given once".to_owned());
        }
        self.xml = Some(value.to_owned());
        Ok(())
    }

    fn random_seed(&mut self, value: &str, reader: &Reader) -> Result<(), String> {
        self.seed = Some(if value.is_empty() {
            // The original takes the low half of its tick count.
            (reader.uptime_ms & u64::from(u32::MAX)) as u32
        } else {
            grammar::seed(value).map_err(|error| format!("'{value}': {error}"))?
        });
        Ok(())
    }
}
