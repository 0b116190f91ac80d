//! A file that replaces another at once, or not at all.

use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// A file written beside the place it is meant for; gone again unless it is put there.
pub(super) struct Replacement {
    file: File,
    beside: PathBuf,
    path: PathBuf,
    placed: bool,
}

impl Replacement {
    /// Opens a new file beside `path`. A link is followed: what it leads to is replaced.
    pub fn beside(path: &Path, faults: &mut Faults) -> Result<Replacement, Refused> {
        const TRIES: u32 = 1000;
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let name = path.file_name().ok_or_else(|| failed(&path, &io::ErrorKind::IsADirectory.into(), faults))?;
        for attempt in 0..TRIES {
            let mut part = std::ffi::OsString::from(".");
            part.push(name);
            part.push(format!(".{attempt}.part"));
            let beside = path.with_file_name(part);
            match OpenOptions::new().write(true).create_new(true).open(&beside) {
                Ok(file) => return Ok(Replacement { file, beside, path, placed: false }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&path, &error, faults)),
            }
        }
        Err(failed(&path, &io::ErrorKind::AlreadyExists.into(), faults))
    }

    /// Writes the next bytes.
    pub fn write(&mut self, piece: &[u8], faults: &mut Faults) -> Result<(), Refused> {
        self.file.write_all(piece).map_err(|error| failed(&self.path, &error, faults))
    }

    /// Makes sure of the bytes and puts the file in its place.
    pub fn place(mut self, faults: &mut Faults) -> Result<(), Refused> {
        let done = self.file.sync_all().and_then(|()| fs::rename(&self.beside, &self.path));
        done.map_err(|error| failed(&self.path, &error, faults))?;
        self.placed = true;
        // The name is made sure of too, where folders can be; the file is whole either way.
        if let Some(Ok(folder)) = self.path.parent().map(File::open) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.placed {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// Puts a file of these bytes at `path`: a reader sees the old file or the new one and never half; after a fault the old one.
pub fn replace(path: &Path, bytes: &[u8], faults: &mut Faults) -> Result<(), Refused> {
    let mut file = Replacement::beside(path, faults)?;
    file.write(bytes, faults)?;
    file.place(faults)
}

fn failed(path: &Path, error: &io::Error, faults: &mut Faults) -> Refused {
    let name = path.to_string_lossy();
    let message = format!("'{}' can not be written: {error}.", quoted_str(&name));
    faults.refuse(Fault::new(Code::Io, message).place(name.as_ref()))
}
