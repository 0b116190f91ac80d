//! The list of faults that a caller owns and calls fill.

use super::{
    failure::{Answer, Failure},
    handle::{self, Handle},
    options::{Target, sized},
    status::pon_status,
    text::{Kept, pon_str},
};
use crate::faults::{Code, Fault, Faults};
use std::sync::OnceLock;

/// A list of faults: calls put theirs at its end, in the order they were found.
pub struct pon_faults(());

impl Handle for pon_faults {
    type Inner = List;
    const MAGIC: u64 = u64::from_le_bytes(*b"pon.faul");
}

/// A fault that refused the call.
pub const PON_SEVERITY_ERROR: i32 = 1;
/// A fault that did not; the call went on.
pub const PON_SEVERITY_WARNING: i32 = 2;
/// The offset of a fault that has none.
pub const PON_NO_OFFSET: u64 = 0xFFFF_FFFF_FFFF_FFFF;

/// One fault; its texts live until the list is changed or freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_fault {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// What kind of fault.
    pub code: pon_status,
    /// PON_SEVERITY_ERROR or PON_SEVERITY_WARNING.
    pub severity: i32,
    /// 0.
    pub reserved: u32,
    /// The stable name of the code, e.g. `slot.shape`.
    pub name: pon_str,
    /// One line for people; text of files in it is escaped and cut.
    pub message: pon_str,
    /// Of the slot, node or layer, raw; "" if none.
    pub path: pon_str,
    /// Where the file holds it, in the file's words, raw; "" if none.
    pub place: pon_str,
    /// What the message is made of: a JSON object.
    pub arguments_json: pon_str,
    /// Byte in the source, or PON_NO_OFFSET.
    pub offset: u64,
}
sized!(pon_fault);

/// A list with the texts it lends.
pub struct List {
    faults: Faults,
    lent: OnceLock<Lent>,
}

struct Lent {
    each: Vec<[Kept; 4]>,
    text: Kept,
    json: Kept,
}

impl Default for List {
    /// An empty list that keeps all: each call holds itself to the limit of its context.
    fn default() -> List {
        List { faults: Faults::with_limit(usize::MAX), lent: OnceLock::new() }
    }
}

impl List {
    /// Puts faults at the end.
    pub fn append(&mut self, faults: Faults) {
        if !faults.is_empty() {
            self.faults.append(faults);
            self.lent = OnceLock::new();
        }
    }

    /// What it holds.
    pub fn into_faults(self) -> Faults {
        self.faults
    }

    fn lent(&self) -> &Lent {
        self.lent.get_or_init(|| {
            let texts = |fault: &Fault| {
                [
                    Kept::new(&fault.message),
                    Kept::new(fault.path.as_bytes()),
                    Kept::new(fault.place.as_bytes()),
                    Kept::new(fault.arguments_json()),
                ]
            };
            Lent {
                each: self.faults.iter().map(texts).collect(),
                text: Kept::new(self.faults.text()),
                json: Kept::new(self.faults.json()),
            }
        })
    }
}

/// The list of a call, which may be NULL.
///
/// # Safety
/// As `handle::get_mut`.
pub unsafe fn list<'a>(list: *mut pon_faults) -> Answer<Option<&'a mut List>> {
    // SAFETY: passed on.
    if list.is_null() { Ok(None) } else { unsafe { handle::get_mut(list, "faults") }.map(Some) }
}

/// Makes an empty list of faults.
/// Owns: the caller owns `*out` and frees it with `pon_faults_free`.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_faults_new(out: *mut *mut pon_faults) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let out = unsafe { handle::out(out, "out")? };
        out.write(handle::give(List::default()));
        Ok(())
    })
}

/// Empties a list.
/// Owns: ends what the list has lent.
/// Nullable: faults (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_faults_clear(faults: *mut pon_faults) {
    guard!(or(), {
        // SAFETY: the caller's promise.
        *unsafe { handle::get_mut(faults, "faults")? } = List::default();
        Ok(())
    })
}

/// Tells how many faults a list holds.
/// Owns: nothing.
/// Nullable: faults (0).
/// Threads: any.
/// Errors: none; 0.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_faults_count(faults: *const pon_faults) -> usize {
    // SAFETY: the caller's promise.
    guard!(or 0, { Ok(unsafe { handle::get(faults, "faults")? }.faults.len()) })
}

/// Gives one fault; `out->struct_size` is set before the call.
/// Owns: the texts belong to the list, until it is changed or freed.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE (no such fault).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_faults_get(faults: *const pon_faults, index: usize, out: *mut pon_fault) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (list, out) = unsafe { (handle::get(faults, "faults")?, Target::new(out, "out")?) };
        let none = Failure::of(Code::Value, "index");
        let fault = list.faults.iter().nth(index).ok_or(none)?;
        let [message, path, place, arguments] = list.lent().each.get(index).ok_or(none)?;
        out.write(pon_fault {
            struct_size: 0,
            code: fault.code.number(),
            severity: fault.severity as i32,
            reserved: 0,
            name: pon_str::fixed(fault.code.c_name()),
            message: message.lend(),
            path: path.lend(),
            place: place.lend(),
            arguments_json: arguments.lend(),
            offset: fault.offset.unwrap_or(PON_NO_OFFSET),
        });
        Ok(())
    })
}

/// Gives the messages, a fault a line.
/// Owns: the text belongs to the list, until it is changed or freed.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_faults_text(faults: *const pon_faults, out: *mut pon_str) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (list, out) = unsafe { (handle::get(faults, "faults")?, handle::out(out, "out")?) };
        out.write(list.lent().text.lend());
        Ok(())
    })
}

/// Gives all as JSON: `{"faults":[{"code","name","severity","path","place","offset","message","arguments"}]}`, and `"more"`
/// if there were more than are kept.
/// Owns: the text belongs to the list, until it is changed or freed.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_faults_json(faults: *const pon_faults, out: *mut pon_str) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (list, out) = unsafe { (handle::get(faults, "faults")?, handle::out(out, "out")?) };
        out.write(list.lent().json.lend());
        Ok(())
    })
}

/// Frees a list.
/// Owns: takes `faults`.
/// Nullable: faults (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_faults_free(faults: *mut pon_faults) {
    // SAFETY: the caller's promise.
    guard!(or(), { unsafe { handle::free(faults) } })
}
