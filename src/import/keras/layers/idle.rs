//! Layers that do nothing when not training.

use super::{Row, passes};
use crate::{
    describe::Op,
    import::keras::{call::Call, flow::Flow},
};

pub(super) const ROWS: &[Row] = &[
    passes("Identity", idle),
    passes("Dropout", idle),
    passes("SpatialDropout1D", idle),
    passes("SpatialDropout2D", idle),
    passes("SpatialDropout3D", idle),
    passes("GaussianNoise", idle),
    passes("GaussianDropout", idle),
    passes("AlphaDropout", idle),
    passes("ActivityRegularization", idle),
    passes("RandomFlip", idle),
    passes("RandomRotation", idle),
    passes("RandomTranslation", idle),
    passes("RandomZoom", idle),
    passes("RandomShear", idle),
    passes("RandomContrast", idle),
    passes("RandomBrightness", idle),
    passes("RandomHue", idle),
    passes("RandomSaturation", idle),
    passes("RandomGrayscale", idle),
    passes("RandomInvert", idle),
    passes("RandomSharpness", idle),
    passes("RandomPosterization", idle),
    passes("RandomGaussianBlur", idle),
    passes("RandomPerspective", idle),
    passes("RandomElasticTransform", idle),
    passes("RandomErasing", idle),
    passes("RandomColorJitter", idle),
    passes("RandomColorDegeneration", idle),
];

/// What is set speaks of training alone.
fn idle(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let flow = call.input()?;
    call.keep(&Op::Identity, &flow)
}
