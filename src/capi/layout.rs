//! Flat vectors of parameter sets.

use super::{
    context::Context,
    dtype::pon_dtype,
    failure::Failure,
    faults::pon_faults,
    handle::{self, Handle},
    options::{Target, sized},
    params::{self, pon_params},
    status::pon_status,
    text::{self, Kept, pon_str},
    value::pon_node,
    view::{self, pon_view},
};
use crate::{
    faults::Code,
    params::{Layout, Segment},
};
use std::{ffi::c_char, sync::Arc};

/// The order of a set's numbers in one flat vector, computed once.
pub struct pon_layout(());

impl Handle for pon_layout {
    type Inner = Held;
    const MAGIC: u64 = u64::from_le_bytes(*b"pon.layo");

    fn context(held: &Held) -> Option<&Context> {
        Some(&held.context)
    }
}

/// What stands behind a layout.
pub struct Held {
    layout: Layout,
    segments: Vec<(Segment, Kept)>,
    context: Arc<Context>,
}

/// A leaf's place in a flat vector. A structured leaf has one for each array of its storage.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_segment {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// Element type in the set that the layout was made of.
    pub dtype: pon_dtype,
    /// The leaf in that set.
    pub node: pon_node,
    /// How many axes it has.
    pub ndim: i32,
    /// Place of its first number.
    pub first: u64,
    /// How many numbers.
    pub count: u64,
    /// `ndim` lengths, slowest axis first.
    pub shape: *const i64,
    /// Its path from where the layout was made.
    pub path: pon_str,
}
sized!(pon_segment);

/// Computes the layout of a branch: depth first, in the order of the set; within an array slowest axis first, which of a set of
/// Julia is column-major order. Of a structured leaf the storage counts alone. Every leaf must hold numbers.
/// Owns: the caller owns `*out` and frees it with `pon_layout_free`; it keeps what it needs of the set.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_KIND, PON_E_OVERFLOW.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_layout_new(
    params: *const pon_params,
    from: pon_node,
    out: *mut *mut pon_layout,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(params, "params")?, handle::out(out, "out")?) };
        held.params.kind(from).ok_or(Failure::of(Code::NoPath, "from"))?;
        let layout = Layout::of(&held.params, from, faults)?;
        let kept = |segment: Segment| {
            let path = Kept::new(segment.path.as_bytes());
            (segment, path)
        };
        let segments = layout.segments().into_iter().map(kept).collect();
        out.write(handle::give(Held { layout, segments, context: held.context.clone() }));
        Ok(())
    })
}

/// Tells how many numbers the flat vector has.
/// Owns: nothing.
/// Nullable: layout (0).
/// Threads: any.
/// Errors: none; 0.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_layout_count(layout: *const pon_layout) -> u64 {
    // SAFETY: the caller's promise.
    guard!(or 0, { Ok(unsafe { handle::get(layout, "layout")? }.layout.count() as u64) })
}

/// Tells how many leaves the layout has.
/// Owns: nothing.
/// Nullable: layout (0).
/// Threads: any.
/// Errors: none; 0.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_layout_segments(layout: *const pon_layout) -> usize {
    // SAFETY: the caller's promise.
    guard!(or 0, { Ok(unsafe { handle::get(layout, "layout")? }.segments.len()) })
}

/// Tells a leaf's place; `out->struct_size` is set before the call.
/// Owns: shape and path belong to the layout.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_layout_segment(
    layout: *const pon_layout,
    index: usize,
    out: *mut pon_segment,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(layout, "layout")?, Target::new(out, "out")?) };
        let (segment, path) = held.segments.get(index).ok_or(Failure::of(Code::Value, "index"))?;
        out.write(pon_segment {
            struct_size: 0,
            dtype: segment.dtype as pon_dtype,
            node: segment.node,
            ndim: segment.shape.len() as i32,
            first: segment.first as u64,
            count: segment.count as u64,
            shape: segment.shape.as_ptr().cast(),
            path: path.lend(),
        });
        Ok(())
    })
}

/// Tells where the numbers of a node stand, by its path from where the layout was made.
/// Owns: nothing.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_NO_PATH.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_layout_range(
    layout: *const pon_layout,
    path: *const c_char,
    path_len: usize,
    first: *mut u64,
    count: *mut u64,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, path) = unsafe { (handle::get(layout, "layout")?, text::take(path, path_len, "path")?) };
        // SAFETY: the caller's promise.
        let (first, count) = unsafe { (handle::out(first, "first")?, handle::out(count, "count")?) };
        let range = held.layout.range(path.as_bytes()).ok_or(Failure::of(Code::NoPath, "path"))?;
        first.write(range.0 as u64);
        count.write(range.1 as u64);
        Ok(())
    })
}

