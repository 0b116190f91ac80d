//! The corpus as a list that every language reads in a few lines: a line a file, its fields between tabs; numbers lie beside it as
//! plain bytes.

use crate::support::{
    answers,
    case::Case,
    files::{fixtures, numbered, tensors, within},
};
use pontil::tensor::Tensor;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// One file and what is asked of it.
pub struct File {
    pub name: String,
    pub model: PathBuf,
    /// The network in words, as JSON.
    pub words: Option<PathBuf>,
    pub strip_prefix: String,
    pub key: String,
    pub fold: bool,
    pub example: Vec<usize>,
    /// `listing`, `network`, `tree` (the listing and the tree) or `set` (the tree and its flat vector).
    pub wants: &'static str,
    pub inputs: Vec<(PathBuf, Tensor)>,
    pub outputs: Vec<(PathBuf, Tensor)>,
    pub most: f64,
}

fn list(lengths: &[usize]) -> String {
    lengths.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

impl File {
    fn new(name: String, model: PathBuf, wants: &'static str) -> File {
        File {
            name,
            model,
            words: None,
            strip_prefix: String::new(),
            key: String::new(),
            fold: false,
            example: vec![],
            wants,
            inputs: vec![],
            outputs: vec![],
            most: 0.0,
        }
    }

    /// Its line: name, model, words, prefix, key, fold, example, wants, inputs `file:dtype:shape;…`, outputs `file:shape;…`, most.
    pub fn line(&self) -> String {
        let input = |(path, tensor): &(PathBuf, Tensor)| {
            format!("{}:{}:{}", path.display(), tensor.dtype() as i32, list(tensor.shape()))
        };
        let output = |(path, tensor): &(PathBuf, Tensor)| format!("{}:{}", path.display(), list(tensor.shape()));
        let fields = [
            self.name.clone(),
            self.model.display().to_string(),
            self.words.as_ref().map_or(String::new(), |path| path.display().to_string()),
            self.strip_prefix.clone(),
            self.key.clone(),
            if self.fold { "1".into() } else { "0".into() },
            list(&self.example),
            self.wants.to_owned(),
            self.inputs.iter().map(input).collect::<Vec<_>>().join(";"),
            self.outputs.iter().map(output).collect::<Vec<_>>().join(";"),
            format!("{:e}", self.most),
        ];
        fields.join("\t") + "\n"
    }
}

fn written(tensors: Vec<Tensor>, name: &str, folder: &Path, as_doubles: bool) -> Vec<(PathBuf, Tensor)> {
    let one = |(at, tensor): (usize, Tensor)| {
        let path = folder.join(format!("{name}.{at}.bin"));
        let bytes = if as_doubles {
            answers::doubles(&tensor).iter().flat_map(|number| number.to_le_bytes()).collect()
        } else {
            tensor.packed_bytes().unwrap().to_vec()
        };
        fs::write(&path, bytes).unwrap();
        (path, tensor)
    };
    tensors.into_iter().enumerate().map(one).collect()
}

/// The files of one case of `fixtures/cases`.
fn of_case(case: &Case, folder: &Path) -> Vec<File> {
    let json = &case.json;
    let text = |key: &str| json["options"][key].as_str().unwrap_or_default().to_owned();
    let words = (json["network"].is_object() && json["network"]["said_by_the_file"] != true).then(|| {
        let path = folder.join(format!("{}.json", case.name()));
        fs::write(&path, json["network"].to_string()).unwrap();
        path
    });
    let answers = json["expect"]["outputs"]["max_abs"].as_f64();
    let lengths = |value: &Value| value.as_u64().map(|length| length as usize);
    let example = json["inputs"][0]["shape"].as_array().and_then(|shape| shape.iter().skip(1).map(lengths).collect());
    let mut files = Vec::new();
    for model in case.models("") {
        let name = format!("{}/{}", case.name(), model.file_name().unwrap().to_str().unwrap());
        let asked = words.is_some() || case.says_itself();
        let mut file = File::new(name, model, if asked { "network" } else { "listing" });
        file.words = words.clone();
        (file.strip_prefix, file.key) = (text("strip_prefix"), text("key"));
        file.fold = case.folds();
        file.example = example.clone().unwrap_or_default();
        if let Some(most) = answers {
            let io = tensors(&case.folder.join("io.safetensors"));
            let stem = format!("{}-{}", case.name(), files.len());
            file.inputs = written(numbered(&io, "input"), &format!("{stem}-in"), folder, false);
            file.outputs = written(numbered(&io, "output_f64"), &format!("{stem}-out"), folder, true);
            file.most = most;
        }
        files.push(file);
    }
    files
}

/// Folders of files without a case of their own, and what is asked of each.
const FOLDERS: [(&str, &str); 6] = [
    ("safetensors", "listing"),
    ("pt", "listing"),
    ("julia", "set"),
    ("jaxon", "tree"),
    ("mocha/caffe", "listing"),
    ("mocha/files", "listing"),
];

/// All files; what is made for them lies in a folder.
pub fn files(folder: &Path) -> Vec<File> {
    let mut files = Vec::new();
    for case in within(&fixtures("cases"), "").iter().map(|folder| Case::of(folder)) {
        // Links are laid for single tests only.
        if case.json.get("links").is_none() {
            files.extend(of_case(&case, folder));
        }
    }
    for (of, wants) in FOLDERS {
        let mut paths: Vec<PathBuf> = fs::read_dir(fixtures(of)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| {
            path.is_file()
                && !path.extension().is_some_and(|end| ["json", "md", "txt"].iter().any(|other| end == *other))
        });
        paths.sort();
        for path in paths {
            let name = format!("{of}/{}", path.file_name().unwrap().to_str().unwrap());
            files.push(File::new(name, path, wants));
        }
    }
    files
}
