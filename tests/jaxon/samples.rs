//! Every sample as its manifest tells it, and every malformed one by the kind of its fault.

use crate::{files, told};
use pontil::{
    faults::{Code, Faults, Refused},
    import::{Import, ImportOptions, PytreeOptions},
    limits::Limits,
    params::Params,
    source::Source,
};
use serde_json::{Value as Json, json};
use std::path::Path;

/// Reads everything that a sample may hold: unknown hints are kept, data of dill are given as bytes.
pub fn read(path: &Path, faults: &mut Faults) -> Result<Params, Refused> {
    let source = Source::path(path, &Limits::default(), faults)?;
    let pytree = PytreeOptions { allow_dill: true, ..PytreeOptions::default() };
    let options = ImportOptions { format: Some("jaxon"), keep_unknown_types: true, pytree, ..ImportOptions::default() };
    Import::open(&source, options, faults)?.params(faults)
}

pub fn samples() -> Vec<(String, Json)> {
    let manifest = files::json(&files::fixtures("jaxon").join("manifest.json"));
    manifest["files"].as_object().unwrap().iter().map(|(name, entry)| (name.clone(), entry.clone())).collect()
}

/// Hints of Jaxon 1 do not say who made them: the class alone counts.
pub fn bare(said: &mut Json) {
    match said {
        Json::Object(fields) => {
            for hint in fields.get_mut("hints").and_then(Json::as_array_mut).into_iter().flatten() {
                let text = hint.as_str().unwrap();
                *hint = json!(text.split_once('[').map_or(text, |(_, class)| class.trim_end_matches(']')));
            }
            fields.values_mut().for_each(bare);
        }
        Json::Array(items) => items.iter_mut().for_each(bare),
        _ => {}
    }
}

#[test]
fn every_sample_is_what_the_manifest_says() {
    let (mut failed, mut read_well) = (Vec::new(), 0);
    for (name, entry) in samples() {
        let mut faults = Faults::default();
        let made = read(&files::fixtures("jaxon").join(format!("{name}.h5")), &mut faults);
        let strict = name.starts_with("q_") || entry.get("tree").is_none();
        match (made, strict) {
            (Ok(params), false) => {
                let (mut ours, mut theirs) = (told::plain(&told::tree(&params)), told::plain(&entry["tree"]));
                if name.starts_with("v1_") {
                    bare(&mut ours);
                    bare(&mut theirs);
                }
                read_well += 1;
                if ours != theirs {
                    failed.push(format!("{name}:\n  {ours}\n  {theirs}"));
                }
            }
            (Err(_), true) => {}
            (Ok(_), true) if name == "e_no_unmarshaler" => {}
            (Ok(_), true) => failed.push(format!("{name}: is read")),
            (Err(_), false) => failed.push(format!("{name}: {}", faults.text())),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(read_well, 50);
}

#[test]
fn what_is_malformed_is_told_with_path_and_attribute() {
    for (name, code, path, place) in [
        ("e_array_attribute", Code::Malformed, "", "/@JAXON_ROOT"),
        ("e_ascii_string", Code::Malformed, "", "/@JAXON_ROOT"),
        ("e_circular_reference", Code::Circle, "/", "/JAXON_ROOT@"),
        ("e_dangling_reference", Code::NoPath, "", "/JAXON_ROOT@"),
        ("e_dataset_for_group", Code::Kind, "", "/@JAXON_ROOT:dict"),
        ("e_garbage_value", Code::Malformed, "", "/@JAXON_ROOT"),
        ("e_key_without_value", Code::Absent, "", "/JAXON_ROOT@key(0)"),
        ("e_key_wrong_index", Code::Malformed, "", "/JAXON_ROOT@key("),
        ("e_missing_dataset", Code::Absent, "", "/@JAXON_ROOT:"),
        ("e_missing_group", Code::Absent, "", "/@JAXON_ROOT:dict"),
        ("e_no_root", Code::Absent, "", "/"),
        ("e_no_unmarshaler", Code::Type, "", ""),
        ("e_type_argument", Code::Malformed, "", "/@JAXON_ROOT"),
        ("e_unknown_typehint", Code::Unsupported, "", "/@JAXON_ROOT"),
        ("e_vlen_string", Code::Malformed, "", "/@JAXON_ROOT"),
        ("q_trailing_key", Code::Absent, "", "/JAXON_ROOT@key("),
        ("q_unterminated_string", Code::Malformed, "", "/@JAXON_ROOT"),
        ("dill", Code::Hostile, "/d", "/JAXON_ROOT@'d':bytes#dill"),
        ("custom_marshaler", Code::Type, "", "/JAXON_ROOT@"),
    ] {
        let mut faults = Faults::default();
        let source =
            Source::path(&files::fixtures("jaxon").join(format!("{name}.h5")), &Limits::default(), &mut faults)
                .unwrap();
        let opened = Import::open(&source, ImportOptions::default(), &mut faults);
        assert!(opened.is_err(), "{name} is read");
        let fault = faults.iter().next().unwrap();
        assert_eq!(fault.code, code, "{name}: {}", faults.text());
        assert!(fault.path.as_str().unwrap().starts_with(path), "{name}: {}", faults.text());
        assert!(fault.place.as_str().unwrap().starts_with(place), "{name}: {:?} {}", fault.place, faults.text());
    }
    // No attribute of Jaxon's at all: any HDF5 file.
    let mut faults = Faults::default();
    let path = files::fixtures("jaxon").join("e_no_root_no_version.h5");
    let source = Source::path(&path, &Limits::default(), &mut faults).unwrap();
    let options = ImportOptions { format: Some("jaxon"), ..ImportOptions::default() };
    assert!(Import::open(&source, options, &mut faults).is_err());
    assert_eq!(faults.iter().next().unwrap().code, Code::Absent);
}
