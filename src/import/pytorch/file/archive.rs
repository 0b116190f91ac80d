//! The archive PyTorch writes since 1.6: which records it must have, and what they say of the others.

use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted},
    formats::zip::Zip,
    limits::Limits,
    source::Source,
};

/// Versions of the archive that are read.
const VERSIONS: std::ops::RangeInclusive<u32> = 1..=10;

/// The longest record that says something of the archive.
const WORD: u64 = 1024;

/// An archive that has all it must have.
pub(super) struct Archive {
    pub zip: Zip,
    /// The folder all records stand in, its slash included.
    folder: Vec<u8>,
    /// Whether the numbers stand with their greatest byte first.
    pub big_endian: bool,
    /// Number of the record with the pickle.
    pub pickle: usize,
}

impl Archive {
    /// Reads the directory and the records that say how the others are to be read. All faults are found at once.
    pub fn open(source: &Source, limits: &Limits, faults: &mut Faults) -> Result<Archive, Refused> {
        let mark = faults.mark();
        let zip = Zip::open(source, limits, faults)?;
        let folder = folder(&zip, faults)?;
        let mut archive = Archive { zip, folder, big_endian: false, pickle: 0 };
        if let Some(fault) = archive.of_another_kind() {
            return Err(faults.refuse(fault));
        }
        archive.strays(faults);
        archive.version(faults);
        archive.big_endian = archive.byteorder(faults);
        match archive.find(b"data.pkl") {
            Some(pickle) => archive.pickle = pickle,
            None => archive.absent("data.pkl", "which every file of torch.save has", faults),
        }
        faults.refused_since(mark)?;
        Ok(archive)
    }

    /// The number of a record by its name within the folder.
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        self.zip.find(&[&self.folder, name].concat())
    }

    /// What other files are archives of this kind too.
    fn of_another_kind(&self) -> Option<Fault> {
        let says = if self.find(b"constants.pkl").is_some() {
            "The file is a TorchScript archive, which holds code. Save its state alone, in Python: \
             torch.save(torch.jit.load(\"model.pt\").state_dict(), \"state.pt\")"
        } else if self.find(b"archive_format").is_some() {
            "The file is an archive of torch.export. Save its state alone, in Python: \
             torch.save(torch.export.load(\"model.pt2\").state_dict, \"state.pt\")"
        } else {
            return None;
        };
        Some(Fault::new(Code::Unsupported, says).offset(0))
    }

    fn strays(&self, faults: &mut Faults) {
        for entry in self.zip.entries().iter().filter(|entry| !entry.name.as_bytes().starts_with(&self.folder)) {
            let folder = quoted(&Text::from_wtf8(&self.folder));
            let message = format!("'{}' does not stand in the archive's folder '{folder}'.", quoted(&entry.name));
            faults.push(Fault::new(Code::Malformed, message).place(entry.name.clone()));
        }
    }

    fn version(&self, faults: &mut Faults) {
        let Some((name, says)) = self.word(".data/version", faults).or_else(|| self.word("version", faults)) else {
            return self.absent("version", "which says how the archive is to be read", faults);
        };
        let digits = says.trim_ascii_start().iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digits = says.trim_ascii_start().get(..digits).unwrap_or_default();
        let version = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u32>().ok());
        if !version.is_some_and(|version| VERSIONS.contains(&version)) {
            let (shown, first, last) = (quoted(&Text::from_wtf8(&says)), VERSIONS.start(), VERSIONS.end());
            let message = format!("The {name} of the archive is '{shown}'; {first} to {last} are read.");
            faults.push(Fault::new(Code::Unsupported, message).place(name));
        }
    }

    fn byteorder(&self, faults: &mut Faults) -> bool {
        match self.word("byteorder", faults) {
            None => false,
            Some((_, says)) if says == b"little" => false,
            Some((_, says)) if says == b"big" => true,
            Some((name, says)) => {
                let shown = quoted(&Text::from_wtf8(&says));
                let message = format!("The byteorder of the archive is '{shown}'; it is 'little' or 'big'.");
                faults.push(Fault::new(Code::Malformed, message).place(name));
                false
            }
        }
    }

    /// What a short record says, with its name.
    fn word(&self, name: &'static str, faults: &mut Faults) -> Option<(&'static str, Vec<u8>)> {
        let record = self.find(name.as_bytes())?;
        if self.zip.entries().get(record)?.size > WORD {
            let message = format!("The record '{name}' is no word: it is longer than {WORD} bytes.");
            faults.push(Fault::new(Code::Limit, message).place(name));
            return None;
        }
        Some((name, self.zip.read(record, faults).ok()?.bytes().to_vec()))
    }

    fn absent(&self, name: &str, what: &str, faults: &mut Faults) {
        let message = format!("The archive has no record '{name}', {what}.");
        faults.push(Fault::new(Code::Absent, message).place(name));
    }
}

/// The folder of the first record.
fn folder(zip: &Zip, faults: &mut Faults) -> Result<Vec<u8>, Refused> {
    let Some(first) = zip.entries().first() else {
        let message = "The archive is empty: there is no data.pkl in it, and nothing else.";
        return Err(faults.refuse(Fault::new(Code::Absent, message).offset(0)));
    };
    let name = first.name.as_bytes();
    match name.iter().position(|&byte| byte == b'/') {
        Some(slash) => Ok(name[..=slash].to_vec()),
        None => {
            let message = format!(
                "The record '{}' stands in no folder; PyTorch puts every record into one.",
                quoted(&first.name)
            );
            Err(faults.refuse(Fault::new(Code::Malformed, message).place(first.name.clone())))
        }
    }
}
