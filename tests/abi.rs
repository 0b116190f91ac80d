//! What a binary that was built against the library relies on: symbols, layouts, names, needs and size.
//!
//! `PONTIL_WRITE_GOLDENS=1` writes `tests/abi/*.txt` anew instead of refusing a difference.
#![allow(clippy::print_stdout)]
#![cfg(target_os = "linux")]

mod c;

use c::header::{Function, Header, Parameter, text};
use std::{fs, mem::offset_of, process::Command};

fn golden(name: &str, now: &str) {
    let path = c::root().join("tests/abi").join(name);
    if std::env::var_os("PONTIL_WRITE_GOLDENS").is_some() {
        fs::write(&path, now).unwrap();
    }
    let before = fs::read_to_string(&path).unwrap_or_default();
    assert!(before == now, "tests/abi/{name} differs:\n{now}");
}

#[test]
fn symbols() {
    if !c::have("nm") {
        return;
    }
    let output = c::must(Command::new("nm").args(["-D", "--defined-only", "--format=posix"]).arg(c::library()));
    let all = String::from_utf8(output.stdout).unwrap();
    let mut names: Vec<&str> = all.lines().filter_map(|line| line.split(' ').next()).collect();
    names.sort_unstable();
    let mut declared: Vec<String> = Header::parse(&text()).functions.into_iter().map(|one| one.name).collect();
    declared.sort_unstable();
    assert_eq!(names, declared, "the library exports something else than the header declares");
    golden("symbols.txt", &(names.join("\n") + "\n"));
}

macro_rules! layouts {
    ($($module:ident::$name:ident { $($field:ident)* })*) => {
        /// Sizes and offsets as Rust has them.
        fn in_rust() -> String {
            let mut lines = String::new();
            $({
                type Type = pontil::capi::$module::$name;
                lines += &format!("{} {}\n", stringify!($name), size_of::<Type>());
                $(lines += &format!("{}.{} {}\n", stringify!($name), stringify!($field), offset_of!(Type, $field));)*
            })*
            lines
        }
    };
}

layouts! {
    text::pon_str { data len }
    allocator::pon_allocator { struct_size reserved userdata allocate release }
    context::pon_context_options {
        struct_size threads log_level reserved log log_userdata log_drop parallel parallel_userdata max_file_bytes
        max_tensor_bytes max_header_bytes max_depth max_entries max_faults max_session_bytes
    }
    faults::pon_fault { struct_size code severity reserved name message path place arguments_json offset }
    view::pon_view { data dtype ndim shape strides device_kind device_index flags reserved }
    value::pon_value { struct_size kind i re im text tensor step end descr shape ndim reserved }
    value::pon_node_info { struct_size kind parent children key key_node refers_to type_name }
    leaf_type::pon_leaf_type { struct_size reserved userdata drop check dense_shape dense gradient }
    layout::pon_segment { struct_size dtype node ndim first count shape path }
    network::pon_slot { struct_size role path layer dtype view }
    port::pon_port { struct_size dtype name ndim reserved shape }
    source::pon_reader { struct_size reserved userdata drop size read neighbour }
    dataset_options::pon_transform { top kind reserved scale mean }
    dataset_options::pon_dataset_options {
        struct_size batch tops tops_count transforms_count transforms folder shuffle ahead chunk seed bits bits_userdata
    }
    dataset::pon_top { struct_size dtype name shape ndim reserved }
    import_options::pon_flattened { path shape ndim reserved }
    import_options::pon_import_options {
        struct_size layout format loss strip_prefix key network example example_ndim flattened_count flattened progress
        progress_userdata cancel fold_weight_norm unknown_types prototype pytree lift_loss stack
    }
    pytree::pon_slot_source { path slot }
    pytree::pon_pytree_options {
        struct_size prefixes_count prefixes filter filter_userdata unmarshal unmarshal_userdata schema allow_missing_fields
        allow_unknown_fields allow_dill slots_count slots
    }
    import::pon_entry { struct_size dtype path place shape ndim reserved bytes offset }
    evaluation::pon_evaluation_options { struct_size dtype seed }
    evaluation::pon_blob { name view }
    evaluation::pon_figure { struct_size kind name value count }
    session::pon_session_options { struct_size device_kind device_index precision threads isa flags reserved max_batch }
    session::pon_session_stats { struct_size reserved workspace_bytes runs last_ns worst_ns allocations }
    save::pon_writer { struct_size reserved userdata write }
    save::pon_save_options { struct_size flags format notes_json progress progress_userdata cancel group into }
}

fn sorted(lines: &str) -> String {
    let mut lines: Vec<&str> = lines.lines().collect();
    lines.sort_unstable();
    lines.join("\n") + "\n"
}

