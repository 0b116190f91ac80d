//! What a group or dataset is in a set: a branch, a structured leaf, or numbers.

use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted},
    formats::hdf5::{Dataset, Group, Object},
    import::ImportOptions,
    params::{Kind, METADATA, NodeId, Params, STORAGE, Value},
};

/// A set whose numbers have not been read, and what stands behind each leaf, in order.
pub(super) struct Outline {
    pub params: Params,
    pub datasets: Vec<(NodeId, Dataset)>,
}

/// Reads the set that a group of a file of this length holds; its root becomes a parameter set. All faults are gathered.
pub(super) fn read(
    group: &Group,
    length: u64,
    options: &ImportOptions<'_>,
    faults: &mut Faults,
) -> Result<Outline, Refused> {
    // A node takes more bytes than this in any file, unless many names lead to one array.
    const LEAST: u64 = 96;
    let mark = faults.mark();
    let most = usize::try_from(1024 + length / LEAST).unwrap_or(usize::MAX).min(options.limits.entries);
    let params = Params::new(Kind::Parameters);
    let mut reader =
        Reader { params, datasets: Vec::new(), prototype: options.prototype, entries: most, full: false, faults };
    reader.root(group);
    let Reader { params, datasets, .. } = reader;
    faults.refused_since(mark)?;
    Ok(Outline { params, datasets })
}

pub(super) struct Reader<'a, 'f> {
    params: Params,
    datasets: Vec<(NodeId, Dataset)>,
    pub(super) prototype: Option<&'a Params>,
    entries: usize,
    /// Whether it was said that there is room for no more.
    full: bool,
    pub(super) faults: &'f mut Faults,
}

/// What a group says it is.
enum Said {
    Branch(Kind),
    Wrapped,
    /// A structured leaf of an older file.
    Older(Text),
}

impl Reader<'_, '_> {
    fn root(&mut self, group: &Group) {
        let Some(said) = self.said(group) else { return };
        match said {
            Said::Branch(Kind::Named | Kind::Parameters) => self.children(group, Params::ROOT),
            Said::Branch(kind) => self.no_root(group, kind.name()),
            Said::Wrapped | Said::Older(_) => self.no_root(group, Kind::Structured.name()),
        }
    }

    fn no_root(&mut self, group: &Group, what: &str) {
        let message =
            format!("'{}' is {what}, and a set begins with a named branch or a parameter set.", quoted(group.path()));
        self.fault(Code::Kind, message, group.path());
    }

    /// Adds what an object is.
    pub(super) fn node(&mut self, object: Object, parent: NodeId, key: Text) {
        match object {
            Object::Dataset(dataset) => self.leaf(dataset, parent, key),
            Object::Group(group) => self.group(&group, parent, key),
            Object::Datatype(_) => {
                let message =
                    format!("'{}' is a datatype with a name; a group or a dataset is wanted.", quoted(object.path()));
                self.fault(Code::Kind, message, object.path());
            }
        }
    }

    fn group(&mut self, group: &Group, parent: NodeId, key: Text) {
        match self.said(group) {
            None => {}
            Some(Said::Branch(kind)) => {
                if let Some(branch) = self.branch(group, parent, key, kind, Text::default()) {
                    self.children(group, branch);
                }
            }
            Some(Said::Wrapped) => self.wrapped(group, parent, key),
            Some(Said::Older(name)) => self.older(group, name, parent, key),
        }
    }

    fn children(&mut self, group: &Group, branch: NodeId) {
        for (key, object) in self.members(group) {
            self.node(object, branch, key);
        }
    }

    fn wrapped(&mut self, group: &Group, parent: NodeId, key: Text) {
        let Ok(name) = self.text(group, "parameter_type") else { return };
        if name.is_none() {
            let message = format!("The structured leaf '{}' has no attribute 'parameter_type'.", quoted(group.path()));
            self.fault(Code::Absent, message, group.path());
        }
        let storage = self.member(group, &STORAGE.into());
        if let Ok(None) = storage {
            self.missing(group, &STORAGE.into());
        }
        let (Some(name), Ok(Some(storage))) = (name, storage) else { return };
        let Some(leaf) = self.branch(group, parent, key, Kind::Structured, name) else { return };
        self.node(storage, leaf, STORAGE.into());
        match self.member(group, &METADATA.into()) {
            Ok(Some(Object::Group(metadata))) => {
                if let Some(branch) = self.branch(&metadata, leaf, METADATA.into(), Kind::Named, Text::default()) {
                    self.children(&metadata, branch);
                }
            }
            Ok(Some(other)) => {
                let message = format!("'{}' is not a group, which metadata is.", quoted(other.path()));
                self.fault(Code::Kind, message, other.path());
            }
            Ok(None) | Err(_) => {}
        }
    }

