//! Choices by weight.

use super::{divide::Divisor, random::Random};

/// Up to this many entries are counted through without a branch, which costs less than a search
/// whose every step the processor guesses wrong half of the time.
const COUNTED: usize = 16;

/// Weights of numbered choices.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    /// Running sums.
    ends: Box<[u64]>,
    total: Divisor,
}

impl Weights {
    /// `None` if nothing has any weight.
    pub(super) fn new(weights: impl IntoIterator<Item = u64>) -> Option<Self> {
        let mut total = 0_u64;
        let add = |weight| {
            total = total.saturating_add(weight);
            total
        };
        let ends: Box<[u64]> = weights.into_iter().map(add).collect();
        (total > 0).then(|| Self {
            ends,
            total: Divisor::new(total),
        })
    }

    /// Draws a choice from 64 bits.
    #[inline]
    pub(super) fn draw(&self, random: &mut Random) -> usize {
        self.choice(random.below(self.total))
    }

    /// Draws a choice from 32 bits.
    #[inline]
    pub(super) fn draw_32(&self, random: &mut Random) -> usize {
        self.choice(random.below_32(self.total))
    }

    #[inline]
    fn choice(&self, drawn: u64) -> usize {
        if self.ends.len() <= COUNTED {
            self.ends.iter().map(|end| usize::from(*end <= drawn)).sum()
        } else {
            self.ends.partition_point(|end| *end <= drawn)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Weights;

    #[test]
    fn a_choice_owns_as_many_numbers_as_its_weight() {
        let few = Weights::new([2, 0, 3, 1]).expect("weights");
        let chosen: Vec<usize> = (0..6).map(|drawn| few.choice(drawn)).collect();
        assert_eq!(chosen, [0, 0, 2, 2, 2, 3]);
        let many = Weights::new([2; 40]).expect("weights");
        assert!((0..80).all(|drawn| many.choice(drawn) == drawn as usize / 2));
        assert!(Weights::new([0, 0]).is_none());
        assert!(Weights::new([]).is_none());
    }
}
