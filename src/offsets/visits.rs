//! Which file a visitor asks for next.

use std::sync::Arc;

use super::{divide::scale, random::Random};
use crate::plan::{Generator, Popularity, Visits};

/// How often each file is asked for, the same for all visitors.
#[derive(Debug, Clone)]
pub struct Popular(Arc<Law>);

#[derive(Debug)]
enum Law {
    Uniform {
        files: u64,
    },
    /// By rank: the shares of all files up to and including this one, not yet divided by their sum.
    /// Exact, unlike the usual approximations, and one look-up of some 20 steps for a million files.
    Table(Vec<f64>),
}

impl Popular {
    /// Of the files of `visits`, of which there is at least one.
    pub fn of(visits: &Visits) -> Self {
        let files = visits.files.len();
        Self(Arc::new(match visits.popularity {
            Popularity::Uniform => Law::Uniform {
                files: files as u64,
            },
            Popularity::Zipf(exponent) => {
                let mut sum = 0.0;
                let share = |rank: usize| {
                    sum += (rank as f64).powf(-exponent);
                    sum
                };
                Law::Table((1..=files).map(share).collect())
            }
        }))
    }

    /// Bytes of memory that the table takes.
    pub fn bytes(&self) -> u64 {
        match &*self.0 {
            Law::Uniform { .. } => 0,
            Law::Table(table) => table.len() as u64 * size_of::<f64>() as u64,
        }
    }

    /// The choices of visitor `visitor`.
    pub fn choices(&self, generator: Generator, visitor: u32) -> Choices {
        Choices {
            law: Arc::clone(&self.0),
            random: Random::new(generator, visitor),
        }
    }
}

/// What one visitor asks for.
#[derive(Debug, Clone)]
pub struct Choices {
    law: Arc<Law>,
    random: Random,
}

impl Choices {
    /// Index of the next file.
    #[inline]
    pub fn choose(&mut self) -> usize {
        let draw = self.random.draw();
        match &*self.law {
            Law::Uniform { files } => scale(draw, *files) as usize,
            Law::Table(table) => {
                let all = table.last().copied().unwrap_or_default();
                // 53 bits make a fraction below 1.
                let place = all * ((draw >> 11) as f64 / (1_u64 << 53) as f64);
                let index = table.partition_point(|up_to| *up_to <= place);
                index.min(table.len().saturating_sub(1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::fixtures;

    const SEED: Generator = Generator::Xoshiro { seed: 5 };

    fn popular(files: usize, popularity: Popularity) -> Popular {
        let mut visits = fixtures::visits_span(files).visits.unwrap();
        visits.popularity = popularity;
        Popular::of(&visits)
    }

    /// How often each of the files is chosen in so many draws.
    fn counts(popular: &Popular, files: usize, draws: usize) -> Vec<u32> {
        let mut choices = popular.choices(SEED, 0);
        let mut counts = vec![0; files];
        for _ in 0..draws {
            counts[choices.choose()] += 1;
        }
        counts
    }

    #[test]
    fn without_a_law_all_files_are_alike() {
        let counts = counts(&popular(7, Popularity::Uniform), 7, 70_000);
        // 10,000 each; 500 is five standard deviations.
        assert!(
            counts.iter().all(|count| count.abs_diff(10_000) < 500),
            "{counts:?}"
        );
    }

    #[test]
    fn zipf_gives_each_rank_its_share() {
        // Exponent 1 over four files: shares 1, 1/2, 1/3, 1/4 of 25/12: 48, 24, 16 and 12 %.
        let counts = counts(&popular(4, Popularity::Zipf(1.0)), 4, 100_000);
        for (count, expected) in counts.iter().zip([48_000_u32, 24_000, 16_000, 12_000]) {
            assert!(count.abs_diff(expected) < 800, "{counts:?}");
        }
    }

    #[test]
    fn the_ends_of_the_law_are_in_range() {
        for exponent in [1e-9, 0.99, 50.0, 1e300] {
            let popular = popular(1000, Popularity::Zipf(exponent));
            let mut choices = popular.choices(SEED, 3);
            assert!((0..10_000).all(|_| choices.choose() < 1000), "{exponent}");
        }
        let one = popular(1, Popularity::Zipf(1.0));
        assert_eq!(one.choices(SEED, 0).choose(), 0);
    }

    #[test]
    fn visitors_go_their_own_ways_and_each_the_same_way_again() {
        let popular = popular(1000, Popularity::Zipf(0.99));
        let way = |visitor| {
            let mut choices = popular.choices(SEED, visitor);
            [(); 20].map(|()| choices.choose())
        };
        assert_eq!(way(0), way(0));
        assert_ne!(way(0), way(1));
    }
}