    /// What a group is, by its attributes; none if they can not be read.
    fn said(&mut self, group: &Group) -> Option<Said> {
        let kind = self.text(group, "kind").ok()?;
        Some(match kind.as_ref().and_then(Text::as_str) {
            Some("NetworkParameters") => Said::Branch(Kind::Parameters),
            Some("NamedTuple") => Said::Branch(Kind::Named),
            Some("Tuple") => Said::Branch(Kind::Tuple),
            Some("wrapped") => Said::Wrapped,
            _ => match self.text(group, "gml_type").ok()? {
                Some(name) => Said::Older(name),
                None => {
                    if let Some(kind) = kind {
                        let message = format!(
                            "The group '{}' is of the unknown kind '{}', and read as a named branch.",
                            quoted(group.path()),
                            quoted(&kind)
                        );
                        let fault = Fault::new(Code::Metadata, message).path(group.path().clone());
                        self.faults.push(fault.place(group.path().clone()).warning());
                    }
                    Said::Branch(Kind::Named)
                }
            },
        })
    }

    /// An attribute that is one text; none if it is not there.
    fn text(&mut self, group: &Group, name: &str) -> Result<Option<Text>, Refused> {
        let Some(attribute) = group.attribute(name, self.faults)? else { return Ok(None) };
        attribute.value().text(self.faults).map(Some)
    }

    fn leaf(&mut self, dataset: Dataset, parent: NodeId, key: Text) {
        let path = dataset.path();
        if dataset.shape().is_none() {
            let message = format!("'{}' is empty (a null dataspace) and holds no numbers.", quoted(path));
            return self.fault(Code::Absent, message, &path.clone());
        }
        if dataset.datatype().dtype().is_none() {
            let message = format!(
                "'{}' holds {}; numbers, truth values and complex numbers are read.",
                quoted(path),
                dataset.datatype().says()
            );
            return self.fault(Code::Unsupported, message, &path.clone());
        }
        if self.is_full(path) {
            return;
        }
        match self.params.add(parent, key, Value::NotLoaded) {
            Ok(node) => self.datasets.push((node, dataset)),
            Err(fault) => self.faults.push(fault.place(path.clone())),
        }
    }

    /// Adds a branch, or says why there is none.
    pub(super) fn branch(
        &mut self,
        group: &Group,
        parent: NodeId,
        key: Text,
        kind: Kind,
        type_name: Text,
    ) -> Option<NodeId> {
        if self.is_full(group.path()) {
            return None;
        }
        match self.params.branch_of(parent, key, kind, type_name) {
            Ok(branch) => Some(branch),
            Err(fault) => {
                self.faults.push(fault.place(group.path().clone()));
                None
            }
        }
    }

    /// Whether the set has as many nodes as it may; said once.
    fn is_full(&mut self, path: &Text) -> bool {
        if self.params.count() < self.entries {
            return false;
        }
        if !std::mem::replace(&mut self.full, true) {
            let message =
                format!("The set has more than {} nodes: more than `max_entries`, or than fit its file.", self.entries);
            self.fault(Code::Limit, message, path);
        }
        true
    }

    pub(super) fn missing(&mut self, group: &Group, key: &Text) {
        let slash: &[u8] = if group.path().as_bytes().ends_with(b"/") { b"" } else { b"/" };
        let path = Text::from_wtf8(&[group.path().as_bytes(), slash, key.as_bytes()].concat());
        let message = format!("The group '{}' has no member '{}'.", quoted(group.path()), quoted(key));
        self.fault(Code::Missing, message, &path);
    }

    fn fault(&mut self, code: Code, message: String, path: &Text) {
        self.faults.push(Fault::new(code, message).path(path.clone()).place(path.clone()));
    }
}
