//! Every sample: what is in it, or why it is refused. Those of the folder `v0` are the same files by an older libhdf5.

use crate::{files, sets::*};
use pontil::{
    faults::{Argument, Code, Fault, Faults, Severity},
    import::{Import, ImportOptions},
    limits::Limits,
    params::{Kind, Layout, METADATA, NodeId, Params, Value},
    source::Source,
    tensor::DType,
};
use serde_json::{Map, Value as Json, json};
use sha2::Digest;
use std::path::{Path, PathBuf};

/// A folder of the samples, or a file there.
fn sample(name: &str) -> PathBuf {
    files::fixtures("julia").join(name)
}

/// The set of a file, and what was said about it.
pub fn read(path: &Path, options: ImportOptions<'_>) -> (Option<Params>, Faults) {
    let mut faults = Faults::default();
    let source = Source::path(path, &Limits::default(), &mut faults).unwrap();
    let import = Import::open(&source, options, &mut faults);
    let params = import.and_then(|import| import.params(&mut faults));
    (params.ok(), faults)
}

/// Options with a prototype.
fn against(prototype: &Params) -> ImportOptions<'_> {
    ImportOptions { prototype: Some(prototype), ..ImportOptions::default() }
}

/// Options that know the test doubles.
pub fn doubles_known() -> ImportOptions<'static> {
    ImportOptions { leaf_types: registry(), ..ImportOptions::default() }
}

/// The set of a sample that is not refused.
#[track_caller]
pub fn whole(name: &str) -> Params {
    let (params, faults) = read(&sample(name), doubles_known());
    params.unwrap_or_else(|| panic!("{name}: {}", faults.text()))
}

/// A node in the words of the manifest.
fn node(params: &Params, node: NodeId) -> Json {
    let kind = params.kind(node).unwrap();
    let children = || params.children(node).iter().map(|&child| self::node(params, child)).collect::<Vec<Json>>();
    match kind {
        Kind::Parameters | Kind::Named => {
            let keys: Vec<String> =
                params.children(node).iter().map(|&child| params.key(child).unwrap().to_string()).collect();
            let name = if kind == Kind::Named { "NamedTuple" } else { "NetworkParameters" };
            json!({"kind": name, "keys": keys, "children": children()})
        }
        Kind::Tuple => {
            let keys: Vec<String> = (1..=params.children(node).len()).map(|place| place.to_string()).collect();
            json!({"kind": "Tuple", "keys": keys, "children": children()})
        }
        Kind::Structured => structured(params, node),
        Kind::Tensor => {
            let tensor = params.tensor(node).unwrap();
            json!({"leaf": "array", "eltype": eltype(tensor.dtype()), "size": size(tensor), "data": data(params, node)})
        }
        Kind::Scalar => {
            let Some(Value::Scalar(number)) = params.value(node) else { unreachable!() };
            json!({"leaf": "scalar", "eltype": eltype(number.dtype()), "value": data(params, node)[0]})
        }
        other => panic!("{other:?}"),
    }
}

fn structured(params: &Params, node: NodeId) -> Json {
    let metadata = params.find(node, format!("/{METADATA}").as_bytes());
    let told: Map<String, Json> = metadata.map_or_else(Map::new, |metadata| {
        let one = |&child: &NodeId| (params.key(child).unwrap().to_string(), json!(params.whole(child).unwrap()));
        params.children(metadata).iter().map(one).collect()
    });
    let mut json = json!({
        "leaf": "structured",
        "type": params.type_name(node).unwrap().to_string(),
        "storage": self::node(params, params.storage(node).unwrap()),
        "metadata": told,
    });
    if params.type_name(node).unwrap() != &text("TwoBlock") {
        let dense = registry().dense(params, node, &Limits::default()).unwrap();
        json["dense"] = json!({"size": size(&dense), "data": doubles(&dense)});
    }
    json
}

fn size(tensor: &pontil::tensor::Tensor) -> Vec<usize> {
    tensor.shape().iter().rev().copied().collect()
}

fn eltype(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "Bool",
        DType::C64 => "ComplexF32",
        DType::C128 => "ComplexF64",
        DType::F16 => "Float16",
        DType::F32 => "Float32",
        DType::F64 => "Float64",
        DType::I8 => "Int8",
        DType::I16 => "Int16",
        DType::I32 => "Int32",
        DType::I64 => "Int64",
        DType::U8 => "UInt8",
        DType::U16 => "UInt16",
        DType::U32 => "UInt32",
        DType::U64 => "UInt64",
        other => panic!("{other:?}"),
    }
}

