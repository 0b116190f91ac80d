//! Networks in words.

use super::{
    context::{self, Context, pon_context},
    dtype::{self, pon_dtype},
    failure::{Answer, Failure},
    faults::pon_faults,
    handle::{self, Handle},
    status::pon_status,
    text::{self, Kept, pon_str},
};
use crate::{
    describe::{self, Attribute, Description, Form, Input, Layer, Output, Position, Value},
    faults::{Code, Faults},
};
use std::{
    ffi::c_char,
    sync::{Arc, OnceLock},
};

/// Layers in words, without numbers.
pub struct pon_description(());

impl Handle for pon_description {
    type Inner = Held;
    const MAGIC: u64 = u64::from_le_bytes(*b"pon.desc");

    fn context(held: &Held) -> Option<&Context> {
        Some(&held.context)
    }
}

/// Number of a layer: its place among the layers of its description, from 0. An input's has the bit PON_LAYER_INPUT.
pub type pon_layer = u32;

/// In a `pon_layer`: the input of this number, not a layer.
pub const PON_LAYER_INPUT: pon_layer = 0x8000_0000;
/// As `ndim` of an input: its shape is not known.
pub const PON_SHAPE_UNKNOWN: i32 = -1;

/// What stands behind a description.
pub struct Held {
    /// The description.
    pub description: Description,
    /// Where it was made.
    pub context: Arc<Context>,
    printed: OnceLock<Kept>,
}

impl Held {
    /// A handle's worth of a description.
    pub fn new(description: Description, context: Arc<Context>) -> Held {
        Held { description, context, printed: OnceLock::new() }
    }

    /// The description, about to be changed.
    pub fn change(&mut self) -> &mut Description {
        self.printed = OnceLock::new();
        &mut self.description
    }

    /// The number of a layer that is there.
    pub fn layer(&self, layer: pon_layer) -> Answer<usize> {
        let there = (layer as usize) < self.description.layers.len();
        if there { Ok(layer as usize) } else { Err(Failure::of(Code::Value, "layer")) }
    }

    /// The name of a layer or an input that is there.
    fn name(&self, layer: pon_layer) -> Answer<String> {
        let name = match layer & PON_LAYER_INPUT {
            0 => self.description.layers.get(layer as usize).map(|layer| &layer.name),
            _ => self.description.inputs.get((layer & !PON_LAYER_INPUT) as usize).map(|input| &input.name),
        };
        name.cloned().ok_or(Failure::of(Code::Value, "from"))
    }

    fn room_for_one(&self) -> Answer<()> {
        let count = self.description.layers.len() + self.description.inputs.len() + self.description.outputs.len();
        let most = self.context.limits.entries.min(PON_LAYER_INPUT as usize - 1);
        if count < most { Ok(()) } else { Err(Failure::of(Code::Limit, "description")) }
    }

    /// Sets an attribute of a layer.
    pub fn set(&mut self, layer: usize, key: &str, value: Value) {
        let attributes = &mut self.change().layers[layer].attributes;
        match attributes.iter_mut().find(|attribute| attribute.key == key) {
            Some(attribute) => attribute.value = value,
            None => attributes.push(Attribute { key: key.to_owned(), value, position: Position::default() }),
        }
    }
}

/// Makes an empty description, to be filled layer by layer.
/// Owns: the caller owns `*out` and frees it with `pon_description_free`.
/// Nullable: context (default limits).
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_description_new(
    context: *const pon_context,
    out: *mut *mut pon_description,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (out, context) = unsafe { (handle::out(out, "out")?, context::of(context, &mut Faults::default())?) };
        let empty = Description { form: Form::Graph, inputs: vec![], layers: vec![], outputs: vec![] };
        out.write(handle::give(Held::new(empty, context)));
        Ok(())
    })
}

/// Reads a description from its JSON text: `{"kind":"stack","layers":[…]}`, `{"kind":"graph","inputs":[…],"layers":[…],
/// "outputs":[…]}`, or PyTorch's words, `{"style":"torch","layers":[…]}`.
/// Owns: the caller owns `*out` and frees it with `pon_description_free`.
/// Nullable: context (default limits), faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_SYNTAX, PON_E_KEY and the others of 500 to 549, PON_E_LIMIT.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_description_parse(
    context: *const pon_context,
    text: *const c_char,
    text_len: usize,
    out: *mut *mut pon_description,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (out, context) = unsafe { (handle::out(out, "out")?, context::of(context, faults)?) };
        // SAFETY: the caller's promise.
        let text = unsafe { text::take(text, text_len, "text")? };
        let description = describe::parse(text.as_bytes(), &context.limits, faults)?;
        out.write(handle::give(Held::new(description, context)));
        Ok(())
    })
}

