//! All workloads, a line each.

use std::path::Path;

use super::Shown;
use crate::{
    profiles::{format::Basis, names},
    report::text::Page,
};

/// Columns of the names.
const NAMES: usize = 26;

/// Writes the list.
pub(super) fn write(page: &mut Page, all: &[Shown], own: Option<&Path>) {
    let built_in = |shown: &&Shown| names().any(|name| name == shown.profile.name);
    let basis =
        |basis: Basis| move |shown: &&Shown| built_in(shown) && shown.profile.basis == basis;
    page.line("SQL Server's own I/O (its table: iogauge profiles sqlserver):");
    all.iter()
        .filter(basis(Basis::Table))
        .for_each(|shown| line(page, shown));
    page.gap();
    page.line("SQL Server, beyond that table:");
    all.iter()
        .filter(basis(Basis::BeyondTable))
        .for_each(|shown| line(page, shown));
    page.gap();
    page.line("Others:");
    all.iter()
        .filter(basis(Basis::Sources))
        .for_each(|shown| line(page, shown));
    page.gap();
    let mut mine = all.iter().filter(|shown| !built_in(shown)).peekable();
    if let Some(folder) = own {
        if mine.peek().is_some() {
            page.line(&format!("Your own, in {}:", folder.display()));
        } else {
            page.wrapped(&format!(
                "Your own go to {}, in the same format.",
                folder.display()
            ));
        }
    }
    mine.for_each(|shown| line(page, shown));
    page.gap();
    page.line("One of them whole:  iogauge profiles sqlserver/log");
    page.line("To run it:          iogauge run sqlserver/log ./folder");
}

fn line(page: &mut Page, shown: &Shown) {
    let profile = &shown.profile;
    page.line(&format!(" {:<NAMES$}  {}", profile.name, profile.summary));
}
