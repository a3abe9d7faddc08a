//! Laws of distributions against theory, with fixed seeds: chi-square over many draws.

use super::*;
use crate::{
    offsets::permutation::{self, Permutation, tests::place},
    plan::{Ranks, Skew},
};

const BLOCK: u64 = 4096;

fn ranked(skew: Skew, ranks: Ranks) -> Distribution {
    Distribution::Ranked { skew, ranks }
}

/// Block numbers that a worker draws from so many blocks.
fn blocks(
    generator: Generator,
    distribution: Distribution,
    blocks: u64,
    draws: usize,
) -> impl Iterator<Item = u64> {
    let pattern = random(BLOCK, distribution);
    let group = group(1, vec![stream(pattern, BlockSizes::One(BLOCK as u32))]);
    let mut worker = sequencers(generator, &group, whole(blocks * BLOCK)).remove(0);
    (0..draws).map(move |_| worker.next(0).offset / BLOCK)
}

/// Chi-square of draws that fell into bins of these shares; bins of which less than ten draws are
/// expected count as one.
fn assert_fits(bins: &[u64], shares: &[f64], what: &str) {
    assert_eq!(bins.len(), shares.len());
    let draws: u64 = bins.iter().sum();
    let sum: f64 = shares.iter().sum();
    assert!((sum - 1.0).abs() < 1e-5, "{what}: shares make {sum}");
    let mut rare = (0, 0.0);
    let mut cells: Vec<(u64, f64)> = Vec::new();
    for (count, share) in bins.iter().zip(shares) {
        let expected = share * draws as f64;
        if expected < 10.0 {
            rare = (rare.0 + count, rare.1 + expected);
        } else {
            cells.push((*count, expected));
        }
    }
    if rare.1 >= 1.0 {
        cells.push(rare);
    } else {
        assert!(rare.0 <= 5, "{what}: {rare:?}");
    }
    let square = |(count, expected): &(u64, f64)| (*count as f64 - expected).powi(2) / expected;
    let chi: f64 = cells.iter().map(square).sum();
    // Mean and variance of chi-square are the degrees of freedom and twice that.
    let freedom = (cells.len() - 1) as f64;
    let most = freedom + 5.0 * (2.0 * freedom).sqrt();
    assert!(chi < most, "{what}: {chi} is above {most}, {bins:?}");
}

/// The sum of k to the power of minus `exponent` over `from < k <= to`: term by term where there
/// are few, else by Euler and Maclaurin, whose next term is below 1e-12 from 1,024 on.
fn zeta(exponent: f64, from: u64, to: u64) -> f64 {
    if from < 1024 {
        let term = |k: u64| (k as f64).powf(-exponent);
        return (from + 1..=to).map(term).sum();
    }
    let (a, b) = (from as f64, to as f64);
    let power = 1.0 - exponent;
    let area = if power == 0.0 {
        (b / a).ln()
    } else {
        (b.powf(power) - a.powf(power)) / power
    };
    let term = |x: f64| x.powf(-exponent);
    let slope = |x: f64| -exponent * x.powf(-exponent - 1.0);
    area + (term(b) - term(a)) / 2.0 + (slope(b) - slope(a)) / 12.0
}

/// Ranks 1, 2, 3 to 4, 5 to 8 and so on up to 2^28 against their shares.
fn assert_zipf(ranks: impl Iterator<Item = u64>, exponent: f64) {
    let mut bins = [0_u64; 29];
    for rank in ranks {
        bins[(u64::BITS - rank.leading_zeros()) as usize] += 1;
    }
    let end = |bin: usize| 1_u64 << bin;
    let mut sums = vec![1.0];
    sums.extend((1..29).map(|bin| zeta(exponent, end(bin - 1), end(bin))));
    let all: f64 = sums.iter().sum();
    let shares: Vec<f64> = sums.iter().map(|sum| sum / all).collect();
    assert_fits(&bins, &shares, &format!("zipf {exponent}"));
}

