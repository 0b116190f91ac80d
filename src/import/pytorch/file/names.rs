//! The names a PyTorch file may use, and what each means here: those PyTorch's own reader of weights allows, and those of
//! NumPy's values and of `defaultdict`. None of them is ever looked up in any world: a name is a row of these tables.

use crate::{
    formats::pickle::{Rule, World},
    tensor::DType,
};

/// The names of a PyTorch file.
pub(super) struct Names;

impl World for Names {
    fn rule(&self, name: &str) -> Result<Rule, Option<String>> {
        if storage(name).is_some() || element(name).is_some() || CONSTANTS.contains(&name) {
            return Ok(Rule::CONSTANT);
        }
        if MAPPINGS.contains(&name) {
            return Ok(Rule::MAPPING);
        }
        if FUNCTIONS.contains(&name) || UNREAD.iter().any(|(function, _)| *function == name) {
            return Ok(Rule::FUNCTION);
        }
        if OBJECTS.contains(&name) {
            return Ok(Rule::OBJECT);
        }
        Err(advice(name))
    }
}

/// Dictionaries with a name.
pub(super) const MAPPINGS: &[&str] = &["collections.OrderedDict", "collections.Counter", "collections.defaultdict"];

/// Functions whose value is known; `rebuild` and `tree` say which.
const FUNCTIONS: &[&str] = &[
    "torch._utils._rebuild_tensor",
    "torch._utils._rebuild_tensor_v2",
    "torch._utils._rebuild_tensor_v3",
    "torch._utils._rebuild_parameter",
    "torch._utils._rebuild_parameter_with_state",
    "torch._utils._rebuild_device_tensor_from_cpu_tensor",
    "torch._tensor._rebuild_from_type_v2",
    "torch.Size",
    "torch.device",
    "torch.serialization._get_layout",
    "_codecs.encode",
    "builtins.bytearray",
    "builtins.bytes",
    "__builtin__.bytes",
    "__builtin__.bytearray",
    "builtins.complex",
    "__builtin__.complex",
    "builtins.set",
    "__builtin__.set",
    "numpy.core.multiarray.scalar",
    "numpy._core.multiarray.scalar",
];

/// Functions that make a tensor that is not read, with what it is and what helps.
pub(super) const UNREAD: &[(&str, &str)] = &[
    ("torch._utils._rebuild_qtensor", "is quantised; save tensor.dequantize() in its place"),
    ("torch._utils._rebuild_sparse_tensor", "is sparse; save tensor.to_dense() in its place"),
    ("torch._utils._rebuild_nested_tensor", "is nested; save its parts one by one"),
    ("torch._utils._rebuild_meta_tensor_no_storage", "is on the device 'meta' and has no numbers"),
    ("torch._utils._rebuild_wrapper_subclass", "is of a class of its own; save plain tensors"),
    ("torch._utils._rebuild_device_tensor_from_numpy", "is of another device; save tensor.cpu() in its place"),
];

/// What is handed a state after it is made.
const OBJECTS: &[&str] = &["numpy.dtype", "numpy.core.multiarray._reconstruct", "numpy._core.multiarray._reconstruct"];

/// What stands for itself, besides element types and kinds of storages.
const CONSTANTS: &[&str] = &[
    "torch.Tensor",
    "torch.nn.parameter.Parameter",
    "torch.nn.parameter.Buffer",
    "torch.per_tensor_affine",
    "torch.per_tensor_symmetric",
    "torch.per_channel_affine",
    "torch.per_channel_symmetric",
    "torch.per_channel_affine_float_qparams",
    "numpy.ndarray",
    "builtins.dict",
    "builtins.float",
    "builtins.int",
    "builtins.list",
    "builtins.str",
    "__builtin__.dict",
    "__builtin__.float",
    "__builtin__.int",
    "__builtin__.list",
    "__builtin__.str",
];

/// Modules no file of numbers has to do with: no advice is given on what they name.
const DANGEROUS: &[&str] = &[
    "__builtin__",
    "builtins",
    "os",
    "posix",
    "nt",
    "sys",
    "subprocess",
    "importlib",
    "runpy",
    "shutil",
    "socket",
    "pty",
    "ctypes",
    "pickle",
    "_pickle",
    "operator",
    "_operator",
    "commands",
    "System",
];

/// What may be done about a name that is refused.
fn advice(name: &str) -> Option<String> {
    let root = name.split('.').next().unwrap_or_default();
    if DANGEROUS.contains(&root) {
        return None;
    }
    if name.starts_with("torch.nn.") || name.starts_with("torch.fx.") {
        return Some(
            "The file holds a whole model: save its state alone, in Python: \
             torch.save(torch.load(\"model.pt\", weights_only=False).state_dict(), \"state.pt\") (of a checkpoint that holds \
             the model, of the part that is the model)"
                .into(),
        );
    }
    if name.starts_with("torch.distributed.") {
        return Some(
            "The numbers are spread over several machines: gather them with get_model_state_dict(model, \
             options=StateDictOptions(full_state_dict=True, cpu_offload=True)) of torch.distributed.checkpoint.state_dict, and \
             save those"
                .into(),
        );
    }
    Some(
        "Save without it what holds the numbers, in Python, of a checkpoint: \
         torch.save(torch.load(\"model.pt\", weights_only=False)[\"state_dict\"], \"state.pt\"); of a whole model: \
         torch.save(torch.load(\"model.pt\", weights_only=False).state_dict(), \"state.pt\")"
            .into(),
    )
}

