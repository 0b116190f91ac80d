//! Settings of the layers that move, join and choose.

use super::Reader;
use crate::describe::mocha::kind::Kind;

pub(in super::super) fn identity(_: &mut Reader) -> Kind {
    Kind::Identity
}

pub(in super::super) fn reshape(read: &mut Reader) -> Kind {
    Kind::Reshape { shape: read.shape("shape") }
}

pub(in super::super) fn split(read: &mut Reader) -> Kind {
    read.args.flag("no_copy", false);
    Kind::Split
}

pub(in super::super) fn concat(read: &mut Reader) -> Kind {
    let dim = read.dim("dim", 3);
    if dim < 0 {
        read.args.wrong("dim", "wants an axis counted from 1");
    }
    Kind::Concat { dim }
}

pub(in super::super) fn argmax(read: &mut Reader) -> Kind {
    Kind::Argmax { dim: read.dim("dim", -2) }
}

pub(in super::super) fn index_to_onehot(read: &mut Reader) -> Kind {
    let dim = read.dim("dim", -2);
    Kind::Index2Onehot { dim, classes: read.args.length("n_class", None) }
}
