//! A seeded device on a virtual clock.

use std::str::FromStr;

/// How the simulated device behaves.
#[derive(Debug, Clone, PartialEq)]
pub struct Law {
    /// Seeds every draw.
    pub seed: u64,
}

impl Default for Law {
    fn default() -> Self {
        Self { seed: 1 }
    }
}

impl FromStr for Law {
    type Err = String;

    fn from_str(_text: &str) -> Result<Self, Self::Err> {
        Ok(Self::default())
    }
}
