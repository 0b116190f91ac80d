# Generated from include/pontil.h by `PONTIL_WRITE_GOLDENS=1 cargo test --test bindings`; do not edit.

"As a length of text: up to the NUL."
const PON_NUL = typemax(Csize_t)

"Number of the interface; changes only when something that was there changes its meaning or goes."
const PON_ABI = Int32(1)

"Version of the header: major << 16 | minor << 8 | patch."
const PON_HEADER = Int32(256)

"No log."
const PON_LOG_SILENT = Int32(0)

"Defects of the library."
const PON_LOG_ERROR = Int32(1)

"A fault that refused the call."
const PON_SEVERITY_ERROR = Int32(1)

"A fault that did not; the call went on."
const PON_SEVERITY_WARNING = Int32(2)

"The offset of a fault that has none."
const PON_NO_OFFSET = 0xffffffffffffffff

"Memory of the machine itself."
const PON_DEVICE_CPU = Int32(0)

"In `flags`: the numbers must not be written."
const PON_VIEW_READ_ONLY = Int32(1)

"Most axes of a view."
const PON_MAX_AXES = Int32(32)

"No node."
const PON_NO_NODE = UInt32(4294967295)

"Axes as the set has them: slowest first."
const PON_ORDER_ROWS = Int32(0)

"Axes in the opposite order, for hosts whose own order is column-major: the same memory, the steps reversed too."
const PON_ORDER_COLUMNS = Int32(1)

"A walk goes to whole leaves: a structured one is one leaf."
const PON_WALK_LEAVES = Int32(0)

"A walk goes to the arrays and numbers that the storage of structured leaves is made of."
const PON_WALK_STORAGE = Int32(1)

"As `ndim` of an input: its shape is not known."
const PON_SHAPE_UNKNOWN = Int32(-1)

"What goes into a network."
const PON_INPUT = Int32(1)

"What comes out of it."
const PON_OUTPUT = Int32(2)

"A slot whose numbers are trained."
const PON_ROLE_PARAMETER = Int32(1)

"A slot whose numbers training moves by the forward pass."
const PON_ROLE_STATISTIC = Int32(2)

"Examples in the order of the files."
const PON_SHUFFLE_NONE = Int32(0)

"Examples in an order that is drawn from `seed`, the same on every machine."
const PON_SHUFFLE_SEED = Int32(1)

"Examples in an order that is drawn from `bits`."
const PON_SHUFFLE_BITS = Int32(2)

"Numbers of a top are multiplied by `scale`."
const PON_TRANSFORM_SCALE = Int32(0)

"The dataset `mean` of an HDF5 file is taken from each example."
const PON_TRANSFORM_SUB_MEAN = Int32(1)

"An unmarshaler does not know the hint."
const PON_UNMARSHAL_UNKNOWN = Int32(0)

"The object stays what it is."
const PON_UNMARSHAL_KEEP = Int32(1)

"What was put into `made` takes the place of the object."
const PON_UNMARSHAL_REPLACE = Int32(2)

"Ports of a network in `[batch, window axes, channels]`."
const PON_LAYOUT_CHANNELS_LAST = Int32(0)

"Ports of a network in `[batch, channels, window axes]`."
const PON_LAYOUT_CHANNELS_FIRST = Int32(1)

"Ports of a network in the order of the framework it comes from."
const PON_LAYOUT_AS_FILE = Int32(2)

"A structured leaf of a type that nobody registered is a fault."
const PON_TYPES_REFUSE = Int32(0)

"A structured leaf of a type that nobody registered is kept as it is: it can be flattened and saved."
const PON_TYPES_KEEP = Int32(1)

"A loss of the last run."
const PON_FIGURE_LOSS = Int32(0)

"A mean over all runs since the last reset."
const PON_FIGURE_STATISTIC = Int32(1)

"Sums of `float`, in one fixed order."
const PON_PRECISION_STANDARD = Int32(0)

"Sums of `double`, rounded once to `float`; slower."
const PON_PRECISION_EXACT = Int32(1)

"The best instruction set that the processor has; AVX-512 is taken on request alone, for its kernels have never been run."
const PON_ISA_BEST = Int32(0)

"What every processor has."
const PON_ISA_PORTABLE = Int32(1)

"AVX2 and FMA of x86-64."
const PON_ISA_AVX2 = Int32(2)

"The foundation of AVX-512 of x86-64."
const PON_ISA_AVX512 = Int32(3)

"NEON of AArch64."
const PON_ISA_NEON = Int32(4)

"In `flags` of the options: each run is timed, which takes longer than a small network."
const PON_SESSION_TIMED = Int32(1)

"Done."
const PON_OK = Int32(0)

"A callback or a raised cancel flag ended the call."
const PON_STOPPED = Int32(1)

"A pointer that must not be NULL is."
const PON_E_NULL = Int32(100)

"A handle is of another kind, or was freed (seen where it can be)."
const PON_E_HANDLE = Int32(101)

"A value outside what the call takes."
const PON_E_VALUE = Int32(102)

"A `struct_size` this library does not know."
const PON_E_STRUCT_SIZE = Int32(103)

"The object is not in a state that allows the call."
const PON_E_STATE = Int32(104)

"A buffer of the caller is too small."
const PON_E_TOO_SMALL = Int32(105)

"The call comes too late, e.g."
const PON_E_TOO_LATE = Int32(106)

"Header and library do not fit."
const PON_E_ABI = Int32(107)

"Text that is not UTF-8, or holds a NUL."
const PON_E_TEXT = Int32(108)

"The object is shared and can not be changed."
const PON_E_SHARED = Int32(109)

"No such file."
const PON_E_NOT_FOUND = Int32(200)

"The system refused a read or a write."
const PON_E_IO = Int32(201)

"The source ends before its format does."
const PON_E_TRUNCATED = Int32(202)

"A limit of the context was met."
const PON_E_LIMIT = Int32(203)

"No format this library knows."
const PON_E_UNRECOGNISED = Int32(300)

"The format's own rules are broken."
const PON_E_MALFORMED = Int32(301)

"Sound, but not read by this library."
const PON_E_UNSUPPORTED = Int32(302)

"Refused as hostile by construction."
const PON_E_HOSTILE = Int32(303)

"One name twice."
const PON_E_DUPLICATE = Int32(304)

"Bytes that belong to nothing."
const PON_E_GAP = Int32(305)

"Bytes that belong to two things."
const PON_E_OVERLAP = Int32(306)

"Bytes after the end."
const PON_E_TRAILING = Int32(307)

"A product of sizes that no machine can hold."
const PON_E_OVERFLOW = Int32(308)

"Text that is not UTF-8."
const PON_E_ENCODING = Int32(309)

"An element type the format does not have."
const PON_E_DTYPE = Int32(310)

"A note (metadata) that does not fit."
const PON_E_METADATA = Int32(311)

"A thing the format demands is not there."
const PON_E_ABSENT = Int32(312)

"No node at this path."
const PON_E_NO_PATH = Int32(400)

"A key twice under one branch."
const PON_E_KEY_TWICE = Int32(401)

"A node of another kind than asked for."
const PON_E_KIND = Int32(402)

"Two element types where one is wanted."
const PON_E_ELTYPE = Int32(403)

"A shape, or a count of numbers, other than the one that is wanted."
const PON_E_SHAPE = Int32(404)

"A type of structured leaf that nobody registered, or another than the one that is wanted."
const PON_E_TYPE = Int32(405)

"A node that a prototype has and a set has not."
const PON_E_MISSING = Int32(406)

"A node that a set has and its prototype has not."
const PON_E_UNEXPECTED = Int32(407)

"Keys whose order a file may have lost."
const PON_E_KEY_ORDER = Int32(408)

"References that lead round in a circle."
const PON_E_CIRCLE = Int32(409)

