//! Which engines work here.

use ioengine::{EngineKind, Setup, registry};

use super::checks::Check;

/// Those that a system may refuse.
const ASKED: [(EngineKind, &str); 2] = [
    (EngineKind::IoUring, "engine_io_uring"),
    (EngineKind::Libaio, "engine_libaio"),
];

/// What became of opening one.
pub(super) struct Tried {
    key: &'static str,
    kind: EngineKind,
    /// Why it does not work.
    refused: Option<String>,
}

/// Opens and closes the smallest engine of each kind.
pub(super) fn probe() -> Vec<Tried> {
    let asked = ASKED.iter().filter(|(kind, _)| kind.capabilities().here);
    asked
        .map(|(kind, key)| Tried {
            key,
            kind: *kind,
            refused: registry::open(*kind, Setup::default())
                .err()
                .map(|error| error.to_string()),
        })
        .collect()
}

/// What a reader must know of them.
pub(super) fn checks(tried: &[Tried]) -> Vec<Check> {
    let others = |kind: EngineKind| {
        let works = |other: &&Tried| other.kind != kind && other.refused.is_none();
        let names: Vec<String> = tried
            .iter()
            .filter(works)
            .map(|t| t.kind.to_string())
            .collect();
        if names.is_empty() {
            "psync (one I/O at a time)".to_owned()
        } else {
            names.join(" or ")
        }
    };
    let check = |tried: &Tried| match &tried.refused {
        None => Check::fine(tried.key, "works"),
        Some(reason) => Check::action(
            tried.key,
            reason.clone(),
            format!(
                "until then --engine {}; loads of many I/Os in flight take it by themselves",
                others(tried.kind)
            ),
        ),
    };
    tried.iter().map(check).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::doctor::checks::State;

    #[test]
    fn an_engine_that_is_refused_comes_with_one_that_works() {
        let tried = |refused: [Option<&str>; 2]| {
            let each = ASKED.iter().zip(refused);
            checks(
                &each
                    .map(|((kind, key), refused)| Tried {
                        key,
                        kind: *kind,
                        refused: refused.map(str::to_owned),
                    })
                    .collect::<Vec<_>>(),
            )
        };
        let fine = tried([None, None]);
        assert!(fine.iter().all(|check| check.state == State::Fine));
        let one = tried([Some("the sysctl says no"), None]);
        assert_eq!(
            (one[0].key, one[0].state),
            ("engine_io_uring", State::Action)
        );
        assert_eq!(one[0].finding, "the sysctl says no");
        assert!(one[0].remedy.as_ref().unwrap().contains("--engine libaio"));
        let none = tried([Some("no"), Some("no")]);
        assert!(none[1].remedy.as_ref().unwrap().contains("--engine psync"));
    }
}
