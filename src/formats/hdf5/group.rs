//! Groups: names in order, and what they lead to.

use super::{
    attribute::Attribute,
    link::{self, Link, Target},
    object::{Handle, Object},
    wrong::{Read, Wrong},
};
use crate::faults::{Code, Faults, Refused, Text, quoted};
use std::{
    fmt,
    sync::{Arc, OnceLock},
};

/// A group of a file; cloning shares it. Its links are read once.
#[derive(Clone)]
pub struct Group(Arc<Inner>);

struct Inner {
    handle: Handle,
    links: OnceLock<Links>,
}

struct Links {
    tracked: bool,
    /// In order of creation where that is tracked, else by the bytes of their names.
    links: Vec<Link>,
    /// Places in `links`, by name.
    by_name: Vec<usize>,
}

impl Group {
    pub(super) fn new(handle: Handle) -> Group {
        Group(Arc::new(Inner { handle, links: OnceLock::new() }))
    }

    /// Where it was found, e.g. `/layers/dense`.
    pub fn path(&self) -> &Text {
        &self.handle().path
    }

    /// Its address: equal for equal objects of one file.
    pub fn address(&self) -> u64 {
        self.handle().address
    }

    /// Its attributes: in order of creation where the header tracks that, else by the bytes of their names.
    pub fn attributes(&self, faults: &mut Faults) -> Result<Vec<Attribute>, Refused> {
        self.handle().attributes(faults)
    }

    /// One attribute by its name, if it is there. All are read for it: where many are wanted, ask for all once.
    pub fn attribute(&self, name: &str, faults: &mut Faults) -> Result<Option<Attribute>, Refused> {
        Ok(self.attributes(faults)?.into_iter().find(|attribute| *attribute.name() == *name))
    }

    /// All links: in order of creation where the group tracks that, else by the bytes of their names.
    pub fn members(&self, faults: &mut Faults) -> Result<&[Link], Refused> {
        self.links().map(|links| links.links.as_slice()).map_err(|wrong| wrong.refuse(self.path(), faults))
    }

    /// Whether [`Group::members`] come in order of creation.
    pub fn is_tracked(&self, faults: &mut Faults) -> Result<bool, Refused> {
        self.links().map(|links| links.tracked).map_err(|wrong| wrong.refuse(self.path(), faults))
    }

    /// The object that one of its links leads to. A link that is not a plain one is refused, and never followed.
    pub fn open(&self, link: &Link, faults: &mut Faults) -> Result<Object, Refused> {
        let path = self.under(&link.name);
        self.follow(link, &path).map_err(|wrong| wrong.refuse(&path, faults))
    }

    /// The object of this name, if there is a link of the name; see [`Group::open`].
    pub fn member(&self, name: &str, faults: &mut Faults) -> Result<Option<Object>, Refused> {
        let links = self.links().map_err(|wrong| wrong.refuse(self.path(), faults))?;
        match links.find(name) {
            Some(link) => self.open(link, faults).map(Some),
            None => Ok(None),
        }
    }

    /// The object at a path below this group, names between slashes; none if a name is missing or leads to no group.
    pub fn find(&self, path: &str, faults: &mut Faults) -> Result<Option<Object>, Refused> {
        let mut at = Object::Group(self.clone());
        for name in path.split('/').filter(|name| !name.is_empty()) {
            let Some(group) = at.group() else { return Ok(None) };
            match group.member(name, faults)? {
                Some(object) => at = object,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    pub(super) fn handle(&self) -> &Handle {
        &self.0.handle
    }

    fn under(&self, name: &Text) -> Text {
        let parent = self.path().as_bytes();
        let slash: &[u8] = if parent.ends_with(b"/") { b"" } else { b"/" };
        Text::from_wtf8(&[parent, slash, name.as_bytes()].concat())
    }

    fn links(&self) -> Read<&Links> {
        if let Some(links) = self.0.links.get() {
            return Ok(links);
        }
        let header = self.handle().file.header(self.address())?;
        let (mut links, tracked) = link::all(&self.handle().file, &header)?;
        match tracked {
            true => links.sort_by_key(|link| link.order),
            false => links.sort_by(|a, b| a.name.cmp(&b.name)),
        }
        let mut by_name: Vec<usize> = (0..links.len()).collect();
        by_name.sort_by(|&a, &b| links.get(a).map(|link| &link.name).cmp(&links.get(b).map(|link| &link.name)));
        Ok(self.0.links.get_or_init(|| Links { tracked, links, by_name }))
    }

    fn follow(&self, link: &Link, path: &Text) -> Read<Object> {
        let Handle { file, address, depth, .. } = self.handle();
        let place = file.place(*address);
        let target = match &link.target {
            Target::Object(target) => *target,
            Target::Soft(to) => {
                let says =
                    format!("it is a soft link to '{}', which is not followed; store the object itself", quoted(to));
                return Err(Wrong::unsupported(place, says));
            }
            Target::External(to) => {
                let says = format!("it is a link into another file, '{}', which is never opened", quoted(to));
                return Err(Wrong::with(Code::Hostile, place, says));
            }
            Target::Other(kind) => {
                return Err(Wrong::unsupported(
                    place,
                    format!("it is a link of the kind {kind}, which a plug-in defines"),
                ));
            }
        };
        let handle = Handle::new(file.clone(), target, path.clone(), depth + 1);
        let object = Handle { cached: link.cached, ..handle }.open()?;
        if let Object::Group(_) = object {
            file.linked(target, *address, &link.name)?;
        }
        Ok(object)
    }
}

impl Links {
    fn find(&self, name: &str) -> Option<&Link> {
        let named = |place: &usize| self.links.get(*place);
        let at = self
            .by_name
            .binary_search_by(|place| named(place).map(|link| link.name.as_bytes()).cmp(&Some(name.as_bytes())));
        at.ok().and_then(|at| self.by_name.get(at)).and_then(named)
    }
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Group({:?})", self.path())
    }
}
