//! The grammar, part by part.

use super::*;

const ALL: &str = "seed=7,servers=8,read=exp:100us,write=uniform:50us..90us,flush=fixed:2ms,\
                   per_byte=0.3ns,submit=250ns,error_every=1000:ENOSPC,short_every=500,\
                   hang_after=100000,order=random,stall=2s..3s,size=1GiB";

#[test]
fn every_part_means_what_it_says() {
    let law: Law = ALL.parse().unwrap();
    let wanted = Law {
        seed: 7,
        servers: 8,
        read: Service::Exponential(100_000),
        write: Service::Uniform(50_000, 90_000),
        flush: Service::Fixed(2_000_000),
        per_byte_ps: 300,
        submit_ns: 250,
        error_every: Some((1000, Errno::ENOSPC)),
        short_every: Some(500),
        hang_after: Some(100_000),
        order: Order::Random,
        stall: Some((2_000_000_000, 3_000_000_000)),
        size: Some(1 << 30),
    };
    assert_eq!(law, wanted);
}

#[test]
fn what_is_written_reads_back() {
    for text in [
        ALL,
        "",
        "seed=3,order=submission,size=4097B",
        "per_byte=12ns",
    ] {
        let law: Law = text.parse().unwrap();
        assert_eq!(law.to_string().parse(), Ok(law));
    }
    let text = ALL.replace("0.3ns", "0.300ns");
    assert_eq!(text.parse::<Law>().unwrap().to_string(), text);
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    for (text, words) in [
        ("seed", "KEY=VALUE"),
        ("speed=1", "no such part"),
        ("seed=1,seed=2", "twice"),
        ("servers=0", "at least 1"),
        ("servers=70000", "65536"),
        ("read=100us", "fixed:TIME"),
        ("read=fixed:100", "such as 100us"),
        ("write=uniform:9us..5us", "ends before"),
        ("error_every=5:EWHAT", "EWHAT"),
        ("size=1GB", "such as 1GiB"),
        ("size=99999999999TiB", "such as 1GiB"),
        ("per_byte=0.1234ns", "such as 0.3ns"),
    ] {
        let error = text.parse::<Law>().unwrap_err();
        assert!(error.contains(words), "{text}: {error}");
    }
}
