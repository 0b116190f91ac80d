//! Views that a session holds from one run to the next, and a run over views.

use super::{
    failure::{Answer, Failure},
    memory::Memory,
    network::{PON_INPUT, PON_OUTPUT},
    view::{self, Checked, pon_view},
};
use crate::{
    cancel::Cancel,
    faults::Code,
    plan::{self, PlanPort},
    session::Session,
    tensor::{DType, View, ViewMut, count},
};
use std::slice;

/// A view that has been checked, whose shape and strides are kept; its numbers are the caller's, or the session's own.
pub struct Bound {
    dtype: DType,
    shape: Vec<i64>,
    strides: Option<Vec<i64>>,
    /// Number of the first element, counted from the lowest address.
    first: usize,
    lowest: *mut u8,
    length: usize,
    writable: bool,
    /// Whether it is packed singles.
    plain: bool,
    /// The session's memory, which `lowest` points to.
    own: Option<Memory>,
}

// SAFETY: numbers that the caller lends to the session, for whichever thread it runs on.
unsafe impl Send for Bound {}
// SAFETY: only `&mut` calls of the session look at them.
unsafe impl Sync for Bound {}

impl Bound {
    /// A view of the caller, checked.
    pub fn of(checked: &Checked<'_>) -> Bound {
        Bound {
            dtype: checked.dtype,
            shape: checked.shape.iter().map(|&length| length as i64).collect(),
            strides: checked.strides.map(<[i64]>::to_vec),
            first: checked.first,
            lowest: checked.lowest,
            length: checked.length,
            writable: checked.writable,
            plain: checked.strides.is_none() && checked.dtype == DType::F32,
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

    /// The view, as a caller sees it for as long as this stays where it is.
    fn view(&self) -> pon_view {
        let data = self.lowest.wrapping_add(self.first * self.dtype.bits() / 8).cast();
        view::told(self.dtype, data, self.lengths(), self.strides.as_deref(), self.writable)
    }

    /// Its shape: no length is negative.
    fn lengths(&self) -> &[usize] {
        bytemuck::cast_slice(&self.shape)
    }

    /// The numbers, to be read.
    ///
    /// # Safety
    /// As [`view::seen`], for the view this was made of.
    unsafe fn seen(&self) -> View<'_> {
        // SAFETY: passed on.
        View::new(self.dtype, self.lengths(), self.strides.as_deref(), self.first, unsafe { self.bytes() })
    }

    /// The numbers, to be written.
    ///
    /// # Safety
    /// As [`view::seen_mut`], for the view this was made of.
    unsafe fn seen_mut(&self) -> ViewMut<'_> {
        // SAFETY: passed on.
        ViewMut::new(self.dtype, self.lengths(), self.strides.as_deref(), self.first, unsafe { self.bytes_mut() })
    }

    /// All bytes of the numbers.
    ///
    /// # Safety
    /// As [`Bound::seen`].
    unsafe fn bytes(&self) -> &[u8] {
        match self.length {
            0 => &[],
            // SAFETY: not NULL, as `check` has seen; the caller promises the rest.
            length => unsafe { slice::from_raw_parts(self.lowest, length) },
        }
    }

    /// The same, to be written.
    ///
    /// # Safety
    /// As [`Bound::seen_mut`].
    #[allow(clippy::mut_from_ref, reason = "they are the caller's, not this view's")]
    unsafe fn bytes_mut(&self) -> &mut [u8] {
        match self.length {
            0 => &mut [],
            // SAFETY: as in `bytes`, and the caller promises that nobody else uses them.
            length => unsafe { slice::from_raw_parts_mut(self.lowest, length) },
        }
    }
}

/// The inputs or the outputs of a session.
pub struct Side {
    ports: Vec<Option<Bound>>,
    /// The batch that all ports are known to be ready for.
    ready: Option<usize>,
}

impl Side {
    /// So many unbound ports.
    pub fn new(ports: usize) -> Side {
        Side { ports: (0..ports).map(|_| None).collect(), ready: None }
    }

    /// Binds a port, or unbinds it.
    pub fn put(&mut self, port: usize, bound: Option<Bound>) -> Answer<()> {
        let held = self.ports.get_mut(port).ok_or(Failure::of(Code::Value, "port"))?;
        *held = bound;
        self.ready = None;
        Ok(())
    }

    /// Whether a port is bound.
    pub fn is_bound(&self, port: usize) -> bool {
        self.ports.get(port).is_some_and(Option::is_some)
    }

