//! Operations back in words.

use super::{graph, read};
use crate::describe::spell::spell;
use crate::describe::{Graph, Layer, Position, words};
use crate::faults::Faults;
use crate::limits::Limits;

#[test]
fn every_operation_is_spelled_as_what_it_is() {
    for word in words().iter().filter(|word| word.name != "stack") {
        let settings = word.example.trim_start_matches('{').trim_end_matches('}');
        let comma = if settings.is_empty() { "" } else { "," };
        let text = format!(r#"{{"kind":"code","layers":[{{"kind":"{}","name":"it"{comma}{settings}}}]}}"#, word.name);
        let made = graph(&text);
        let (kind, attributes) = spell(&made.nodes[0].op, Position::default());
        let mut again = read(&text);
        again.layers = vec![Layer { kind, attributes, ..again.layers[0].clone() }];
        let mut faults = Faults::default();
        let again = Graph::of(&again, &Limits::default(), &mut faults);
        let again = again.unwrap_or_else(|_| panic!("{}: {}", word.name, faults.text()));
        assert_eq!(again.nodes[0].op, made.nodes[0].op, "{}", word.name);
    }
}
