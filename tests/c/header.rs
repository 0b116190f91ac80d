//! `include/pontil.h` read as text: just enough C for a header made by cbindgen.

use std::{collections::HashMap, fs};

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
#[derive(Default)]
pub struct Header {
    /// Functions, in order.
    pub functions: Vec<Function>,
    /// `#define NAME VALUE` with a number.
    pub constants: Vec<(String, String)>,
    /// Structs that are laid open, with their fields; the kind of a pointer to function is its whole declaration.
    pub structs: Vec<(String, Vec<Parameter>)>,
    /// Types of objects that are not laid open.
    pub handles: Vec<String>,
    /// Other names of numbers, each with what it stands for.
    pub aliases: Vec<(String, String)>,
    /// Types of the host's functions.
    pub callbacks: Vec<Function>,
    /// Comments of constants, types and fields (`struct.field`), without stars.
    pub docs: HashMap<String, String>,
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
        let mut header = Header::default();
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
        match doc.as_ref().map(|doc| doc.trim()).filter(|doc| !doc.is_empty()) {
            Some(doc) => drop(self.docs.insert(name.to_owned(), doc.to_owned())),
            None => self.undocumented.push(name.to_owned()),
        }
    }

    fn fields(&mut self, owner: &str, lines: &mut std::str::Lines<'_>) -> Vec<Parameter> {
        let (mut fields, mut doc, mut statement) = (Vec::new(), None, String::new());
        while let Some(line) = lines.next() {
            let bare = line.trim();
            if bare.starts_with("/*") {
                doc = Some(comment(bare, lines));
            } else if bare.starts_with('}') {
                break;
            } else {
                statement.push_str(bare);
                statement.push(' ');
                if bare.ends_with(';') {
                    let field = parameter(statement.trim_end_matches([';', ' ']));
                    self.wants(&doc.take(), &format!("{owner}.{}", field.name));
                    fields.push(field);
                    statement.clear();
                }
            }
        }
        fields
    }

    fn declare(&mut self, statement: &str, doc: Option<String>) {
        let Some(prototype) = statement.strip_prefix("PON_API ") else {
            self.wants(&doc, statement);
            return self.define(statement, doc.unwrap_or_default());
        };
        let (head, _) = prototype.split_once('(').unwrap();
        let (answer, name) = head.trim().rsplit_once([' ', '*']).unwrap();
        self.functions.push(Function {
            name: name.to_owned(),
            answer: answer.trim().to_owned(),
            parameters: parameters(prototype),
            doc: doc.unwrap_or_default(),
        });
    }

    fn define(&mut self, statement: &str, doc: String) {
        let Some(defined) = statement.strip_prefix("typedef ").map(|rest| rest.trim_end_matches(';')) else { return };
        if defined.contains("(*") {
            let callback = Parameter { kind: defined.to_owned(), name: name_of(defined).to_owned() };
            self.callbacks.push(callback.callback(doc).unwrap());
        } else if let Some(handle) = defined.strip_prefix("struct ") {
            self.handles.push(handle.split(' ').next().unwrap().to_owned());
        } else if let Some((stands_for, name)) = defined.rsplit_once(' ') {
            self.aliases.push((name.to_owned(), stands_for.to_owned()));
        }
    }
}

impl Parameter {
    /// What a pointer to function is, laid open.
    pub fn callback(&self, doc: String) -> Option<Function> {
        let (answer, rest) = self.kind.split_once("(*")?;
        let parameters = parameters(rest.split_once(')')?.1);
        Some(Function { name: self.name.clone(), answer: answer.trim().to_owned(), parameters, doc })
    }
}

/// What stands in the first brackets of a prototype.
fn parameters(prototype: &str) -> Vec<Parameter> {
    let (_, rest) = prototype.split_once('(').unwrap();
    let inner = rest.trim_end_matches([';', ' ']).strip_suffix(')').unwrap();
    inner.split(',').map(str::trim).filter(|one| *one != "void").map(parameter).collect()
}

/// A declaration as type and name.
fn parameter(declaration: &str) -> Parameter {
    let name = name_of(declaration);
    let kind =
        if declaration.contains("(*") { declaration } else { declaration[..declaration.len() - name.len()].trim() };
    Parameter { kind: kind.to_owned(), name: name.to_owned() }
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