    /// The view of a bound port.
    pub fn view(&self, port: usize) -> Answer<pon_view> {
        let bound = self.ports.get(port).and_then(Option::as_ref);
        bound.map(Bound::view).ok_or(Failure::of(Code::Value, "port"))
    }

    /// The batch of the first view of the caller, if there is one.
    pub fn batch(&self) -> Option<usize> {
        let mut lent = self.ports.iter().flatten().filter(|bound| bound.own.is_none());
        lent.find_map(|bound| bound.lengths().first().copied())
    }

    /// Whether all ports are bound, for a run of so many examples; buffers of the session's own are cut to it.
    #[inline]
    fn ready(&mut self, batch: usize) -> Answer<()> {
        if self.ready == Some(batch) {
            return Ok(());
        }
        self.ready = None;
        for bound in &mut self.ports {
            let bound = bound.as_mut().ok_or(Failure::of(Code::NotBound, "session"))?;
            match (&bound.own, bound.shape.first_mut()) {
                (Some(_), Some(first)) => *first = batch as i64,
                (_, first) if first.as_deref() == Some(&(batch as i64)) => (),
                _ => return Err(Failure::of(Code::Value, "session")),
            }
        }
        self.ready = Some(batch);
        Ok(())
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

/// Runs once over the bound views, which have been checked when they were bound. Allocates nothing.
///
/// # Safety
/// As [`view::seen`] for what `inputs` and as [`view::seen_mut`] for what `outputs` and `taps` were made of; inputs and outputs
/// may be the same numbers.
pub unsafe fn run_bound(
    session: &mut Session,
    taps: &mut [Tap],
    inputs: &mut Side,
    outputs: &mut Side,
    cancel: Option<&Cancel>,
) -> Answer<()> {
    let batch = inputs.batch().or(outputs.batch()).unwrap_or(session.max_batch());
    inputs.ready(batch)?;
    outputs.ready(batch)?;
    session.begin(batch)?;
    for (port, bound) in inputs.ports.iter().flatten().enumerate() {
        if bound.plain {
            let to = bytemuck::cast_slice_mut(session.input_mut(port)?);
            // SAFETY: passed on; it is copied before anything is written.
            to.copy_from_slice(&unsafe { bound.bytes() }[..to.len()]);
        } else {
            // SAFETY: as above.
            session.read_input(port, &unsafe { bound.seen() })?;
        }
    }
    // SAFETY: passed on.
    unsafe { execute(session, taps, batch, cancel)? };
    for (port, bound) in outputs.ports.iter().flatten().enumerate() {
        if bound.plain {
            let from: &[u8] = bytemuck::cast_slice(session.output(port)?);
            // SAFETY: passed on.
            let to = unsafe { bound.bytes_mut() };
            to[..from.len()].copy_from_slice(from);
        } else {
            // SAFETY: passed on.
            session.write_output(port, &mut unsafe { bound.seen_mut() })?;
        }
    }
    Ok(())
}

/// Runs once over these views. Allocates nothing.
///
/// # Safety
/// As [`view::seen`] for `inputs` and [`view::seen_mut`] for `outputs` and `taps`; inputs and outputs may be the same numbers.
pub unsafe fn run_with(
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
    session.begin(batch)?;
    for (port, view) in inputs.iter().enumerate() {
        // SAFETY: passed on; it is copied before anything is written.
        session.read_input(port, &unsafe { view::seen(view, "inputs")? })?;
    }
    // SAFETY: passed on.
    unsafe { execute(session, taps, batch, cancel)? };
    for (port, view) in outputs.iter().enumerate() {
        // SAFETY: passed on.
        session.write_output(port, &mut unsafe { view::seen_mut(view, "outputs")? })?;
    }
    Ok(())
}

/// Runs all steps, with what the taps want copied on the way.
///
/// # Safety
/// As [`view::seen_mut`] for what `taps` were made of.
unsafe fn execute(session: &mut Session, taps: &mut [Tap], batch: usize, cancel: Option<&Cancel>) -> Answer<()> {
    if taps.is_empty() {
        return Ok(session.execute(cancel, None)?);
    }
    if !taps.iter().all(|tap| tap.fits(batch)) {
        return Err(Failure::of(Code::Value, "session"));
    }
    let mut look = |layer: usize, _: &[usize], numbers: &[f32]| {
        for tap in taps.iter().filter(|tap| tap.layer == layer) {
            // SAFETY: passed on.
            unsafe { tap.bound.seen_mut() }.copy_from(bytemuck::cast_slice(numbers));
        }
    };
    Ok(session.execute(cancel, Some(&mut look))?)
}