#[test]
fn zipf_over_a_large_range_fits_theory_at_every_rank() {
    for generator in GENERATORS {
        for exponent in [0.01, 0.5, 0.99, 1.0, 1.2, 2.0, 10.0] {
            let in_order = ranked(Skew::Zipf(exponent), Ranks::InOrder);
            // Rank 0 here is rank 1 there: the bit length of rank - 1 is the number of its bin.
            assert_zipf(blocks(generator, in_order, 1 << 28, 200_000), exponent);
        }
    }
}

#[test]
fn scattered_ranks_are_the_same_law_at_other_places() {
    let Generator::Xoshiro { seed } = GENERATORS[1] else {
        panic!("another order of generators");
    };
    let order = Permutation::new(1 << 28, permutation::key(&[seed, 0]));
    let scattered = ranked(Skew::Zipf(0.99), Ranks::Scattered);
    let drawn: Vec<u64> = blocks(GENERATORS[1], scattered, 1 << 28, 500_000).collect();
    assert_zipf(drawn.iter().map(|block| place(&order, *block)), 0.99);
    // The places themselves are all over the range: of all different ones each sixteenth has alike
    // many.
    let mut different = drawn;
    different.sort_unstable();
    different.dedup();
    let mut bins = [0_u64; 16];
    for block in different {
        bins[(block >> 24) as usize] += 1;
    }
    assert_fits(&bins, &[1.0 / 16.0; 16], "places");
}

#[test]
fn every_block_is_reached() {
    let shares = [
        ranked(Skew::Zipf(1.0), Ranks::Scattered),
        ranked(Skew::Zipf(0.5), Ranks::ScatteredFrom(30.0)),
        ranked(Skew::Pareto(0.2), Ranks::Scattered),
        Distribution::Percent(vec![share(90, 0, 10), share(10, 10, 90)]),
    ];
    for distribution in shares {
        // Of 200 blocks the rarest of these laws has 1 / (200 x 5.878) of the draws, Pareto's about
        // 1 / 1,440: 85 of 100,000 or more.
        let mut seen = [false; 200];
        for block in blocks(GENERATORS[1], distribution.clone(), 200, 100_000) {
            seen[block as usize] = true;
        }
        assert!(seen.iter().all(|seen| *seen), "{distribution:?}");
    }
}

#[test]
fn few_ranks_have_their_exact_shares() {
    // The harmonic number of 100 is 5.187378.
    let all = 5.187_378;
    let shares: Vec<f64> = (1..=100).map(|rank| 1.0 / f64::from(rank) / all).collect();
    let mut bins = [0_u64; 100];
    let in_order = ranked(Skew::Zipf(1.0), Ranks::InOrder);
    for block in blocks(GENERATORS[0], in_order, 100, 300_000) {
        bins[block as usize] += 1;
    }
    assert_fits(&bins, &shares, "zipf over 100");
}

#[test]
fn pareto_is_the_same_rule_in_every_part() {
    for (h, other) in [(0.2_f64, 0.8), (0.1, 0.9), (0.4, 0.6)] {
        for said in [h, other] {
            let in_order = ranked(Skew::Pareto(said), Ranks::InOrder);
            // Between h^(k+1) and h^k of the range are (1-h)^k h of the I/Os.
            let mut bins = [0_u64; 9];
            for block in blocks(GENERATORS[1], in_order, 1 << 28, 200_000) {
                let place = block as f64 / (1_u64 << 28) as f64;
                let bin = (0..8).take_while(|k| place < h.powi(k + 1)).count();
                bins[bin] += 1;
            }
            let mut shares: Vec<f64> = (0..8).map(|k| (1.0 - h).powi(k) * h).collect();
            shares.push((1.0 - h).powi(8));
            assert_fits(&bins, &shares, &format!("pareto {said}"));
        }
    }
}

