//! HDF5 files of a described tree, wherever they go. Called by the formats that are kept in such files.

use super::target::{Sink, Target};
use crate::{
    faults::{Faults, Refused},
    formats::hdf5::Plan,
    progress::Progress,
};

/// Writes an HDF5 file. After a fault a path holds what it held before, and memory too.
pub(super) fn hdf5(
    plan: &Plan<'_>,
    target: Target<'_>,
    progress: &Progress,
    faults: &mut Faults,
) -> Result<(), Refused> {
    let total = plan.length();
    let mut sink = Sink::open(target, total, faults)?;
    let mut done = 0;
    let mut put = |piece: &[u8], faults: &mut Faults| {
        progress.at(done, total, faults)?;
        done += piece.len() as u64;
        sink.write(piece, faults)
    };
    match plan.write(&mut put, faults).and_then(|()| progress.at(total, total, faults)) {
        Ok(()) => sink.finish(faults),
        Err(refused) => {
            sink.undo();
            Err(refused)
        }
    }
}
