//! Which worker loads which files. Each thread belongs to one file, dealt in turn; where there are
//! more files than threads, a thread has several.

/// Workers that load the same files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Crew {
    /// How many.
    pub(super) workers: u32,
    /// For each turn of the deal that fell to them, the number of the file for each stream.
    pub(super) turns: Vec<Vec<u32>>,
}

/// Deals files to threads; `counts[i]` is the number of files of stream i.
pub(super) fn deal(threads: u32, counts: &[u32]) -> Vec<Crew> {
    let threads = threads.max(1);
    let turns = counts.iter().copied().max().unwrap_or(1).max(threads);
    let mut dealt: Vec<Vec<Vec<u32>>> = vec![Vec::new(); threads as usize];
    for turn in 0..turns {
        let files = counts.iter().map(|count| turn % (*count).max(1)).collect();
        dealt[(turn % threads) as usize].push(files);
    }
    let mut crews: Vec<Crew> = Vec::new();
    for turns in dealt {
        match crews.iter_mut().find(|crew| crew.turns == turns) {
            Some(crew) => crew.workers += 1,
            None => crews.push(Crew { workers: 1, turns }),
        }
    }
    crews
}

/// A part of a file, `from` to `to` of `of` equal ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slice {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) of: u64,
}

impl Slice {
    /// All of it.
    pub(super) const WHOLE: Self = Self {
        from: 0,
        to: 1,
        of: 1,
    };

    /// The part of this part that falls to workers `first..first + workers` of `all`.
    pub(super) fn share(self, first: u32, workers: u32, all: u32) -> Self {
        let all = u64::from(all.max(1));
        let length = self.to - self.from;
        let place = |worker: u32| self.from * all + length * u64::from(worker);
        Self {
            from: place(first),
            to: place(first + workers),
            of: self.of * all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crew(workers: u32, turns: &[&[u32]]) -> Crew {
        Crew {
            workers,
            turns: turns.iter().map(|files| files.to_vec()).collect(),
        }
    }

    #[test]
    fn threads_are_dealt_to_files_in_turn() {
        assert_eq!(deal(16, &[1]), [crew(16, &[&[0]])]);
        assert_eq!(deal(5, &[2]), [crew(3, &[&[0]]), crew(2, &[&[1]])]);
        // A backup of one file to three stripes by eight threads.
        assert_eq!(
            deal(8, &[1, 3]),
            [
                crew(3, &[&[0, 0]]),
                crew(3, &[&[0, 1]]),
                crew(2, &[&[0, 2]])
            ]
        );
    }

    #[test]
    fn few_threads_have_several_files() {
        assert_eq!(deal(1, &[3]), [crew(1, &[&[0], &[1], &[2]])]);
        assert_eq!(deal(2, &[3]), [crew(1, &[&[0], &[2]]), crew(1, &[&[1]])]);
        assert_eq!(deal(0, &[]), [crew(1, &[&[]])]);
    }

    #[test]
    fn shares_follow_each_other() {
        let half = Slice {
            from: 1,
            to: 2,
            of: 2,
        };
        // The second half for 3 and 2 of 5 workers: from 5 to 8 and from 8 to 10 tenths.
        assert_eq!(
            half.share(0, 3, 5),
            Slice {
                from: 5,
                to: 8,
                of: 10
            }
        );
        assert_eq!(
            half.share(3, 2, 5),
            Slice {
                from: 8,
                to: 10,
                of: 10
            }
        );
        let all = Slice::WHOLE.share(0, 4, 4);
        assert_eq!((all.from, all.to, all.of), (0, 4, 4));
    }
}
