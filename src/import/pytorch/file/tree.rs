//! A checkpoint as a tree of parameters: every value it holds, in order, tensors and all.

use super::{
    about, numpy,
    storages::{Wrong, wrong},
    walk::{Bounds, Met, Place, one_more, walk},
};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text},
    formats::{
        Budget, Loan,
        pickle::{Node, NodeId, Pickle},
    },
    params::{NodeId as Branch, Params, Value},
};

/// Most bytes a child under a key takes besides its node and the key, twice; a child of any branch; a branch.
const KEYED: usize = 80;
const CHILD: usize = size_of::<Branch>();
const BRANCH: usize = Params::BRANCH + 32;
/// What a tensor takes beside its node: of its axes the listing has paid for most.
const TENSOR: u64 = 320;

/// How many places there are to walk, the root counted, how many of them stand under a key, and how many are branches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Places {
    pub all: usize,
    pub keyed: usize,
    pub branches: usize,
}

impl Places {
    /// What a tree of so many nodes takes, their keys and values left out.
    fn bytes(self) -> Option<u64> {
        let parts = [(self.all, Params::NODE + CHILD), (self.keyed, KEYED), (self.branches, BRANCH)];
        parts.iter().try_fold(0u64, |sum, &(count, bytes)| sum.checked_add(count.checked_mul(bytes)? as u64))
    }
}

/// The tree below `root`, which has so many places; `tensor` gives the value of a node that is a tensor of PyTorch's, and
/// none of any other. Memory is borrowed from `budget` until the tree is made.
pub(super) fn tree(
    pickle: &Pickle,
    root: NodeId,
    bounds: Bounds,
    places: Places,
    budget: &Budget,
    mut tensor: impl FnMut(NodeId, &mut Faults) -> Result<Option<Value>, Refused>,
    faults: &mut Faults,
) -> Result<Params, Refused> {
    let mark = faults.mark();
    let mut loan = Loan::of(budget);
    if places.bytes().and_then(|bytes| loan.take(bytes)).is_none() {
        let message = format!(
            "The tree would have {} nodes, more than a file of this length is given memory for; the option `key` reads a \
             part of it, and its tensors can be read one by one.",
            places.all
        );
        return Err(faults.refuse(Fault::new(Code::Limit, message)));
    }
    let (mut params, mut open): (Option<Params>, Vec<Branch>) = (None, Vec::new());
    let walked = walk(pickle, root, bounds, budget, |met| {
        let (place, kind) = match met {
            Met::End => {
                open.pop();
                return Ok(());
            }
            Met::Branch(place, kind, children) => (place, Some((kind, children))),
            Met::Leaf(place) => (place, None),
        };
        let text = pickle.text(place.node).map_or(0, <[u8]>::len);
        let own = if kind.is_none() && matches!(pickle.node(place.node), Node::Call(_)) { TENSOR } else { 0 };
        loan.take(own + (2 * place.key.len() + text) as u64).ok_or_else(|| one_more(place.path))?;
        match (&mut params, kind) {
            (None, Some((kind, children))) => {
                let params = params.insert(Params::new(kind));
                params.reserve(places.all, places.keyed);
                params.reserve_children(Params::ROOT, children);
                open.push(Params::ROOT);
            }
            (params, kind) => {
                // A file may be a single value: then it is the one child of the root, under no name.
                let params = params.get_or_insert_default();
                let parent = open.last().copied().unwrap_or(Params::ROOT);
                let key = Text::from_wtf8(place.key);
                let added = match kind {
                    Some((kind, children)) => params.branch(parent, key, kind).map(|branch| {
                        params.reserve_children(branch, children);
                        open.push(branch);
                    }),
                    None => match leaf(pickle, &place, &mut tensor, &mut loan, faults) {
                        Some(value) => params.add(parent, key, value).map(|_| ()),
                        None => Ok(()),
                    },
                };
                added?;
            }
        }
        Ok(())
    });
    if let Err(fault) = walked {
        faults.push(fault);
    }
    faults.refused_since(mark)?;
    Ok(params.unwrap_or_default())
}

