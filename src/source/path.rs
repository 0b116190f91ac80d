//! A file by its path: only a regular one, mapped as a whole, and the files beside it.

use super::{map::Mapped, too_long};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted_str},
    limits::Limits,
    tensor::Storage,
};
use std::{
    fs::{self, File, Metadata},
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

/// Opens and maps a file; gives the folder it stands in too.
pub(super) fn open(path: &Path, limits: &Limits, faults: &mut Faults) -> Result<(Storage, PathBuf), Refused> {
    // Looked at before it is opened: opening a pipe would wait for a writer.
    let told = fs::metadata(path).map_err(|error| failed(path, &error, faults))?;
    regular(path, &told, faults)?;
    let file = File::open(path).map_err(|error| failed(path, &error, faults))?;
    let told = file.metadata().map_err(|error| failed(path, &error, faults))?;
    regular(path, &told, faults)?;
    let name = Text::from(path.to_string_lossy().into_owned());
    if told.len() > limits.file_bytes || usize::try_from(told.len()).is_err() {
        return Err(too_long(&name, limits, faults));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let storage = if told.len() == 0 {
        Storage::filled(0, |_| ()).ok_or_else(|| failed(path, &io::ErrorKind::OutOfMemory.into(), faults))?
    } else {
        Storage::kept(Arc::new(Mapped::of(&file).map_err(|error| failed(path, &error, faults))?))
    };
    Ok((storage, folder.to_path_buf()))
}

/// The path of a file in `folder`: `name` must lead down from it, and no link may lead out of it.
pub(super) fn beside(folder: &Path, name: &str, faults: &mut Faults) -> Result<PathBuf, Refused> {
    let down = !name.contains('\0')
        && Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        && Path::new(name).components().any(|part| matches!(part, Component::Normal(_)));
    let outside = |faults: &mut Faults| {
        let message = format!("'{}' is no file within the folder of the file that names it.", quoted_str(name));
        faults.refuse(Fault::new(Code::Hostile, message).place(name))
    };
    if !down {
        return Err(outside(faults));
    }
    let path = folder.join(name);
    let folder = folder.canonicalize().map_err(|error| failed(folder, &error, faults))?;
    let whole = path.canonicalize().map_err(|error| failed(&path, &error, faults))?;
    if whole.starts_with(&folder) { Ok(whole) } else { Err(outside(faults)) }
}

fn regular(path: &Path, told: &Metadata, faults: &mut Faults) -> Result<(), Refused> {
    if told.is_file() {
        return Ok(());
    }
    let what = if told.is_dir() { "a folder" } else { "no regular file" };
    let name = path.to_string_lossy();
    let message = format!("'{}' is {what}; a file is wanted.", quoted_str(&name));
    Err(faults.refuse(Fault::new(Code::Io, message).place(name.as_ref())))
}

fn failed(path: &Path, error: &io::Error, faults: &mut Faults) -> Refused {
    let name = path.to_string_lossy();
    let shown = quoted_str(&name);
    let (code, message) = match error.kind() {
        io::ErrorKind::NotFound => (Code::NotFound, format!("There is no file '{shown}'.")),
        _ => (Code::Io, format!("'{shown}' can not be read: {error}.")),
    };
    faults.refuse(Fault::new(code, message).place(name.as_ref()))
}
