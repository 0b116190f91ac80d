//! What a command says at its end, and the exit code that goes with it.

use pontil::faults::{Code, Fault, Faults, Refused, Severity};
use serde_json::Value;
use std::{
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

/// What is printed when the work is done; either form ends without a line break.
pub struct Answer {
    /// For people.
    pub text: String,
    /// One object for programs.
    pub json: Value,
    /// For people too, beside a text that is numbers alone.
    pub note: Option<String>,
}

impl Answer {
    /// An answer that needs no note.
    pub fn new(text: String, json: Value) -> Answer {
        Answer { text, json, note: None }
    }
}

/// The exit code of a mistake in how the tool was called.
const MISTAKEN: u8 = 1;

/// The exit code of a refused file or description.
const REFUSED: u8 = 2;

/// A refusal that is the caller's mistake, whatever the faults are called: an input or output that can not be used.
pub const CALLERS: Refused = Refused(Code::Value);

/// Prints the answer or the faults; warnings of a call that went on go to the standard error in either form.
pub fn end(outcome: Result<Answer, Refused>, faults: &Faults, json: bool) -> ExitCode {
    match outcome {
        Ok(answer) => {
            complain(faults);
            if json {
                return print(&answer.json.to_string());
            }
            if let Some(note) = answer.note {
                let _ = writeln!(io::stderr(), "{note}");
            }
            print(&answer.text)
        }
        Err(Refused(code)) => {
            let status = if code.is_callers() || code == Code::NotFound { MISTAKEN } else { REFUSED };
            let printed = if json { print(&faults.json()) } else { ExitCode::SUCCESS };
            if !json {
                complain(faults);
            }
            if printed == ExitCode::SUCCESS { ExitCode::from(status) } else { printed }
        }
    }
}

/// Ends a call whose command line is not understood, or that asked for help.
pub fn not_understood(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return finish(error.print());
    }
    if std::env::args_os().any(|argument| argument == "--json") {
        let text = error.to_string();
        let usage = ["Usage:", "For more information"];
        let lines = text.lines().take_while(|line| !usage.iter().any(|word| line.starts_with(word))).map(str::trim);
        let sentence = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        let mut faults = Faults::default();
        faults.push(Fault::new(Code::Value, sentence.trim_start_matches("error: ")));
        return end(Err(CALLERS), &faults, true);
    }
    let _ = error.print();
    ExitCode::from(MISTAKEN)
}

/// A fault a line on the standard error. Nobody can be told of a standard error that does not take it.
fn complain(faults: &Faults) {
    let mut stream = io::stderr().lock();
    for fault in faults.iter() {
        let mark = if fault.severity == Severity::Warning { "warning: " } else { "" };
        let _ = writeln!(stream, "{mark}{}", fault.message);
    }
    if faults.more() > 0 {
        let _ = writeln!(stream, "and {} more", faults.more());
    }
}

fn print(text: &str) -> ExitCode {
    if text.is_empty() {
        return ExitCode::SUCCESS;
    }
    let mut stream = io::stdout().lock();
    finish(writeln!(stream, "{text}").and_then(|()| stream.flush()))
}

/// A reader that has seen enough is no mistake.
fn finish(written: io::Result<()>) -> ExitCode {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "the standard output can not be written: {error}");
            ExitCode::from(MISTAKEN)
        }
        _ => ExitCode::SUCCESS,
    }
}