/// Gives the JSON text of a description.
/// Owns: the text belongs to the description, until it is changed or freed.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_description_print(description: *const pon_description, out: *mut pon_str) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(description, "description")?, handle::out(out, "out")?) };
        out.write(held.printed.get_or_init(|| Kept::new(describe::print(&held.description))).lend());
        Ok(())
    })
}

/// Adds an input. `shape` is that of one example, the batch left out, -1 for a free length; `ndim` may be PON_SHAPE_UNKNOWN.
/// Owns: nothing.
/// Nullable: shape (if ndim is 0 or PON_SHAPE_UNKNOWN), out.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE, PON_E_LIMIT.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_description_input(
    description: *mut pon_description,
    name: *const c_char,
    name_len: usize,
    dtype: pon_dtype,
    ndim: i32,
    shape: *const i64,
    out: *mut pon_layer,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, name) =
            unsafe { (handle::get_mut(description, "description")?, text::take(name, name_len, "name")?) };
        let dtype = dtype::of(dtype, "dtype")?;
        let shape = match ndim {
            PON_SHAPE_UNKNOWN => None,
            0..=super::view::PON_MAX_AXES => {
                // SAFETY: the caller's promise.
                let lengths = unsafe { handle::list(shape, ndim as usize, "shape")? };
                let length = |&length: &i64| match length {
                    -1 => Ok(None),
                    length => usize::try_from(length).map(Some).map_err(|_| Failure::of(Code::Value, "shape")),
                };
                Some(lengths.iter().map(length).collect::<Answer<_>>()?)
            }
            _ => return Err(Failure::of(Code::Value, "ndim")),
        };
        held.room_for_one()?;
        let input = Input { name: name.to_owned(), shape, dtype, position: Position::default() };
        held.change().inputs.push(input);
        let number = held.description.inputs.len() as u32 - 1;
        // SAFETY: the caller's promise.
        unsafe { handle::put(out, PON_LAYER_INPUT | number) };
        Ok(())
    })
}

/// Adds a layer. Unless it is connected it takes what the layer before makes; the first takes the first input.
/// Owns: nothing.
/// Nullable: name (its number), out.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_LIMIT; whether word and settings are right is said when a network is built.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_description_layer(
    description: *mut pon_description,
    word: *const c_char,
    word_len: usize,
    name: *const c_char,
    name_len: usize,
    out: *mut pon_layer,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let held = unsafe { handle::get_mut(description, "description")? };
        // SAFETY: the caller's promise.
        let (word, name) = unsafe { (text::take(word, word_len, "word")?, text::maybe(name, name_len, "name")?) };
        held.room_for_one()?;
        let number = held.description.layers.len();
        held.change().layers.push(Layer {
            name: if name.is_empty() { number.to_string() } else { name.to_owned() },
            kind: word.to_owned(),
            slots: None,
            attributes: Vec::new(),
            from: Vec::new(),
            position: Position::default(),
        });
        // SAFETY: the caller's promise.
        unsafe { handle::put(out, number as pon_layer) };
        Ok(())
    })
}

/// Feeds a layer: its input number `to_port` becomes what `from` makes. Ports are connected in order, from 0.
/// Owns: nothing.
/// Nullable: none.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (no such layer, `from_port` is not 0, or a port before `to_port` is free).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_description_connect(
    description: *mut pon_description,
    from: pon_layer,
    from_port: u32,
    to: pon_layer,
    to_port: u32,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let held = unsafe { handle::get_mut(description, "description")? };
        let (name, layer) = (held.name(from)?, held.layer(to)?);
        if from_port != 0 {
            return Err(Failure::of(Code::Value, "from_port"));
        }
        let (place, count) = (to_port as usize, held.description.layers[layer].from.len());
        if place > count {
            return Err(Failure::of(Code::Value, "to_port"));
        }
        let from = &mut held.change().layers[layer].from;
        if place == count {
            from.push(name)
        } else {
            from[place] = name
        }
        Ok(())
    })
}

/// Adds an output: what a layer or an input makes, under a name. Without one, the last layer's is the output.
/// Owns: nothing.
/// Nullable: none.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (no such layer, or `from_port` is not 0), PON_E_LIMIT.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_description_output(
    description: *mut pon_description,
    from: pon_layer,
    from_port: u32,
    name: *const c_char,
    name_len: usize,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, name) =
            unsafe { (handle::get_mut(description, "description")?, text::take(name, name_len, "name")?) };
        let from = held.name(from)?;
        if from_port != 0 {
            return Err(Failure::of(Code::Value, "from_port"));
        }
        held.room_for_one()?;
        held.change().outputs.push(Output { name: name.to_owned(), from, position: Position::default() });
        Ok(())
    })
}

/// Frees a description.
/// Owns: takes `description`; networks made of it keep what they need.
/// Nullable: description (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_description_free(description: *mut pon_description) {
    // SAFETY: the caller's promise.
    guard!(or(), { unsafe { handle::free(description) } })
}
