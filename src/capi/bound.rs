//! Views that a session holds from one run to the next, and a run over views.

use super::{
    failure::{Answer, Failure},
    memory::Memory,
    network::{PON_INPUT, PON_OUTPUT},
    view::{self, Checked, PON_DEVICE_CPU, pon_view},
};
use crate::{
    cancel::Cancel,
    faults::Code,
    plan::{self, PlanPort},
    session::Session,
    tensor::{DType, count},
};
use std::ptr;

/// A view whose shape and strides are kept; its numbers are the caller's, or the session's own.
pub struct Bound {
    view: pon_view,
    shape: Vec<i64>,
    _strides: Option<Vec<i64>>,
    own: Option<Memory>,
}

// SAFETY: numbers that the caller lends to the session, for whichever thread it runs on.
unsafe impl Send for Bound {}
// SAFETY: only `&mut` calls of the session look at them.
unsafe impl Sync for Bound {}

impl Bound {
    /// A view of the caller, checked.
    pub fn of(checked: &Checked<'_>) -> Bound {
        let shape: Vec<i64> = checked.shape.iter().map(|&length| length as i64).collect();
        let strides = checked.strides.map(<[i64]>::to_vec);
        let below = checked.first * checked.dtype.bits() / 8;
        Bound {
            view: pon_view {
                data: checked.lowest.wrapping_add(below).cast(),
                dtype: checked.dtype as i32,
                ndim: shape.len() as i32,
                shape: shape.as_ptr(),
                strides: strides.as_ref().map_or(ptr::null(), Vec::as_ptr),
                device_kind: PON_DEVICE_CPU,
                device_index: 0,
                flags: if checked.writable { 0 } else { view::PON_VIEW_READ_ONLY },
                reserved: 0,
            },
            shape,
            _strides: strides,
            own: None,
        }
    }

    /// Noughts of the session's own, for so many examples of this shape.
    pub fn own(dtype: DType, batch: usize, each: &[usize]) -> Answer<Bound> {
        let none = Failure::of(Code::Memory, "port");
        let shape: Vec<usize> = [batch].iter().chain(each).copied().collect();
        let length = count(&shape).and_then(|count| dtype.bytes(count)).ok_or(none)?;
        let memory = Memory::new(length).ok_or(none)?;
        let (shape, lowest) = (shape.as_slice(), memory.address());
        let checked = Checked { dtype, shape, strides: None, first: 0, lowest, length, writable: true };
        Ok(Bound { own: Some(memory), ..Bound::of(&checked) })
    }
}

/// The inputs or the outputs of a session.
pub struct Side {
    /// One for each port, side by side; of an unbound port all noughts.
    views: Vec<pon_view>,
    bound: Vec<Option<Bound>>,
    /// How many examples the caller's view of a port holds; none where there is no such view.
    batches: Vec<Option<usize>>,
}

// SAFETY: `views` repeats what `bound` holds.
unsafe impl Send for Side {}
// SAFETY: as above.
unsafe impl Sync for Side {}

const UNBOUND: pon_view = pon_view {
    data: ptr::null_mut(),
    dtype: 0,
    ndim: 0,
    shape: ptr::null(),
    strides: ptr::null(),
    device_kind: PON_DEVICE_CPU,
    device_index: 0,
    flags: 0,
    reserved: 0,
};

impl Side {
    /// So many unbound ports.
    pub fn new(ports: usize) -> Side {
        Side { views: vec![UNBOUND; ports], bound: (0..ports).map(|_| None).collect(), batches: vec![None; ports] }
    }

    /// Binds a port.
    pub fn bind(&mut self, port: usize, bound: Bound) -> Answer<()> {
        let lent = bound.shape.first().filter(|_| bound.own.is_none());
        self.put(port, bound.view, lent.map(|&batch| batch as usize), Some(bound))
    }

    /// Unbinds a port.
    pub fn unbind(&mut self, port: usize) -> Answer<()> {
        self.put(port, UNBOUND, None, None)
    }

    fn put(&mut self, port: usize, view: pon_view, batch: Option<usize>, bound: Option<Bound>) -> Answer<()> {
        if port >= self.views.len() {
            return Err(Failure::of(Code::Value, "port"));
        }
        (self.views[port], self.batches[port], self.bound[port]) = (view, batch, bound);
        Ok(())
    }

    /// Whether a port is bound.
    pub fn is_bound(&self, port: usize) -> bool {
        self.bound.get(port).is_some_and(Option::is_some)
    }

