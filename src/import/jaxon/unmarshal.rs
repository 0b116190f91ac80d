//! What the host makes of the objects of a tree, the inner ones first.

use crate::{
    faults::{Code, Fault, Faults, Refused, quoted},
    formats::jaxon::ROOT,
    import::{Unmarshal, Unmarshaled, pytree::detached},
    params::{Kind, Leaf, NodeId, Params},
};

/// Hands every object to the host. One that nobody knows is a fault, unless it is kept.
pub(super) fn unmarshal(
    params: &mut Params,
    host: &Unmarshal,
    older: bool,
    keep: bool,
    faults: &mut Faults,
) -> Result<(), Refused> {
    let mark = faults.mark();
    for node in objects(params) {
        let name = params.type_name(node).cloned().unwrap_or_default();
        let word = name.as_str().unwrap_or_default().split('[').next().unwrap_or_default().to_owned();
        if word == ROOT {
            continue;
        }
        let made = detached(params, node).and_then(|object| host(&object));
        let path = params.path(node).unwrap_or_default();
        let done = match made {
            Ok(Unmarshaled::Kept) => Ok(()),
            Ok(Unmarshaled::Replaced(leaf)) => put(params, node, leaf),
            Ok(Unmarshaled::Unknown) if older || keep || matches!(&*word, "dclass" | "jaxon" | "dill") => Ok(()),
            Ok(Unmarshaled::Unknown) => {
                let message = format!(
                    "'{}': the unmarshaler does not know the hint '{}'; teach it, or keep unknown types.",
                    quoted(&path),
                    quoted(&name)
                );
                Err(Fault::new(Code::Type, message))
            }
            Err(fault) => Err(fault),
        };
        if let Err(fault) = done {
            let stopped = fault.code == Code::Stopped;
            faults.push(fault.path(path));
            if stopped {
                return Err(Refused(Code::Stopped));
            }
        }
    }
    faults.refused_since(mark)
}

/// The objects of a tree, those within others before these.
fn objects(params: &Params) -> Vec<NodeId> {
    let (mut found, mut open) = (Vec::new(), vec![Params::ROOT]);
    while let Some(node) = open.pop() {
        if params.kind(node) == Some(Kind::Object) {
            found.push(node);
        }
        open.extend(params.children(node));
        open.extend(params.key_tree(node));
    }
    found.reverse();
    found
}

fn put(params: &mut Params, node: NodeId, leaf: Leaf) -> Result<(), Fault> {
    match leaf {
        Leaf::Value(value) if node == Params::ROOT => {
            let mut root = Params::object(ROOT);
            root.add(Params::ROOT, "", value)?;
            *params = root;
            Ok(())
        }
        leaf => params.put(node, leaf),
    }
}
