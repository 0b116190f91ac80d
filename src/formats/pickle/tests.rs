//! Each instruction once, what each refuses, and pickles that want too much.

use super::*;
use crate::{
    faults::{Code, Text},
    formats::Budget,
    limits::Limits,
};

/// A world of one name of each kind.
struct Few;

impl World for Few {
    fn rule(&self, name: &str) -> Result<Rule, Option<String>> {
        match name {
            "m.constant" => Ok(Rule::CONSTANT),
            "m.function" => Ok(Rule::FUNCTION),
            "m.object" => Ok(Rule::OBJECT),
            "m.mapping" => Ok(Rule::MAPPING),
            "m.model" => Err(Some("Save its state.".into())),
            _ => Err(None),
        }
    }
}

fn read(bytes: &[u8]) -> Result<Pickle, (Code, String)> {
    let storage = Storage::copied(bytes).unwrap();
    let (place, limits) = (Text::from("data.pkl"), Limits::default());
    let budget = Budget::of(bytes.len() as u64);
    let setting = Setting { place: &place, offset: Some(100), budget: &budget, world: &Few, limits: &limits };
    let mut faults = Faults::default();
    Pickle::read(&storage, &setting, &mut faults).map_err(|_| {
        let fault = faults.iter().next().unwrap();
        (fault.code, fault.message.clone())
    })
}

