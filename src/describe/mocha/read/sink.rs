//! Settings of the layers that keep and count.

use super::Reader;
use crate::describe::mocha::kind::Kind;

pub(in super::super) fn memory_output(_: &mut Reader) -> Kind {
    Kind::MemoryOutput
}

pub(in super::super) fn hdf5_output(read: &mut Reader) -> Kind {
    let filename = read.text("filename");
    let datasets = read.texts("datasets");
    Kind::Hdf5Output { filename, datasets, overwrite: read.args.flag("force_overwrite", false) }
}

pub(in super::super) fn accuracy(read: &mut Reader) -> Kind {
    let dim = read.dim("dim", -2);
    Kind::Accuracy { dim, report_error: read.args.flag("report_error", false) }
}

pub(in super::super) fn binary_accuracy(read: &mut Reader) -> Kind {
    let threshold = read.args.real("threshold", Some(0.0));
    Kind::BinaryAccuracy { threshold, report_error: read.args.flag("report_error", false) }
}
