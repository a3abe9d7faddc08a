# The commands of the house. `just` lists them.

_list:
    @just --list

# What must hold before a change is taken: all that continuous integration runs.
check:
    .ci/run

# The quick part of it, for while you work.
quick:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    cargo test

# Our own cost, and fio beside us (as root for the disk in memory).
bench:
    cargo bench

# The documentation of the code.
doc:
    cargo doc --workspace --no-deps --open

# A small, fast executable for release.
dist:
    cargo build --profile dist

# Throws strange command lines at a parser for a minute; needs cargo-fuzz and a nightly compiler.
fuzz target="diskspd_line":
    cargo +nightly fuzz run {{target}} -- -max_total_time=60
