//! Machines that tests lay out.

use std::fs;

use super::Root;

/// Files with their contents, below a folder that removes itself.
pub(super) fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, Root) {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let root = Root(folder.path().to_path_buf());
    (folder, root)
}
