//! The steps of a plan in words, for who wants to see what will run.

use super::{Place, Plan, Step};
use crate::{faults::quoted_str, kernels::Kernel};
use std::fmt::{self, Display, Formatter};

/// A line for each step: its kernel, the layer it makes the value of, numbers of one example, and what it does on the way.
impl Display for Plan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?} precision, {} steps", self.precision, self.steps.iter().filter(|step| step.runs()).count())?;
        for (number, step) in self.steps.iter().enumerate().filter(|(_, step)| step.runs()) {
            let output = &self.buffers[step.output];
            let layer = quoted_str(&output.layer);
            write!(f, "{number:4}  {:10}  \"{layer}\"  {} numbers", step.name(), output.each)?;
            if !output.batched {
                write!(f, " for all examples")?;
            }
            let operands = step.inputs.iter().map(|&place| self.named(place));
            write!(f, "  of {}", operands.collect::<Vec<_>>().join(", "))?;
            for &later in &step.after {
                write!(f, "  then {}", self.steps[later].name())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Plan {
    fn named(&self, place: Place) -> String {
        match place {
            Place::Buffer(buffer) => format!("\"{}\"", quoted_str(&self.buffers[buffer].layer)),
            Place::Number(number) => format!("numbers {number}"),
            Place::Whole(number) => format!("whole numbers {number}"),
        }
    }
}

impl Step {
    /// Whether it runs by itself, unless layers are looked at.
    fn runs(&self) -> bool {
        self.kernel.is_some() && !self.joined
    }

    /// The name of its kernel.
    fn name(&self) -> &'static str {
        match &self.kernel {
            None => "",
            Some(Kernel::Packed(_)) => "rows",
            Some(Kernel::Panels(_)) => "panels",
            Some(Kernel::Dots(_)) => "dots",
            Some(Kernel::Depthwise(_)) => "depthwise",
            Some(Kernel::Border(_)) => "border",
            Some(Kernel::Affine(_)) => "affine",
            Some(Kernel::Dense(_)) => "dense",
            Some(Kernel::MatMul(_)) => "matmul",
            Some(Kernel::Conv(_)) => "unfold",
            Some(Kernel::Window(_)) => "window",
            Some(Kernel::BatchNorm(_)) => "batchnorm",
            Some(Kernel::LayerNorm(_)) => "layernorm",
            Some(Kernel::GroupNorm(_)) => "groupnorm",
            Some(Kernel::Lrn(_)) => "lrn",
            Some(Kernel::Along(_)) => "along",
            Some(Kernel::Map(_)) => "map",
            Some(Kernel::Binary(_)) => "binary",
            Some(Kernel::Move(_)) => "move",
            Some(Kernel::Join(_)) => "join",
            Some(Kernel::Linear(_)) => "linear",
            Some(Kernel::Embedding(_)) => "embedding",
        }
    }
}