/// Compares two layouts: `*out` is 1 if kinds, keys, ranges and shapes are the same; types of structured leaves and element
/// types do not count.
/// Owns: nothing.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_layout_equal(
    layout: *const pon_layout,
    other: *const pon_layout,
    out: *mut i32,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, other) = unsafe { (handle::get(layout, "layout")?, handle::get(other, "other")?) };
        // SAFETY: the caller's promise.
        let out = unsafe { handle::out(out, "out")? };
        out.write(i32::from(held.layout == other.layout));
        Ok(())
    })
}

/// Copies the numbers of a set of this layout, its branch `from`, into a vector, converted where its element type is another.
/// Allocates nothing. If it refuses, nothing was written.
/// Owns: `flat` is used during the call only.
/// Nullable: none.
/// Threads: any, each with a vector of its own.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_SHAPE (another count, or a set of another layout), PON_E_ELTYPE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_layout_gather(
    layout: *const pon_layout,
    params: *const pon_params,
    from: pon_node,
    flat: *const pon_view,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, set) = unsafe { (handle::get(layout, "layout")?, handle::get(params, "params")?) };
        // SAFETY: the caller's promise.
        let mut flat = unsafe { view::seen_mut(flat, "flat")? };
        held.layout.gather(&set.params, from, &mut flat).map_err(|fault| Failure::from(fault.code))
    })
}

/// Copies a vector into a set of this layout, its branch `to`; each leaf keeps its element type, and single numbers are
/// written too. Arrays that others look at as well, or that lie in a mapped file, first become the set's own; afterwards
/// nothing is allocated. If it refuses, nothing was written.
/// Owns: `flat` is used during the call only; ends what the set has lent.
/// Nullable: none.
/// Threads: one at a time for `params`.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_SHAPE (another count, or a set of another layout), PON_E_ELTYPE,
/// PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_layout_scatter(
    layout: *const pon_layout,
    flat: *const pon_view,
    params: *mut pon_params,
    to: pon_node,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, set) = unsafe { (handle::get(layout, "layout")?, handle::get_mut(params, "params")?) };
        // SAFETY: the caller's promise.
        let flat = unsafe { view::seen(flat, "flat")? };
        set.change(|params| held.layout.scatter(&flat, params, to))
    })
}

/// Makes a set of this layout with the numbers of a vector, in its element type; structured leaves keep type and metadata.
/// Owns: the caller owns `*out` and frees it with `pon_params_free`; nothing is shared with `flat`.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_SHAPE, PON_E_ELTYPE, PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_layout_unflatten(
    layout: *const pon_layout,
    flat: *const pon_view,
    out: *mut *mut pon_params,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(layout, "layout")?, handle::out(out, "out")?) };
        // SAFETY: the caller's promise.
        let flat = unsafe { view::seen(flat, "flat")? };
        let made = held.layout.unflatten(&flat, faults)?;
        out.write(handle::give(params::Held::new(made, held.context.clone())));
        Ok(())
    })
}

/// Splits a matrix along `axis`, 0 or 1, which counts the flat numbers, a Jacobian for one: each leaf becomes its block, with the
/// other axis whole; the blocks of a structured leaf's storage stand in its place.
/// Owns: the caller owns `*out` and frees it with `pon_params_free`; the matrix is copied.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_SHAPE, PON_E_ELTYPE, PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_layout_unflatten_rows(
    layout: *const pon_layout,
    matrix: *const pon_view,
    axis: i32,
    out: *mut *mut pon_params,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(layout, "layout")?, handle::out(out, "out")?) };
        // SAFETY: the caller's promise.
        let matrix = unsafe { view::seen(matrix, "matrix")? };
        let axis = usize::try_from(axis).map_err(|_| Failure::of(Code::Value, "axis"))?;
        let copy = matrix.to_tensor().ok_or(Failure::of(Code::Memory, "matrix"))?;
        let made = held.layout.unflatten_rows(&copy, axis, faults)?;
        out.write(handle::give(params::Held::new(made, held.context.clone())));
        Ok(())
    })
}

/// Frees a layout.
/// Owns: takes `layout`.
/// Nullable: layout (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_layout_free(layout: *mut pon_layout) {
    // SAFETY: the caller's promise.
    guard!(or(), { unsafe { handle::free(layout) } })
}
