//! Commands that look after the machine and its files: clean, doctor, the bare program, completions
//! and the manual page.

mod clean;
mod consent;
mod looks;
mod shells;
