//! `pontil words`: what a network can be written in.

use crate::answer::Answer;
use pontil::describe;
use serde_json::{Value, json};

/// Runs the command.
pub fn run() -> Answer {
    let words = describe::words();
    let width = words.iter().map(|word| word.name.len()).max().unwrap_or(0);
    let lines: Vec<String> = words.iter().map(|word| format!("{:width$}  {}", word.name, word.summary)).collect();
    let torch: Vec<&str> = describe::torch_words().collect();
    let torch_line = format!("PyTorch's classes and functions (`\"style\":\"torch\"`): {}", torch.join(" "));
    let json = words.iter().map(|word| {
        let schema: Value = serde_json::from_str(&word.schema()).unwrap_or_default();
        json!({ "name": word.name, "summary": word.summary, "schema": schema })
    });
    let text = format!("{}\n\n{torch_line}", lines.join("\n"));
    Answer::new(text, json!({ "words": json.collect::<Vec<_>>(), "torch": torch }))
}