"A layer word nobody knows."
const PON_E_WORD = Int32(500)

"An attribute that is missing, unknown, repeated or out of range."
const PON_E_ATTRIBUTE = Int32(501)

"A layer that does not take the shape reaching it."
const PON_E_LAYER_SHAPE = Int32(502)

"A slot nobody wrote."
const PON_E_SLOT_MISSING = Int32(503)

"A name that is no slot."
const PON_E_SLOT_UNKNOWN = Int32(504)

"A slot that would hold a NaN or an infinity."
const PON_E_SLOT_NONFINITE = Int32(505)

"A loss that does not fit the network."
const PON_E_LOSS = Int32(506)

"Layers that feed one another in a ring."
const PON_E_CYCLE = Int32(507)

"A slot written twice."
const PON_E_SLOT_TWICE = Int32(508)

"A slot written in another shape."
const PON_E_SLOT_SHAPE = Int32(509)

"A slot written in an element type it does not take."
const PON_E_SLOT_DTYPE = Int32(510)

"A slot whose axis order can not be told."
const PON_E_SLOT_LAYOUT = Int32(511)

"Every name stands behind a prefix that was not said."
const PON_E_SLOT_PREFIX = Int32(512)

"Text that is no JSON."
const PON_E_SYNTAX = Int32(513)

"A key that is unknown, repeated or missing in a description."
const PON_E_KEY = Int32(514)

"A connection to a layer that is not there, or a name taken twice."
const PON_E_CONNECTION = Int32(515)

"An input whose shape is not known."
const PON_E_INPUT = Int32(516)

"A port without a view."
const PON_E_NOT_BOUND = Int32(600)

"No such device."
const PON_E_NO_DEVICE = Int32(601)

"Memory that could not be had."
const PON_E_MEMORY = Int32(602)

"The device went away."
const PON_E_DEVICE_LOST = Int32(603)

"A defect of this library; nothing was changed."
const PON_E_INTERNAL = Int32(900)

"An earlier defect left the object unusable."
const PON_E_POISONED = Int32(901)

"No element type, or one this library does not know."
const PON_DTYPE_NONE = Int32(0)

"IEEE 754 single precision."
const PON_DTYPE_F32 = Int32(1)

"IEEE 754 double precision."
const PON_DTYPE_F64 = Int32(2)

"IEEE 754 half precision."
const PON_DTYPE_F16 = Int32(3)

"The upper half of a single."
const PON_DTYPE_BF16 = Int32(4)

"Signed whole number of 8 bits."
const PON_DTYPE_I8 = Int32(5)

"Signed whole number of 16 bits."
const PON_DTYPE_I16 = Int32(6)

"Signed whole number of 32 bits."
const PON_DTYPE_I32 = Int32(7)

"Signed whole number of 64 bits."
const PON_DTYPE_I64 = Int32(8)

"Whole number of 8 bits."
const PON_DTYPE_U8 = Int32(9)

"Whole number of 16 bits."
const PON_DTYPE_U16 = Int32(10)

"Whole number of 32 bits."
const PON_DTYPE_U32 = Int32(11)

"Whole number of 64 bits."
const PON_DTYPE_U64 = Int32(12)

"A byte that is 0 or 1."
const PON_DTYPE_BOOL = Int32(13)

"Two singles: real and imaginary part."
const PON_DTYPE_C64 = Int32(14)

"Two doubles: real and imaginary part."
const PON_DTYPE_C128 = Int32(15)

"8-bit float, 4 bits of exponent, finite."
const PON_DTYPE_F8_E4M3 = Int32(16)

"8-bit float, 5 bits of exponent."
const PON_DTYPE_F8_E5M2 = Int32(17)

"8 bits of exponent alone."
const PON_DTYPE_F8_E8M0 = Int32(18)

"8-bit float, 4 bits of exponent, no negative nought."
const PON_DTYPE_F8_E4M3FNUZ = Int32(19)

"8-bit float, 5 bits of exponent, no negative nought."
const PON_DTYPE_F8_E5M2FNUZ = Int32(20)

"4-bit float, two in a byte."
const PON_DTYPE_F4 = Int32(21)

"6-bit float, 2 bits of exponent, four in three bytes."
const PON_DTYPE_F6_E2M3 = Int32(22)

"6-bit float, 3 bits of exponent, four in three bytes."
const PON_DTYPE_F6_E3M2 = Int32(23)

"8-bit float, 3 bits of exponent."
const PON_DTYPE_F8_E3M4 = Int32(24)

"8-bit float, 4 bits of exponent, with infinities."
const PON_DTYPE_F8_E4M3_IEEE = Int32(25)

"8-bit float, 4 bits of exponent with the bias 11, no negative nought."
const PON_DTYPE_F8_E4M3B11FNUZ = Int32(26)

"4-bit float, one in a byte: its low bits."
const PON_DTYPE_F4_E2M1 = Int32(27)

"Signed whole number of 4 bits, one in a byte: its low bits."
const PON_DTYPE_I4 = Int32(28)

"Whole number of 4 bits, one in a byte."
const PON_DTYPE_U4 = Int32(29)

"Signed whole number of 2 bits, one in a byte: its low bits."
const PON_DTYPE_I2 = Int32(30)

"Whole number of 2 bits, one in a byte."
const PON_DTYPE_U2 = Int32(31)

"A branch of children by name."
const PON_KIND_NAMED = Int32(1)

"The same, kept as the root of a parameter set."
const PON_KIND_PARAMETERS = Int32(2)

"A branch of children by place."
const PON_KIND_LIST = Int32(3)

"A branch of children by place, of a fixed number."
const PON_KIND_TUPLE = Int32(4)

"A branch of children in no order that counts."
const PON_KIND_SET = Int32(5)

"The same, unchangeable in its own world."
const PON_KIND_FROZEN_SET = Int32(6)

"A branch of children by place, each with a key that is a tree."
const PON_KIND_MAP = Int32(7)

"A branch of the fields of a type with a name."
const PON_KIND_OBJECT = Int32(8)

"A leaf of several parts: children `storage` and maybe `metadata`, and a type with a name."
const PON_KIND_STRUCTURED = Int32(9)

"A leaf: an array, in `tensor`."
const PON_KIND_TENSOR = Int32(32)

"A leaf: a whole number, in `i`."
const PON_KIND_INT = Int32(33)

"A leaf: a whole number of more than 64 bits, its decimal digits in `text`."
const PON_KIND_BIG_INT = Int32(34)

"A leaf: a number, in `re`."
const PON_KIND_REAL = Int32(35)

"A leaf: a complex number, in `re` and `im`."
const PON_KIND_COMPLEX = Int32(36)

"A leaf: 0 or 1, in `i`."
const PON_KIND_BOOL = Int32(37)

"A leaf: text, in `text`."
const PON_KIND_TEXT = Int32(38)

"A leaf: bytes, in `text`."
const PON_KIND_BYTES = Int32(39)

"A leaf: nothing."
const PON_KIND_NONE = Int32(40)

"A leaf: Python's `...`."
const PON_KIND_ELLIPSIS = Int32(41)

"A leaf: a range of whole numbers, from `i` on, in steps of `step`, before `end`."
const PON_KIND_RANGE = Int32(42)

"A leaf: one number of an element type of its own, in `tensor`, which has no axes."
const PON_KIND_SCALAR = Int32(43)

"A leaf: elements of a type of its own; `descr` says which, `shape` and `ndim` how many, `text` has their bytes."
const PON_KIND_OPAQUE = Int32(45)

"A leaf that was left out on purpose."
const PON_KIND_NOT_LOADED = Int32(44)

"A leaf: the same object as the node in `i`."
const PON_KIND_REFERENCE = Int32(64)

"In a `pon_layer`: the input of this number, not a layer."
const PON_LAYER_INPUT = UInt32(2147483648)

