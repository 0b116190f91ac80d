//! The command-line tool: what the library does, from a shell.
//!
//! ```text
//! args ─▶ open  (FILE and the network in words) ─▶ inspect · check · predict · evaluate · convert · bench · demo · words ─▶ answer
//!         array (IN and OUT)                      ─▶
//! ```
//!
//! A command gathers faults and returns what it has to say; `answer` prints it and picks the exit code.

mod activation;
mod answer;
mod args;
mod array;
mod bench;
mod check;
mod convert;
mod demo;
mod evaluate;
mod inspect;
mod open;
mod ports;
mod predict;
mod progress;
mod run;
mod skeleton;
mod summary;
mod words;

use args::{Cli, Command};
use clap::Parser;
use pontil::faults::Faults;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return answer::not_understood(&error),
    };
    let mut faults = Faults::default();
    let outcome = match &cli.command {
        Command::Inspect(args) => inspect::run(args, &mut faults),
        Command::Check(args) => check::run(args, &mut faults),
        Command::Predict(args) => predict::run(args, &mut faults),
        Command::Bench(args) => bench::run(args, &mut faults),
        Command::Evaluate(args) => evaluate::run(args, &mut faults),
        Command::Convert(args) => convert::run(args, &mut faults),
        Command::Words => Ok(words::run()),
        Command::Demo(args) => demo::run(args, &mut faults),
    };
    if let Some(network) = cli.command.network() {
        open::name_places(network, &mut faults);
    }
    answer::end(outcome, &faults, cli.json)
}