/// What the numbers of a kind of storage are; the inner none for kinds whose numbers are not read.
pub(super) fn storage(name: &str) -> Option<Option<DType>> {
    if matches!(name, "torch.storage.UntypedStorage" | "torch.UntypedStorage" | "torch.cuda.UntypedStorage") {
        return Some(Some(DType::U8));
    }
    let kind = name.strip_prefix("torch.cuda.").or_else(|| name.strip_prefix("torch."))?.strip_suffix("Storage")?;
    Some(match kind {
        "Float" => Some(DType::F32),
        "Double" => Some(DType::F64),
        "Half" => Some(DType::F16),
        "BFloat16" => Some(DType::BF16),
        "Long" => Some(DType::I64),
        "Int" => Some(DType::I32),
        "Short" => Some(DType::I16),
        "Char" => Some(DType::I8),
        "Byte" => Some(DType::U8),
        "Bool" => Some(DType::Bool),
        "ComplexFloat" => Some(DType::C64),
        "ComplexDouble" => Some(DType::C128),
        "QInt8" | "QInt32" | "QUInt8" | "QUInt4x2" | "QUInt2x4" => None,
        _ => return None,
    })
}

/// What an element type of PyTorch is here; the inner none for types whose numbers are not read.
pub(super) fn element(name: &str) -> Option<Option<DType>> {
    Some(match name.strip_prefix("torch.")? {
        "float32" => Some(DType::F32),
        "float64" => Some(DType::F64),
        "float16" => Some(DType::F16),
        "bfloat16" => Some(DType::BF16),
        "int8" => Some(DType::I8),
        "int16" => Some(DType::I16),
        "int32" => Some(DType::I32),
        "int64" => Some(DType::I64),
        "uint8" => Some(DType::U8),
        "uint16" => Some(DType::U16),
        "uint32" => Some(DType::U32),
        "uint64" => Some(DType::U64),
        "bool" => Some(DType::Bool),
        "complex64" => Some(DType::C64),
        "complex128" => Some(DType::C128),
        "float8_e4m3fn" => Some(DType::F8E4M3),
        "float8_e5m2" => Some(DType::F8E5M2),
        "float8_e8m0fnu" => Some(DType::F8E8M0),
        "float8_e4m3fnuz" => Some(DType::F8E4M3Fnuz),
        "float8_e5m2fnuz" => Some(DType::F8E5M2Fnuz),
        "complex32" | "bcomplex32" | "float4_e2m1fn_x2" | "qint8" | "qint32" | "quint8" | "quint4x2" | "quint2x4"
        | "bits8" | "bits16" | "bits1x8" | "bits2x4" | "bits4x2" => None,
        other => {
            let bits = other.strip_prefix("uint").or_else(|| other.strip_prefix("int"))?;
            matches!(bits, "1" | "2" | "3" | "4" | "5" | "6" | "7").then_some(None)?
        }
    })
}

/// What may be saved in the place of a tensor whose element type is not read.
pub(super) fn plainer(name: &str) -> &'static str {
    if name.contains("complex") {
        "save tensor.to(torch.complex64) in its place"
    } else if name.starts_with("torch.q") {
        "save tensor.dequantize() in its place"
    } else if name == "torch.bits16" {
        "save tensor.view(torch.int16) in its place"
    } else {
        "save tensor.view(torch.uint8) in its place"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_rule() {
        for (name, rule) in [
            ("torch.FloatStorage", Rule::CONSTANT),
            ("torch.storage.UntypedStorage", Rule::CONSTANT),
            ("torch.float8_e4m3fn", Rule::CONSTANT),
            ("torch.uint7", Rule::CONSTANT),
            ("collections.OrderedDict", Rule::MAPPING),
            ("torch._utils._rebuild_tensor_v2", Rule::FUNCTION),
            ("torch._utils._rebuild_qtensor", Rule::FUNCTION),
            ("numpy.dtype", Rule::OBJECT),
        ] {
            assert_eq!(Names.rule(name), Ok(rule), "{name}");
        }
        for name in
            ["os.system", "builtins.eval", "builtins.getattr", "torch._utils.sys.modules", "torch.uint8x", "torch.load"]
        {
            assert!(Names.rule(name).is_err(), "{name}");
        }
        assert_eq!(Names.rule("posix.system"), Err(None));
        assert!(Names.rule("torch.nn.modules.linear.Linear").unwrap_err().unwrap().contains("state_dict()"));
    }
}