#[test]
fn normal_lies_around_its_middle_and_ends_with_the_range() {
    let normal = |deviation_percent, centre_percent| Distribution::Normal {
        deviation_percent,
        centre_percent,
    };
    // Between 0, 0.5, 1 ... 3 standard deviations and beyond, by a table of the normal distribution.
    let table = [
        0.191_462, 0.149_882, 0.091_848, 0.044_057, 0.016_540, 0.004_860,
    ];
    let mut shares: Vec<f64> = table.into_iter().chain([0.001_350]).collect();
    shares.extend(shares.clone());
    for generator in GENERATORS {
        let mut bins = [0_u64; 14];
        for block in blocks(generator, normal(10.0, 50.0), 1 << 28, 200_000) {
            let away = (block as f64 + 0.5) / (1_u64 << 28) as f64 - 0.5;
            let bin = ((away.abs() / 0.05) as usize).min(6);
            bins[if away < 0.0 { bin } else { 7 + bin }] += 1;
        }
        assert_fits(&bins, &shares, "normal 10 %");
    }
    // From the very beginning, two standard deviations long: half of a bell that is cut off, not
    // heaped up at its end.
    let half: Vec<f64> = table[..4].iter().map(|share| share / 0.477_249).collect();
    let mut bins = [0_u64; 4];
    for block in blocks(GENERATORS[1], normal(50.0, 0.0), 1 << 28, 200_000) {
        bins[(block >> 26) as usize] += 1;
    }
    assert_fits(&bins, &half, "half a bell");
}

#[test]
fn hot_spots_are_alike_inside() {
    let shares = vec![share(90, 0, 10), share(10, 10, 90)];
    let mut bins = [0_u64; 20];
    for block in blocks(
        GENERATORS[1],
        Distribution::Percent(shares),
        100_000,
        200_000,
    ) {
        let bin = if block < 10_000 {
            block / 1_000
        } else {
            10 + (block - 10_000) / 9_000
        };
        bins[bin as usize] += 1;
    }
    let expected = [[0.09; 10], [0.01; 10]].concat();
    assert_fits(&bins, &expected, "hot");
}

/// The block that is drawn most often.
fn hottest(worker: &mut Sequencer, count: usize) -> u64 {
    let mut drawn = std::collections::BTreeMap::new();
    for next in take(worker, count) {
        *drawn.entry(next.offset / BLOCK).or_insert(0) += 1;
    }
    drawn
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .expect("a block")
        .0
}

#[test]
fn what_is_popular_is_so_for_all_workers_and_sizes_of_a_seed() {
    let pattern = |ranks| AccessPattern::Mixed {
        alignment: BLOCK,
        random_percent: 100,
        distribution: ranked(Skew::Zipf(1.2), ranks),
    };
    let sizes = BlockSizes::Weighted {
        read: vec![entry(4096, 1), entry(65_536, 1)],
        write: vec![entry(8192, 1)],
    };
    let all = |ranks, seed| -> Vec<u64> {
        let mut one = stream(random(BLOCK, ranked(Skew::Zipf(1.2), ranks)), sizes.clone());
        one.mix.write_percent = 50;
        let mixed = stream(pattern(ranks), sizes.clone());
        let generator = Generator::Xoshiro { seed };
        let groups = [group(2, vec![one]), group(2, vec![mixed])];
        let workers = groups
            .iter()
            .flat_map(|group| sequencers(generator, group, whole(1 << 30)));
        workers
            .map(|mut worker| hottest(&mut worker, 5_000))
            .collect()
    };
    let (one, other) = (all(Ranks::Scattered, 1), all(Ranks::Scattered, 2));
    assert_eq!(one, [one[0]; 4]);
    assert_eq!(other, [other[0]; 4]);
    assert_ne!(one[0], other[0]);
    // The largest I/O fits at 2^18 - 15 places.
    assert_eq!(all(Ranks::ScatteredFrom(50.0), 3), [(262_144 - 15) / 2; 4]);
    assert_eq!(all(Ranks::ScatteredFrom(100.0), 3), [262_144 - 16; 4]);
    assert_eq!(all(Ranks::InOrder, 3), [0; 4]);
}
