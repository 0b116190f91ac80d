//! A run, whole and in pieces.

use super::{Session, range};
use crate::{
    cancel::Cancel,
    faults::Code,
    kernels::Examples,
    plan::{Place, PlanPort},
    tensor::{DType, View, ViewMut},
};

/// What looks at the values of layers: number of the layer in the description, shape with the batch first (1 if the value is
/// the same for all examples), numbers.
pub type Look<'a> = dyn FnMut(usize, &[usize], &[f32]) + 'a;

impl Session {
    /// Runs once: a view for each input and output, the batch first in all. [`Code::Value`] if one of them does not fit or
    /// a whole number lies outside of its table, [`Code::Stopped`] if the flag was raised; then no output is written.
    pub fn run(
        &mut self,
        inputs: &[View<'_>],
        outputs: &mut [ViewMut<'_>],
        cancel: Option<&Cancel>,
    ) -> Result<(), Code> {
        if inputs.len() != self.plan.inputs.len() || outputs.len() != self.plan.outputs.len() {
            return Err(Code::Value);
        }
        let shape = inputs.first().map(|view| view.shape).or(outputs.first().map(|view| view.shape));
        let batch = *shape.and_then(<[usize]>::first).ok_or(Code::Value)?;
        self.begin(batch)?;
        let fits = |(view, port): (&ViewMut<'_>, &PlanPort)| fits(view.dtype, view.shape, port, batch);
        if !outputs.iter().zip(&self.plan.outputs).all(fits) {
            return Err(Code::Value);
        }
        for (port, view) in inputs.iter().enumerate() {
            self.read_input(port, view)?;
        }
        self.execute(cancel, None)?;
        for (port, view) in outputs.iter_mut().enumerate() {
            self.write_output(port, view)?;
        }
        Ok(())
    }

    /// Begins a run of so many examples: at most [`Session::max_batch`], or [`Code::Value`].
    #[inline(always)]
    pub fn begin(&mut self, batch: usize) -> Result<(), Code> {
        if batch > self.options.max_batch {
            return Err(Code::Value);
        }
        self.state.batch = Some(batch);
        self.state.run += 1;
        self.state.done = false;
        Ok(())
    }

    /// The numbers of an input of packed singles, all of which the caller writes: as [`Session::read_input`].
    /// [`Code::Value`] for an input of whole numbers.
    #[inline(always)]
    pub fn input_mut(&mut self, port: usize) -> Result<&mut [f32], Code> {
        let batch = self.state.batch.ok_or(Code::State)?;
        let Some(&PlanPort { place: Place::Buffer(buffer), .. }) = self.plan.inputs.get(port) else {
            return Err(Code::Value);
        };
        (self.state.read[port], self.state.done) = (self.state.run, false);
        Ok(self.store.arena.part_mut(range(&self.plan, &self.layouts[1], buffer, batch)))
    }

    /// The numbers of an output: as [`Session::write_output`].
    #[inline(always)]
    pub fn output(&self, port: usize) -> Result<&[f32], Code> {
        let batch = self.state.batch.filter(|_| self.state.done).ok_or(Code::State)?;
        let output = self.plan.outputs.get(port).ok_or(Code::Value)?;
        Ok(self.numbers(output.place, batch))
    }

    /// Copies an input in. [`Code::State`] before `begin`, [`Code::Value`] if the view does not fit.
    pub fn read_input(&mut self, port: usize, view: &View<'_>) -> Result<(), Code> {
        let batch = self.state.batch.ok_or(Code::State)?;
        let input = self.plan.inputs.get(port).ok_or(Code::Value)?;
        if !fits(view.dtype, view.shape, input, batch) {
            return Err(Code::Value);
        }
        match input.place {
            Place::Buffer(_) => view.copy_to(bytemuck::cast_slice_mut(self.input_mut(port)?)),
            Place::Whole(number) => {
                let to = &mut self.store.whole[number][..self.plan.whole[number] * batch];
                read_whole(view, to);
            }
            Place::Number(_) => return Err(Code::Internal),
        }
        // The buffer may have held a value of the last run.
        (self.state.read[port], self.state.done) = (self.state.run, false);
        Ok(())
    }

    /// Runs all steps; `tap` sees the value of each layer when it is made. A tap takes time: layers that are otherwise done
    /// together run one by one, with the same bits. Where layers have gone into others, a run before this one shows what each
    /// makes by itself, which may differ from the outputs in their last bits; the first such run takes the memory of
    /// [`Session::prepare_taps`], unless that has been called. [`Code::NotBound`] if an input has not been read,
    /// [`Code::Value`] if a whole number lies outside of its table, [`Code::Stopped`] if the flag is raised.
    pub fn execute(&mut self, cancel: Option<&Cancel>, tap: Option<&mut Look<'_>>) -> Result<(), Code> {
        let batch = self.state.batch.ok_or(Code::State)?;
        if !self.state.read.iter().all(|&read| read == self.state.run) {
            return Err(Code::NotBound);
        }
        self.look_at_whole(batch)?;
        let tap = match tap {
            Some(tap) if self.plan.is_rewritten => {
                self.see_layers(batch, cancel, tap)?;
                None
            }
            tap => tap,
        };
        // Steps write over inputs that no later step needs: they have to be read again before the next run.
        self.state.run += 1;
        if batch > 0 {
            self.steps(batch, cancel, tap)?;
        }
        self.state.done = true;
        Ok(())
    }

    /// Shows the values of all layers by a session that has them.
    fn see_layers(&mut self, batch: usize, cancel: Option<&Cancel>, tap: &mut Look<'_>) -> Result<(), Code> {
        self.prepare_taps()?;
        let Some(layers) = &mut self.layers else { return Err(Code::Internal) };
        layers.begin(batch)?;
        for (from, to) in self.plan.inputs.iter().zip(&layers.plan.inputs) {
            match (from.place, to.place) {
                (Place::Buffer(from), Place::Buffer(to)) => {
                    let from = self.store.arena.part(range(&self.plan, &self.layouts[1], from, batch));
                    let to = range(&layers.plan, &layers.layouts[1], to, batch);
                    layers.store.arena.part_mut(to).copy_from_slice(from);
                }
                (Place::Whole(from), Place::Whole(to)) => {
                    let count = self.plan.whole[from] * batch;
                    layers.store.whole[to][..count].copy_from_slice(&self.store.whole[from][..count]);
                }
                _ => return Err(Code::Internal),
            }
        }
        layers.state.read.fill(layers.state.run);
        layers.execute(cancel, Some(tap))
    }

    /// Runs the steps: block by block of examples, or whole where layers are looked at.
    fn steps(&mut self, batch: usize, cancel: Option<&Cancel>, tap: Option<&mut Look<'_>>) -> Result<(), Code> {
        if let Some(tap) = tap {
            self.seen_steps(batch, cancel, tap)?;
        } else if self.divides(batch) {
            self.run_divided(batch, cancel)?;
        } else {
            self.run_blocks(batch, cancel)?;
        }
        // A flag raised while the last step ran may have left it half done.
        if cancel.is_some_and(Cancel::is_raised) { Err(Code::Stopped) } else { Ok(()) }
    }

    /// Runs the steps one by one, and shows what each makes.
    fn seen_steps(&mut self, batch: usize, cancel: Option<&Cancel>, tap: &mut Look<'_>) -> Result<(), Code> {
        let examples = Examples { first: 0, count: batch, moved: 0 };
        let mut call = 0;
        for step in 0..self.plan.steps.len() {
            if cancel.is_some_and(Cancel::is_raised) {
                return Err(Code::Stopped);
            }
            if self.calls[1].steps.get(call).is_some_and(|call| call.number == step) {
                self.call(call, examples, true, cancel)?;
                call += 1;
            }
            if let Some(seen) = &self.plan.steps[step].tap {
                if seen.batched {
                    self.shapes[step][0] = batch;
                }
                tap(seen.layer, &self.shapes[step], self.numbers(seen.place, batch));
            }
        }
        Ok(())
    }

    /// Copies an output out. [`Code::State`] if no run is done, [`Code::Value`] if the view does not fit.
    pub fn write_output(&self, port: usize, view: &mut ViewMut<'_>) -> Result<(), Code> {
        let numbers = self.output(port)?;
        let batch = self.state.batch.unwrap_or(0);
        if !fits(view.dtype, view.shape, &self.plan.outputs[port], batch) {
            return Err(Code::Value);
        }
        view.copy_from(bytemuck::cast_slice(numbers));
        Ok(())
    }

    /// Whether every whole number is the number of a row of the tables it is looked up in.
    #[inline]
    fn look_at_whole(&self, batch: usize) -> Result<(), Code> {
        for &(number, count) in &self.tables {
            let rows = &self.store.whole[number][..self.plan.whole[number] * batch];
            if !rows.iter().all(|&row| usize::try_from(row).is_ok_and(|row| row < count)) {
                return Err(Code::Value);
            }
        }
        Ok(())
    }
}

fn fits(dtype: DType, shape: &[usize], port: &PlanPort, batch: usize) -> bool {
    dtype == port.dtype && shape.split_first().is_some_and(|(&first, rest)| first == batch && rest == port.shape)
}

/// Copies whole numbers of 64 or 32 bits. Those of 32 lie in the first half of `to` at first, and are widened from the end.
fn read_whole(view: &View<'_>, to: &mut [i64]) {
    if view.dtype == DType::I64 {
        return view.copy_to(bytemuck::cast_slice_mut(to));
    }
    let count = to.len();
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(to);
    view.copy_to(&mut bytes[..count * 4]);
    for i in (0..count).rev() {
        let halves: &[i32] = bytemuck::cast_slice(to);
        let number = i64::from(halves[i]);
        to[i] = number;
    }
}
