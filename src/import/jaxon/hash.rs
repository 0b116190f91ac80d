//! What Python would take as a key or a member of a set, and which of them are equal.

use super::{
    item::{Item, ItemId, Wanted},
    reader::Reader,
};
use crate::{
    params::{Kind, Value},
    tensor::DType,
};

impl Reader<'_, '_> {
    /// Whether Python would take it as a key or a member of a set.
    pub fn is_hashable(&self, item: ItemId) -> bool {
        match self.items.get(item) {
            Some(Item::Leaf { .. } | Item::Skipped | Item::Object { .. }) => true,
            Some(Item::Data(data)) => {
                matches!(data.wanted, Wanted::Text | Wanted::Void)
                    || matches!(data.wanted, Wanted::Bytes(name) if name != "bytearray")
            }
            Some(Item::Branch(Kind::FrozenSet, _)) => true,
            Some(Item::Branch(Kind::Tuple, children)) => children.iter().all(|&child| self.is_hashable(child)),
            _ => false,
        }
    }

    /// A text that is equal for keys that are equal in Python; none for one that is equal to none but itself.
    pub(super) fn hash(&self, key: ItemId) -> Option<String> {
        let number = |number: f64| match number {
            number if number.is_nan() => None,
            number if number.fract() == 0.0 && number.abs() < 1e18 => Some(format!("i{}", number as i64)),
            number => Some(format!("f{}", number.to_bits())),
        };
        match self.items.get(key)? {
            Item::Leaf { value, .. } => match value {
                Value::None => Some("none".into()),
                Value::Ellipsis => Some("ellipsis".into()),
                Value::Bool(is) => Some(format!("i{}", i64::from(*is))),
                Value::Int(whole) => Some(format!("i{whole}")),
                Value::BigInt(digits) => Some(format!("i{digits}")),
                Value::Real(real) => number(*real),
                Value::Complex(re, im) if *im == 0.0 => number(*re),
                Value::Complex(re, im) => Some(format!("c{} {}", re.to_bits(), im.to_bits())),
                Value::Text(text) => Some(format!("t{}", text.as_str()?)),
                Value::Range(range) => Some(format!("r{range:?}")),
                Value::Scalar(tensor) => {
                    let wide = tensor.converted(DType::F64)?;
                    number(f64::from_le_bytes(wide.packed_bytes()?.try_into().ok()?))
                }
                _ => None,
            },
            Item::Branch(Kind::Tuple, children) => {
                let mut all = "(".to_owned();
                for &child in children {
                    let part = self.hash(child)?;
                    all.push_str(&format!("{}:{part},", part.len()));
                }
                Some(all)
            }
            _ => None,
        }
    }
}
