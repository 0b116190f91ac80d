//! Settings of layers, and the words there are.

use super::{
    context::{self, pon_context},
    description::{Held, pon_description, pon_layer},
    failure::{Answer, Failure},
    handle,
    options::flag,
    status::pon_status,
    text::{self, pon_str},
};
use crate::{
    describe::{Value, word},
    faults::Code,
};
use std::ffi::c_char;

/// Sets a setting to one number or to a list, whichever the word takes there.
///
/// # Safety
/// As the entries below.
unsafe fn set_numbers<T: Copy>(
    description: *mut pon_description,
    layer: pon_layer,
    key: (*const c_char, usize),
    values: (*const T, usize),
    one: fn(T) -> Value,
) -> Answer<()> {
    // SAFETY: passed on.
    let (held, key) = unsafe { (handle::get_mut(description, "description")?, text::take(key.0, key.1, "key")?) };
    // SAFETY: passed on.
    let values = unsafe { handle::list(values.0, values.1, "values")? };
    let layer = held.layer(layer)?;
    let setting = word(&held.description.layers[layer].kind).and_then(|word| word.setting(key));
    let value = match values {
        &[value] if setting.is_none_or(|setting| setting.takes.fits(&one(value))) => one(value),
        values => Value::List(values.iter().copied().map(one).collect()),
    };
    held.set(layer, key, value);
    Ok(())
}

/// Sets a setting of a layer to whole numbers: one number or a list, as the word wants it.
/// Owns: nothing.
/// Nullable: values (if count is 0: an empty list).
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (no such layer).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_description_set_ints(
    description: *mut pon_description,
    layer: pon_layer,
    key: *const c_char,
    key_len: usize,
    values: *const i64,
    count: usize,
) -> pon_status {
    // SAFETY: the caller's promise.
    guard!({ unsafe { set_numbers(description, layer, (key, key_len), (values, count), Value::Int) } })
}

/// Sets a setting of a layer to numbers: one number or a list, as the word wants it.
/// Owns: nothing.
/// Nullable: values (if count is 0: an empty list).
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (no such layer, or a number that is not finite).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_description_set_reals(
    description: *mut pon_description,
    layer: pon_layer,
    key: *const c_char,
    key_len: usize,
    values: *const f64,
    count: usize,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let finite = unsafe { handle::list(values, count, "values")? }.iter().all(|value| value.is_finite());
        if !finite {
            return Err(Failure::of(Code::Value, "values"));
        }
        // SAFETY: the caller's promise.
        unsafe { set_numbers(description, layer, (key, key_len), (values, count), Value::Real) }
    })
}

/// Sets a setting of a layer to text.
/// Owns: nothing.
/// Nullable: none.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (no such layer).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_description_set_text(
    description: *mut pon_description,
    layer: pon_layer,
    key: *const c_char,
    key_len: usize,
    value: *const c_char,
    value_len: usize,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let value = unsafe { text::take(value, value_len, "value")? };
        // SAFETY: the caller's promise.
        unsafe { set_one(description, layer, key, key_len, Value::Text(value.to_owned())) }
    })
}

/// Sets a setting of a layer to true (1) or false (0).
/// Owns: nothing.
/// Nullable: none.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (no such layer, or neither 0 nor 1).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_description_set_bool(
    description: *mut pon_description,
    layer: pon_layer,
    key: *const c_char,
    key_len: usize,
    value: i32,
) -> pon_status {
    guard!({
        let value = Value::Bool(flag(value, "value")?);
        // SAFETY: the caller's promise.
        unsafe { set_one(description, layer, key, key_len, value) }
    })
}

/// # Safety
/// As the entries above.
unsafe fn set_one(
    description: *mut pon_description,
    layer: pon_layer,
    key: *const c_char,
    key_len: usize,
    value: Value,
) -> Answer<()> {
    // SAFETY: passed on.
    let (held, key): (&mut Held, _) =
        unsafe { (handle::get_mut(description, "description")?, text::take(key, key_len, "key")?) };
    let layer = held.layer(layer)?;
    held.set(layer, key, value);
    Ok(())
}

/// Tells how many layer words there are.
/// Owns: nothing.
/// Nullable: context.
/// Threads: any.
/// Errors: none; 0.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_words_count(context: *const pon_context) -> usize {
    // SAFETY: the caller's promise.
    guard!(or 0, { Ok(unsafe { context::words(context)? }.len()) })
}

/// Gives a layer word and the JSON schema of its layers.
/// Owns: the texts belong to the context; without one they stay until the library is unloaded.
/// Nullable: context.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (no such word).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_words_get(
    context: *const pon_context,
    index: usize,
    word: *mut pon_str,
    schema_json: *mut pon_str,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (words, word) = unsafe { (context::words(context)?, handle::out(word, "word")?) };
        // SAFETY: the caller's promise.
        let schema = unsafe { handle::out(schema_json, "schema_json")? };
        let row = words.get(index).ok_or(Failure::of(Code::Value, "index"))?;
        word.write(row.0.lend());
        schema.write(row.1.lend());
        Ok(())
    })
}
