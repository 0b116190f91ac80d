//! Every word by its example.

use super::{graph, messages, read};
use crate::describe::{Absent, Attribute, Setting, Takes, Value, Word, print, words};
use serde_json::Value as Json;

fn layer(word: &Word, settings: &str) -> String {
    let inner = settings.trim_start_matches('{').trim_end_matches('}');
    let comma = if inner.is_empty() { "" } else { "," };
    format!(r#"{{"kind":"code","layers":[{{"kind":"{}","name":"it"{comma}{inner}}}]}}"#, word.name)
}

#[test]
fn every_word_of_the_specification_is_here() {
    for name in
        "dense relu tanh sigmoid dropout spatialdropout1d spatialdropout2d spatialdropout3d batchNorm layerNorm \
                 conv1d conv2d conv3d maxpool1d maxpool2d maxpool3d avgpool1d avgpool2d avgpool3d globalmaxpool1d \
                 globalmaxpool2d globalmaxpool3d globalavgpool1d globalavgpool2d globalavgpool3d flatten reshape stack"
            .split_whitespace()
    {
        assert!(crate::describe::word(name).is_some(), "{name}");
    }
}

#[test]
fn rows_are_sound() {
    for pair in words().windows(2) {
        assert!(pair[0].name < pair[1].name);
    }
    for word in words() {
        let keys: Vec<&str> = word.settings().map(|setting| setting.key).collect();
        for (at, key) in keys.iter().enumerate() {
            assert!(
                !keys[..at].contains(key) && !["kind", "name", "slots", "from"].contains(key),
                "{} {key}",
                word.name
            );
        }
        for setting in word.settings() {
            let value = match setting.absent {
                Absent::Required | Absent::Nothing => continue,
                Absent::Bool(value) => Value::Bool(value),
                Absent::Int(value) => Value::Int(value),
                Absent::Real(value) => Value::Real(value),
                Absent::Text(value) => Value::Text(value.into()),
            };
            assert!(setting.takes.fits(&value), "{} {}", word.name, setting.key);
        }
    }
}

#[test]
fn examples_are_made_and_print_round() {
    for word in words().iter().filter(|word| word.name != "stack") {
        let text = layer(word, word.example);
        let description = read(&text);
        let made = graph(&text);
        assert_eq!(made.nodes.len(), 1);
        assert!(!made.runs);
        assert_eq!(read(&print(&description)), description, "{}", word.name);
    }
}

#[test]
fn schemas_say_what_the_rows_say() {
    for word in words() {
        let schema: Json = serde_json::from_str(&word.schema()).unwrap();
        assert_eq!(schema["title"], word.name);
        assert_eq!(schema["examples"][0]["kind"], word.name);
        for setting in word.settings() {
            assert_eq!(schema["properties"][setting.key]["description"], setting.summary, "{}", word.name);
        }
    }
}

/// Values just outside of what a setting takes.
fn outside(takes: &Takes) -> Vec<Value> {
    let every = [
        Value::Null,
        Value::Bool(true),
        Value::Int(0),
        Value::Int(-1),
        Value::Int(i64::MAX),
        Value::Int(i64::MIN),
        Value::Real(0.5),
        Value::Real(-0.5),
        Value::Real(1e39),
        Value::Text("none of them".into()),
        Value::List(vec![Value::Null]),
        Value::List(vec![Value::Int(1); 20]),
        Value::List(vec![Value::List(vec![Value::Int(1); 3])]),
    ];
    let bounds = match *takes {
        Takes::Int(least, most) => vec![Value::Int(least - 1), Value::Int(most + 1)],
        _ => Vec::new(),
    };
    every.into_iter().chain(bounds).filter(|value| !takes.fits(value)).collect()
}

fn refused(word: &Word, setting: &Setting, value: Value) {
    let mut description = read(&layer(word, word.example));
    let attributes = &mut description.layers[0].attributes;
    attributes.retain(|attribute| attribute.key != setting.key);
    attributes.push(Attribute { key: setting.key.into(), value: value.clone(), position: Default::default() });
    let message = messages(&print(&description));
    assert!(message.contains(setting.key) && message.contains("line "), "{} {value:?}: {message}", word.name);
}

#[test]
fn what_a_setting_does_not_take_is_refused() {
    for word in words().iter().filter(|word| word.name != "stack") {
        for setting in word.settings() {
            let values = outside(&setting.takes);
            assert!(values.len() > 3, "{} {}", word.name, setting.key);
            values.into_iter().for_each(|value| refused(word, setting, value));
        }
    }
}

#[test]
fn missing_unknown_and_wrong_settings_are_all_told_where_they_stand() {
    let message = messages(
        "{\"kind\":\"stack\",\"layers\":[\n {\"kind\":\"dense\",\"input\":3},\n {\"kind\":\"Relu\"},\n \
         {\"kind\":\"conv2d\",\"inChannels\":0,\"outChannels\":1,\"height\":3,\"width\":3,\n  \"stride\":0}]}",
    );
    assert_eq!(
        message,
        "line 2, column 18: setting \"input\" is unknown to dense (layer 0); the nearest is \"inputs\"\n\
         line 2, column 2: setting \"inputs\" is missing in layer 0 (dense): a whole number from 1 to 2147483647\n\
         line 2, column 2: setting \"outputs\" is missing in layer 0 (dense): a whole number from 1 to 2147483647\n\
         line 3, column 2: layer 1: no layer word is called \"Relu\"; the nearest word is \"relu\"\n\
         line 4, column 19: setting \"inChannels\" of layer 2 must be a whole number from 1 to 2147483647\n\
         line 5, column 3: setting \"stride\" of layer 2 must be a whole number from 1 to 2147483647, or a list of 2, \
         each a whole number from 1 to 2147483647"
    );
}