#[test]
fn layouts() {
    let header = Header::parse(&text());
    let mut probe = String::from("#include <pontil.h>\n#include <stdio.h>\nint main(void) {\n");
    for (name, fields) in &header.structs {
        probe += &format!("printf(\"{name} %zu\\n\", sizeof({name}));\n");
        for field in fields {
            let field = &field.name;
            probe += &format!("printf(\"{name}.{field} %zu\\n\", offsetof({name}, {field}));\n");
        }
    }
    probe += "return 0; }\n";
    golden("layout.txt", &sorted(&in_rust()));
    golden(
        "constants.txt",
        &header.constants.iter().map(|(name, value)| format!("{name} {value}\n")).collect::<String>(),
    );
    if c::have("gcc") {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("probe.c");
        fs::write(&source, probe).unwrap();
        let output = c::must(&mut Command::new(c::compile(&source, &c::library(), folder.path())));
        assert_eq!(sorted(&String::from_utf8(output.stdout).unwrap()), sorted(&in_rust()), "C and Rust differ");
    }
}

#[test]
fn needs_libc_alone() {
    if !c::have("readelf") {
        return;
    }
    let output = c::must(Command::new("readelf").arg("-dW").arg(c::library()));
    let dynamic = String::from_utf8(output.stdout).unwrap();
    let named = |tag: &str| -> Vec<String> {
        let lines = dynamic.lines().filter(|line| line.contains(tag));
        lines.filter_map(|line| Some(line.split('[').nth(1)?.split(']').next()?.to_owned())).collect()
    };
    assert_eq!(named("(SONAME)"), [format!("libpontil.so.{}", pontil::capi::library::PON_ABI)]);
    for needed in named("(NEEDED)") {
        let family = ["libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0"].contains(&needed.as_str());
        assert!(family || needed.starts_with("ld-linux"), "the library needs {needed}");
    }
}

/// Looks at a release build if there is one.
#[test]
fn is_small() {
    // The aim is 4 MiB, and 5.7 are reached: readers and what they lower to take over half, kernels for each instruction set
    // and precision a fifth.
    const MOST: u64 = 6 << 20;
    let library = c::root().join("target/release/libpontil.so");
    if !library.is_file() || !c::have("strip") {
        return println!("skipped: no release build, or no strip");
    }
    let folder = tempfile::tempdir().unwrap();
    let stripped = folder.path().join("stripped.so");
    c::must(Command::new("strip").arg("-o").arg(&stripped).arg(library));
    let size = fs::metadata(&stripped).unwrap().len();
    assert!(size <= MOST, "{size} bytes stripped");
}

/// An argument that is good enough for a call with a NULL elsewhere.
fn good(function: &Function, parameter: &Parameter) -> String {
    let kind = parameter.kind.replace("struct ", "");
    let stars = kind.matches('*').count();
    let bare = kind.replace("const", "").replace('*', "").trim().to_owned();
    let handles = [
        "context",
        "faults",
        "cancel",
        "params",
        "layout",
        "description",
        "network",
        "bytes",
        "source",
        "import",
        "session",
        "dataset",
        "evaluation",
    ];
    if stars == 0 {
        return match parameter.name.as_str() {
            name if name.ends_with("_len") => "PON_NUL".into(),
            "dtype" | "to" | "direction" | "kind" | "ndim" | "count" | "size" | "capacity" => "1".into(),
            name if name.ends_with("_count") => "1".into(),
            _ if bare.ends_with("_fn") => "NULL".into(),
            _ => "0".into(),
        };
    }
    if stars == 2 {
        return "(void *)&scratch".into();
    }
    if bare == "pon_tensor" {
        return "all.weight".into();
    }
    if let Some(handle) = handles.iter().find(|handle| bare == format!("pon_{handle}")) {
        return format!("all.{handle}");
    }
    match bare.as_str() {
        "char" if kind.contains("const") => "\"0\"".into(),
        "pon_view" if kind.contains("const") && function.name.ends_with("run_with") => format!("&{}", parameter.name),
        "pon_view" if kind.contains("const") => "&outputs".into(),
        _ => "(void *)&scratch".into(),
    }
}

#[test]
fn null_for_every_pointer() {
    if !c::have("gcc") {
        return;
    }
    let mut calls = String::new();
    for function in &Header::parse(&text()).functions {
        let nullable = function.nullable();
        for (place, parameter) in function.parameters.iter().enumerate() {
            if !parameter.kind.contains('*') && !parameter.kind.contains("_fn") {
                continue;
            }
            let arguments: Vec<String> = (function.parameters.iter().enumerate())
                .map(|(at, other)| if at == place { "NULL".into() } else { good(function, other) })
                .collect();
            let call = format!("{}({})", function.name, arguments.join(", "));
            let may = nullable.contains(&parameter.name) || function.answer != "pon_status";
            let test = if may { format!("{call}; exit(0)") } else { format!("exit({call} == PON_E_NULL ? 0 : 1)") };
            let name = format!("{} with {} NULL", function.name, parameter.name);
            calls += &format!("  if (fork_and_wait()) {{ {test}; }} else check(\"{name}\");\n");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("nulls.c");
    fs::write(&source, fs::read_to_string(c::root().join("tests/c/nulls.c.in")).unwrap().replace("@CALLS@", &calls))
        .unwrap();
    let mut program = Command::new(c::compile(&source, &c::library(), folder.path()));
    let output = c::must(program.current_dir(folder.path()));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
}
