//! One file an engine; [`open`] is their registry.

pub(crate) mod null;
pub(crate) mod psync;
pub mod sim;

use crate::{Engine, EngineKind, OpenError, Setup};

/// Opens `kind`; see [`crate::registry::open`].
pub(crate) fn open(kind: EngineKind, setup: Setup) -> Result<Box<dyn Engine>, OpenError> {
    Ok(match kind {
        EngineKind::Psync => Box::new(psync::Psync::new(setup)),
        EngineKind::Null => Box::new(null::Null::new(setup)),
        _ => return Err(OpenError::NotHere(kind)),
    })
}