"Text lent to the caller or by it."
struct pon_str
    data::Ptr{UInt8}
    len::Csize_t
end

"Where memory comes from."
struct pon_allocator
    struct_size::UInt32
    reserved::UInt32
    userdata::Ptr{Cvoid}
    allocate::Ptr{Cvoid}
    release::Ptr{Cvoid}
end

"Options of a context; noughts are defaults."
struct pon_context_options
    struct_size::UInt32
    threads::UInt32
    log_level::Int32
    reserved::UInt32
    log::Ptr{Cvoid}
    log_userdata::Ptr{Cvoid}
    log_drop::Ptr{Cvoid}
    parallel::Ptr{Cvoid}
    parallel_userdata::Ptr{Cvoid}
    max_file_bytes::UInt64
    max_tensor_bytes::UInt64
    max_header_bytes::UInt64
    max_depth::UInt64
    max_entries::UInt64
    max_faults::UInt64
    max_session_bytes::UInt64
end

"One fault; its texts live until the list is changed or freed."
struct pon_fault
    struct_size::UInt32
    code::Int32
    severity::Int32
    reserved::UInt32
    name::pon_str
    message::pon_str
    path::pon_str
    place::pon_str
    arguments_json::pon_str
    offset::UInt64
end

"A look at strided numbers."
struct pon_view
    data::Ptr{Cvoid}
    dtype::Int32
    ndim::Int32
    shape::Ptr{Int64}
    strides::Ptr{Int64}
    device_kind::Int32
    device_index::Int32
    flags::UInt64
    reserved::UInt64
end

"What a node is and where it hangs."
struct pon_node_info
    struct_size::UInt32
    kind::Int32
    parent::UInt32
    children::UInt32
    key::pon_str
    key_node::UInt32
    refers_to::UInt32
    type_name::pon_str
end

"The value of a leaf, in or out; `kind` says which field counts."
struct pon_value
    struct_size::UInt32
    kind::Int32
    i::Int64
    re::Float64
    im::Float64
    text::pon_str
    tensor::Ptr{Cvoid}
    step::Int64
    var"end"::Int64
    descr::pon_str
    shape::Ptr{Int64}
    ndim::Int32
    reserved::UInt32
end

"Teaches the library one type of structured leaves."
struct pon_leaf_type
    struct_size::UInt32
    reserved::UInt32
    userdata::Ptr{Cvoid}
    drop::Ptr{Cvoid}
    check::Ptr{Cvoid}
    dense_shape::Ptr{Cvoid}
    dense::Ptr{Cvoid}
    gradient::Ptr{Cvoid}
end

"A leaf's place in a flat vector."
struct pon_segment
    struct_size::UInt32
    dtype::Int32
    node::UInt32
    ndim::Int32
    first::UInt64
    count::UInt64
    shape::Ptr{Int64}
    path::pon_str
end

"An input or output of a network."
struct pon_port
    struct_size::UInt32
    dtype::Int32
    name::pon_str
    ndim::Int32
    reserved::UInt32
    shape::Ptr{Int64}
end

"A place of a network for numbers."
struct pon_slot
    struct_size::UInt32
    role::Int32
    path::pon_str
    layer::UInt32
    dtype::Int32
    view::pon_view
end

"Bytes that the host reads."
struct pon_reader
    struct_size::UInt32
    reserved::UInt32
    userdata::Ptr{Cvoid}
    drop::Ptr{Cvoid}
    size::Ptr{Cvoid}
    read::Ptr{Cvoid}
    neighbour::Ptr{Cvoid}
end

"A change of every number of a top, before it is handed out."
struct pon_transform
    top::pon_str
    kind::Int32
    reserved::UInt32
    scale::Float64
    mean::Ptr{Cvoid}
end

"How a data set is read; noughts are defaults."
struct pon_dataset_options
    struct_size::UInt32
    batch::UInt32
    tops::Ptr{pon_str}
    tops_count::UInt32
    transforms_count::UInt32
    transforms::Ptr{pon_transform}
    folder::pon_str
    shuffle::Int32
    ahead::UInt32
    chunk::UInt64
    seed::UInt64
    bits::Ptr{Cvoid}
    bits_userdata::Ptr{Cvoid}
end

"One kind of numbers of each example."
struct pon_top
    struct_size::UInt32
    dtype::Int32
    name::pon_str
    shape::Ptr{Int64}
    ndim::Int32
    reserved::UInt32
end

"What a flatten is handed, where a file does not say it."
struct pon_flattened
    path::pon_str
    shape::Ptr{Int64}
    ndim::Int32
    reserved::UInt32
end

"Which leaf of a tree fills which slot of a network."
struct pon_slot_source
    path::pon_str
    slot::pon_str
end

"How a file of nested Python values (`jaxon`) is read; noughts are defaults."
struct pon_pytree_options
    struct_size::UInt32
    prefixes_count::UInt32
    prefixes::Ptr{pon_str}
    filter::Ptr{Cvoid}
    filter_userdata::Ptr{Cvoid}
    unmarshal::Ptr{Cvoid}
    unmarshal_userdata::Ptr{Cvoid}
    schema::Ptr{Cvoid}
    allow_missing_fields::Int32
    allow_unknown_fields::Int32
    allow_dill::Int32
    slots_count::UInt32
    slots::Ptr{pon_slot_source}
end

"What a host says about a file that the file does not say; noughts are defaults."
struct pon_import_options
    struct_size::UInt32
    layout::Int32
    format::pon_str
    loss::pon_str
    strip_prefix::pon_str
    key::pon_str
    network::Ptr{Cvoid}
    example::Ptr{Int64}
    example_ndim::Int32
    flattened_count::UInt32
    flattened::Ptr{pon_flattened}
    progress::Ptr{Cvoid}
    progress_userdata::Ptr{Cvoid}
    cancel::Ptr{Cvoid}
    fold_weight_norm::Int32
    unknown_types::Int32
    prototype::Ptr{Cvoid}
    pytree::Ptr{pon_pytree_options}
    lift_loss::Int32
    stack::Int32
end

"An array of a file."
struct pon_entry
    struct_size::UInt32
    dtype::Int32
    path::pon_str
    place::pon_str
    shape::Ptr{Int64}
    ndim::Int32
    reserved::UInt32
    bytes::UInt64
    offset::UInt64
end

"How a network is evaluated; noughts are defaults."
struct pon_evaluation_options
    struct_size::UInt32
    dtype::Int32
    seed::UInt64
end

"Numbers under a name."
struct pon_blob
    name::pon_str
    view::pon_view
end

"A loss or a statistic."
struct pon_figure
    struct_size::UInt32
    kind::Int32
    name::pon_str
    value::Float64
    count::UInt64
end

"Options of a session; noughts are defaults."
struct pon_session_options
    struct_size::UInt32
    device_kind::Int32
    device_index::Int32
    precision::Int32
    threads::UInt32
    isa::Int32
    flags::UInt32
    reserved::UInt32
    max_batch::UInt64
end

"What a session has done."
struct pon_session_stats
    struct_size::UInt32
    reserved::UInt32
    workspace_bytes::UInt64
    runs::UInt64
    last_ns::UInt64
    worst_ns::UInt64
    allocations::UInt64
end

"Options of saving; noughts are defaults."
struct pon_save_options
    struct_size::UInt32
    flags::UInt32
    format::pon_str
    notes_json::pon_str
    progress::Ptr{Cvoid}
    progress_userdata::Ptr{Cvoid}
    cancel::Ptr{Cvoid}
    group::pon_str
    into::Ptr{Cvoid}
end

"Where the bytes of a file go; called on the thread of the call alone, and only during it."
struct pon_writer
    struct_size::UInt32
    reserved::UInt32
    userdata::Ptr{Cvoid}
    write::Ptr{Cvoid}
end

