//! Dataspaces: how many elements there are, and along which axes. Read for attributes and datasets.

use super::{
    cursor::Cursor,
    wrong::{Read, Wrong},
};

/// The axes of an attribute or dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Space {
    /// No element at all: an empty value.
    Null,
    /// One element, no axes.
    Scalar,
    /// Lengths of the axes, slowest first; at least one axis.
    Simple(Vec<usize>),
}

impl Space {
    /// That of elements along these axes, or of one if there are none.
    pub fn of(shape: &[usize]) -> Space {
        if shape.is_empty() { Space::Scalar } else { Space::Simple(shape.to_vec()) }
    }

    /// Reads a dataspace message.
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Read<Space> {
        Space::read_growing(cursor).map(|(space, _)| space)
    }

    /// The same with the lengths that the axes may grow to, if they may.
    pub(super) fn read_growing(cursor: &mut Cursor<'_>) -> Read<(Space, Option<Vec<u64>>)> {
        const MOST_AXES: u8 = 32;
        let place = cursor.place();
        let (version, axes, flags) = (cursor.u8()?, cursor.u8()?, cursor.u8()?);
        let kind = match version {
            1 => {
                cursor.skip(5)?;
                u8::from(axes > 0)
            }
            2 => cursor.u8()?,
            _ => return Err(Wrong::unsupported(place, format!("its dataspace is of version {version}"))),
        };
        if axes > MOST_AXES {
            return Err(Wrong::damaged(place, format!("it has {axes} axes; HDF5 allows {MOST_AXES}")));
        }
        let mut lengths = Vec::with_capacity(usize::from(axes));
        for _ in 0..axes {
            let length = cursor.u64()?;
            let length = usize::try_from(length).ok().filter(|&length| length <= isize::MAX as usize);
            lengths.push(length.ok_or_else(|| Wrong::damaged(place, "an axis is longer than any memory"))?);
        }
        let mut most = None;
        if flags & 1 != 0 {
            let all: Read<Vec<u64>> = (0..axes).map(|_| cursor.u64()).collect();
            most = Some(all?);
        }
        let space = match kind {
            0 => Space::Scalar,
            1 if axes > 0 => Space::Simple(lengths),
            1 => Space::Scalar,
            2 => Space::Null,
            _ => return Err(Wrong::damaged(place, format!("its dataspace is of the unknown kind {kind}"))),
        };
        Ok((space, most))
    }

    /// Lengths of the axes, slowest first, none of a scalar; nothing for an empty value.
    pub fn shape(&self) -> Option<&[usize]> {
        match self {
            Space::Null => None,
            Space::Scalar => Some(&[]),
            Space::Simple(lengths) => Some(lengths),
        }
    }

    /// How many elements; none if no machine can count them.
    pub fn count(&self) -> Option<usize> {
        match self {
            Space::Null => Some(0),
            Space::Scalar => Some(1),
            Space::Simple(lengths) if lengths.contains(&0) => Some(0),
            Space::Simple(lengths) => lengths
                .iter()
                .try_fold(1_usize, |all, &length| all.checked_mul(length))
                .filter(|&n| n <= isize::MAX as usize),
        }
    }
}