/// What a pickle says, as Python would print it.
fn printed(pickle: &Pickle, id: NodeId) -> String {
    let all = |ids: &[NodeId]| ids.iter().map(|&id| printed(pickle, id)).collect::<Vec<_>>().join(", ");
    let items = |id| {
        let items = pickle.items(id).unwrap_or_default().iter();
        items
            .map(|&(key, value)| format!("{}: {}", printed(pickle, key), printed(pickle, value)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    match pickle.node(id) {
        Node::None => "None".into(),
        Node::Bool(flag) => flag.to_string(),
        Node::Int(number) => number.to_string(),
        Node::Long(_) => format!("{:?}", pickle.long(id).unwrap()),
        Node::Real(number) => format!("{number:?}"),
        Node::Text(_) => format!("'{}'", Text::from_wtf8(pickle.text(id).unwrap())),
        Node::Tuple(_) => format!("({})", all(pickle.tuple(id).unwrap())),
        Node::List(_) => format!("[{}]", all(pickle.elements(id).unwrap())),
        Node::Dict(_) => format!("{{{}}}", items(id)),
        Node::Set => "set()".into(),
        Node::Global(_) => pickle.global(id).unwrap().into(),
        Node::Persistent(id) => format!("<{}>", printed(pickle, id)),
        Node::Call(_) => {
            let call = pickle.call(id).unwrap();
            let state = call.state.map_or(String::new(), |state| format!("|{}", printed(pickle, state)));
            format!("{}({}){{{}}}{state}", call.name, all(call.arguments), items(id))
        }
    }
}

fn text(bytes: &[u8]) -> String {
    let pickle = read(bytes).unwrap_or_else(|(_, message)| panic!("{message}"));
    assert_eq!(pickle.end(), bytes.len());
    printed(&pickle, pickle.root())
}

#[test]
fn each_instruction_that_is_followed() {
    for (bytes, says) in [
        (&b"\x80\x02(K\x01K\x02t."[..], "(1, 2)"),
        (b"G\x3F\xF8\0\0\0\0\0\0.", "1.5"),
        (b"J\xFE\xFF\xFF\xFF.", "-2"),
        (b"M\xFF\xFF.", "65535"),
        (b"N.", "None"),
        (b"(Nt\x85Q.", "<((None))>"),
        (b"cm\nfunction\nK\x05\x85R.", "m.function(5){}"),
        (b"U\x02ab.", "'ab'"),
        (b"X\x04\0\0\0a\xED\xB2\x80.", "'a\\udc80'"),
        (b"].", "[]"),
        (b"]Na.", "[None]"),
        (b"cm\nobject\n)RNb.", "m.object(){}|None"),
        (b"cm\nconstant\n.", "m.constant"),
        (b"](NNe.", "[None, None]"),
        (b"]q\x07h\x07\x86.", "([], [])"),
        (b"]r\x07\0\0\0j\x07\0\0\0\x86.", "([], [])"),
        (b"}X\x01\0\0\0kNs.", "{'k': None}"),
        (b"}(K\x01NK\x02Nu.", "{1: None, 2: None}"),
        (b"NNN\x87.", "(None, None, None)"),
        (b").", "()"),
        (b"\x8F.", "set()"),
        (b"cm\nmapping\n)\x81}b.", "m.mapping(){}|{}"),
        (b"\x88\x89\x86.", "(true, false)"),
        (b"\x8A\x00\x8A\x01\xFF\x8A\x02\xFF\x00\x87.", "(0, -1, 255)"),
        (b"\x8A\x09\0\0\0\0\0\0\0\x80\xFF.", "-9223372036854775808"),
        (b"\x8A\x09\0\0\0\0\0\0\0\x80\0.", "[0, 0, 0, 0, 0, 0, 0, 128, 0]"),
        (
            b"cm\nmapping\n](K\x01N\x86K\x02N\x86e\x85RK\x03Ns.",
            "m.mapping([(1, None), (2, None)]){1: None, 2: None, 3: None}",
        ),
        (b"cm\nmapping\n}K\x01Ns\x85R.", "m.mapping({1: None}){1: None}"),
    ] {
        assert_eq!(text(bytes), says, "{}", bytes.escape_ascii());
    }
}

#[test]
fn every_other_instruction_is_refused_by_name_and_place() {
    let followed = b"(.GJKMNQRUX]abcehjqrsut}\x80\x81\x85\x86\x87\x88\x89\x8A\x8F)";
    assert_eq!(followed.len(), 34);
    let mut refused = 0;
    for byte in (0..=255).filter(|byte| !followed.contains(byte)) {
        let (code, message) = read(&[b'N', byte, b'.']).err().unwrap();
        let name = opcode::name(byte).map_or(format!("0x{byte:02X}"), str::to_owned);
        assert_eq!(code, Code::Hostile);
        assert!(message.starts_with(&format!("data.pkl, byte 1: {name} ")), "{message}");
        refused += usize::from(opcode::name(byte).is_some());
    }
    assert_eq!(refused, 34);
    for (bytes, target) in [
        (&b"(ios\nsystem\n."[..], "INST of os.system"),
        (b"U\x02osU\x06system\x93.", "STACK_GLOBAL of os.system"),
        (b"U\x03\x1B\nsN\x93.", "STACK_GLOBAL is"),
    ] {
        let (_, message) = read(bytes).err().unwrap();
        assert!(message.contains(target), "{message}");
    }
}

#[test]
fn what_each_instruction_refuses() {
    for (bytes, code, says) in [
        (&b""[..], Code::Truncated, "byte 0: the pickle ends without STOP"),
        (b"N", Code::Truncated, "byte 1: the pickle ends"),
        (b".", Code::Malformed, "byte 0: STOP finds no value"),
        (b"N(.", Code::Malformed, "byte 2: STOP finds no value"),
        (b"t.", Code::Malformed, "TUPLE finds no MARK"),
        (b"(N\x86.", Code::Malformed, "TUPLE2 finds no value"),
        (b"X\x05\0\0\0ab.", Code::Truncated, "BINUNICODE has 5 bytes"),
        (b"U\x01\xFF.", Code::Encoding, "SHORT_BINSTRING holds text"),
        (b"X\x06\0\0\0\xED\xA0\xBD\xED\xB8\x80.", Code::Encoding, "BINUNICODE holds text"),
        (b"J\0\0", Code::Truncated, "BININT is cut short"),
        (b"h\x01.", Code::Malformed, "BINGET asks for value 1"),
        (b"]Nb.", Code::Malformed, "BUILD hands a state to a list"),
        (b"}Na.", Code::Malformed, "APPEND appends to a dictionary"),
        (b"](NNNe.", Code::Malformed, ""),
        (b"]NNs.", Code::Malformed, "SETITEM puts items into a list"),
        (b"}(Nu.", Code::Malformed, "SETITEMS finds a key without a value"),
        (b"}]Ns.", Code::Malformed, "SETITEM has a list for a key"),
        (b"}]\x85Ns.", Code::Malformed, "SETITEM has a tuple for a key"),
        (b"NQ.", Code::Malformed, "BINPERSID has nothing for a persistent id"),
        (b"U\x01a)R.", Code::Malformed, "REDUCE calls a text"),
        (b"cm\nconstant\n)R.", Code::Malformed, "REDUCE calls m.constant"),
        (b"cm\nfunction\nNR.", Code::Malformed, "REDUCE has nothing for arguments"),
        (b"cm\nfunction\n)\x81.", Code::Malformed, "NEWOBJ makes a new object of m.function"),
        (b"cm\nmapping\nN\x85\x81.", Code::Malformed, "NEWOBJ makes a new object of something"),
        (b"cm\nmapping\nK\x01\x85R.", Code::Malformed, "REDUCE makes a dictionary of other things"),
        (b"cm\nmapping\n)R)b.", Code::Malformed, "BUILD hands a dictionary a state"),
        (b"cos\nsystem\n\xFF\xFF", Code::Hostile, "GLOBAL names os.system"),
        (
            b"cm\nmodel\n\xFF\xFF",
            Code::Unsupported,
            "m.model, which is not among the names that are read as values. Save its state.",
        ),
        (b"cm\nfunc", Code::Truncated, "GLOBAL is not followed"),
        (b"c\xFF\nm\n.", Code::Encoding, "GLOBAL names what"),
    ] {
        match read(bytes) {
            Err((got, message)) => {
                assert!(message.contains(says), "{message} instead of {says}");
                assert_eq!(got, code, "{message}");
            }
            Ok(_) => assert_eq!(says, "", "{}", bytes.escape_ascii()),
        }
    }
}

#[test]
fn keys_are_the_same_by_value_and_keep_their_place() {
    assert_eq!(text(b"}(U\x01aK\x01U\x01bK\x02X\x01\0\0\0aK\x03u."), "{'a': 3, 'b': 2}");
    let noughts =
        [&b"}(G\0\0\0\0\0\0\0\0K\x01"[..], b"G\x80\0\0\0\0\0\0\0K\x02", b"K\x00K\x03", b"\x89K\x04u."].concat();
    assert_eq!(text(&noughts), "{0.0: 3, false: 4}");
    let nans = [&b"}(G\x7F\xF8\0\0\0\0\0\0K\x01"[..], b"G\xFF\xF8\0\0\0\0\0\x01K\x02u."].concat();
    assert_eq!(text(&nans), "{NaN: 2}");
    assert_eq!(text(b"}(M\x00\x01U\x01a\x86K\x01M\x00\x01U\x01a\x86K\x02u."), "{(256, 'a'): 2}");
}

#[test]
fn neither_depth_nor_circles_cost_anything() {
    assert!(read(b"]q\0h\0a.").is_ok());
    let deep = [&b"N"[..], &b"\x85".repeat(100_000), b"."].concat();
    assert!(read(&deep).is_ok());
    for (nest, says) in [
        (&b"("[..], "MARK opens"),
        (b"]", "EMPTY_LIST"),
        (b"}", "EMPTY_DICT"),
        (b"N", "NONE lays"),
        (b"\x85", "TUPLE1"),
    ] {
        let deep = [b"N", &nest.repeat(1_000_000)[..], b"."].concat();
        let (code, message) = read(&deep).err().unwrap();
        assert_eq!(code, Code::Limit);
        assert!(message.contains(says), "{message}");
    }
}

#[test]
fn cut_at_every_byte() {
    let whole = b"\x80\x02cm\nmapping\nq\0)Rq\x01(X\x01\0\0\0aq\x02]q\x03(K\x01G?\xF0\0\0\0\0\0\0J\0\0\0\x01e\x8A\x02\xFF\xFFNu}X\x01\0\0\0mNsb.";
    for length in 0..whole.len() {
        assert!(read(&whole[..length]).is_err(), "cut to {length}");
    }
    assert!(text(whole).starts_with("m.mapping(){'a': [1, 1.0, 16777216], -1: None}"));
}

#[test]
fn many_keys_are_read_in_time() {
    let mut bytes = b"}(".to_vec();
    for key in 0..80_000u32 {
        bytes.extend_from_slice(b"X\x08\0\0\0");
        bytes.extend_from_slice(format!("{key:08}").as_bytes());
        bytes.extend_from_slice(&[b'r', key as u8, (key >> 8) as u8, (key >> 16) as u8, 0, b'N']);
    }
    bytes.extend_from_slice(b"u.");
    let start = cpu_time::ThreadTime::now();
    let pickle = read(&bytes).unwrap_or_else(|(_, message)| panic!("{message}"));
    assert_eq!(pickle.items(pickle.root()).unwrap().len(), 80_000);
    assert!(start.elapsed().as_secs() < 5);
    // One long text over and over costs nothing more.
    let mut bytes = [&b"X\0\0\x10\0"[..], &[b'k'; 1 << 20], b"q\0}"].concat();
    bytes.extend_from_slice(&b"h\0Ns".repeat(100_000));
    bytes.push(b'.');
    assert!(read(&bytes).is_ok());
    assert!(start.elapsed().as_secs() < 10);
}
