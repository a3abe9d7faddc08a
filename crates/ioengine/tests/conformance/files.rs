//! Files as engines are given them.

use ioengine::{Access, File, OpenOptions};

#[test]
fn exclusive_means_nothing_for_regular_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    std::fs::write(&path, b"12345").unwrap();
    let options = OpenOptions {
        access: Access::ReadWrite,
        exclusive: cfg!(target_os = "linux"),
        create: true,
        ..OpenOptions::READ
    };
    assert_eq!(File::open(&path, options).unwrap().size(), 5);
}
