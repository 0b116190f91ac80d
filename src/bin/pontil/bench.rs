//! `pontil bench`: how long a network takes to load, to plan and to run, and how much memory. Through the public API, on
//! made-up numbers from −1 to 1, whole numbers all nought.

use crate::{answer::Answer, args::BenchArgs, open, progress::Progress};
use pontil::{
    faults::{Fault, Faults, Refused},
    limits::Limits,
    network::Network,
    plan::{Isa, Precision},
    session::{Session, SessionOptions},
    tensor::{DType, View, ViewMut},
};
use serde_json::json;
use std::time::{Duration, Instant};

/// Runs at least; those before the last of them count no further than as the first.
const WARM: usize = 3;

/// Most runs that are timed one by one.
const MOST: usize = 1 << 20;

/// Runs the command.
pub fn run(args: &BenchArgs, faults: &mut Faults) -> Result<Answer, Refused> {
    let resident = status_bytes("VmRSS:");
    let begin = Instant::now();
    let import = open::import(&args.file, faults)?;
    let network = import.network(faults)?;
    let load = begin.elapsed();
    drop(import);
    let isa = args.instruction_set.unwrap_or_else(Isa::best);
    let options = |max_batch| SessionOptions {
        max_batch,
        precision: args.run.precision.into(),
        threads: args.run.threads.into(),
        isa: Some(isa),
        ..SessionOptions::default()
    };
    let begin = Instant::now();
    let mut one = Trial::new(&network, &options(1), faults)?;
    let plan = begin.elapsed();
    let time = Duration::from_secs_f32(args.seconds);
    let mut calls = one.times(time, "one at a time", faults)?;
    let first = calls[0];
    calls.drain(..WARM - 1);
    calls.sort_unstable();
    let mut many = Trial::new(&network, &options(args.batch), faults)?;
    let runs = many.times(time, "whole batches", faults)?;
    let fewest = runs.iter().min().copied().unwrap_or_default();
    let peak = status_bytes("VmHWM:");

    let place = |share: f64| calls[((calls.len() - 1) as f64 * share).round() as usize];
    let [p50, p99] = [0.5, 0.99].map(place);
    let (least, most) = (calls[0], calls[calls.len() - 1]);
    let each_second = args.batch as f64 / fewest.as_secs_f64();
    let (precision, threads) = (Precision::from(args.run.precision).name(), args.run.threads);
    let workspace = many.session.workspace_bytes();
    let above = peak.zip(resident).map(|(peak, resident)| peak.saturating_sub(resident));
    let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
    let mut lines = vec![
        format!(
            "{precision} precision, {threads} {}, kernels for {}",
            if threads == 1 { "thread" } else { "threads" },
            isa.name()
        ),
        format!("load        {}", shown(load)),
        format!("plan        {}", shown(plan)),
        format!("first run   {}", shown(first)),
        format!(
            "batch 1     p50 {}  p99 {}  least {}  most {}  of {} runs",
            shown(p50),
            shown(p99),
            shown(least),
            shown(most),
            calls.len()
        ),
        format!(
            "batch {:<5} {} a run, {each_second:.0} examples a second, the best of {} runs",
            args.batch,
            shown(fewest),
            runs.len()
        ),
        format!("workspace   {} for a batch of {}", megabytes(workspace), args.batch),
    ];
    if let Some(peak) = peak {
        let above = above.map(|above| format!(", {} above the start", megabytes(above)));
        lines.push(format!("peak memory {} of the whole process{}", megabytes(peak), above.unwrap_or_default()));
    }
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let json = json!({
        "precision": precision,
        "threads": threads,
        "instruction_set": isa.name(),
        "load_us": micros(load),
        "plan_us": micros(plan),
        "first_run_us": micros(first),
        "latency": { "batch": 1, "runs": calls.len(), "p50_us": micros(p50), "p99_us": micros(p99),
                     "min_us": micros(least), "max_us": micros(most) },
        "throughput": { "batch": args.batch, "runs": runs.len(), "min_us": micros(fewest),
                        "examples_per_second": each_second },
        "workspace_bytes": workspace,
        "peak_bytes": peak,
        "peak_above_start_bytes": above,
    });
    Ok(Answer::new(lines.join("\n"), json))
}

/// A session with numbers to run on.
struct Trial {
    session: Session,
    inputs: Vec<(DType, Vec<usize>, Vec<u8>)>,
    outputs: Vec<(Vec<usize>, Vec<f32>)>,
}

impl Trial {
    fn new(network: &Network, options: &SessionOptions, faults: &mut Faults) -> Result<Trial, Refused> {
        let session = Session::new(network, options, &Limits::default(), faults)?;
        let whole = |each: &[usize]| [&[options.max_batch], each].concat();
        let mut state = 1u64;
        let inputs = session.inputs().iter().map(|port| {
            let shape = whole(&port.shape);
            let bytes = shape.iter().product::<usize>() * port.dtype.size().unwrap_or(0);
            let numbers = match port.dtype {
                DType::F32 => (0..bytes / 4).flat_map(|_| random(&mut state).to_le_bytes()).collect(),
                _ => vec![0; bytes],
            };
            (port.dtype, shape, numbers)
        });
        let inputs = inputs.collect();
        let outputs = session.outputs().iter().map(|port| {
            let shape = whole(&port.shape);
            let numbers = vec![0.0; shape.iter().product()];
            (shape, numbers)
        });
        Ok(Trial { inputs, outputs: outputs.collect(), session })
    }

    /// Times of runs one after another for about as long as said, and at least [`WARM`] of them.
    fn times(&mut self, time: Duration, what: &'static str, faults: &mut Faults) -> Result<Vec<Duration>, Refused> {
        let inputs: Vec<View<'_>> =
            self.inputs.iter().map(|(dtype, shape, bytes)| View::new(*dtype, shape, None, 0, bytes)).collect();
        let mut outputs: Vec<ViewMut<'_>> =
            self.outputs.iter_mut().map(|(shape, numbers)| ViewMut::of_f32(shape, numbers)).collect();
        let (progress, begin) = (Progress::new(what), Instant::now());
        let mut times = Vec::new();
        while times.len() < WARM || (begin.elapsed() < time && times.len() < MOST) {
            let start = Instant::now();
            let done = self.session.run(&inputs, &mut outputs, None);
            times.push(start.elapsed());
            done.map_err(|code| faults.refuse(Fault::new(code, format!("A run ended: {}.", code.name()))))?;
            progress.at(begin.elapsed().as_millis() as u64, time.as_millis() as u64);
        }
        Ok(times)
    }
}

/// The next of numbers from −1 to 1.
fn random(state: &mut u64) -> f32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 40) as f32 / (1 << 23) as f32 - 1.0
}

/// A time in the unit that suits it.
fn shown(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    match micros {
        small if small < 1e3 => format!("{small:.2} µs"),
        middle if middle < 1e6 => format!("{:.2} ms", middle / 1e3),
        long => format!("{:.2} s", long / 1e6),
    }
}

/// A line of what Linux says of this process, in bytes; none elsewhere.
fn status_bytes(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}
