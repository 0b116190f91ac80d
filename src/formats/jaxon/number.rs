//! Numbers as Python spells them: what `int`, `float` and `complex` take, and what `repr` gives.

/// Text without the white space at its ends that Python's `strip` takes away.
pub fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1C}'..='\u{1F}').contains(&c))
}

/// The decimal digits of a whole number, its sign before them if it is negative, no nought too many.
pub(super) fn whole(text: &str) -> Option<String> {
    let plain = plain(text)?;
    let digits = plain.strip_prefix(['+', '-']).unwrap_or(&plain);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let short = digits.trim_start_matches('0');
    Some(match (short, plain.starts_with('-')) {
        ("", _) => "0".to_owned(),
        (short, true) => format!("-{short}"),
        (short, false) => short.to_owned(),
    })
}

/// A number.
pub(super) fn real(text: &str) -> Option<f64> {
    parsed(&plain(text)?)
}

/// A complex number: `1+2j`, `1j`, `(1+2j)`, `-j`.
pub(super) fn complex(text: &str) -> Option<(f64, f64)> {
    let plain = plain(text)?;
    let inner = match plain.strip_prefix('(') {
        Some(rest) => strip(rest.strip_suffix(')')?),
        None => &plain,
    };
    let Some(body) = inner.strip_suffix(['j', 'J']) else { return parsed(inner).map(|real| (real, 0.0)) };
    let bytes = body.as_bytes();
    let sign = (0..bytes.len()).rev().find(|&at| {
        let after_exponent = at > 0 && matches!(bytes.get(at - 1), Some(b'e' | b'E'));
        matches!(bytes.get(at), Some(b'+' | b'-')) && !after_exponent
    });
    let (real, imaginary) = body.split_at(sign.unwrap_or(0));
    let real = if real.is_empty() { 0.0 } else { parsed(real)? };
    let imaginary = match imaginary {
        "" | "+" => 1.0,
        "-" => -1.0,
        number => parsed(number)?,
    };
    Some((real, imaginary))
}

fn parsed(text: &str) -> Option<f64> {
    // Python's `repr` drops the sign of a NaN.
    text.parse().ok().map(|number: f64| if number.is_nan() { f64::NAN } else { number })
}

/// Without white space round it, digits of other scripts as ASCII, and without the underscores that may stand between digits.
fn plain(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut between = false;
    for c in strip(text).chars() {
        let digit = digit(c);
        match c {
            '_' if out.ends_with(|c: char| c.is_ascii_digit()) && !between => between = true,
            '_' => return None,
            _ if between && digit.is_none() => return None,
            c => {
                between = false;
                out.push(digit.unwrap_or(c));
            }
        }
    }
    (!between && !out.is_empty()).then_some(out)
}

/// The ASCII digit that a decimal digit of any script means. The ten digits of a script stand side by side.
fn digit(c: char) -> Option<char> {
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    /// The noughts of the scripts of Unicode that are written with ten digits.
    const NOUGHTS: &[u32] = &[
        0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0, 0xF20,
        0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0,
        0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0,
        0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16A60,
        0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E950, 0x1FBF0,
    ];
    let at = NOUGHTS.partition_point(|&nought| nought <= c as u32);
    let nought = at.checked_sub(1).and_then(|at| NOUGHTS.get(at))?;
    char::from_digit(c as u32 - nought, 10)
}

/// A number as Python's `repr` gives it: `0.1`, `1e+16`, `1000000000000000.0`, `nan`, `-inf`.
pub fn real_text(number: f64) -> String {
    let text = bare(number);
    let whole = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if whole { text + ".0" } else { text }
}

/// A complex number as Python's `repr` gives it, without brackets: `1+2j`, `1j`, `-0+1j`, `nan-0j`.
pub fn complex_text(real: f64, imaginary: f64) -> String {
    if real.to_bits() == 0 {
        return bare(imaginary) + "j";
    }
    let second = bare(imaginary);
    let plus = if second.starts_with('-') { "" } else { "+" };
    format!("{}{plus}{second}j", bare(real))
}

/// The shortest digits that give the number back, without `.0`.
fn bare(number: f64) -> String {
    if number.is_nan() {
        return "nan".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf".into() } else { "-inf".into() };
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse::<i32>().unwrap_or_default() {
        -4..16 => format!("{number}"),
        exponent => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_takes() {
        for (text, digits) in
            [("5", "5"), (" +5 ", "5"), ("-0", "0"), ("1_000", "1000"), ("007", "7"), ("\u{663}\u{664}", "34")]
        {
            assert_eq!(whole(text).as_deref(), Some(digits), "{text}");
        }
        for text in ["", "+", "1__0", "_1", "1_", "0x10", "1.0", "1 0", "\u{2460}"] {
            assert_eq!(whole(text), None, "{text}");
        }
        assert_eq!(real("1e-05"), Some(1e-5));
        assert_eq!(real("Infinity"), Some(f64::INFINITY));
        assert!(real("-NaN").is_some_and(f64::is_nan));
        assert_eq!((real("1__0.0"), real("."), real("e5"), real("true")), (None, None, None, None));
        for (text, pair) in [
            ("1+2j", (1.0, 2.0)),
            ("(1+2j)", (1.0, 2.0)),
            ("1J", (0.0, 1.0)),
            ("-j", (0.0, -1.0)),
            ("1e+16-1e-05j", (1e16, -1e-5)),
            ("-0-infj", (-0.0, f64::NEG_INFINITY)),
        ] {
            assert_eq!(complex(text), Some(pair), "{text}");
        }
        assert_eq!((complex("1 + 2j"), complex("(1+2j"), complex("1+2")), (None, None, None));
    }

    #[test]
    fn what_python_writes() {
        for (number, text) in [
            (1.5, "1.5"),
            (-0.0, "-0.0"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (5e-324, "5e-324"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e+308"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(real_text(number), text);
        }
        for (real, imaginary, text) in [
            (1.0, 2.0, "1+2j"),
            (0.0, 1.0, "1j"),
            (-0.0, 1.0, "-0+1j"),
            (0.0, -0.0, "-0j"),
            (f64::NAN, -0.0, "nan-0j"),
            (f64::INFINITY, f64::NAN, "inf+nanj"),
            (1e16, 1.0, "1e+16+1j"),
        ] {
            assert_eq!(complex_text(real, imaginary), text);
        }
    }
}
