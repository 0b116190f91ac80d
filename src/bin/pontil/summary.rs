//! A model as Keras's `model.summary()` lays it out.

use pontil::{
    faults::quoted_str,
    import::{Line, Summary},
};
use serde_json::{Value, json};

/// Names wider than this push their own row alone.
const WIDEST: usize = 48;

/// The lines, and the same for programs.
pub fn summary(summary: &Summary) -> (Vec<String>, Value) {
    let mut rows = vec![["Layer (type)", "Output Shape", "Param #", "Connected to"].map(str::to_owned)];
    rows.extend(summary.lines.iter().map(row));
    let columns = if summary.connected { 4 } else { 3 };
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count().min(WIDEST)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &[String; 4]| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            2 => format!("  {cell:>width$}"),
            _ => format!("  {cell:width$}"),
        });
        cells.collect::<String>().trim_end().to_owned()
    };
    let rule = format!("  {}", "─".repeat(widths.iter().sum::<usize>() + 2 * (columns - 1)));
    let mut lines = vec![format!("Model: \"{}\"", quoted_str(&summary.name))];
    for (number, row) in rows.iter().enumerate() {
        lines.push(line(row));
        if number == 0 || number + 1 == rows.len() {
            lines.push(rule.clone());
        }
    }
    let [trained, still] = summary.counts;
    for (what, count) in [("Total", trained.saturating_add(still)), ("Trainable", trained), ("Non-trainable", still)] {
        lines.push(format!("  {what} params: {}", thousands(count)));
    }
    let layer = |line: &Line| {
        json!({
            "name": line.name, "class": line.class, "shape": line.shape, "params": total(line), "from": line.from,
        })
    };
    let json = json!({
        "name": summary.name,
        "layers": summary.lines.iter().map(layer).collect::<Vec<_>>(),
        "trainable": trained,
        "non_trainable": still,
    });
    (lines, json)
}

fn total(line: &Line) -> u64 {
    let [trained, still] = line.counts;
    trained.saturating_add(still)
}

/// `dense (Dense)`, `(None, 7)`, `49`, `input_layer`.
fn row(line: &Line) -> [String; 4] {
    let name = format!("{} ({})", quoted_str(&line.name), quoted_str(&line.class));
    let length = |length: &Option<usize>| length.map_or("None".to_owned(), |length| length.to_string());
    let shape = match &line.shape {
        Some(shape) if shape.is_empty() => "(None,)".to_owned(),
        Some(shape) => format!("(None, {})", shape.iter().map(length).collect::<Vec<_>>().join(", ")),
        None => "?".to_owned(),
    };
    let from: Vec<String> = line.from.iter().map(|name| quoted_str(name)).collect();
    [name, shape, thousands(total(line)), if from.is_empty() { "-".to_owned() } else { from.join(", ") }]
}

/// A count with commas between its thousands.
fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut shown = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}