const STRUCTS = (pon_str, pon_allocator, pon_context_options, pon_fault, pon_view, pon_node_info, pon_value, pon_leaf_type, pon_segment, pon_port, pon_slot, pon_reader, pon_transform, pon_dataset_options, pon_top, pon_flattened, pon_slot_source, pon_pytree_options, pon_import_options, pon_entry, pon_evaluation_options, pon_blob, pon_figure, pon_session_options, pon_session_stats, pon_save_options, pon_writer,)

const ENTRIES = (
    :pon_abi,
    :pon_version,
    :pon_check,
    :pon_build_info,
    :pon_status_name,
    :pon_status_text,
    :pon_set_allocator,
    :pon_dtype_info,
    :pon_context_new,
    :pon_context_free,
    :pon_faults_new,
    :pon_faults_clear,
    :pon_faults_count,
    :pon_faults_get,
    :pon_faults_text,
    :pon_faults_json,
    :pon_faults_free,
    :pon_cancel_new,
    :pon_cancel_raise,
    :pon_cancel_reset,
    :pon_cancel_free,
    :pon_tensor_new,
    :pon_tensor_copy,
    :pon_tensor_wrap,
    :pon_tensor_share,
    :pon_tensor_view,
    :pon_tensor_view_mut,
    :pon_tensor_cast,
    :pon_tensor_free,
    :pon_tensor_from_dlpack,
    :pon_tensor_to_dlpack,
    :pon_params_new,
    :pon_params_copy,
    :pon_params_count,
    :pon_params_equal,
    :pon_params_eltype,
    :pon_params_convert,
    :pon_params_conform,
    :pon_params_free,
    :pon_params_node,
    :pon_params_child,
    :pon_params_find,
    :pon_params_path,
    :pon_params_get,
    :pon_params_view,
    :pon_params_view_as,
    :pon_params_add,
    :pon_params_add_branch,
    :pon_params_set,
    :pon_params_remove,
    :pon_params_add_typed,
    :pon_params_key,
    :pon_params_key_branch,
    :pon_params_set_type,
    :pon_params_root,
    :pon_params_graft,
    :pon_params_replace,
    :pon_context_register_leaf,
    :pon_params_check,
    :pon_params_dense,
    :pon_params_project,
    :pon_params_rebuild,
    :pon_layout_new,
    :pon_layout_count,
    :pon_layout_segments,
    :pon_layout_segment,
    :pon_layout_range,
    :pon_layout_equal,
    :pon_layout_gather,
    :pon_layout_scatter,
    :pon_layout_unflatten,
    :pon_layout_unflatten_rows,
    :pon_layout_free,
    :pon_params_each,
    :pon_params_map,
    :pon_params_gradient,
    :pon_params_map_cotangent,
    :pon_params_storage_gradient,
    :pon_description_new,
    :pon_description_parse,
    :pon_description_print,
    :pon_description_input,
    :pon_description_layer,
    :pon_description_connect,
    :pon_description_output,
    :pon_description_free,
    :pon_description_set_ints,
    :pon_description_set_reals,
    :pon_description_set_text,
    :pon_description_set_bool,
    :pon_words_count,
    :pon_words_get,
    :pon_network_build,
    :pon_network_with,
    :pon_network_share,
    :pon_network_params,
    :pon_network_description,
    :pon_network_layer,
    :pon_network_layer_port,
    :pon_network_slots,
    :pon_network_slot,
    :pon_network_ports,
    :pon_network_port,
    :pon_network_free,
    :pon_network_plan_text,
    :pon_source_path,
    :pon_source_bytes,
    :pon_source_reader,
    :pon_source_free,
    :pon_dataset_open,
    :pon_dataset_tops,
    :pon_dataset_top,
    :pon_dataset_examples,
    :pon_dataset_epoch,
    :pon_dataset_next,
    :pon_dataset_free,
    :pon_import_open,
    :pon_import_format,
    :pon_import_entries,
    :pon_import_entry,
    :pon_import_note,
    :pon_import_read,
    :pon_import_params,
    :pon_import_description,
    :pon_import_network,
    :pon_import_loss,
    :pon_import_free,
    :pon_evaluation_new,
    :pon_evaluation_draw,
    :pon_evaluation_run,
    :pon_evaluation_figures,
    :pon_evaluation_figure,
    :pon_evaluation_blob,
    :pon_evaluation_reset,
    :pon_evaluation_write,
    :pon_evaluation_free,
    :pon_session_bytes,
    :pon_session_new,
    :pon_session_run,
    :pon_session_run_with,
    :pon_session_isa,
    :pon_session_swap,
    :pon_session_reset,
    :pon_session_stats_get,
    :pon_session_free,
    :pon_session_bind,
    :pon_session_port,
    :pon_session_tap,
    :pon_save_path,
    :pon_save_bytes,
    :pon_save_writer,
    :pon_bytes_get,
    :pon_bytes_free,
)

"Tells the interface number of the library: PON_ABI of the header it was built with."
pon_abi() = ccall(address(1), UInt32, ())

"Tells the version of the library, as PON_HEADER."
pon_version() = ccall(address(2), UInt32, ())

"Tells whether a caller built with this header can use the library; called first, as `pon_check(PON_ABI, PON_HEADER)`."
pon_check(abi, header) = ccall(address(3), Int32, (UInt32, UInt32), abi, header)

"Tells what the library was built as: a JSON object with `version`, `abi`, `target`, `debug_entries`."
pon_build_info(out) = ccall(address(4), Int32, (Ptr{pon_str},), out)

"Gives the stable name of a status, e.g."
pon_status_name(status, out) = ccall(address(5), Int32, (Int32, Ptr{pon_str}), status, out)

"Says what a status means, in a sentence for people; of a number this library does not know, that it does not."
pon_status_text(status, out) = ccall(address(6), Int32, (Int32, Ptr{pon_str}), status, out)

"Sets where the library's memory comes from, for the whole process; before any other call that makes something."
pon_set_allocator(allocator) = ccall(address(7), Int32, (Ptr{pon_allocator},), allocator)

"Tells the bits and the name of an element type; unknown ones are PON_E_VALUE."
pon_dtype_info(dtype, bits, name) = ccall(address(8), Int32, (Int32, Ptr{UInt32}, Ptr{pon_str}), dtype, bits, name)

"Makes a context."
pon_context_new(options, out) = ccall(address(9), Int32, (Ptr{pon_context_options}, Ptr{Ptr{Cvoid}}), options, out)

"Frees a context."
pon_context_free(context) = ccall(address(10), Cvoid, (Ptr{Cvoid},), context)

"Makes an empty list of faults."
pon_faults_new(out) = ccall(address(11), Int32, (Ptr{Ptr{Cvoid}},), out)

"Empties a list."
pon_faults_clear(faults) = ccall(address(12), Cvoid, (Ptr{Cvoid},), faults)

"Tells how many faults a list holds."
pon_faults_count(faults) = ccall(address(13), Csize_t, (Ptr{Cvoid},), faults)

"Gives one fault; `out->struct_size` is set before the call."
pon_faults_get(faults, index, out) = ccall(address(14), Int32, (Ptr{Cvoid}, Csize_t, Ptr{pon_fault}), faults, index, out)

"Gives the messages, a fault a line."
pon_faults_text(faults, out) = ccall(address(15), Int32, (Ptr{Cvoid}, Ptr{pon_str}), faults, out)

"Gives all as JSON: `{\"faults\":[{\"code\",\"name\",\"severity\",\"path\",\"place\",\"offset\",\"message\",\"arguments\"}]}`, and `\"more\"` if there were more than are kept."
pon_faults_json(faults, out) = ccall(address(16), Int32, (Ptr{Cvoid}, Ptr{pon_str}), faults, out)

"Frees a list."
pon_faults_free(faults) = ccall(address(17), Cvoid, (Ptr{Cvoid},), faults)

