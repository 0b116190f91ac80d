//! The rules of the strict load, sentence by sentence.

use super::*;
use crate::{
    describe::Role,
    faults::Text,
    tensor::{DType, Storage},
};

fn slot(path: &str, shape: &[usize]) -> Slot {
    Slot { path: path.into(), role: Role::Parameter, shape: shape.into() }
}

/// Dense(2,2) and BatchNorm(2), in their own order of slots.
fn slots() -> Vec<Slot> {
    let mut slots = vec![slot("0.weight", &[2, 2]), slot("0.bias", &[2])];
    slots.extend(["weight", "bias", "running_mean", "running_var"].map(|name| slot(&format!("1.{name}"), &[2])));
    slots
}

fn tensor(shape: &[usize], numbers: &[f32]) -> Tensor {
    Tensor::filled_f32(shape.into(), |out| out.copy_from_slice(numbers)).unwrap()
}

fn entry(place: &str, path: &str, tensor: Tensor) -> Entry {
    Entry { path: path.into(), tensor, place: place.into(), offset: None }
}

fn right() -> Vec<Entry> {
    vec![
        entry("line 1", "0.weight", tensor(&[2, 2], &[1.0, 0.5, -0.5, 2.0])),
        entry("line 2", "0.bias", tensor(&[2], &[0.25, -0.25])),
        entry("line 3", "1.weight", tensor(&[2], &[1.5, 0.5])),
        entry("line 4", "1.bias", tensor(&[2], &[0.125, -0.125])),
        entry("line 5", "1.running_mean", tensor(&[2], &[0.5, -1.0])),
        entry("line 6", "1.running_var", tensor(&[2], &[4.0, 0.25])),
    ]
}

fn loaded(slots: &[Slot], entries: &[Entry]) -> (Result<Vec<Tensor>, Refused>, Faults) {
    let turns: Vec<Turn> = slots.iter().map(|slot| Turn::none(&slot.shape)).collect();
    let mut faults = Faults::default();
    (load(slots, &turns, entries, &mut faults), faults)
}

#[test]
fn a_right_list_shares_its_numbers() {
    let entries = right();
    let (loaded, faults) = loaded(&slots(), &entries);
    assert!(faults.is_empty());
    for (number, entry) in loaded.unwrap().iter().zip(&entries) {
        let (a, b) = (number.as_f32().unwrap(), entry.tensor.as_f32().unwrap());
        assert_eq!(a.as_ptr(), b.as_ptr());
    }
}

#[test]
fn the_five_sentences() {
    let mut entries = right();
    entries[1].tensor = tensor(&[3], &[0.0; 3]);
    entries[2].tensor = tensor(&[2], &[1.5, f32::NAN]);
    entries.insert(4, entry("line 5", "1.bias", tensor(&[2], &[0.0; 2])));
    entries[5].place = "line 6".into();
    entries[6] = entry("line 7", "2.weight", tensor(&[1], &[f32::NAN]));
    let (loaded, faults) = loaded(&slots(), &entries);
    assert_eq!(
        faults.text(),
        "line 2: '0.bias' is a 2 slot here, and is written as 3.\n\
         line 3: '1.weight' holds finite numbers, and its value at 1 is NaN.\n\
         line 5: '1.bias' is written twice here, and only one of the two would be read.\n\
         line 7: '2.weight' is no slot of this network.\n\
         '1.running_var' is missing: every slot of the network is written."
    );
    assert_eq!(loaded.unwrap_err(), Refused(Code::SlotShape));
    let codes: Vec<Code> = faults.iter().map(|fault| fault.code).collect();
    use Code::*;
    assert_eq!(codes, [SlotShape, SlotNonfinite, SlotTwice, SlotUnknown, SlotMissing]);
    assert!(faults.iter().last().unwrap().place.is_empty());
}

#[test]
fn nothing_handed_over_and_nothing_wanted() {
    let (refused, faults) = loaded(&slots(), &[]);
    assert!(refused.is_err());
    let paths: Vec<_> = faults.iter().map(|fault| fault.path.to_string()).collect();
    assert_eq!(paths, ["0.weight", "0.bias", "1.weight", "1.bias", "1.running_mean", "1.running_var"]);
    assert!(loaded(&[], &[]).0.unwrap().is_empty());
}

