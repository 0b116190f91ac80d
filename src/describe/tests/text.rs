//! Descriptions printed and read again: by a generator over all words, forms, names and values.

use super::read;
use crate::describe::{Attribute, Description, Form, Input, Layer, Output, Position, Takes, Value, print, words};
use crate::tensor::DType;

/// Numbers that are the same at every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn list<T>(&mut self, most: usize, mut one: impl FnMut(&mut Dice) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| one(self)).collect()
    }

    fn name(&mut self) -> String {
        self.pick(&[
            "0",
            "1",
            "0.0",
            "0.1",
            "1.0.0",
            "2.",
            ".",
            "fc",
            "a b",
            "\"\\/\n\u{1}",
            "ü\u{202e}",
            "\u{1F600}",
            "-1",
        ])
        .into()
    }

    fn value(&mut self, takes: &Takes) -> Value {
        match *takes {
            Takes::Bool => Value::Bool(self.below(2) == 0),
            Takes::Null => Value::Null,
            Takes::Int(least, most) => Value::Int(self.pick(&[least, most, (least / 2 + most / 2).clamp(least, most)])),
            Takes::Real(least, most) => Value::Real(self.pick(&[least, most, least / 2.0 + most / 3.0])),
            Takes::Below(least, bound) => Value::Real(self.pick(&[least, least + (bound - least) / 3.0])),
            Takes::Above(bound) => Value::Real(bound + self.pick(&[1e-7, 1.0, 0.1, 1e16, 1e22, 3.4e38])),
            Takes::Text(texts) => Value::Text(self.pick(texts).into()),
            Takes::List(of, fewest, most) => {
                let count = fewest + self.below((most - fewest).min(3) + 1);
                Value::List((0..count).map(|_| self.value(of)).collect())
            }
            Takes::Either(all) => {
                let takes = self.pick(all);
                self.value(&takes)
            }
            Takes::Layers => Value::List(Vec::new()),
        }
    }

    fn layer(&mut self, form: Form) -> Layer {
        let word = self.pick(words());
        let mut attributes = Vec::new();
        for setting in word.settings() {
            let value = self.value(&setting.takes);
            assert!(setting.takes.fits(&value) || word.name == "stack", "{} {} {value:?}", word.name, setting.key);
            attributes.push(Attribute { key: setting.key.into(), value, position: Position::default() });
        }
        if form == Form::Torch && self.below(3) == 0 {
            let pair = Value::List(vec![Value::Text("weight".into()), Value::Text(self.name())]);
            attributes.push(Attribute {
                key: "tied".into(),
                value: Value::List(vec![pair]),
                position: Position::default(),
            });
        }
        let slots = (self.below(4) == 0).then(|| self.name());
        let from = self.list(2, Dice::name);
        Layer { name: self.name(), kind: word.name.into(), slots, attributes, from, position: Position::default() }
    }

    fn description(&mut self, form: Form) -> Description {
        let ports = form != Form::Code;
        let input = |dice: &mut Dice| Input {
            name: dice.name(),
            shape: (dice.below(3) > 0).then(|| dice.list(3, |dice| (dice.below(3) > 0).then(|| dice.below(99)))),
            dtype: dice.pick(&[DType::F32, DType::I64, DType::I32]),
            position: Position::default(),
        };
        let output = |dice: &mut Dice| Output { name: dice.name(), from: dice.name(), position: Position::default() };
        Description {
            form,
            inputs: if ports { self.list(2, input) } else { Vec::new() },
            layers: self.list(9, |dice| dice.layer(form)),
            outputs: if ports { self.list(2, output) } else { Vec::new() },
        }
    }
}

#[test]
fn printed_and_read_again() {
    let mut dice = Dice(7);
    for form in [Form::Stack, Form::Graph, Form::Code, Form::Torch, Form::Mocha] {
        for _ in 0..300 {
            let description = dice.description(form);
            let text = print(&description);
            assert_eq!(read(&text), description, "{text}");
        }
    }
}

#[test]
fn numbers_in_their_shortest_form() {
    let value = |number| {
        let attribute = Attribute { key: "alpha".into(), value: number, position: Position::default() };
        let layer = Layer {
            name: "0".into(),
            kind: "elu".into(),
            slots: None,
            attributes: vec![attribute],
            from: vec![],
            position: Position::default(),
        };
        let made = Description { form: Form::Stack, inputs: vec![], layers: vec![layer], outputs: vec![] };
        let text = print(&made);
        assert_eq!(read(&text), made);
        text.split("\"alpha\": ").nth(1).unwrap().split('\n').next().unwrap().to_owned()
    };
    for (number, shown) in [(0.1, "0.1"), (1.0, "1.0"), (-0.0, "-0.0"), (1e-7, "1e-7"), (1e300, "1e+300")] {
        assert_eq!(value(Value::Real(number)), shown);
    }
    assert_eq!(value(Value::Int(-3)), "-3");
}

#[test]
fn stacks_nest_as_they_are_written() {
    let text = r#"{
  "kind": "stack",
  "layers": [
    {
      "kind": "relu"
    },
    {
      "kind": "stack",
      "layers": [
        {
          "kind": "dense",
          "inputs": 3,
          "outputs": 2
        },
        {
          "kind": "stack",
          "layers": [
            {
              "kind": "tanh"
            }
          ]
        }
      ]
    },
    {
      "kind": "relu"
    }
  ]
}
"#;
    let description = read(text);
    let names: Vec<&str> = description.layers.iter().map(|layer| layer.name.as_str()).collect();
    assert_eq!(names, ["0", "1.0", "1.1.0", "2"]);
    assert_eq!(print(&description), text);
}

#[test]
fn torch_layers_keep_their_arguments() {
    let description = read(
        r#"{"style":"torch","layers":[{"id":"conv","kind":"Conv2d","module":"m.conv","args":{"kernel_size":[3,3],
            "padding":"same","bias":false},"weight_norm":"old","tied":{"weight":"a.weight"}},
            {"id":"sum","kind":"add","inputs":["conv","input"]}],"outputs":["sum"]}"#,
    );
    assert_eq!(description.form, Form::Torch);
    let layer = &description.layers[0];
    assert_eq!((layer.name.as_str(), layer.slots.as_deref()), ("conv", Some("m.conv")));
    let keys: Vec<&str> = layer.attributes.iter().map(|attribute| attribute.key.as_str()).collect();
    assert_eq!(keys, ["kernel_size", "padding", "bias", "tied"]);
    assert_eq!(description.layers[1].from, ["conv", "input"]);
    assert_eq!((description.outputs[0].name.as_str(), description.outputs[0].from.as_str()), ("sum", "sum"));
}
