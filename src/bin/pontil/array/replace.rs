//! A file that is there whole or not at all.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
    process,
};

/// Writes `bytes` beside `path` and puts them in its place when they are all there.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", process::id()));
    let part = path.with_file_name(name);
    let mut file = File::create_new(&part)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}
