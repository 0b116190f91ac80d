//! The list of faults a call gathers.

use super::{Argument, Code, Fault, Severity};
use serde_json::{Value, json};

/// Said by a call that gathered at least one error; carries the code of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub Code);

/// Faults in the order they were found. Holds at most its limit; what comes after is counted and not kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Faults {
    kept: Vec<Fault>,
    limit: usize,
    more: u64,
    /// How many of those that were not kept are errors.
    more_errors: u64,
    first_error: Option<Code>,
}

impl Default for Faults {
    /// A list of at most 10,000 faults.
    fn default() -> Faults {
        Faults::with_limit(10_000)
    }
}

impl Faults {
    /// An empty list that keeps at most `limit` faults.
    pub fn with_limit(limit: usize) -> Faults {
        Faults { kept: Vec::new(), limit, more: 0, more_errors: 0, first_error: None }
    }

    /// Adds a fault.
    pub fn push(&mut self, fault: Fault) {
        if fault.severity == Severity::Error && self.first_error.is_none() {
            self.first_error = Some(fault.code);
        }
        if self.kept.len() < self.limit {
            return self.kept.push(fault);
        }
        self.more += 1;
        self.more_errors += u64::from(fault.severity == Severity::Error);
    }

    /// Adds an error and says that the call is refused.
    pub fn refuse(&mut self, fault: Fault) -> Refused {
        self.push(fault);
        Refused(self.first_error.unwrap_or(Code::Internal))
    }

    /// Takes the faults of another list, in their order, behind its own.
    pub fn append(&mut self, other: Faults) {
        self.more += other.more;
        self.more_errors += other.more_errors;
        self.first_error = self.first_error.or(other.first_error);
        other.kept.into_iter().for_each(|fault| self.push(fault));
    }

    /// Puts the faults kept into the order of the bytes they stand at; those without a byte come first.
    pub fn sort(&mut self) {
        self.kept.sort_by_key(|fault| fault.offset);
    }

    /// Keeps at most `limit` faults from now on; what is kept already stays.
    pub fn limit_to(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Refused if there is an error among the faults from `mark` on; see [`Faults::mark`].
    pub fn refused_since(&self, mark: Mark) -> Result<(), Refused> {
        let error = self.kept.iter().skip(mark.0).find(|fault| fault.severity == Severity::Error);
        match error {
            Some(fault) => Err(Refused(fault.code)),
            None if self.more_errors > mark.1 => Err(Refused(self.first_error.unwrap_or(Code::Internal))),
            None => Ok(()),
        }
    }

    /// Remembers how much the list holds now.
    pub fn mark(&self) -> Mark {
        Mark(self.kept.len(), self.more_errors)
    }

    /// The faults kept, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Fault> {
        self.kept.iter()
    }

    /// The faults kept, in order, to be worded anew.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Fault> {
        self.kept.iter_mut()
    }

    /// How many faults are kept.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.more == 0
    }

    /// Whether no more faults are kept: a reader that has found so much may stop looking.
    pub fn is_full(&self) -> bool {
        self.kept.len() >= self.limit
    }

    /// How many faults came after the list was full.
    pub fn more(&self) -> u64 {
        self.more
    }

    /// A fault a line, each as its message.
    pub fn text(&self) -> String {
        let mut lines: Vec<String> = self.kept.iter().map(|fault| fault.message.clone()).collect();
        if self.more > 0 {
            lines.push(format!("and {} more", self.more));
        }
        lines.join("\n")
    }

    /// `{"faults":[{"code","name","severity","path","place","offset","message","arguments"}]}`; `offset` is null if unknown,
    /// text that is not UTF-8 is quoted. `"more"` counts the faults that were not kept, if any.
    pub fn json(&self) -> String {
        let faults: Vec<Value> = self.kept.iter().map(one).collect();
        let mut whole = json!({ "faults": faults });
        if self.more > 0 {
            whole["more"] = json!(self.more);
        }
        whole.to_string()
    }
}

impl Fault {
    /// Its arguments as a JSON object, as [`Faults::json`] has them.
    pub fn arguments_json(&self) -> String {
        arguments(self).to_string()
    }
}

/// A place in a list of faults.
#[derive(Clone, Copy, Debug)]
pub struct Mark(usize, u64);

fn one(fault: &Fault) -> Value {
    json!({
        "code": fault.code.number(),
        "name": fault.code.name(),
        "severity": fault.severity.name(),
        "path": text(&fault.path),
        "place": text(&fault.place),
        "offset": fault.offset,
        "message": fault.message,
        "arguments": arguments(fault),
    })
}

fn text(raw: &super::Text) -> String {
    raw.as_str().map_or_else(|| super::quoted(raw), str::to_owned)
}

fn arguments(fault: &Fault) -> Value {
    let arguments = fault.arguments.iter().map(|(name, value)| {
        let value = match value {
            Argument::Int(number) => json!(number),
            Argument::Real(number) if number.is_finite() => json!(number),
            Argument::Real(number) => json!(number.to_string()),
            Argument::Shape(lengths) => json!(lengths),
            Argument::Text(raw) => json!(text(raw)),
        };
        ((*name).to_owned(), value)
    });
    Value::Object(arguments.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_beyond_the_limit_refuse_nothing() {
        let mut faults = Faults::with_limit(1);
        let mark = faults.mark();
        for _ in 0..3 {
            faults.push(Fault::new(Code::Key, "so so").warning());
        }
        assert_eq!((faults.more(), faults.refused_since(mark)), (2, Ok(())));
        faults.push(Fault::new(Code::Word, "wrong"));
        assert_eq!(faults.refused_since(mark), Err(Refused(Code::Word)));
    }
    #[test]
    fn errors_that_another_list_only_counted_refuse_here_too() {
        let mut full = Faults::with_limit(1);
        full.push(Fault::new(Code::Key, "so so").warning());
        full.push(Fault::new(Code::Word, "wrong"));
        let mut faults = Faults::default();
        let mark = faults.mark();
        faults.append(full);
        assert_eq!(faults.refused_since(mark), Err(Refused(Code::Word)));
    }
}