"Makes a flag that is down."
pon_cancel_new(out) = ccall(address(18), Int32, (Ptr{Ptr{Cvoid}},), out)

"Raises the flag: calls that were given it end with PON_STOPPED at their next look at it."
pon_cancel_raise(cancel) = ccall(address(19), Cvoid, (Ptr{Cvoid},), cancel)

"Takes the flag down, so that it can be used again."
pon_cancel_reset(cancel) = ccall(address(20), Cvoid, (Ptr{Cvoid},), cancel)

"Frees a flag; no call that was given it may still run."
pon_cancel_free(cancel) = ccall(address(21), Cvoid, (Ptr{Cvoid},), cancel)

"Makes an array of noughts."
pon_tensor_new(context, dtype, ndim, shape, out) = ccall(address(22), Int32, (Ptr{Cvoid}, Int32, Int32, Ptr{Int64}, Ptr{Ptr{Cvoid}}), context, dtype, ndim, shape, out)

"Copies numbers into an array of its own, packed."
pon_tensor_copy(context, from, out) = ccall(address(23), Int32, (Ptr{Cvoid}, Ptr{pon_view}, Ptr{Ptr{Cvoid}}), context, from, out)

"Makes an array over numbers of the caller, without a copy."
pon_tensor_wrap(from, release, userdata, out) = ccall(address(24), Int32, (Ptr{pon_view}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), from, release, userdata, out)

"Makes one more handle of the same numbers."
pon_tensor_share(tensor, out) = ccall(address(25), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), tensor, out)

"Lends the numbers to be read."
pon_tensor_view(tensor, out) = ccall(address(26), Int32, (Ptr{Cvoid}, Ptr{pon_view}), tensor, out)

"Lends the numbers to be written; refused while anything else holds them or if they are read only."
pon_tensor_view_mut(tensor, out) = ccall(address(27), Int32, (Ptr{Cvoid}, Ptr{pon_view}), tensor, out)

"Makes an array of the same numbers in another element type; shares them if the type is theirs already."
pon_tensor_cast(tensor, to, out) = ccall(address(28), Int32, (Ptr{Cvoid}, Int32, Ptr{Ptr{Cvoid}}), tensor, to, out)

"Frees a handle; the numbers go with the last one that holds them."
pon_tensor_free(tensor) = ccall(address(29), Cvoid, (Ptr{Cvoid},), tensor)

"Takes an array of another library over, without a copy."
pon_tensor_from_dlpack(managed, out) = ccall(address(30), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), managed, out)

"Hands an array to another library, without a copy and read only."
pon_tensor_to_dlpack(tensor, out) = ccall(address(31), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), tensor, out)

"Makes an empty set: a root of the kind PON_KIND_NAMED."
pon_params_new(context, out) = ccall(address(32), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), context, out)

"Makes a copy that shares the numbers and nothing else."
pon_params_copy(params, out) = ccall(address(33), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), params, out)

"Tells how many nodes there are, the root counted."
pon_params_count(params) = ccall(address(34), UInt32, (Ptr{Cvoid},), params)

"Compares two sets: kinds, names of types, keys in their order, element types, shapes, and numbers bit by bit."
pon_params_equal(params, other, out, faults) = ccall(address(35), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Int32}, Ptr{Cvoid}), params, other, out, faults)

"Tells the element type of all numbers below a node: PON_DTYPE_NONE if there are none, a fault that names both where there are two."
pon_params_eltype(params, from, out, faults) = ccall(address(36), Int32, (Ptr{Cvoid}, UInt32, Ptr{Int32}, Ptr{Cvoid}), params, from, out, faults)

"Makes a copy of a set whose numbers, metadata left out, have another element type."
pon_params_convert(params, to, out, faults) = ccall(address(37), Int32, (Ptr{Cvoid}, Int32, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), params, to, out, faults)

"Makes a set of the shape of a prototype with the numbers of a looser one: kinds, order of keys, types and metadata of structured leaves are the prototype's."
pon_params_conform(loose, prototype, out, faults) = ccall(address(38), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), loose, prototype, out, faults)

"Frees a set."
pon_params_free(params) = ccall(address(39), Cvoid, (Ptr{Cvoid},), params)

"Tells what a node is; `out->struct_size` is set before the call."
pon_params_node(params, node, out) = ccall(address(40), Int32, (Ptr{Cvoid}, UInt32, Ptr{pon_node_info}), params, node, out)

"Gives a child of a branch by its place."
pon_params_child(params, node, index, out) = ccall(address(41), Int32, (Ptr{Cvoid}, UInt32, UInt32, Ptr{UInt32}), params, node, index, out)

"Finds a node by its path from another: `/key/key`, `~0` for `~` and `~1` for `/` in a key, places as numbers, `~2` for the tree that is the key of a map's child."
pon_params_find(params, from, path, path_len, out) = ccall(address(42), Int32, (Ptr{Cvoid}, UInt32, Ptr{UInt8}, Csize_t, Ptr{UInt32}), params, from, path, path_len, out)

"Writes the path of a node from the root into a buffer, with a NUL."
pon_params_path(params, node, buffer, capacity, need) = ccall(address(43), Int32, (Ptr{Cvoid}, UInt32, Ptr{UInt8}, Csize_t, Ptr{Csize_t}), params, node, buffer, capacity, need)

"Gives the value of a leaf; `out->struct_size` is set before the call."
pon_params_get(params, node, out) = ccall(address(44), Int32, (Ptr{Cvoid}, UInt32, Ptr{pon_value}), params, node, out)

"Lends the numbers of an array or typed scalar to be read."
pon_params_view(params, node, out) = ccall(address(45), Int32, (Ptr{Cvoid}, UInt32, Ptr{pon_view}), params, node, out)

"Lends the numbers of an array or typed scalar with its axes in an order of the host's: the numbers are not moved."
pon_params_view_as(params, node, order, out) = ccall(address(46), Int32, (Ptr{Cvoid}, UInt32, Int32, Ptr{pon_view}), params, node, order, out)

"Adds a leaf as the last child of a branch; `value->struct_size` is set before the call."
pon_params_add(params, parent, key, key_len, value, out) = ccall(address(47), Int32, (Ptr{Cvoid}, UInt32, Ptr{UInt8}, Csize_t, Ptr{pon_value}, Ptr{UInt32}), params, parent, key, key_len, value, out)

"Adds an empty branch as the last child of a branch."
pon_params_add_branch(params, parent, key, key_len, kind, out) = ccall(address(48), Int32, (Ptr{Cvoid}, UInt32, Ptr{UInt8}, Csize_t, Int32, Ptr{UInt32}), params, parent, key, key_len, kind, out)

"Puts another value into a leaf; `value->struct_size` is set before the call."
pon_params_set(params, node, value) = ccall(address(49), Int32, (Ptr{Cvoid}, UInt32, Ptr{pon_value}), params, node, value)

"Takes a node and all below it away; not the root."
pon_params_remove(params, node) = ccall(address(50), Int32, (Ptr{Cvoid}, UInt32), params, node)

"Adds an empty structured leaf (PON_KIND_STRUCTURED) or object (PON_KIND_OBJECT) as the last child of a branch."
pon_params_add_typed(params, parent, key, key_len, kind, type_name, type_name_len, out) = ccall(address(51), Int32, (Ptr{Cvoid}, UInt32, Ptr{UInt8}, Csize_t, Int32, Ptr{UInt8}, Csize_t, Ptr{UInt32}), params, parent, key, key_len, kind, type_name, type_name_len, out)

"Gives a child of a map its key: a leaf."
pon_params_key(params, child, value, out) = ccall(address(52), Int32, (Ptr{Cvoid}, UInt32, Ptr{pon_value}, Ptr{UInt32}), params, child, value, out)