#[test]
fn shapes_and_values_are_named() {
    let slots = [slot("a", &[]), slot("b", &[2, 3]), slot("c", &[3]), slot("d", &[1])];
    let entries = [
        entry("x", "a", tensor(&[1], &[0.0])),
        entry("x", "b", tensor(&[1, 2, 3, 1], &[0.0; 6])),
        entry("x", "c", tensor(&[3], &[0.0, f32::NEG_INFINITY, f32::NAN])),
        entry("x", "d", tensor(&[1], &[f32::INFINITY])),
    ];
    assert_eq!(
        loaded(&slots, &entries).1.text(),
        "x: 'a' is a scalar slot here, and is written as 1.\n\
         x: 'b' is a 2x3 slot here, and is written as 1x2x3x1.\n\
         x: 'c' holds finite numbers, and its value at 1 is -Infinity.\n\
         x: 'd' holds finite numbers, and its value at 0 is Infinity."
    );
}

#[test]
fn a_repeat_counts_though_the_first_was_wrong_and_only_shape_is_said_of_a_wrong_shape() {
    let slots = [slot("a", &[1])];
    let wrong = entry("1", "a", tensor(&[2], &[f32::NAN; 2]));
    let again = entry("2", "a", tensor(&[1], &[1.0]));
    let codes: Vec<Code> = loaded(&slots, &[wrong, again]).1.iter().map(|fault| fault.code).collect();
    assert_eq!(codes, [Code::SlotShape, Code::SlotTwice]);
}

#[test]
fn raw_names_are_kept_and_shown_on_one_line() {
    let (_, faults) = loaded(&[], &[entry("line\n1", "a\nb", tensor(&[1], &[1.0]))]);
    let fault = faults.iter().next().unwrap();
    assert_eq!(fault.message, "line\\n1: 'a\\nb' is no slot of this network.");
    assert_eq!((fault.place.as_bytes(), fault.path.as_bytes()), (&b"line\n1"[..], &b"a\nb"[..]));
}

#[test]
fn element_types() {
    let raw = |dtype, bytes: &[u8], shape: &[usize]| {
        let storage = Storage::copied(bytes).unwrap();
        Tensor::packed(dtype, shape.into(), storage).unwrap()
    };
    let one = |tensor| {
        loaded(&[slot("a", &[1])], &[Entry { path: Text::from("a"), place: Text::from("f"), tensor, offset: Some(9) }])
    };
    assert_eq!(one(raw(DType::F64, &0.1f64.to_le_bytes(), &[1])).0.unwrap()[0].as_f32().unwrap(), [0.1f32]);
    assert_eq!(one(raw(DType::F16, &[0, 0x3c], &[1])).0.unwrap()[0].as_f32().unwrap(), [1.0]);
    assert_eq!(one(raw(DType::BF16, &[0x80, 0xbf], &[1])).0.unwrap()[0].as_f32().unwrap(), [-1.0]);
    let huge = one(raw(DType::F64, &1e39f64.to_le_bytes(), &[1])).1;
    assert_eq!(huge.text(), "f: 'a' holds finite numbers, and its value at 0 is Infinity.");
    let whole = one(raw(DType::I32, &[0; 8], &[2])).1;
    assert_eq!(whole.text(), "f: 'a' holds F32, F16, BF16 or F64, and is written as I32.");
    assert_eq!(whole.iter().next().unwrap().offset, Some(9));
}

#[test]
fn an_untold_order_is_refused_with_its_reason() {
    let slots = [slot("a", &[1])];
    let turns = [Turn::none(&[1]).untold("a flatten of unknown shape stands before it.")];
    let mut faults = Faults::default();
    assert!(load(&slots, &turns, &[entry("f", "a", tensor(&[1], &[1.0]))], &mut faults).is_err());
    assert_eq!(
        faults.text(),
        "f: 'a' is not read: its order can not be told: a flatten of unknown shape stands before it."
    );
}