/// The numbers of a leaf as the manifest has them.
fn data(params: &Params, node: NodeId) -> Vec<Json> {
    let numbers = params.numbers(node).unwrap();
    let bytes = numbers.packed_bytes().unwrap();
    match numbers.dtype() {
        DType::Bool => bytes.iter().map(|&byte| json!(byte == 1)).collect(),
        DType::C128 => {
            let reals: Vec<f64> = bytes.chunks(8).map(|part| f64::from_le_bytes(part.try_into().unwrap())).collect();
            reals.chunks(2).map(|pair| json!(pair)).collect()
        }
        dtype if dtype.is_real() => doubles(&numbers).into_iter().map(|number| json!(number)).collect(),
        _ => doubles(&numbers).into_iter().map(|number| json!(number as i64)).collect(),
    }
}

/// Equal; numbers up to their last bits, which the reader of JSON does not get right.
fn alike(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| alike(value, other)))
        }
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b)),
        (Json::Number(a), Json::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= 2.0 * f64::EPSILON * a.abs()
        }
        _ => one == other,
    }
}

#[test]
fn every_sample_of_both_superblocks() {
    let manifest = files::json(&sample("manifest.json"));
    let (mut read_files, mut failed) = (0, Vec::new());
    for (name, entry) in manifest.as_object().unwrap() {
        let older = entry["v0"].as_bool().unwrap().then(|| format!("v0/{name}.h5"));
        for file in [Some(format!("{name}.h5")), older].into_iter().flatten() {
            read_files += 1;
            failed.extend(judged(&file, entry).err().map(|what| format!("{file}: {what}")));
        }
    }
    assert!(failed.is_empty(), "\n{}\n", failed.join("\n"));
    assert_eq!(read_files, 69);
}

/// Holds a sample to its entry.
fn judged(file: &str, entry: &Json) -> Result<(), String> {
    let (params, faults) = read(&sample(file), doubles_known());
    if let Some(error) = entry.get("error") {
        let errors: Vec<&Fault> = faults.iter().filter(|fault| fault.severity == Severity::Error).collect();
        return match (params, refused_as(error, &errors)) {
            (None, true) => Ok(()),
            (found, _) => Err(format!("{} where {error} is wanted: {}", found.is_some(), faults.text())),
        };
    }
    let params = params.ok_or_else(|| faults.text())?;
    let mut wanted = entry["tree"].clone();
    wanted["kind"] = json!("NetworkParameters");
    let found = node(&params, Params::ROOT);
    if !alike(&found, &wanted) {
        return Err(format!("{found} where {wanted} is wanted"));
    }
    let layout = good(|faults| Layout::of(&params, Params::ROOT, faults));
    let ranges = entry["ranges"].as_object().unwrap();
    for (path, range) in ranges {
        let (first, count) = layout.range(one_based(&params, path).as_bytes()).ok_or(format!("no {path}"))?;
        let last = if count == 0 { first } else { first + count };
        if json!([first + 1, last]) != *range {
            return Err(format!("{path} is {first} and {count}, wanted {range}"));
        }
    }
    let flat: Vec<Json> = params.numbered(0).into_iter().flat_map(|leaf| data(&params, leaf)).collect();
    if !alike(&json!(flat), &entry["flat"]) || layout.count() as u64 != entry["flatlength"].as_u64().unwrap() {
        return Err(format!("{flat:?} flat"));
    }
    Ok(())
}

/// A path of the manifest, which counts the places of tuples from 1.
fn one_based(params: &Params, path: &str) -> String {
    let mut node = Params::ROOT;
    let mut ours = String::new();
    for part in path.split('/').skip(1) {
        let part = match params.kind(node) {
            Some(Kind::Tuple) => (part.parse::<usize>().unwrap() - 1).to_string(),
            _ => part.to_owned(),
        };
        node = params.child(node, &text(&part)).unwrap();
        ours += &format!("/{part}");
    }
    ours
}