"Gives a child of a map its key: an empty branch, to be filled."
pon_params_key_branch(params, child, kind, type_name, type_name_len, out) = ccall(address(53), Int32, (Ptr{Cvoid}, UInt32, Int32, Ptr{UInt8}, Csize_t, Ptr{UInt32}), params, child, kind, type_name, type_name_len, out)

"Says what a leaf is beyond its kind, e.g."
pon_params_set_type(params, leaf, type_name, type_name_len) = ccall(address(54), Int32, (Ptr{Cvoid}, UInt32, Ptr{UInt8}, Csize_t), params, leaf, type_name, type_name_len)

"Makes the root a branch of another kind: any kind without a type while it is empty; afterwards a named one becomes a parameter set and the other way round."
pon_params_root(params, kind) = ccall(address(55), Int32, (Ptr{Cvoid}, Int32), params, kind)

"Adds a copy of a node of another set, with all below it, as the last child of a branch."
pon_params_graft(params, parent, key, key_len, from, node, out) = ccall(address(56), Int32, (Ptr{Cvoid}, UInt32, Ptr{UInt8}, Csize_t, Ptr{Cvoid}, UInt32, Ptr{UInt32}), params, parent, key, key_len, from, node, out)

"Puts a copy of a node of another set, with all below it, in the place of a node, which keeps its number and key."
pon_params_replace(params, node, from, source) = ccall(address(57), Int32, (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32), params, node, from, source)

"Registers a type of structured leaves for all that is made with the context; one of the same name is forgotten."
pon_context_register_leaf(context, name, name_len, leaf_type) = ccall(address(58), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{pon_leaf_type}), context, name, name_len, leaf_type)

"Checks every structured leaf of a set against its type."
pon_params_check(params, keep, faults) = ccall(address(59), Int32, (Ptr{Cvoid}, Int32, Ptr{Cvoid}), params, keep, faults)

"Gives a structured leaf as its matrix, in the element type of its storage, of the shape columns, rows; an array or number as itself."
pon_params_dense(params, node, out, faults) = ccall(address(60), Int32, (Ptr{Cvoid}, UInt32, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), params, node, out, faults)

"Makes the structured leaf of a type that is nearest to a matrix (of the shape columns, rows), as the root of a set: of a symmetric matrix half the sum with its transpose, of a skew-symmetric one half the difference, of a triangular one its triangle; a lift has the number `n` of columns of its blocks, others take 0."
pon_params_project(context, type_name, type_name_len, matrix, n, out, faults) = ccall(address(61), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{pon_view}, Int64, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), context, type_name, type_name_len, matrix, n, out, faults)

"Makes a structured leaf of the type and metadata of another, with a storage of the host's: that node of `numbers` with all below it, in any element type."
pon_params_rebuild(params, leaf, numbers, storage, out, faults) = ccall(address(62), Int32, (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), params, leaf, numbers, storage, out, faults)

"Computes the layout of a branch: depth first, in the order of the set; within an array slowest axis first, which of a set of Julia is column-major order."
pon_layout_new(params, from, out, faults) = ccall(address(63), Int32, (Ptr{Cvoid}, UInt32, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), params, from, out, faults)

"Tells how many numbers the flat vector has."
pon_layout_count(layout) = ccall(address(64), UInt64, (Ptr{Cvoid},), layout)

"Tells how many leaves the layout has."
pon_layout_segments(layout) = ccall(address(65), Csize_t, (Ptr{Cvoid},), layout)

"Tells a leaf's place; `out->struct_size` is set before the call."
pon_layout_segment(layout, index, out) = ccall(address(66), Int32, (Ptr{Cvoid}, Csize_t, Ptr{pon_segment}), layout, index, out)

"Tells where the numbers of a node stand, by its path from where the layout was made."
pon_layout_range(layout, path, path_len, first, count) = ccall(address(67), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{UInt64}, Ptr{UInt64}), layout, path, path_len, first, count)

"Compares two layouts: `*out` is 1 if kinds, keys, ranges and shapes are the same; types of structured leaves and element types do not count."
pon_layout_equal(layout, other, out) = ccall(address(68), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Int32}), layout, other, out)

"Copies the numbers of a set of this layout, its branch `from`, into a vector, converted where its element type is another."
pon_layout_gather(layout, params, from, flat) = ccall(address(69), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{pon_view}), layout, params, from, flat)

"Copies a vector into a set of this layout, its branch `to`; each leaf keeps its element type, and single numbers are written too."
pon_layout_scatter(layout, flat, params, to) = ccall(address(70), Int32, (Ptr{Cvoid}, Ptr{pon_view}, Ptr{Cvoid}, UInt32), layout, flat, params, to)

"Makes a set of this layout with the numbers of a vector, in its element type; structured leaves keep type and metadata."
pon_layout_unflatten(layout, flat, out, faults) = ccall(address(71), Int32, (Ptr{Cvoid}, Ptr{pon_view}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), layout, flat, out, faults)

"Splits a matrix along `axis`, 0 or 1, which counts the flat numbers, a Jacobian for one: each leaf becomes its block, with the other axis whole; the blocks of a structured leaf's storage stand in its place."
pon_layout_unflatten_rows(layout, matrix, axis, out, faults) = ccall(address(72), Int32, (Ptr{Cvoid}, Ptr{pon_view}, Int32, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), layout, matrix, axis, out, faults)

"Frees a layout."
pon_layout_free(layout) = ccall(address(73), Cvoid, (Ptr{Cvoid},), layout)

"Walks over the leaves of sets of the same shape in flat order: a fold keeps its sum in `userdata`; a map in place sets the leaves of the first set."
pon_params_each(sets, count, depth, call, userdata, faults) = ccall(address(74), Int32, (Ptr{Ptr{Cvoid}}, Csize_t, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), sets, count, depth, call, userdata, faults)

"Makes a set of the shape of the first one; each leaf is what the callback makes of the leaves at its place."
pon_params_map(sets, count, depth, call, userdata, out, faults) = ccall(address(75), Int32, (Ptr{Ptr{Cvoid}}, Csize_t, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), sets, count, depth, call, userdata, out, faults)

"Makes the gradient of a set over the numbers it stores, of the cotangent that a reverse pass left of it."
pon_params_gradient(params, cotangent, out, faults) = ccall(address(76), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), params, cotangent, out, faults)

"Walks over a set and its cotangent as `pon_params_gradient` does, and makes a set of the same shape and keys; each leaf is what the callback makes of the leaf and its cotangent."
pon_params_map_cotangent(params, cotangent, call, userdata, out, faults) = ccall(address(77), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), params, cotangent, call, userdata, out, faults)

"Puts the gradient of one leaf over its storage in the place of a leaf of another set: of an array or number its cotangent in the leaf's element type, of a structured leaf what its type's rule makes, as `pon_params_gradient` says."
pon_params_storage_gradient(params, leaf, cotangent, cotangent_leaf, out, out_leaf, faults) = ccall(address(78), Int32, (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), params, leaf, cotangent, cotangent_leaf, out, out_leaf, faults)

"Makes an empty description, to be filled layer by layer."
pon_description_new(context, out) = ccall(address(79), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), context, out)

"Reads a description from its JSON text: `{\"kind\":\"stack\",\"layers\":[…]}`, `{\"kind\":\"graph\",\"inputs\":[…],\"layers\":[…], \"outputs\":[…]}`, or PyTorch's words, `{\"style\":\"torch\",\"layers\":[…]}`."
pon_description_parse(context, text, text_len, out, faults) = ccall(address(80), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), context, text, text_len, out, faults)

"Gives the JSON text of a description."
pon_description_print(description, out) = ccall(address(81), Int32, (Ptr{Cvoid}, Ptr{pon_str}), description, out)

"Adds an input."
pon_description_input(description, name, name_len, dtype, ndim, shape, out) = ccall(address(82), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Int32, Int32, Ptr{Int64}, Ptr{UInt32}), description, name, name_len, dtype, ndim, shape, out)

