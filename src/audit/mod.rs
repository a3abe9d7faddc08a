//! Was it what it claims to be? Checks that become findings.
