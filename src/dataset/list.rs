//! What a data set is opened by: a text that names its files, one path a line, blanks around it cut off, blank lines passed
//! over; or an HDF5 file itself.

use crate::faults::{Code, Fault, Faults, Refused};
use crate::formats::hdf5;
use crate::limits::Limits;
use crate::source::Source;
use std::path::{Path, PathBuf};

/// The files, those whose paths are not absolute within `folder` (none: the folder the process works in). All that can not
/// be opened are faults; those that can be are given.
pub(super) fn sources(
    list: &Source,
    folder: Option<&Path>,
    limits: &Limits,
    faults: &mut Faults,
) -> Result<Vec<Source>, Refused> {
    if hdf5::File::is_one(list, faults)? {
        return Ok(vec![list.clone()]);
    }
    let paths = paths(list, folder, limits, faults)?;
    Ok(paths.iter().filter_map(|path| Source::path(path, limits, faults).ok()).collect())
}

fn paths(list: &Source, folder: Option<&Path>, limits: &Limits, faults: &mut Faults) -> Result<Vec<PathBuf>, Refused> {
    if list.len() > limits.header_bytes {
        let message = format!("A list of {} bytes, where the limit is {}.", list.len(), limits.header_bytes);
        return Err(faults.refuse(Fault::new(Code::Limit, message)));
    }
    let bytes = list.bytes(0..list.len(), faults)?;
    let text = std::str::from_utf8(bytes.bytes()).map_err(|error| {
        let fault = Fault::new(Code::Encoding, "The list of files is neither UTF-8 nor an HDF5 file.");
        faults.refuse(fault.offset(error.valid_up_to() as u64))
    })?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let paths: Vec<PathBuf> =
        lines.map(|line| folder.map_or(PathBuf::from(line), |folder| folder.join(line))).collect();
    let message = match paths.len() {
        0 => "The list names no file: it holds a path a line.".to_owned(),
        many if many > limits.entries => {
            format!("The list names {many} files, where the limit is {}.", limits.entries)
        }
        _ => return Ok(paths),
    };
    Err(faults.refuse(Fault::new(Code::Absent, message)))
}
