//! Single numbers: functions to the last bits, and inputs at the ends of what a single can hold.

use crate::case::Case;
use pontil::{
    describe::{Op, PoolKind, Unary},
    plan::Precision,
};

const BOTH: [Precision; 2] = [Precision::Standard, Precision::Exact];

/// One row through a layer that keeps or changes its length.
fn row(op: Op, x: &[f32], made: usize, precision: Precision) -> Vec<f32> {
    let case = Case::of(op, &[x.len()], &[], &[made]);
    case.run(&case.network(&[], &[None]), &[x.to_vec()], 1, 1, precision, 1)
}

/// In the standard precision and in the exact one.
fn function(function: Unary, x: &[f32]) -> [Vec<f32>; 2] {
    BOTH.map(|precision| row(Op::Unary(function), x, x.len(), precision))
}

#[test]
fn functions_to_the_last_bits() {
    let x: Vec<f32> = (-4000..4000).map(|i| i as f32 * 0.0021 + 1e-4).collect();
    for (kind, exact) in [
        (Unary::Tanh, f64::tanh as fn(f64) -> f64),
        (Unary::Sigmoid, |x| 1.0 / (1.0 + (-x).exp())),
        (Unary::Silu, |x| x / (1.0 + (-x).exp())),
        (Unary::Softplus { beta: 1.0, threshold: 20.0 }, |x| x.exp().ln_1p()),
        (Unary::Elu { alpha: 1.0, width: 1.0 }, |x| if x > 0.0 { x } else { x.exp_m1() }),
        (Unary::LogSigmoid, |x| -(-x).exp().ln_1p()),
        (Unary::Exp, f64::exp),
    ] {
        // A unit in the last place is at most 2⁻²³ of a number.
        for (got, units) in function(kind, &x).iter().zip([4.0, 1.0]) {
            for (x, got) in x.iter().zip(got) {
                let wanted = exact(f64::from(*x));
                assert!(
                    (f64::from(*got) - wanted).abs() <= units * 2f64.powi(-23) * wanted.abs(),
                    "{kind:?}({x}) = {got}, not {wanted}"
                );
            }
        }
    }
}

/// Values of `x·Φ(x)` and of erf from tables of many digits.
#[test]
fn error_function() {
    for (x, wanted) in [
        (-6.0, -5.919_525e-9),
        (-3.0, -0.004_049_694),
        (-1.0, -0.158_655_25),
        (0.5, 0.345_731_23),
        (2.0, 1.954_499_7f32),
    ] {
        for got in function(Unary::Gelu { tanh: false }, &[x]) {
            assert!((got[0] - wanted).abs() <= 2e-7 * wanted.abs(), "{x}: {got:?}");
        }
    }
    for got in function(Unary::Erf, &[0.5, -2.0, 9.0]) {
        assert_eq!(got, [0.520_499_9, -0.995_322_3, 1.0]);
    }
}

