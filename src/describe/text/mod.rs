//! Descriptions as JSON text.
//!
//! `scan` bounds and screens the text, the crate `jsonc-parser` (strict) makes a tree with places of it, `read` makes a
//! [`Description`] of the tree; `print` goes the other way.

mod places;
mod print;
mod read;
mod scan;

pub use print::print;

use super::{Description, at};
use crate::faults::{Code, Fault, Faults, Refused};
use crate::limits::Limits;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use places::Places;

/// The longest text in bytes, whatever the limit of headers: no network is described by more, and the time is bounded.
const LONGEST: u64 = 32 << 20;

/// Reads a description in any of its forms. All faults are told at once, each with its line and column.
pub fn parse(text: &[u8], limits: &Limits, faults: &mut Faults) -> Result<Description, Refused> {
    let most = limits.header_bytes.min(LONGEST);
    if text.len() as u64 > most {
        let message = format!("a description of {} bytes, where the limit is {most}", text.len());
        return Err(faults.refuse(Fault::new(Code::Limit, message)));
    }
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            let good = std::str::from_utf8(&text[..error.valid_up_to()]).unwrap_or_default();
            let fault = at(Places::new(good).position(good.len()), Code::Encoding, "the text is not UTF-8".into());
            return Err(faults.refuse(fault.offset(error.valid_up_to() as u64)));
        }
    };
    let places = Places::new(text);
    let mut refuse = |byte: usize, code, message: String| {
        faults.refuse(at(places.position(byte), code, message).offset(byte as u64))
    };
    if let Some((byte, code, message)) = scan::first_fault(text, limits) {
        return Err(refuse(byte, code, message));
    }
    match parse_to_ast(text, &CollectOptions::default(), &STRICT) {
        Ok(result) => match result.value {
            Some(value) => read::description(&value, &places, faults),
            None => Err(refuse(0, Code::Syntax, "the text is empty".into())),
        },
        Err(error) => Err(refuse(error.range().start, Code::Syntax, format!("this is no JSON: {}", error.kind()))),
    }
}

/// JSON and nothing more.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};
