//! Sets put into files of others: all that such a file holds stays as it was, links of every kind, references, named types,
//! compressed data and data that can grow among it. h5dump says so where it is there.

#![allow(clippy::print_stdout)]

use crate::{
    files,
    files_in::whole,
    files_out::back,
    mutations::changed,
    random::Random,
    sets::{example, good, refused, same},
};
use cpu_time::ThreadTime;
use pontil::{
    capi::allocator::peak,
    faults::{Code, Faults, Refused},
    limits::Limits,
    params::Params,
    progress::Progress,
    save::{self, Target},
    source::Source,
    tensor::Storage,
};
use std::{fs, path::Path, process::Command, time::Duration};

const STORES: [&str; 4] = ["store_old.h5", "store_new.h5", "store_tracked.h5", "store_block.h5"];

fn put(from: &Path, to: &Path, sets: &[(&str, &Params)], faults: &mut Faults) -> Result<(), Refused> {
    let source = Source::path(from, &Limits::default(), faults)?;
    save::julia_into(&source, sets, Target::Path(to), &Limits::default(), &Progress::default(), faults)
}

/// What h5dump says of an object.
fn dump(file: &Path, object: &[&str]) -> String {
    let mut command = Command::new("h5dump");
    command.args(object).arg(file.file_name().unwrap()).current_dir(file.parent().unwrap());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{object:?}: {said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

#[test]
fn all_else_stays_as_it_was() {
    const OBJECTS: [&[&str]; 9] = [
        &["-g", "/runs/first"],
        &["-p", "-d", "/runs/first/data"],
        &["-t", "/type"],
        &["-d", "/records"],
        &["-d", "/refs"],
        &["-d", "/region"],
        &["-d", "/ragged"],
        &["-a", "/runs/note"],
        &["-g", "/many"],
    ];
    let h5dump = Command::new("h5dump").arg("--version").output().is_ok();
    if !h5dump {
        println!("skipped: h5dump is not installed");
    }
    let folder = tempfile::tempdir().unwrap();
    for name in STORES {
        let (before, after) = (folder.path().join("before").join(name), folder.path().join("after").join(name));
        for path in [&before, &after] {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
        }
        fs::copy(files::fixtures("julia/store").join(name), &before).unwrap();
        let set = example();
        let sets = [("/runs/second", &set), ("/", &set), ("/new/deep", &set), ("/runs/third/a", &set)];
        good(|faults| put(&before, &after, &sets, faults));
        // And once more into what was written.
        good(|faults| put(&after, &after, &[("/runs/fourth", &set), ("/new/other", &set), ("/many/m", &set)], faults));
        let bytes = fs::read(&after).unwrap();
        for group in ["/runs/second", "/new/deep", "/runs/third/a", "/runs/fourth", "/new/other", "/many/m"] {
            same(&back(&bytes, Some(group)), &set);
        }
        same(&back(&bytes, None), &set);
        for object in OBJECTS.iter().filter(|_| h5dump) {
            let many = object == &["-g", "/many"];
            let (old, new) = (dump(&before, object), dump(&after, object));
            assert!(old == new || many && new > old, "{name} {object:?}");
        }
    }
}

#[test]
fn what_takes_no_more_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("out.h5");
    for (name, group, code) in [
        ("store_new.h5", "/many", Code::Unsupported),
        ("store_old.h5", "/runs/first/soft/x", Code::Unsupported),
        ("store_old.h5", "/runs/first/outside", Code::Hostile),
        ("store_old.h5", "/runs/first/data/x", Code::KeyTwice),
        ("store_old.h5", "/type", Code::KeyTwice),
    ] {
        let from = files::fixtures("julia/store").join(name);
        let faults = refused(|faults| put(&from, &to, &[(group, &example())], faults));
        assert_eq!(faults[0].code, code, "{name} {group} {}", faults[0].message);
        assert!(!to.exists());
    }
}

#[test]
fn samples_stay_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("out.h5");
    for name in ["v0/gml_all_types.h5", "nnp_complex.h5", "real/transformer_rigid_body_nn_st.h5"] {
        good(|faults| put(&files::fixtures("julia").join(name), &to, &[("/added", &example())], faults));
        let bytes = fs::read(&to).unwrap();
        same(&back(&bytes, Some("/added")), &example());
        let before = whole(name);
        for &child in before.children(Params::ROOT) {
            let key = before.key(child).unwrap().to_string();
            if before.kind(child).unwrap().is_branch() && !key.contains('/') {
                let now = back(&bytes, Some(&key));
                assert_eq!(now.count(), before.subtree(child).unwrap().count(), "{name} {key}");
            }
        }
    }
}

/// A set goes into a changed file, or a fault says why not; what was made is a file that holds it.
#[test]
fn changed_stores_do_no_harm() {
    let (set, mut random, mut made) = (example(), Random(5), 0);
    for name in STORES {
        let sound = fs::read(files::fixtures("julia/store").join(name)).unwrap();
        for run in 0..300 {
            let bytes = changed(&sound, &mut random);
            let source = Source::memory(Storage::copied(&bytes).unwrap());
            let (mut out, mut faults, start) = (Vec::new(), Faults::default(), ThreadTime::now());
            let sets = [("/runs/second", &set), ("/", &set)];
            let (limits, progress) = (Limits::default(), Progress::default());
            let (done, held) =
                peak(|| save::julia_into(&source, &sets, Target::Bytes(&mut out), &limits, &progress, &mut faults));
            assert!(held <= bytes.len() as u64 + (16 << 20), "{name} {run}: {held} bytes");
            assert!(start.elapsed() < Duration::from_secs(2), "{name} {run}");
            assert_eq!((done.is_err(), out.is_empty()), (!faults.is_empty(), done.is_err()), "{name} {run}");
            if done.is_ok() {
                same(&back(&out, None), &set);
                made += 1;
            }
        }
    }
    assert!((100..1200).contains(&made), "{made}");
}
