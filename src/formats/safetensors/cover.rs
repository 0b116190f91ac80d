//! Every byte of the data belongs to exactly one tensor.

use super::entry::Claim;
use crate::faults::{Code, Fault, quoted_str};
use std::ops::Range;

/// A fault with what it is sorted by.
pub(super) struct Found {
    pub fault: Fault,
    /// First byte, within the data, of the tensor it is about; none sorts first.
    pub begin: Option<u64>,
    /// Whether it left the place of its tensor known; if not, gaps and overlaps can not be told.
    pub offsets_known: bool,
}

/// Finds gaps, overlaps and what is left at the end, until `most` faults are found. `claims` are in the order of their bytes.
pub(super) fn cover(claims: &[Claim<'_>], data: &Range<u64>, most: usize, found: &mut Vec<Found>) {
    let (mut covered, mut last) = (0, None);
    for claim in claims {
        if found.len() >= most {
            return;
        }
        // The same place said twice under one name is one fault, found already.
        let again =
            !claim.first && last.is_some_and(|last: &Claim<'_>| (last.name, last.end) == (claim.name, claim.end));
        let name = quoted_str(claim.name);
        let fault = if again || claim.begin == covered {
            None
        } else if claim.begin > covered {
            let message =
                format!("'{name}' begins at byte {} of the data, and byte {covered} belongs to nothing.", claim.begin);
            Some(Fault::new(Code::Gap, message))
        } else {
            let before = last.map_or(String::new(), |last| quoted_str(last.name));
            let message = format!(
                "'{name}' begins at byte {} of the data, within '{before}', which ends at {covered}.",
                claim.begin
            );
            Some(Fault::new(Code::Overlap, message))
        };
        if let Some(fault) = fault {
            let fault = fault.path(claim.name).place(claim.name).offset(data.start.checked_add(claim.begin));
            found.push(Found { fault, begin: Some(claim.begin), offsets_known: true });
        }
        if claim.end >= covered {
            (covered, last) = (claim.end, Some(claim));
        }
    }
    let length = data.end - data.start;
    if covered < length {
        let message = format!("{} bytes after the last tensor belong to nothing.", length - covered);
        let fault = Fault::new(Code::Trailing, message).offset(data.start + covered);
        found.push(Found { fault, begin: Some(covered), offsets_known: true });
    }
}
