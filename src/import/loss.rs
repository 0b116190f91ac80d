//! What a loss applies to the end of a network, for formats whose files say their layers.

/// The word of the activation that a loss applies; none: nothing.
pub(super) fn activation(loss: &str) -> Option<&'static str> {
    match loss {
        "binaryCrossEntropy" => Some("sigmoid"),
        "crossEntropy" | "earthMoversDistance" => Some("softmax"),
        _ => None,
    }
}