    /// The view of a port.
    pub fn view(&self, port: usize) -> Answer<pon_view> {
        self.views.get(port).copied().ok_or(Failure::of(Code::Value, "port"))
    }

    /// The batch of the first view of the caller, if there is one.
    pub fn batch(&self) -> Option<usize> {
        self.batches.iter().find_map(|&batch| batch)
    }

    /// The views for a run of so many examples; buffers of the session's own are cut to it.
    pub fn ready(&mut self, batch: usize) -> Answer<&[pon_view]> {
        for bound in &mut self.bound {
            let bound = bound.as_mut().ok_or(Failure::of(Code::NotBound, "session"))?;
            if let (Some(_), Some(first)) = (&bound.own, bound.shape.first_mut()) {
                *first = batch as i64;
            }
        }
        // Shapes are written through their vectors: the views have to point to them anew.
        for (view, bound) in self.views.iter_mut().zip(self.bound.iter().flatten()) {
            view.shape = bound.shape.as_ptr();
        }
        Ok(&self.views)
    }
}

/// A layer whose value is copied at each run.
pub struct Tap {
    /// Its number.
    pub layer: usize,
    bound: Bound,
    batched: bool,
}

impl Tap {
    /// A tap into a view of the caller that fits what the layer makes.
    pub fn new(seen: &plan::Tap, checked: &Checked<'_>) -> Answer<Tap> {
        let rest = seen.shape.split_first().map(|(_, rest)| rest);
        let same = checked.shape.split_first().map(|(_, rest)| rest) == rest;
        if !same || !checked.writable || checked.dtype != DType::F32 {
            return Err(Failure::of(Code::Value, "out"));
        }
        Ok(Tap { layer: seen.layer, bound: Bound::of(checked), batched: seen.batched })
    }

    fn fits(&self, batch: usize) -> bool {
        self.bound.shape.first() == Some(&if self.batched { batch as i64 } else { 1 })
    }
}

/// A port of a session.
pub fn port_shape(session: &Session, direction: i32, port: usize) -> Answer<&PlanPort> {
    let ports = match direction {
        PON_INPUT => session.inputs(),
        PON_OUTPUT => session.outputs(),
        _ => return Err(Failure::of(Code::Value, "direction")),
    };
    ports.get(port).ok_or(Failure::of(Code::Value, "port"))
}

/// Whether a view is one of so many examples of a port.
pub fn fits(checked: &Checked<'_>, port: &PlanPort, batch: usize) -> bool {
    let shape = checked.shape.split_first();
    checked.dtype == port.dtype && shape.is_some_and(|(&first, rest)| first == batch && rest == port.shape)
}

/// Runs once over these views. Allocates nothing.
///
/// # Safety
/// As [`view::seen`] for `inputs` and [`view::seen_mut`] for `outputs` and `taps`; inputs and outputs may be the same numbers.
pub unsafe fn go(
    session: &mut Session,
    taps: &mut [Tap],
    batch: usize,
    inputs: &[pon_view],
    outputs: &[pon_view],
    cancel: Option<&Cancel>,
) -> Answer<()> {
    if inputs.len() != session.inputs().len() || outputs.len() != session.outputs().len() {
        return Err(Failure::of(Code::Value, "session"));
    }
    for (view, port) in outputs.iter().zip(session.outputs()) {
        // SAFETY: passed on.
        let checked = unsafe { view::check(view, "outputs")? };
        if !checked.writable || !fits(&checked, port, batch) {
            return Err(Failure::of(Code::Value, "outputs"));
        }
    }
    if !taps.iter().all(|tap| tap.fits(batch)) {
        return Err(Failure::of(Code::Value, "session"));
    }
    session.begin(batch)?;
    for (port, view) in inputs.iter().enumerate() {
        // SAFETY: passed on; it is copied before anything is written.
        session.read_input(port, &unsafe { view::seen(view, "inputs")? })?;
    }
    let mut look = |layer: usize, _: &[usize], numbers: &[f32]| {
        for tap in taps.iter().filter(|tap| tap.layer == layer) {
            // SAFETY: passed on.
            if let Ok(mut view) = unsafe { view::seen_mut(&tap.bound.view, "tap") } {
                view.copy_from(bytemuck::cast_slice(numbers));
            }
        }
    };
    session.execute(cancel, if taps.is_empty() { None } else { Some(&mut look) })?;
    for (port, view) in outputs.iter().enumerate() {
        // SAFETY: passed on.
        session.write_output(port, &mut unsafe { view::seen_mut(view, "outputs")? })?;
    }
    Ok(())
}
