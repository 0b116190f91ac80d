//! How long the forward pass takes through the C functions, alone or beside ONNX Runtime in the same process:
//! `cargo bench --bench forward -- [--threads N] [--batch N] [NAME…]`; `peers.py` calls it with `--peer LIBRARY --models
//! FOLDER`.
//!
//! With `--apart` ONNX Runtime is measured and Pontil is not: threads of the one look for work for a while after they had
//! some, and would take the processors from the other.
//!
//! Networks of usual shapes with made-up numbers, at one example and at many. Printed for each: the fewest microseconds of a
//! call in blocks of calls back to back, taken in turns with the peer's; the largest difference from the exact precision in
//! parts of the largest answer; the time to build and plan; the memory of the session. For one network also the spread of
//! 100,000 single calls, and at the end the most memory that the process ever held. A judgement of speed needs a quiet
//! machine; nothing here fails.

#![allow(clippy::print_stdout, reason = "its answer")]

mod networks;
mod ours;
mod peer;

use networks::networks;
use ours::{Network, Session};
use peer::Peer;
use std::time::{Duration, Instant};

/// How long a network is measured.
const LONG: Duration = Duration::from_millis(1200);

/// Blocks of calls at least: of a large network a few are not enough to meet a quiet moment.
const LEAST: u32 = 8;

/// How long a block of calls is, about.
const BLOCK: Duration = Duration::from_millis(2);

/// Calls of which the spread is told, of the network `w2` at one example.
const CALLS: usize = 100_000;

#[derive(Default)]
struct Wanted {
    threads: u32,
    batch: Option<usize>,
    peer: Option<String>,
    models: String,
    apart: bool,
    names: Vec<String>,
}

fn main() {
    let mut wanted = Wanted { threads: 1, ..Wanted::default() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut next = || words.next().unwrap_or_default();
        match word.as_str() {
            "--bench" => (),
            "--threads" => wanted.threads = next().parse().expect("--threads takes a number"),
            "--batch" => wanted.batch = Some(next().parse().expect("--batch takes a number")),
            "--peer" => wanted.peer = Some(next()),
            "--apart" => wanted.apart = true,
            "--models" => wanted.models = next(),
            name => wanted.names.push(name.to_owned()),
        }
    }
    assert!(wanted.peer.is_some() || !wanted.apart, "--apart measures the library that --peer names");
    for (name, input, layers, batches) in networks() {
        let own = wanted.names.is_empty() || wanted.names.iter().any(|wanted| *wanted == name);
        if own {
            let network = Network::new(&input, &layers);
            let batches = wanted.batch.map_or(batches, |batch| vec![batch]);
            batches.into_iter().for_each(|batch| measure(name, &network, &input, batch, &wanted));
        }
    }
    if let Some(most) = most_memory() {
        println!("the process held at most {most} KiB");
    }
}

fn measure(name: &str, network: &Network, input: &[usize], batch: usize, wanted: &Wanted) {
    let begin = Instant::now();
    let mut session = Session::new(network, batch, wanted.threads, false);
    let planned = begin.elapsed() + network.built;
    let mut random = Random(2);
    session.x.iter_mut().for_each(|x| *x = random.next());
    let file = format!("{}/{name}.onnx", wanted.models);
    let peer = wanted.peer.as_ref();
    let mut peer = peer.map(|library| Peer::new(library, &file, wanted.threads, batch, input, &session.x));
    let (mut ours, mut theirs) = (Fewest::default(), Fewest::default());
    let begin = Instant::now();
    while begin.elapsed() < LONG || ours.blocks.max(theirs.blocks) < LEAST {
        if !wanted.apart {
            ours.block(|| session.run());
        }
        if let Some(peer) = &mut peer {
            theirs.block(|| peer.run());
        }
    }
    if wanted.apart {
        return println!("{name:4} batch {batch:4}  threads {}  {:12.3} µs  ONNX Runtime", wanted.threads, theirs.us);
    }
    let error = error(network, &session, batch);
    let planned = planned.as_secs_f64() * 1e3;
    print!("{name:4} batch {batch:4}  threads {}  {:12.3} µs", wanted.threads, ours.us);
    if peer.is_some() {
        print!("  ONNX Runtime {:12.3} µs  {:6.2} times", theirs.us, theirs.us / ours.us);
    }
    let bytes = session.bytes;
    println!("  error {error:.1e}  built and planned in {planned:.1} ms  session {bytes} bytes");
    if (name, batch) == ("w2", 1) {
        let mut times: Vec<u64> = Vec::with_capacity(CALLS);
        for _ in 0..CALLS {
            let begin = Instant::now();
            session.run();
            times.push(begin.elapsed().as_nanos() as u64);
        }
        times.sort_unstable();
        let at = |part: usize| times[CALLS * part / 100];
        println!("{name:4} batch {batch:4}  single calls: half within {} ns, 99 of 100 within {} ns", at(50), at(99));
    }
}

/// The fewest microseconds of a call.
struct Fewest {
    us: f64,
    /// Blocks that have been measured.
    blocks: u32,
    /// Calls of a block.
    block: u32,
}

impl Default for Fewest {
    fn default() -> Fewest {
        Fewest { us: f64::INFINITY, blocks: 0, block: 1 }
    }
}

impl Fewest {
    /// Calls `run` for about [`BLOCK`].
    fn block(&mut self, mut run: impl FnMut()) {
        let begin = Instant::now();
        (0..self.block).for_each(|_| run());
        let took = begin.elapsed();
        if took < BLOCK && self.block < 1 << 20 {
            self.block *= 2;
            return;
        }
        self.blocks += 1;
        self.us = self.us.min(took.as_secs_f64() * 1e6 / f64::from(self.block));
    }
}

/// The largest difference of the first examples' answers from the exact precision.
fn error(network: &Network, session: &Session, batch: usize) -> f64 {
    let some = batch.min(2);
    let mut exact = Session::new(network, some, 1, true);
    let count = exact.x.len();
    exact.x.copy_from_slice(&session.x[..count]);
    exact.run();
    let largest = exact.y.iter().fold(0f64, |most, &y| most.max(f64::from(y.abs())));
    let differences = exact.y.iter().zip(&session.y).map(|(a, b)| (f64::from(*a) - f64::from(*b)).abs());
    differences.fold(0f64, f64::max) / largest
}

/// The most memory this process held, in KiB, where the system tells.
fn most_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

/// Numbers from −1 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}
