//! From a plan to the sequence of operations: pure, the same for `explain` and for the runner.
