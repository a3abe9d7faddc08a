//! Options of the second pass that exclude each other: order of access, range, cache.

use super::{
    grammar::size_prefix,
    options::Draft,
    reader::{Reader, size_message},
};
use crate::personality::diskspd::{
    flags,
    profile::{Cache, Pattern},
};

impl Draft {
    /// `-r[<size>]`
    pub(super) fn random_aligned(&mut self, value: &str, reader: &Reader) -> Result<(), String> {
        if self.random {
            return Err("random I/O (-r) was given before".to_owned());
        }
        if self.sequential.is_some() {
            return Err("random I/O conflicts with sequential I/O (-s) given before".to_owned());
        }
        if !value.is_empty() {
            self.alignment = Some(reader.size_above_zero(value, "the alignment")?);
        }
        self.random = true;
        Ok(())
    }

    /// `-rs<percent>`
    pub(super) fn random_share(&mut self, value: &str, reader: &mut Reader) -> Result<(), String> {
        if self.random_percent.is_some() {
            return Err("the share of random I/O (-rs) was given before".to_owned());
        }
        if self.sequential.is_some() {
            return Err(
                "mixed I/O conflicts with -s given before; -r gives its alignment".to_owned(),
            );
        }
        if value.is_empty() {
            return Err("the share of random I/O is missing: -rs1 to -rs100".to_owned());
        }
        let percent = reader.within(value, "the share of random I/O in percent", 1, 100)?;
        self.random_percent = Some(percent);
        Ok(())
    }

    /// `-s[i][<size>]`
    pub(super) fn sequential(
        &mut self,
        interlocked: bool,
        value: &str,
        reader: &Reader,
    ) -> Result<(), String> {
        if self.sequential.is_some() {
            return Err("sequential I/O (-s) was given before".to_owned());
        }
        if self.random || self.random_percent.is_some() {
            return Err(
                "sequential I/O conflicts with random I/O (-r or -rs) given before; \
                 -r gives the alignment of -rs"
                    .to_owned(),
            );
        }
        let stride = if value.is_empty() {
            None
        } else {
            Some(reader.size(value, "the stride")?).filter(|stride| *stride > 0)
        };
        self.sequential = Some((stride, interlocked));
        Ok(())
    }

    /// The order of access that `-r`, `-rs` and `-s` come down to.
    pub(super) fn pattern(&self) -> Pattern {
        if self.random || self.random_percent.is_some() {
            return Pattern::Random {
                alignment: self.alignment,
                percent: self.random_percent.unwrap_or(100),
            };
        }
        let (stride, interlocked) = self.sequential.unwrap_or_default();
        Pattern::Sequential {
            stride,
            interlocked,
        }
    }

    /// `-B<base>[:<length>]`
    pub(super) fn base(&mut self, value: &str, reader: &Reader) -> Result<(), String> {
        if self.base_given {
            return Err("the base (-B) was given before".to_owned());
        }
        let (base, rest) = size_prefix(value, reader.block)
            .map_err(|error| size_message("the base", value, &error))?;
        if let Some(length) = rest.strip_prefix(':') {
            self.end_once()?;
            let length = reader.size(length, "the length behind the base")?;
            self.target.max_size = base
                .checked_add(length)
                .ok_or_else(|| "base and length together are 2^64 bytes or more".to_owned())?;
        } else if !rest.is_empty() {
            return Err(format!(
                "'{rest}' is left over: only ':' and a length may follow the base, as in -B1M:4M"
            ));
        }
        self.base_given = true;
        self.target.base = base;
        Ok(())
    }

    /// `-f<size>`
    pub(super) fn end(&mut self, value: &str, reader: &Reader) -> Result<(), String> {
        let end = reader.size(value, "the end of the range")?;
        self.end_once()?;
        self.target.max_size = end;
        Ok(())
    }

    fn end_once(&mut self) -> Result<(), String> {
        if self.end_given {
            return Err(
                "the end of the range was given before: by -f<size> or -B<base>:<length>, once"
                    .to_owned(),
            );
        }
        self.end_given = true;
        Ok(())
    }

    /// `-h`
    pub(super) fn uncached_durable(
        &mut self,
        value: &str,
        reader: &mut Reader,
    ) -> Result<(), String> {
        self.cache_mode('h', "-h")?;
        reader.nothing(value)
    }

    /// `-S<letters>`
    pub(super) fn cache_modes(&mut self, letters: &str) -> Result<(), String> {
        if letters.is_empty() {
            return self.cache_mode('u', "-S");
        }
        for letter in letters.chars() {
            let name = format!("-S{letter}");
            let known = flags::FLAGS.iter().find(|flag| flag.name == name);
            if let Some(flag) = known
                && flag.support == crate::personality::flags::Support::Refused
            {
                return Err(flags::refusal(flag));
            }
            self.cache_mode(letter, &name)?;
        }
        Ok(())
    }

    fn cache_mode(&mut self, letter: char, name: &str) -> Result<(), String> {
        let target = &mut self.target;
        let uncached = target.cache == Cache::NoOsCache;
        let taken = match letter {
            'b' | 'r' => self.cache_given,
            'u' => self.cache_given || target.memory_mapped,
            'w' => target.write_through,
            'm' => target.memory_mapped || uncached,
            'h' => self.cache_given || target.write_through || target.memory_mapped,
            _ => {
                return Err(format!("'{letter}' is no cache mode: b, h, m, r, u or w"));
            }
        };
        if taken {
            return Err(format!(
                "{name} conflicts with a cache mode given before (cache, write-through and \
                 mapping can each be set once, and nothing uncached can be mapped)"
            ));
        }
        match letter {
            'b' => target.cache = Cache::Cached,
            'r' => target.cache = Cache::NoLocalCache,
            'u' | 'h' => target.cache = Cache::NoOsCache,
            'm' => target.memory_mapped = true,
            _ => {}
        }
        target.write_through |= matches!(letter, 'w' | 'h');
        self.cache_given |= matches!(letter, 'b' | 'r' | 'u' | 'h');
        Ok(())
    }
}