/// Whether the faults are what the manifest says, each naming its place.
fn refused_as(error: &Json, faults: &[&Fault]) -> bool {
    let (what, detail) = error.as_object().unwrap().iter().next().unwrap();
    let one = |code: Code, says: &str| faults.len() == 1 && faults[0].code == code && faults[0].message.contains(says);
    match what.as_str() {
        "two_eltypes" => {
            faults.iter().all(|fault| fault.code == Code::Eltype)
                && detail.as_array().is_none_or(|_| one(Code::Eltype, "F32") && one(Code::Eltype, "F64"))
        }
        "unregistered" => one(Code::Type, detail.as_str().unwrap()) && one(Code::Type, "prototype"),
        "missing_member" => one(Code::Missing, detail.as_str().unwrap()),
        "missing_attribute" => one(Code::Absent, detail.as_str().unwrap()),
        "storage_length" => {
            let argument =
                |name: &str| faults[0].arguments.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
            let length = |at: usize| Argument::Shape(vec![detail[at].as_u64().unwrap() as usize]);
            one(Code::Shape, "") && argument("found") == Some(&length(0)) && argument("wanted") == Some(&length(1))
        }
        "root_kind" => one(Code::Kind, "a tuple"),
        other => panic!("{other}"),
    }
}

#[test]
fn real_files() {
    let manifest = files::json(&sample("real_manifest.json"));
    for (name, entry) in manifest.as_object().unwrap() {
        let params = whole(&format!("real/{name}"));
        let keys: Vec<String> =
            params.children(0).iter().map(|&child| params.key(child).unwrap().to_string()).collect();
        assert_eq!(json!(keys), entry["root_keys"], "{name}");
        let mut leaves = Vec::new();
        list(&params, Params::ROOT, "", &mut leaves);
        assert_eq!(json!(leaves), entry["leaves"], "{name}");
        let layout = good(|faults| Layout::of(&params, 0, faults));
        assert_eq!(json!(layout.count()), entry["flatlength"], "{name}");
        let flat = good(|faults| layout.flatten_as(DType::F32, &params, 0, faults));
        let sum = sha2::Sha256::digest(flat.packed_bytes().unwrap());
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(json!(sum), entry["flat_f32_sha256"], "{name}");
        let own = good(|faults| layout.flatten(&params, 0, faults));
        assert!(alike(&json!(doubles(&own)[..5]), &entry["flat_head"]), "{name}");
    }
    assert_eq!(manifest.as_object().unwrap().len(), 6);
}

fn list(params: &Params, node: NodeId, path: &str, into: &mut Vec<Json>) {
    for &child in params.children(node) {
        let path = format!("{path}/{}", params.key(child).unwrap());
        match params.kind(child).unwrap() {
            Kind::Structured => {
                let shown = structured(params, child);
                let storage = &shown["storage"];
                into.push(json!([path, shown["type"], shown["metadata"], storage["size"], storage["eltype"]]));
            }
            Kind::Tensor => {
                let tensor = params.tensor(child).unwrap();
                into.push(json!([path, "array", size(tensor), eltype(tensor.dtype())]));
            }
            Kind::Scalar => {
                let number = params.numbers(child).unwrap();
                into.push(json!([path, "scalar", null, eltype(number.dtype())]));
            }
            _ => list(params, child, &path, into),
        }
    }
}

#[test]
fn unregistered_types_are_kept_on_demand_or_with_a_prototype() {
    let keep = ImportOptions { keep_unknown_types: true, ..ImportOptions::default() };
    let (kept, faults) = read(&sample("nnp_unregistered.h5"), keep);
    let kept = kept.unwrap_or_else(|| panic!("{}", faults.text()));
    assert_eq!((numbers(&kept, "/L1/Q"), kept.whole(at(&kept, "/L1/Q/metadata/n"))), (vec![1., 2., 3.], Some(2)));
    let mut prototype = kept.clone();
    prototype.set(at(&prototype, "/L1/Q/storage"), array(&[3], &[0.; 3])).unwrap();
    let (loaded, _) = read(&sample("nnp_unregistered.h5"), against(&prototype));
    same(&loaded.unwrap(), &kept);
    prototype.set(at(&prototype, "/L1/Q/storage"), array(&[4], &[0.; 4])).unwrap();
    let (refused, faults) = read(&sample("nnp_unregistered.h5"), against(&prototype));
    assert!(refused.is_none() && faults.iter().any(|fault| fault.code == Code::Shape));
    let keep = ImportOptions { keep_unknown_types: true, ..ImportOptions::default() };
    let (kept, _) = read(&sample("bad_gml_unregistered.h5"), keep);
    let kept = kept.unwrap();
    assert_eq!((numbers(&kept, "/L1"), kept.type_name(at(&kept, "/L1"))), (vec![1.], Some(&text("HouseholderMatrix"))));
}