"Adds a layer."
pon_description_layer(description, word, word_len, name, name_len, out) = ccall(address(83), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{UInt8}, Csize_t, Ptr{UInt32}), description, word, word_len, name, name_len, out)

"Feeds a layer: its input number `to_port` becomes what `from` makes."
pon_description_connect(description, from, from_port, to, to_port) = ccall(address(84), Int32, (Ptr{Cvoid}, UInt32, UInt32, UInt32, UInt32), description, from, from_port, to, to_port)

"Adds an output: what a layer or an input makes, under a name."
pon_description_output(description, from, from_port, name, name_len) = ccall(address(85), Int32, (Ptr{Cvoid}, UInt32, UInt32, Ptr{UInt8}, Csize_t), description, from, from_port, name, name_len)

"Frees a description."
pon_description_free(description) = ccall(address(86), Cvoid, (Ptr{Cvoid},), description)

"Sets a setting of a layer to whole numbers: one number or a list, as the word wants it."
pon_description_set_ints(description, layer, key, key_len, values, count) = ccall(address(87), Int32, (Ptr{Cvoid}, UInt32, Ptr{UInt8}, Csize_t, Ptr{Int64}, Csize_t), description, layer, key, key_len, values, count)

"Sets a setting of a layer to numbers: one number or a list, as the word wants it."
pon_description_set_reals(description, layer, key, key_len, values, count) = ccall(address(88), Int32, (Ptr{Cvoid}, UInt32, Ptr{UInt8}, Csize_t, Ptr{Float64}, Csize_t), description, layer, key, key_len, values, count)

"Sets a setting of a layer to text."
pon_description_set_text(description, layer, key, key_len, value, value_len) = ccall(address(89), Int32, (Ptr{Cvoid}, UInt32, Ptr{UInt8}, Csize_t, Ptr{UInt8}, Csize_t), description, layer, key, key_len, value, value_len)

"Sets a setting of a layer to true (1) or false (0)."
pon_description_set_bool(description, layer, key, key_len, value) = ccall(address(90), Int32, (Ptr{Cvoid}, UInt32, Ptr{UInt8}, Csize_t, Int32), description, layer, key, key_len, value)

"Tells how many layer words there are."
pon_words_count(context) = ccall(address(91), Csize_t, (Ptr{Cvoid},), context)

"Gives a layer word and the JSON schema of its layers."
pon_words_get(context, index, word, schema_json) = ccall(address(92), Int32, (Ptr{Cvoid}, Csize_t, Ptr{pon_str}, Ptr{pon_str}), context, index, word, schema_json)

"Builds a network: each slot once, in its shape, finite, and nothing else, or all that is wrong in `faults`."
pon_network_build(description, params, out, faults) = ccall(address(93), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), description, params, out, faults)

"Makes a network of the same plan with other numbers in the library's own layout, all or none; sessions may swap to it."
pon_network_with(network, params, out, faults) = ccall(address(94), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), network, params, out, faults)

"Makes one more handle of the same network."
pon_network_share(network, out) = ccall(address(95), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), network, out)

"Gives the numbers of a network as a set of leaves by slot path, in the library's own layout."
pon_network_params(network, out) = ccall(address(96), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), network, out)

"Gives the description of a network, in the library's own words."
pon_network_description(network, out) = ccall(address(97), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), network, out)

"Finds a layer of a network by its name: that of the description, `id` in PyTorch's words."
pon_network_layer(network, name, name_len, out) = ccall(address(98), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{UInt32}), network, name, name_len, out)

"Tells about what a layer makes, as a tap of it sees it: its name, and its shape with the batch first (1 where the value is the same for all examples), channels last whatever order the ports have; `out->struct_size` is set before the call."
pon_network_layer_port(network, layer, out) = ccall(address(99), Int32, (Ptr{Cvoid}, UInt32, Ptr{pon_port}), network, layer, out)

"Tells how many slots a network has."
pon_network_slots(network) = ccall(address(100), Csize_t, (Ptr{Cvoid},), network)

"Tells about a slot; `out->struct_size` is set before the call."
pon_network_slot(network, index, out) = ccall(address(101), Int32, (Ptr{Cvoid}, Csize_t, Ptr{pon_slot}), network, index, out)

"Tells how many inputs (PON_INPUT) or outputs (PON_OUTPUT) a network has."
pon_network_ports(network, direction) = ccall(address(102), Csize_t, (Ptr{Cvoid}, Int32), network, direction)

"Tells about an input or output; `out->struct_size` is set before the call."
pon_network_port(network, direction, index, out) = ccall(address(103), Int32, (Ptr{Cvoid}, Int32, Csize_t, Ptr{pon_port}), network, direction, index, out)

"Frees a handle; the network goes with the last one, and with the last session of it."
pon_network_free(network) = ccall(address(104), Cvoid, (Ptr{Cvoid},), network)

"Tells the steps that a session of this precision runs, as text for people: for each step its kernel, the layer it works for, the shape and the bytes of what it makes of one example, the bytes of the network's numbers it reads, whose values it takes, which layers' work went into its numbers and what it does on the way; then the bytes of the numbers, which all sessions share, and of a session of one example and one thread."
pon_network_plan_text(network, precision, out, faults) = ccall(address(105), Int32, (Ptr{Cvoid}, Int32, Ptr{pon_str}, Ptr{Cvoid}), network, precision, out, faults)

"Opens a file, mapped where the system can; its path is UTF-8 on every system."
pon_source_path(context, path, path_len, out, faults) = ccall(address(106), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), context, path, path_len, out, faults)

"Takes bytes in memory, without a copy."
pon_source_bytes(context, data, size, release, userdata, out) = ccall(address(107), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), context, data, size, release, userdata, out)

"Takes bytes that the host reads when they are needed."
pon_source_reader(context, reader, out, faults) = ccall(address(108), Int32, (Ptr{Cvoid}, Ptr{pon_reader}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), context, reader, out, faults)

"Frees a source."
pon_source_free(source) = ccall(address(109), Cvoid, (Ptr{Cvoid},), source)

"Opens the HDF5 files that a list names, a path a line, or a single HDF5 file, and looks at all of them: every top must be in each, of one shape and type, and the tops of a file must have as many examples."
pon_dataset_open(context, list, options, out, faults) = ccall(address(110), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pon_dataset_options}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), context, list, options, out, faults)

"How many kinds of numbers each example has."
pon_dataset_tops(dataset) = ccall(address(111), Csize_t, (Ptr{Cvoid},), dataset)

"One kind of numbers; what it lends lives as long as the data set."
pon_dataset_top(dataset, index, out) = ccall(address(112), Int32, (Ptr{Cvoid}, Csize_t, Ptr{pon_top}), dataset, index, out)

"How many examples the set has."
pon_dataset_examples(dataset) = ccall(address(113), UInt64, (Ptr{Cvoid},), dataset)

"How often the last example of the set has been given, the last batch among it."
pon_dataset_epoch(dataset) = ccall(address(114), UInt64, (Ptr{Cvoid},), dataset)

"Writes the next batch into the caller's views, a view a top in their order: the batch first, then the lengths of one example; F32 or F64, numbers are rounded where that is less than the file has."
pon_dataset_next(dataset, views, count, faults) = ccall(address(115), Int32, (Ptr{Cvoid}, Ptr{pon_view}, Csize_t, Ptr{Cvoid}), dataset, views, count, faults)

"Frees a data set, and ends its thread if it has one."
pon_dataset_free(dataset) = ccall(address(116), Cvoid, (Ptr{Cvoid},), dataset)

"Opens a file: tells its format and reads its listing, no numbers."
pon_import_open(context, source, options, out, faults) = ccall(address(117), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pon_import_options}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), context, source, options, out, faults)

