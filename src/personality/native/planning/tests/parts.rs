//! Which part of a target is used, by `--size` and `--offset`.

use super::*;

const MIB: u64 = 1 << 20;

fn part(line: &str) -> (u64, Option<u64>) {
    let planned = planned(line);
    let target = only_target(&planned);
    (target.base, target.end)
}

#[test]
fn of_what_is_there_size_is_the_length_from_the_offset_on() {
    assert_eq!(
        part("run /dev/sdz --offset 300M --size 200M"),
        (300 * MIB, Some(500 * MIB))
    );
    assert_eq!(
        part("run /dev/sdz --offset 24M --size 1000M"),
        (24 * MIB, Some(1024 * MIB))
    );
    assert_eq!(
        part("run old.dat --offset 3M --size 2M --region 1M"),
        (3 * MIB, Some(4 * MIB))
    );
    // 1 GiB less 900 MiB.
    let error = refused("run /dev/sdz --offset 900M --size 200M");
    assert!(
        error.contains("124 MiB from --offset on") && error.contains("200 MiB of --size"),
        "{error}"
    );
    let error = refused("run /dev/sdz --offset 2G --size 200M");
    assert!(error.contains("which has 1 GiB"), "{error}");
}

#[test]
fn a_test_file_of_ours_is_extended_behind_the_offset() {
    let planned = planned("run /dir/ours.dat --offset 4M --size 8M");
    let Some(Step::Prepare(prepare)) = planned.plan.steps.first() else {
        panic!("{:?}", planned.plan.steps)
    };
    assert_eq!(prepare.files[0].size, 12 * MIB);
    assert_eq!(only_target(&planned).end, Some(12 * MIB));
}

#[test]
fn a_new_file_has_the_size_and_the_offset_lies_inside() {
    let planned = planned("run ./x --offset 100M --size 1G");
    let Some(Step::Prepare(prepare)) = planned.plan.steps.first() else {
        panic!("{:?}", planned.plan.steps)
    };
    assert_eq!(prepare.files[0].size, 1024 * MIB);
    let target = only_target(&planned);
    assert_eq!((target.base, target.end), (100 * MIB, Some(1024 * MIB)));
    let error = refused("run ./x --offset 300M --size 200M");
    assert!(error.contains("./x, which has 200 MiB"), "{error}");
}

#[test]
fn the_size_binds_every_file_of_a_profile() {
    for profile in ["backup", "restore"] {
        // The device has 1 GiB.
        let line =
            format!("run sqlserver/{profile} data=./d backup=/dev/sdz --size 512M --threads 1");
        let planned = planned(&line);
        for target in planned.plan.spans().flat_map(|span| &span.targets) {
            assert!(target.end <= Some(512 * MIB), "{line}: {target:?}");
            assert!(target.end.is_some(), "{line}: {target:?}");
        }
    }
}