#[test]
fn ends_of_the_scale() {
    let (inf, huge) = (f32::INFINITY, 1e30f32);
    let ends = [-inf, -huge, -200.0, 200.0, huge, inf];
    for (kind, wanted) in [
        (Unary::Sigmoid, [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]),
        (Unary::Tanh, [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]),
        (Unary::Gelu { tanh: false }, [0.0, 0.0, 0.0, 200.0, huge, inf]),
        (Unary::Gelu { tanh: true }, [0.0, 0.0, 0.0, 200.0, huge, inf]),
        (Unary::Silu, [0.0, 0.0, 0.0, 200.0, huge, inf]),
        (Unary::Mish, [0.0, 0.0, 0.0, 200.0, huge, inf]),
        (Unary::Softplus { beta: 1.0, threshold: 20.0 }, [0.0, 0.0, 0.0, 200.0, huge, inf]),
        (Unary::Softplus { beta: 1.0, threshold: 1e38 }, [0.0, 0.0, 0.0, 200.0, huge, inf]),
        (Unary::LogSigmoid, [-inf, -huge, -200.0, 0.0, 0.0, 0.0]),
        (Unary::Elu { alpha: 1.0, width: 1.0 }, [-1.0, -1.0, -1.0, 200.0, huge, inf]),
        (Unary::HardSwish, [0.0, 0.0, 0.0, 200.0, huge, inf]),
        (Unary::Softsign, [-1.0, -1.0, -0.995_024_86, 0.995_024_86, 1.0, 1.0]),
        (Unary::Relu, [0.0, 0.0, 0.0, 200.0, huge, inf]),
    ] {
        for got in function(kind, &ends) {
            assert!(
                got.iter().zip(wanted).all(|(&a, b)| a == b || a.abs() + b.abs() < 1e-80f64 as f32 + 1e-37),
                "{kind:?}: {got:?}"
            );
        }
        assert!(function(kind, &[f32::NAN]).iter().all(|got| got[0].is_nan()), "{kind:?}");
    }
    let tiny = f32::from_bits(1);
    for got in function(Unary::Tanh, &[tiny, -tiny]) {
        assert_eq!(got, [tiny, -tiny]);
    }
    for precision in BOTH {
        let softmax = |log| row(Op::Softmax { axis: 0, log }, &[-huge, huge, huge, -1e38], 4, precision);
        assert_eq!(softmax(false), [0.0, 0.5, 0.5, 0.0]);
        let log = softmax(true);
        assert!(
            log[1] == log[2] && (log[1] + std::f32::consts::LN_2).abs() < 1e-7 && log[0] == -2e30 && log[3] == -1e38
        );
        assert_eq!(row(Op::L2Normalize { axis: 0, epsilon: 1e-12 }, &[0.0, 0.0], 2, precision), [0.0, 0.0]);
    }
}

#[test]
fn the_largest_number() {
    let window = crate::linear::window(&[2], &[1], &[3], &[[3, 3]]);
    let pool = |x: &[f32]| {
        let case =
            Case::of(Op::Pool { kind: PoolKind::Max, window: window.clone() }, &[x.len(), 1], &[], &[x.len() + 3, 1]);
        case.run(&case.network(&[], &[None]), &[x.to_vec()], 1, 1, Precision::Standard, 1)
    };
    assert_eq!(pool(&[-5.0, -7.0]), [-5.0, -7.0, f32::NEG_INFINITY, -5.0, -7.0]);
    let mixed = pool(&[-0.0, 1.0, f32::NAN, 0.0, f32::INFINITY]);
    assert!(mixed[3].to_bits() == (-0.0f32).to_bits() && mixed[4] == f32::INFINITY);
    assert!(mixed[2].is_nan() && mixed[5].is_nan() && mixed[7] == f32::INFINITY);
}

#[test]
fn numbers_that_hardly_differ_from_their_mean() {
    let x: Vec<f32> = (0..96).map(|i| 1000.0 + (i * 37 % 96) as f32 * 0.01).collect();
    let (count, mean) = (x.len() as f64, x.iter().map(|&x| f64::from(x)).sum::<f64>() / 96.0);
    let variance = x.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / count;
    let (layer, group) = (
        Op::LayerNorm { shape: vec![96], epsilon: 1e-5, weight: false, bias: false },
        Op::GroupNorm { groups: 1, features: 96, epsilon: 1e-5, affine: false },
    );
    for op in [layer, group] {
        for (x, got) in x.iter().zip(row(op, &x, x.len(), Precision::Standard)) {
            let wanted = (f64::from(*x) - mean) / (variance + 1e-5).sqrt();
            assert!((f64::from(got) - wanted).abs() <= 1e-6, "{x}: {got}, not {wanted}");
        }
    }
}

#[test]
fn a_mean_far_from_nought_is_taken_away_first() {
    let x: Vec<f32> = (0..20).map(|i| 1000.0 + i as f32 * 0.001).collect();
    let slots = [[1000.0], [1e-6]].map(Vec::from);
    let op = Op::BatchNorm { features: 1, epsilon: 1e-9, momentum: 0.1, affine: false };
    let case = Case::of(op, &[20, 1], &[&[1], &[1]], &[20, 1]);
    for precision in BOTH {
        for (x, got) in
            x.iter().zip(case.run(&case.network(&slots, &[None]), std::slice::from_ref(&x), 1, 1, precision, 1))
        {
            let wanted = (f64::from(*x) - 1000.0) / (f64::from(1e-6f32) + 1e-9).sqrt();
            assert!((f64::from(got) - wanted).abs() <= 1e-6 * wanted.abs(), "{x}: {got}, not {wanted}");
        }
    }
}
