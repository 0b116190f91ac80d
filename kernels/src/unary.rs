//! The functions of one number that kernels apply, for the descriptions that name them.

/// Functions of one number. `f32` constants are applied as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Unary {
    Relu,
    Tanh,
    Sigmoid,
    LeakyRelu {
        slope: f64,
    },
    /// `x` where positive, else `alpha·(exp(x/width) − 1)`; `width` 1 is ELU, `width = alpha` CELU.
    Elu {
        alpha: f64,
        width: f64,
    },
    Selu,
    /// `x·Φ(x)`, exact by erf or by the tanh formula.
    Gelu {
        tanh: bool,
    },
    Silu,
    Mish,
    /// `ln(1 + exp(beta·x))/beta`, and `x` where `beta·x > threshold`.
    Softplus {
        beta: f64,
        threshold: f64,
    },
    Softsign,
    /// `min(max(slope·x + shift, 0), 1)`; PyTorch 1/6 and 1/2, Keras 2 0.2 and 1/2.
    HardSigmoid {
        slope: f64,
        shift: f64,
    },
    HardSwish,
    /// `min(max(x, min), max)`.
    Clip {
        min: f64,
        max: f64,
    },
    Exp,
    Log,
    Sqrt,
    Abs,
    Erf,
    Sin,
    Cos,
    Floor,
    Ceil,
    /// To the nearest whole number, even ones from the middle.
    Round,
    /// 1, −1, or what is neither above nor below nought.
    Sign,
    /// `(shift + scale·x)^power`.
    Power {
        power: f64,
        scale: f64,
        shift: f64,
    },
    LogSigmoid,
    TanhShrink,
    /// 0 where `|x| ≤ lambda`, else `x`.
    HardShrink {
        lambda: f64,
    },
    /// 0 where `|x| ≤ lambda`, else `x` moved towards 0 by it.
    SoftShrink {
        lambda: f64,
    },
    /// `x` where above `threshold`, else `value`.
    Threshold {
        threshold: f64,
        value: f64,
    },
}