#[test]
fn a_prototype_brings_the_order_back() {
    let mut prototype = Params::new(Kind::Parameters);
    for key in ["PQ", "PK", "PV"] {
        add(&mut prototype, 0, key, array(&[1], &[0.]));
    }
    let (loose, faults) = read(&sample("ann_lost_order.h5"), ImportOptions::default());
    assert_eq!(
        faults.iter().map(|fault| (fault.code, fault.severity)).collect::<Vec<_>>(),
        [(Code::KeyOrder, Severity::Warning)]
    );
    assert_eq!(loose.unwrap().key(1), Some(&text("PK")));
    let (ordered, faults) = read(&sample("ann_lost_order.h5"), against(&prototype));
    let ordered = ordered.unwrap();
    assert!(faults.is_empty(), "{}", faults.text());
    assert_eq!(["/PQ", "/PK", "/PV"].map(|path| numbers(&ordered, path)[0]), [1., 2., 3.]);
    assert_eq!(ordered.key(ordered.children(0)[0]), Some(&text("PQ")));
}

#[test]
fn order_is_warned_of_where_it_may_be_lost_and_nowhere_else() {
    let warned = |name: &str| {
        let (_, faults) = read(&sample(name), doubles_known());
        faults
            .iter()
            .filter(|fault| fault.code == Code::KeyOrder)
            .map(|fault| fault.path.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(warned("ann_plain.h5"), [""; 0]);
    assert_eq!(warned("ann_mixed_names.h5"), ["/"]);
    assert_eq!(warned("ann_two_prefixes.h5"), ["/"]);
    assert_eq!(warned("nnp_key_order.h5"), [""; 0]);
    assert_eq!(warned("gml_all_types.h5"), ["/L1", "/L2"]);
    let (_, faults) = read(&sample("odd_extra_member.h5"), doubles_known());
    assert!(faults.iter().any(|fault| fault.code == Code::Unexpected && fault.path == *"zzz"));
}

#[test]
fn a_group_of_a_file_is_a_set() {
    let options = ImportOptions { key: Some("/L2"), ..ImportOptions::default() };
    let (layer, _) = read(&sample("nnp_basic.h5"), options);
    let layer = layer.unwrap();
    assert_eq!((layer.kind(0), numbers(&layer, "/W")), (Some(Kind::Parameters), vec![4.]));
    for key in ["/L9", "/L1/W"] {
        let (none, faults) =
            read(&sample("nnp_basic.h5"), ImportOptions { key: Some(key), ..ImportOptions::default() });
        assert!(none.is_none() && faults.iter().all(|fault| fault.code == Code::NoPath), "{}", faults.text());
    }
}

#[test]
fn the_listing_has_what_can_be_read_alone() {
    let mut faults = Faults::default();
    let source = Source::path(&sample("nnp_go_family.h5"), &Limits::default(), &mut faults).unwrap();
    let import = Import::open(&source, ImportOptions::default(), &mut faults).unwrap();
    assert_eq!(import.format(), "julia");
    let entries: Vec<(String, String, Vec<usize>)> = import
        .entries()
        .iter()
        .map(|entry| (entry.path.to_string(), entry.place.to_string(), entry.shape.clone()))
        .collect();
    assert_eq!(entries.len(), 10);
    assert_eq!(entries[0], ("L1.stiefel.storage".into(), "/L1/stiefel/storage".into(), vec![3, 6]));
    assert_eq!(entries[7].0, "L1.stiefhor.storage.1");
    let tensor = import.tensor(9, &mut faults).unwrap();
    assert_eq!((entries[9].0.as_str(), doubles(&tensor)), ("L1.plain", vec![1., 3., 2., 4.]));
    let outline = import.outline(&mut faults).unwrap().unwrap();
    assert_eq!(outline.kind(at(&outline, "/L1/plain")), Some(Kind::NotLoaded));
}
