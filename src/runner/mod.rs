//! Carries out a plan. The only folder that runs I/O.