/// The value of a leaf; none, and a fault, if it can not be told.
fn leaf(
    pickle: &Pickle,
    place: &Place<'_>,
    tensor: &mut impl FnMut(NodeId, &mut Faults) -> Result<Option<Value>, Refused>,
    loan: &mut Loan<'_>,
    faults: &mut Faults,
) -> Option<Value> {
    match tensor(place.node, faults) {
        Ok(Some(value)) => return Some(value),
        Ok(None) => {}
        Err(_) => return None,
    }
    match value(pickle, place.node, loan) {
        Ok(value) => Some(value),
        Err(Wrong(code, rest)) => {
            faults.push(about(&Text::from_wtf8(place.path), code, rest));
            None
        }
    }
}

/// The value of a leaf that is no tensor of PyTorch's.
fn value(pickle: &Pickle, node: NodeId, loan: &mut Loan<'_>) -> Result<Value, Wrong> {
    match pickle.node(node) {
        Node::None => return Ok(Value::None),
        Node::Bool(flag) => return Ok(Value::Bool(flag)),
        Node::Int(number) => return Ok(Value::Int(number)),
        Node::Real(number) => return Ok(Value::Real(number)),
        _ => {}
    }
    if let Some(text) = pickle.text(node) {
        return Ok(Value::Text(Text::from_wtf8(text)));
    }
    if let Some(number) = pickle.long(node) {
        // Three digits for each byte, and as many while they are made.
        if loan.take(6 * number.len() as u64).is_none() {
            return wrong(Code::Limit, "takes more memory than a file of this length is given.");
        }
        return Ok(Value::BigInt(digits(number)));
    }
    // An element type, a layout: what stands for itself is its name.
    if let Some(name) = pickle.global(node) {
        return Ok(Value::Text(name.into()));
    }
    if let Some(bytes) = numpy::bytes(pickle, node, loan)? {
        return Ok(Value::Bytes(bytes.into()));
    }
    if let Some(value) = numpy::value(pickle, node, loan)? {
        return Ok(value);
    }
    let Some(call) = pickle.call(node) else { return wrong(Code::Unsupported, format!("is {}.", pickle.kind(node))) };
    let text = |id: NodeId| Some(std::str::from_utf8(pickle.text(id)?).ok()?.to_owned());
    let real = |id: NodeId| match pickle.node(id) {
        Node::Real(number) => Some(number),
        _ => None,
    };
    let value = match (call.name, call.arguments) {
        ("torch.device", &[device]) => text(device).map(|device| Value::Text(device.into())),
        ("torch.device", &[device, index]) => {
            text(device).zip(pickle.int(index)).map(|(device, index)| Value::Text(format!("{device}:{index}").into()))
        }
        ("torch.serialization._get_layout", &[layout]) => text(layout).map(|layout| Value::Text(layout.into())),
        ("builtins.complex" | "__builtin__.complex", &[re, im]) => {
            real(re).zip(real(im)).map(|(re, im)| Value::Complex(re, im))
        }
        _ => None,
    };
    value.map_or_else(|| wrong(Code::Unsupported, format!("is made by {}, whose value is not known.", call.name)), Ok)
}

/// A whole number in decimal digits, from its two's complement, least byte first.
fn digits(bytes: &[u8]) -> String {
    let negative = bytes.last().is_some_and(|&byte| byte >= 0x80);
    let mut carry = u16::from(negative);
    let mut magnitude: Vec<u8> = bytes
        .iter()
        .map(|&byte| {
            let byte = if negative { !byte } else { byte };
            let sum = u16::from(byte) + carry;
            carry = sum >> 8;
            sum as u8
        })
        .collect();
    magnitude.push(carry as u8);
    let mut digits = Vec::new();
    while magnitude.iter().any(|&byte| byte > 0) {
        let mut rest = 0u16;
        for byte in magnitude.iter_mut().rev() {
            let part = rest << 8 | u16::from(*byte);
            (*byte, rest) = ((part / 10) as u8, part % 10);
        }
        digits.push(b'0' + rest as u8);
    }
    let sign = if negative { "-" } else { "" };
    format!("{sign}{}", digits.iter().rev().map(|&digit| char::from(digit)).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn long_numbers_in_digits() {
        assert_eq!(digits(&[0, 0, 0, 0, 0, 0, 0, 0, 1]), "18446744073709551616");
        assert_eq!(digits(&[0, 0, 0, 0, 0, 0, 0, 0, 0xFF]), "-18446744073709551616");
        assert_eq!(digits(&[0, 0, 0, 0, 0, 0, 0, 0, 0x80]), "-2361183241434822606848");
    }
}