"Gives the name of the format."
pon_import_format(var"import", out) = ccall(address(118), Int32, (Ptr{Cvoid}, Ptr{pon_str}), var"import", out)

"Tells how many arrays the file lists."
pon_import_entries(var"import") = ccall(address(119), Csize_t, (Ptr{Cvoid},), var"import")

"Tells about an array of the file, without reading it; `out->struct_size` is set before the call."
pon_import_entry(var"import", index, out) = ccall(address(120), Int32, (Ptr{Cvoid}, Csize_t, Ptr{pon_entry}), var"import", index, out)

"Gives a note of the file by its key, e.g."
pon_import_note(var"import", key, key_len, out) = ccall(address(121), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{pon_str}), var"import", key, key_len, out)

"Reads one array into numbers of the caller, which have its shape and element type."
pon_import_read(var"import", index, out, faults) = ccall(address(122), Int32, (Ptr{Cvoid}, Csize_t, Ptr{pon_view}, Ptr{Cvoid}), var"import", index, out, faults)

"Reads all arrays into a set, as the file has them."
pon_import_params(var"import", out, faults) = ccall(address(123), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), var"import", out, faults)

"Gives the description of the file's network, or of the options, in the library's own words."
pon_import_description(var"import", out, faults) = ccall(address(124), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), var"import", out, faults)

"Makes the network: its description, and each slot filled once, in its shape, finite, from the file, or all that is wrong."
pon_import_network(var"import", out, faults) = ccall(address(125), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), var"import", out, faults)

"Gives the loss the network was trained with, \"\" if nothing says it."
pon_import_loss(var"import", out) = ccall(address(126), Int32, (Ptr{Cvoid}, Ptr{pon_str}), var"import", out)

"Frees an import."
pon_import_free(var"import") = ccall(address(127), Cvoid, (Ptr{Cvoid},), var"import")

"Makes a network in Mocha's words ready to be evaluated, with the numbers of a file by the names of its layers: losses, statistics and layers that a session does not run among them."
pon_evaluation_new(context, description, var"import", options, out, faults) = ccall(address(128), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pon_evaluation_options}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), context, description, var"import", options, out, faults)

"Gives a layer that draws its numbers, for the next run that succeeds alone: a dropout one from 0 to 1 for each number it takes, a crop three from 0 to 1 (its place along width and height, the mirror), a layer of normal numbers these themselves, top after top."
pon_evaluation_draw(evaluation, layer, layer_len, numbers, count) = ccall(address(129), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Float64}, Csize_t), evaluation, layer, layer_len, numbers, count)

"Runs every layer once on the blobs that come from outside: the tops of data layers and the inputs, each with the batch first."
pon_evaluation_run(evaluation, blobs, count, loss, faults) = ccall(address(130), Int32, (Ptr{Cvoid}, Ptr{pon_blob}, Csize_t, Ptr{Float64}, Ptr{Cvoid}), evaluation, blobs, count, loss, faults)

"How many losses and statistics there are."
pon_evaluation_figures(evaluation) = ccall(address(131), Csize_t, (Ptr{Cvoid},), evaluation)

"Gives a loss or a statistic: first the losses of the last run, then the statistics, each in running order."
pon_evaluation_figure(evaluation, index, out) = ccall(address(132), Int32, (Ptr{Cvoid}, Csize_t, Ptr{pon_figure}), evaluation, index, out)

"Lends a blob of the last run, as packed doubles: of a network of singles each is one that a single holds."
pon_evaluation_blob(evaluation, name, name_len, out) = ccall(address(133), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{pon_view}), evaluation, name, name_len, out)

"Begins all statistics anew, and forgets what output layers have kept."
pon_evaluation_reset(evaluation) = ccall(address(134), Int32, (Ptr{Cvoid},), evaluation)

"Writes the files of the network's HDF5 output layers: the batches of all runs since the last reset, one after another."
pon_evaluation_write(evaluation, faults) = ccall(address(135), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), evaluation, faults)

"Frees an evaluation."
pon_evaluation_free(evaluation) = ccall(address(136), Cvoid, (Ptr{Cvoid},), evaluation)

"Tells how much memory for values a session of these options would hold, in bytes; nothing is laid out yet."
pon_session_bytes(network, options, size, faults) = ccall(address(137), Int32, (Ptr{Cvoid}, Ptr{pon_session_options}, Ptr{UInt64}, Ptr{Cvoid}), network, options, size, faults)

"Makes a session, with all the memory it will ever need."
pon_session_new(network, options, out, faults) = ccall(address(138), Int32, (Ptr{Cvoid}, Ptr{pon_session_options}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), network, options, out, faults)

"Runs with the bound views."
pon_session_run(session, cancel) = ccall(address(139), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), session, cancel)

"Runs with these views, one for each input and output, and leaves the bound ones alone."
pon_session_run_with(session, inputs, input_count, outputs, output_count, cancel) = ccall(address(140), Int32, (Ptr{Cvoid}, Ptr{pon_view}, Csize_t, Ptr{pon_view}, Csize_t, Ptr{Cvoid}), session, inputs, input_count, outputs, output_count, cancel)

"Tells the instruction set of a session's kernels: `portable`, `avx2`, `avx512`, `neon`."
pon_session_isa(session, out) = ccall(address(141), Int32, (Ptr{Cvoid}, Ptr{pon_str}), session, out)

"Goes on with the numbers of another network of the same plan, made by `pon_network_with`; on failure all stays as it was."
pon_session_swap(session, network) = ccall(address(142), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), session, network)

"Makes a session usable again after PON_E_INTERNAL, which poisons it."
pon_session_reset(session) = ccall(address(143), Int32, (Ptr{Cvoid},), session)

"Tells what a session has done; `out->struct_size` is set before the call."
pon_session_stats_get(session, out) = ccall(address(144), Int32, (Ptr{Cvoid}, Ptr{pon_session_stats}), session, out)

"Frees a session."
pon_session_free(session) = ccall(address(145), Cvoid, (Ptr{Cvoid},), session)

"Binds an input (PON_INPUT) or output (PON_OUTPUT) to numbers of the caller for all runs to come; the batch is the first axis."
pon_session_bind(session, direction, port, view) = ccall(address(146), Int32, (Ptr{Cvoid}, Int32, Csize_t, Ptr{pon_view}), session, direction, port, view)

"Gives the view of an input or output: the bound one, or else a buffer of the session's own, bound by this call, with room for `max_batch` examples."
pon_session_port(session, direction, port, out) = ccall(address(147), Int32, (Ptr{Cvoid}, Int32, Csize_t, Ptr{pon_view}), session, direction, port, out)

"Copies what a layer makes into numbers of the caller, at each run to come, as soon as it is made."
pon_session_tap(session, layer, out) = ccall(address(148), Int32, (Ptr{Cvoid}, UInt32, Ptr{pon_view}), session, layer, out)

"Saves a set or a network to a file, all or nothing: written beside it, then put in its place."
pon_save_path(params, network, options, path, path_len, faults) = ccall(address(149), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pon_save_options}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), params, network, options, path, path_len, faults)

"Saves a set or a network to memory, as `pon_save_path` does to a file."
pon_save_bytes(params, network, options, out, faults) = ccall(address(150), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pon_save_options}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), params, network, options, out, faults)

"Saves a set or a network to a writer of the host, as `pon_save_path` does to a file."
pon_save_writer(params, network, options, writer, faults) = ccall(address(151), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pon_save_options}, Ptr{pon_writer}, Ptr{Cvoid}), params, network, options, writer, faults)

"Lends the bytes."
pon_bytes_get(bytes, data, size) = ccall(address(152), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{Csize_t}), bytes, data, size)

"Frees bytes."
pon_bytes_free(bytes) = ccall(address(153), Cvoid, (Ptr{Cvoid},), bytes)
