//! What layers over windows share: the axes they walk over, and borders.

use crate::{
    describe::{Border, Window},
    faults::{Code, quoted_str},
    import::keras::{call::Call, flow::Flow},
};

/// The most window axes of an operation.
pub(super) const MOST: usize = 3;

/// What a layer over windows reads: its value, channels last, and the places of its axes.
pub(super) struct Image {
    /// The value with its channels lying last.
    pub(super) flow: Flow,
    /// How many window axes the layer knows of.
    pub(super) dims: usize,
    /// Those of a TimeDistributed around it, which become window axes that nothing moves along.
    pub(super) lead: usize,
    /// The axis of channels, in Keras's order.
    pub(super) channel: usize,
}

impl Image {
    /// The order in which its axes lie, channels last.
    pub(super) fn order(&self) -> Vec<usize> {
        self.flow.order()
    }

    /// Lengths for every window axis, 1 for those of a TimeDistributed.
    pub(super) fn all(&self, own: Vec<usize>) -> Vec<usize> {
        [vec![1; self.lead], own].concat()
    }

    /// What a layer made of it, which has channels where it had them.
    pub(super) fn made(&self, flow: Flow) -> Flow {
        Flow { channel: Some(self.channel), ..flow }
    }
}

/// The setting `data_format`: whether channels come first.
pub(super) fn channels_first(call: &mut Call<'_, '_, '_>) -> bool {
    match call.settings.text("data_format", "channels_last") {
        "channels_last" => false,
        "channels_first" => true,
        other => {
            let what = format!("is '{}': channels_last and channels_first are known", quoted_str(other));
            call.settings.wrong("data_format", &what);
            false
        }
    }
}

/// A value whose channels and window axes are known, lying as it came.
pub(super) struct Places {
    /// The value.
    pub(super) flow: Flow,
    /// The axis of channels, in Keras's order.
    pub(super) channel: usize,
    /// The first window axis, in Keras's order; the others follow it.
    pub(super) from: usize,
}

/// The value of a layer over `dims` window axes. Where it still is an input, that axis is noted as its channels.
pub(super) fn places(call: &mut Call<'_, '_, '_>, dims: usize) -> Option<Places> {
    let first = channels_first(call);
    let flow = call.of_rank(dims + 1)?;
    let lead = call.at.lead;
    let channel = if first { lead } else { lead + dims };
    if let Some(hint) = flow.origin.and_then(|origin| call.build.hints.get_mut(origin)) {
        hint.channel.get_or_insert(channel);
    }
    Some(Places { flow: Flow { channel: Some(channel), ..flow }, channel, from: lead + usize::from(first) })
}

/// The value as an image of `dims` window axes, its channels last.
pub(super) fn image(call: &mut Call<'_, '_, '_>, dims: usize) -> Option<Image> {
    let Places { flow, channel, .. } = places(call, dims)?;
    let lead = call.at.lead;
    if lead + dims > MOST {
        return call.unsupported("a TimeDistributed around a layer over so many axes is not read");
    }
    let flow = call.last(&flow, &[channel]);
    Some(Image { flow, dims, lead, channel })
}

/// The border that `padding` says.
pub(super) fn border(call: &mut Call<'_, '_, '_>, axes: usize, causal: bool) -> Border {
    match call.settings.text("padding", "valid") {
        "valid" => Border::Explicit(vec![[0, 0]; axes]),
        "same" => Border::Same,
        "causal" if causal => Border::Causal,
        other => {
            let causal = if causal { ", causal" } else { "" };
            let what = format!("is '{}': valid, same{causal} are known", quoted_str(other));
            call.settings.wrong("padding", &what);
            Border::Same
        }
    }
}

/// A window of these sides over all window axes of an image.
pub(super) fn window(
    image: &Image,
    size: Vec<usize>,
    stride: Vec<usize>,
    dilation: Vec<usize>,
    border: Border,
) -> Window {
    Window { size: image.all(size), stride: image.all(stride), dilation: image.all(dilation), border, ceil: false }
}

/// Channels as a length, from the input or from a variable.
pub(super) fn channels(call: &mut Call<'_, '_, '_>, image: &Image, variable: Option<usize>) -> Option<usize> {
    let channels = call.length(&image.flow.clone(), image.channel, variable)?;
    if channels == 0 {
        return call.refuse(Code::LayerShape, "what reaches it has no channels");
    }
    Some(channels)
}
