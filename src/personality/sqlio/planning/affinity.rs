//! On which CPUs threads run.

use crate::{
    personality::{
        Environment,
        sqlio::{line::warning, load::Binding},
    },
    plan::Affinity,
};

/// Bindings to the CPUs of this machine, and what has to be said of them, each thing once.
pub(super) struct Affinities<'a> {
    around: &'a Environment,
    pub(super) notes: Vec<String>,
}

impl<'a> Affinities<'a> {
    pub(super) fn new(around: &'a Environment) -> Self {
        Self {
            around,
            notes: Vec::new(),
        }
    }

    /// Of a mask in a parameter file; 0 binds nothing.
    pub(super) fn of_mask(&mut self, mask: u64) -> Result<Affinity, String> {
        self.of((mask != 0).then_some(Binding {
            mask,
            dealt: false,
            ideal: false,
        }))
    }

    /// Of an option.
    ///
    /// # Errors
    /// A sentence: no CPU of the mask is here.
    pub(super) fn of(&mut self, binding: Option<Binding>) -> Result<Affinity, String> {
        let Some(binding) = binding.filter(|binding| binding.mask != 0) else {
            return Ok(Affinity::None);
        };
        if binding.ideal {
            self.say(
                "ideal CPUs (I) are no more than a wish: threads run where the scheduler puts them",
            );
            return Ok(Affinity::None);
        }
        let usable = &self.around.machine.usable;
        let (cpus, missing) = binding.sorted(usable);
        if cpus.is_empty() {
            return Err(format!(
                "threads are to run on CPU {}, and this process may use {}",
                list(&missing),
                list(usable)
            ));
        }
        if !missing.is_empty() {
            self.say(&format!(
                "the mask 0x{:x} has CPUs that this process may not use, which are left out: {}",
                binding.mask,
                list(&missing)
            ));
        }
        if binding.dealt || cpus.len() == 1 {
            return Ok(Affinity::List(cpus));
        }
        if !usable.is_empty() && cpus.len() == usable.len() {
            // All that there are: nothing to bind.
            return Ok(Affinity::None);
        }
        self.say(
            "threads are bound to one CPU of their mask each, in turn, where SQLIO lets them move \
             among its CPUs",
        );
        Ok(Affinity::List(cpus))
    }

    fn say(&mut self, sentence: &str) {
        let line = warning(sentence);
        if !self.notes.contains(&line) {
            self.notes.push(line);
        }
    }
}

fn list(cpus: &[u32]) -> String {
    let cpus: Vec<String> = cpus.iter().map(u32::to_string).collect();
    cpus.join(", ")
}
