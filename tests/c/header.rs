//! `include/pontil.h` read as text: just enough C for a header made by cbindgen.

use std::fs;

/// A parameter of a function.
pub struct Parameter {
    /// Its type, e.g. `const struct pon_view *`.
    pub kind: String,
    /// Its name.
    pub name: String,
}

/// A function.
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it answers, e.g. `pon_status`.
    pub answer: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its comment, without stars.
    pub doc: String,
}

/// All that the header declares.
pub struct Header {
    /// Functions, in order.
    pub functions: Vec<Function>,
    /// `#define NAME VALUE` with a number.
    pub constants: Vec<(String, String)>,
    /// Structs that are laid open, with the names of their fields.
    pub structs: Vec<(String, Vec<String>)>,
    /// Items and fields without a comment.
    pub undocumented: Vec<String>,
}

/// The committed header.
pub fn text() -> String {
    fs::read_to_string(super::root().join("include/pontil.h")).unwrap()
}

impl Function {
    /// The parameters that may be NULL: names before a bracket, a comma or the end.
    pub fn nullable(&self) -> Vec<String> {
        let Some((_, rest)) = self.doc.split_once("\nNullable: ") else { return Vec::new() };
        let line = rest.split("\nThreads:").next().unwrap().replace('\n', " ");
        let (mut plain, mut depth) = (String::new(), 0);
        for c in line.chars() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                c if depth == 0 => plain.push(c),
                _ => {}
            }
        }
        let names = plain.trim().trim_end_matches('.').split(',').map(|name| name.trim().to_owned());
        names.filter(|name| !name.is_empty() && name != "none").collect()
    }
}

impl Header {
    /// Reads it.
    pub fn parse(text: &str) -> Header {
        let mut header = Header { functions: vec![], constants: vec![], structs: vec![], undocumented: vec![] };
        let (mut doc, mut statement) = (None::<String>, String::new());
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let bare = line.trim();
            if bare.starts_with("/*") {
                doc = Some(comment(bare, &mut lines));
            } else if bare.starts_with("#define") {
                let mut words = bare.split_whitespace().skip(1);
                if let (Some(name), Some(value)) = (words.next(), words.next())
                    && !name.starts_with("PON_API")
                {
                    header.constants.push((name.into(), value.into()));
                    header.wants(&doc.take(), name);
                }
            } else if bare.starts_with('#') || bare.is_empty() || bare.starts_with("extern \"C\"") {
                continue;
            } else if bare.starts_with("typedef struct") && bare.ends_with('{') {
                let name = bare.split_whitespace().nth(2).unwrap_or_default().to_owned();
                header.wants(&doc.take(), &name);
                let fields = header.fields(&name, &mut lines);
                header.structs.push((name, fields));
            } else if bare != "}" {
                statement.push_str(bare);
                statement.push(' ');
                if bare.ends_with(';') {
                    header.declare(statement.trim(), doc.take());
                    statement.clear();
                }
            }
        }
        header
    }

    fn wants(&mut self, doc: &Option<String>, name: &str) {
        if doc.as_ref().is_none_or(|doc| doc.trim().is_empty()) {
            self.undocumented.push(name.to_owned());
        }
    }

    fn fields(&mut self, owner: &str, lines: &mut std::str::Lines<'_>) -> Vec<String> {
        let (mut fields, mut doc, mut statement) = (Vec::new(), None, String::new());
        while let Some(line) = lines.next() {
            let bare = line.trim();
            if bare.starts_with("/*") {
                doc = Some(comment(bare, lines));
            } else if bare.starts_with('}') {
                break;
            } else {
                statement.push_str(bare);
                if bare.ends_with(';') {
                    let name = name_of(statement.trim_end_matches(';')).to_owned();
                    self.wants(&doc.take(), &format!("{owner}.{name}"));
                    fields.push(name);
                    statement.clear();
                }
            }
        }
        fields
    }

    fn declare(&mut self, statement: &str, doc: Option<String>) {
        let Some(prototype) = statement.strip_prefix("PON_API ") else {
            return self.wants(&doc, statement);
        };
        let (head, rest) = prototype.split_once('(').unwrap();
        let (answer, name) = head.trim().rsplit_once([' ', '*']).unwrap();
        let parameters = rest.trim_end_matches(';').trim_end().strip_suffix(')').unwrap();
        let parameters = parameters.split(',').map(str::trim).filter(|one| *one != "void").map(|one| {
            let name = name_of(one);
            Parameter { kind: one[..one.len() - name.len()].trim().to_owned(), name: name.to_owned() }
        });
        self.functions.push(Function {
            name: name.to_owned(),
            answer: answer.trim().to_owned(),
            parameters: parameters.collect(),
            doc: doc.unwrap_or_default(),
        });
    }
}

/// The name that a declaration declares: the one in brackets of a pointer to function, else the last word.
fn name_of(declaration: &str) -> &str {
    let part = match declaration.split_once("(*") {
        Some((_, rest)) => rest.split(')').next().unwrap_or_default(),
        None => declaration,
    };
    part.rsplit([' ', '*']).next().unwrap_or_default()
}

fn comment(first: &str, lines: &mut std::str::Lines<'_>) -> String {
    let mut text = vec![first.trim_start_matches('/').to_owned()];
    while !text.last().is_some_and(|line| line.ends_with("*/")) {
        let Some(line) = lines.next() else { break };
        text.push(line.trim().to_owned());
    }
    let plain = text.iter().map(|line| line.trim_end_matches("*/").trim_start_matches('*').trim());
    plain.collect::<Vec<_>>().join("\n")
}
