//! Settings of the losses.

use super::Reader;
use crate::describe::mocha::kind::{Classes, Kind, Loss, Normalize, Numbers};

fn weighted(read: &mut Reader, loss: Loss) -> Kind {
    Kind::Loss { loss, weight: read.args.real("weight", Some(1.0)) }
}

fn classes(read: &mut Reader) -> Classes {
    let dim = read.dim("dim", -2);
    let weights = read.numbers("weights");
    let normalize = match read.made("normalize", &["local", "global", "no"]).0 {
        "global" => Normalize::Global,
        "no" => Normalize::No,
        _ => Normalize::Local,
    };
    Classes { dim, weights, normalize }
}

pub(in super::super) fn square(read: &mut Reader) -> Kind {
    weighted(read, Loss::Square)
}

pub(in super::super) fn softmax(read: &mut Reader) -> Kind {
    let classes = classes(read);
    weighted(read, Loss::Softmax(classes))
}

pub(in super::super) fn multinomial(read: &mut Reader) -> Kind {
    let classes = classes(read);
    weighted(read, Loss::Multinomial(classes))
}

pub(in super::super) fn softlabel(read: &mut Reader) -> Kind {
    let dim = read.dim("dim", -2);
    weighted(read, Loss::Softlabel { dim })
}

pub(in super::super) fn hinge(read: &mut Reader) -> Kind {
    let unweighted = read.args.flag("unweighted", false);
    weighted(read, Loss::Hinge { unweighted })
}

pub(in super::super) fn binary_cross_entropy(read: &mut Reader) -> Kind {
    weighted(read, Loss::BinaryCrossEntropy)
}

pub(in super::super) fn gaussian_kl(read: &mut Reader) -> Kind {
    weighted(read, Loss::GaussianKl)
}

/// Iterations a loss may ask for: more make no difference to any double.
const MOST_ITERATIONS: usize = 100_000;

pub(in super::super) fn wasserstein(read: &mut Reader) -> Kind {
    let costs = read.numbers("M").filter(|costs| costs.shape.len() == 2).unwrap_or_else(|| {
        read.args.wrong("M", "wants the costs as a list of rows, one for each bin of the prediction");
        Numbers { shape: vec![1, 1], numbers: vec![0.0] }
    });
    let lambda = read.above_nought("lambda");
    let iterations = read.args.length("sinkhorn_iter", Some(50));
    if iterations > MOST_ITERATIONS {
        read.args.wrong("sinkhorn_iter", &format!("is more than {MOST_ITERATIONS}"));
    }
    Kind::Loss { loss: Loss::Wasserstein { costs, lambda, iterations }, weight: 1.0 }
}
