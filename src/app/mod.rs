//! One file a command; each strings the stages together. Imported by `main` alone.
