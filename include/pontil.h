/* pontil.h - the C interface of Pontil. C99 and C++11.
 *
 * Text is UTF-8; sizes are in bytes, strides and counts in numbers. A call answers PON_OK or says why not; outputs are
 * written only then, and faults come to the end of the list that is the last parameter.
 *
 * Each function tells, a line each: what it owns, which pointers may be NULL (all others are checked: PON_E_NULL), which
 * threads may call it, its errors besides PON_E_INTERNAL, and since which version it is there.
 *
 * Threads: a `const T*` may be in any number of calls at once, a `T*` only in one; that is the whole contract. Handles may be
 * freed in any order: what needs another keeps it. Freeing NULL does nothing. Freeing a handle that another thread uses,
 * or twice, is a mistake that the library reports (PON_E_HANDLE) where it can see it, and it can not always. A function of the
 * host that the library calls may call the library, but not change or free what the running call was given.
 *
 * Structs that open with `struct_size` are filled with noughts and their size by the caller; a nought is the default. */

#ifndef PONTIL_H
#define PONTIL_H

/* Generated from src/capi by `PONTIL_WRITE_GOLDENS=1 cargo test --test header`; do not edit. */

#include <stddef.h>
#include <stdint.h>

#ifndef PON_API
# if defined(_WIN32) && !defined(PON_STATIC)
#  define PON_API __declspec(dllimport)
# else
#  define PON_API
# endif
#endif

/** As a length of text: up to the NUL. */
#define PON_NUL SIZE_MAX

#ifdef __cplusplus
extern "C" {
#endif
/** DLPack's tensor; include dlpack.h to look into it. */
struct DLManagedTensorVersioned;
#ifdef __cplusplus
}
#endif


/**
 * Number of the interface; changes only when something that was there changes its meaning or goes.
 */
#define PON_ABI 1

/**
 * Version of the header: major << 16 | minor << 8 | patch.
 */
#define PON_HEADER 256

/**
 * No log.
 */
#define PON_LOG_SILENT 0

/**
 * Defects of the library.
 */
#define PON_LOG_ERROR 1

/**
 * A fault that refused the call.
 */
#define PON_SEVERITY_ERROR 1

/**
 * A fault that did not; the call went on.
 */
#define PON_SEVERITY_WARNING 2

/**
 * The offset of a fault that has none.
 */
#define PON_NO_OFFSET 18446744073709551615ull

/**
 * Memory of the machine itself.
 */
#define PON_DEVICE_CPU 0

/**
 * In `flags`: the numbers must not be written.
 */
#define PON_VIEW_READ_ONLY 1

/**
 * Most axes of a view.
 */
#define PON_MAX_AXES 32

/**
 * No node.
 */
#define PON_NO_NODE 4294967295

/**
 * Axes as the set has them: slowest first.
 */
#define PON_ORDER_ROWS 0

/**
 * Axes in the opposite order, for hosts whose own order is column-major: the same memory, the steps reversed too.
 */
#define PON_ORDER_COLUMNS 1

/**
 * A walk goes to whole leaves: a structured one is one leaf.
 */
#define PON_WALK_LEAVES 0

/**
 * A walk goes to the arrays and numbers that the storage of structured leaves is made of.
 */
#define PON_WALK_STORAGE 1

/**
 * As `ndim` of an input: its shape is not known.
 */
#define PON_SHAPE_UNKNOWN -1

/**
 * What goes into a network.
 */
#define PON_INPUT 1

/**
 * What comes out of it.
 */
#define PON_OUTPUT 2

/**
 * A slot whose numbers are trained.
 */
#define PON_ROLE_PARAMETER 1

/**
 * A slot whose numbers training moves by the forward pass.
 */
#define PON_ROLE_STATISTIC 2

/**
 * Examples in the order of the files.
 */
#define PON_SHUFFLE_NONE 0

/**
 * Examples in an order that is drawn from `seed`, the same on every machine.
 */
#define PON_SHUFFLE_SEED 1

/**
 * Examples in an order that is drawn from `bits`.
 */
#define PON_SHUFFLE_BITS 2

/**
 * Numbers of a top are multiplied by `scale`.
 */
#define PON_TRANSFORM_SCALE 0

/**
 * The dataset `mean` of an HDF5 file is taken from each example.
 */
#define PON_TRANSFORM_SUB_MEAN 1

/**
 * An unmarshaler does not know the hint.
 */
#define PON_UNMARSHAL_UNKNOWN 0

/**
 * The object stays what it is.
 */
#define PON_UNMARSHAL_KEEP 1

/**
 * What was put into `made` takes the place of the object.
 */
#define PON_UNMARSHAL_REPLACE 2

/**
 * Ports of a network in `[batch, window axes, channels]`.
 */
#define PON_LAYOUT_CHANNELS_LAST 0

/**
 * Ports of a network in `[batch, channels, window axes]`.
 */
#define PON_LAYOUT_CHANNELS_FIRST 1

/**
 * Ports of a network in the order of the framework it comes from.
 */
#define PON_LAYOUT_AS_FILE 2

/**
 * A structured leaf of a type that nobody registered is a fault.
 */
#define PON_TYPES_REFUSE 0

/**
 * A structured leaf of a type that nobody registered is kept as it is: it can be flattened and saved.
 */
#define PON_TYPES_KEEP 1

/**
 * A loss of the last run.
 */
#define PON_FIGURE_LOSS 0

/**
 * A mean over all runs since the last reset.
 */
#define PON_FIGURE_STATISTIC 1

/**
 * Sums of `float`, in one fixed order.
 */
#define PON_PRECISION_STANDARD 0

/**
 * Sums of `double`, rounded once to `float`; slower.
 */
#define PON_PRECISION_EXACT 1

/**
 * The best instruction set that the processor has; AVX-512 is taken on request alone, for its kernels have never been run.
 */
#define PON_ISA_BEST 0

/**
 * What every processor has.
 */
#define PON_ISA_PORTABLE 1

/**
 * AVX2 and FMA of x86-64.
 */
#define PON_ISA_AVX2 2

/**
 * The foundation of AVX-512 of x86-64.
 */
#define PON_ISA_AVX512 3

/**
 * NEON of AArch64.
 */
#define PON_ISA_NEON 4

/**
 * In `flags` of the options: each run is timed, which takes longer than a small network.
 */
#define PON_SESSION_TIMED 1

/**
 * Bytes that the library made.
 */
typedef struct pon_bytes pon_bytes;

/**
 * A flag that any thread may raise to end a running call.
 */
typedef struct pon_cancel pon_cancel;

/**
 * Limits, threads and log of the calls it is given to. NULL stands for the defaults: silent, one thread, stated limits.
 */
typedef struct pon_context pon_context;

/**
 * Examples, batch by batch and without end: behind the last comes the first.
 */
typedef struct pon_dataset pon_dataset;

/**
 * Layers in words, without numbers.
 */
typedef struct pon_description pon_description;

/**
 * A network in Mocha's words with its numbers, and what its last run left.
 */
typedef struct pon_evaluation pon_evaluation;

/**
 * A list of faults: calls put theirs at its end, in the order they were found.
 */
typedef struct pon_faults pon_faults;

/**
 * An opened file of a framework: its listing is read, its numbers are not.
 */
typedef struct pon_import pon_import;

/**
 * The order of a set's numbers in one flat vector, computed once.
 */
typedef struct pon_layout pon_layout;

/**
 * A description with its numbers; never changes, and is shared by any number of sessions.
 */
typedef struct pon_network pon_network;

/**
 * An ordered tree of parameters; order is part of what it says.
 */
typedef struct pon_params pon_params;

/**
 * A network made ready to run in memory of its own. One thread at a time.
 */
typedef struct pon_session pon_session;

/**
 * Bytes to be read: a file, memory, or what a reader of the host gives.
 */
typedef struct pon_source pon_source;

/**
 * A counted array of numbers.
 */
typedef struct pon_tensor pon_tensor;

/**
 * What a call answers: 0 is done; any other number, known or not, is not done.
 */
typedef int32_t pon_status;

/**
 * Text lent to the caller or by it. What comes from the library has a NUL at `data[len]`; it is UTF-8 but for text of
 * files, which may be WTF-8 and hold a NUL. In options, noughts mean: not said.
 */
typedef struct pon_str {
  /**
   * The bytes.
   */
  const char *data;
  /**
   * How many; `PON_NUL` in options: up to the NUL.
   */
  size_t len;
} pon_str;

/**
 * Where memory comes from. `align` is a power of two. `allocate` answers NULL if there is none: a call that asked for the
 * numbers of a tensor, network, session or file then ends with PON_E_MEMORY, but for want of a small block of its own the
 * library ends the process, as it does with the system's allocator. The functions must not unwind nor call the library.
 */
typedef struct pon_allocator {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * 0.
   */
  uint32_t reserved;
  /**
   * Handed to both functions.
   */
  void *userdata;
  /**
   * Gives `size` bytes at a multiple of `align`; any thread.
   */
  void *(*allocate)(void *userdata, size_t size, size_t align);
  /**
   * Takes a block back, with the size and alignment it was asked for with; any thread.
   */
  void (*release)(void *userdata, void *block, size_t size, size_t align);
} pon_allocator;

/**
 * What one number is. An open set: an unknown one is "unknown", not an error of the caller.
 */
typedef int32_t pon_dtype;

/**
 * Hears what happens. Called on a thread that is in a call, only during the call; must not unwind.
 */
typedef void (*pon_log_fn)(void *userdata, int32_t level, const struct pon_str *message);

/**
 * Ends what the caller lent, exactly once; must not unwind.
 */
typedef void (*pon_drop_fn)(void *userdata);

/**
 * A part of a task; must be called once for each part, and not after the call that handed it out.
 */
typedef void (*pon_task_fn)(void *task, uint32_t part);

/**
 * Runs `run(task, 0)` to `run(task, parts - 1)` on threads of the host and comes back when all are done. Must not unwind.
 */
typedef void (*pon_parallel_fn)(void *userdata, uint32_t parts, pon_task_fn run, void *task);

/**
 * Options of a context; noughts are defaults.
 */
typedef struct pon_context_options {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * Threads of a session that does not say; 0 and 1: the calling thread only.
   */
  uint32_t threads;
  /**
   * PON_LOG_SILENT or PON_LOG_ERROR.
   */
  int32_t log_level;
  /**
   * 0.
   */
  uint32_t reserved;
  /**
   * Hears what `log_level` lets through, or NULL.
   */
  pon_log_fn log;
  /**
   * Handed to `log` and `log_drop`.
   */
  void *log_userdata;
  /**
   * Called once when nothing needs the log any more, or NULL.
   */
  pon_drop_fn log_drop;
  /**
   * The host's own pool, instead of threads of ours, or NULL.
   */
  pon_parallel_fn parallel;
  /**
   * Handed to `parallel`; must stay until the last session that was made with the context is freed.
   */
  void *parallel_userdata;
  /**
   * Longest file or source, in bytes; 0: 1 TiB.
   */
  uint64_t max_file_bytes;
  /**
   * Largest single tensor, in bytes; 0: 64 GiB.
   */
  uint64_t max_tensor_bytes;
  /**
   * Largest header or text that is parsed as a whole, in bytes; 0: 100,000,000.
   */
  uint64_t max_header_bytes;
  /**
   * Deepest nesting; 0: 64.
   */
  uint64_t max_depth;
  /**
   * Most entries, nodes or layers; 0: 1,000,000.
   */
  uint64_t max_entries;
  /**
   * Most faults that a call keeps; 0: 10,000.
   */
  uint64_t max_faults;
  /**
   * Largest memory of one session, in bytes; 0: 16 GiB.
   */
  uint64_t max_session_bytes;
} pon_context_options;

/**
 * One fault; its texts live until the list is changed or freed.
 */
typedef struct pon_fault {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * What kind of fault.
   */
  pon_status code;
  /**
   * PON_SEVERITY_ERROR or PON_SEVERITY_WARNING.
   */
  int32_t severity;
  /**
   * 0.
   */
  uint32_t reserved;
  /**
   * The stable name of the code, e.g. `slot.shape`.
   */
  struct pon_str name;
  /**
   * One line for people; text of files in it is escaped and cut.
   */
  struct pon_str message;
  /**
   * Of the slot, node or layer, raw; "" if none.
   */
  struct pon_str path;
  /**
   * Where the file holds it, in the file's words, raw; "" if none.
   */
  struct pon_str place;
  /**
   * What the message is made of: a JSON object.
   */
  struct pon_str arguments_json;
  /**
   * Byte in the source, or PON_NO_OFFSET.
   */
  uint64_t offset;
} pon_fault;

/**
 * A look at strided numbers. The library never reads or writes outside of it and demands no alignment.
 */
typedef struct pon_view {
  /**
   * The first number: the one at place 0 of every axis. May be NULL if there is none.
   */
  void *data;
  /**
   * What one number is.
   */
  pon_dtype dtype;
  /**
   * How many axes, 0 to PON_MAX_AXES.
   */
  int32_t ndim;
  /**
   * `ndim` lengths, slowest axis first.
   */
  const int64_t *shape;
  /**
   * `ndim` steps in numbers, negative ones too; NULL: packed rows. A step of 0 repeats one number: such a view can be read
   * and not written. Not for types of less than a byte.
   */
  const int64_t *strides;
  /**
   * PON_DEVICE_CPU.
   */
  int32_t device_kind;
  /**
   * 0.
   */
  int32_t device_index;
  /**
   * PON_VIEW_READ_ONLY or 0.
   */
  uint64_t flags;
  /**
   * 0.
   */
  uint64_t reserved;
} pon_view;

/**
 * Number of a node: 0 is the root; a number stays its node's own and is never given to another.
 */
typedef uint32_t pon_node;

/**
 * What a node is. An open set.
 */
typedef int32_t pon_kind;

/**
 * What a node is and where it hangs.
 */
typedef struct pon_node_info {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * What the node is.
   */
  pon_kind kind;
  /**
   * The branch it hangs from; PON_NO_NODE for the root.
   */
  pon_node parent;
  /**
   * How many children it has.
   */
  uint32_t children;
  /**
   * Its key, raw; "" for the root and in branches that go by place.
   */
  struct pon_str key;
  /**
   * Root of the tree that is its key in a map; PON_NO_NODE if it has none.
   */
  pon_node key_node;
  /**
   * The node it is the same object as; PON_NO_NODE if it is no reference.
   */
  pon_node refers_to;
  /**
   * Name of its type, raw: of a structured leaf or an object; of another leaf what it is beyond its kind, e.g. `jax.Array`;
   * else "".
   */
  struct pon_str type_name;
} pon_node_info;

/**
 * The value of a leaf, in or out; `kind` says which field counts.
 */
typedef struct pon_value {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * PON_KIND_TENSOR or another kind of a leaf.
   */
  pon_kind kind;
  /**
   * A whole number, or 0 or 1, or a node.
   */
  int64_t i;
  /**
   * A number, or the real part of one.
   */
  double re;
  /**
   * The imaginary part.
   */
  double im;
  /**
   * Text, digits or bytes.
   */
  struct pon_str text;
  /**
   * An array; one that comes out belongs to the set.
   */
  const struct pon_tensor *tensor;
  /**
   * The step of a range.
   */
  int64_t step;
  /**
   * The number a range ends before.
   */
  int64_t end;
  /**
   * What an element of PON_KIND_OPAQUE is, in NumPy's words: `|S4`, `|V4`, `<f16` and `<c32` (floats of 80 bits, one or
   * two), or for a record a JSON list of its fields, each `[name, type]` or `[name, type, lengths]`; a field without a name
   * is a gap.
   */
  struct pon_str descr;
  /**
   * Lengths of the axes of PON_KIND_OPAQUE, slowest first.
   */
  const int64_t *shape;
  /**
   * How many.
   */
  int32_t ndim;
  /**
   * 0.
   */
  uint32_t reserved;
} pon_value;

/**
 * Teaches the library one type of structured leaves. Every function may be NULL: what needs it is refused. They are called on
 * threads that are in a call with something made with the context, several at once, and must not unwind; what they are
 * handed lives through their call. `params` is a set whose root, `leaf`, is the structured leaf.
 */
typedef struct pon_leaf_type {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * 0.
   */
  uint32_t reserved;
  /**
   * Handed to all functions.
   */
  void *userdata;
  /**
   * Called once when nothing needs the type any more, or NULL.
   */
  pon_drop_fn drop;
  /**
   * Answers PON_OK if storage and metadata fit; any other status is a fault.
   */
  pon_status (*check)(void *userdata, const struct pon_params *params, pon_node leaf, struct pon_faults *faults);
  /**
   * Tells the rows and columns of the matrix.
   */
  pon_status (*dense_shape)(void *userdata,
                            const struct pon_params *params,
                            pon_node leaf,
                            int64_t *rows,
                            int64_t *columns);
  /**
   * Writes the matrix: `out` is packed, of the shape columns, rows and of the element type of the storage.
   */
  pon_status (*dense)(void *userdata, const struct pon_params *params, pon_node leaf, const struct pon_view *out);
  /**
   * Puts the gradient over the storage into `out`, whose node `out_leaf` is a copy of the leaf: dL/dS_k, the sum of
   * G_ij dD_ij/dS_k over the entries of the matrix D and its cotangent G, which has the shape columns, rows.
   */
  pon_status (*gradient)(void *userdata,
                         const struct pon_params *params,
                         pon_node leaf,
                         const struct pon_view *cotangent,
                         struct pon_params *out,
                         pon_node out_leaf,
                         struct pon_faults *faults);
} pon_leaf_type;

/**
 * A leaf's place in a flat vector. A structured leaf has one for each array of its storage.
 */
typedef struct pon_segment {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * Element type in the set that the layout was made of.
   */
  pon_dtype dtype;
  /**
   * The leaf in that set.
   */
  pon_node node;
  /**
   * How many axes it has.
   */
  int32_t ndim;
  /**
   * Place of its first number.
   */
  uint64_t first;
  /**
   * How many numbers.
   */
  uint64_t count;
  /**
   * `ndim` lengths, slowest axis first.
   */
  const int64_t *shape;
  /**
   * Its path from where the layout was made.
   */
  struct pon_str path;
} pon_segment;

/**
 * Called for the leaves at one place, `nodes[i]` that of the set number i; an answer that is not PON_OK ends the walk with it.
 * Called on the thread of the call alone; must not unwind. The sets may be used, and their leaves be set, but no node be
 * added, replaced or removed.
 */
typedef pon_status (*pon_walk_fn)(void *userdata, const pon_node *nodes, size_t count);

/**
 * Called for the leaves at one place as a `pon_walk_fn`; puts what it makes into the leaf `out_leaf` of `out`, with
 * `pon_params_set` or `pon_params_replace`. That begins as the leaf of the first set.
 */
typedef pon_status (*pon_map_fn)(void *userdata,
                                 const pon_node *nodes,
                                 size_t count,
                                 struct pon_params *out,
                                 pon_node out_leaf);

/**
 * Called for a leaf and its cotangent, never for a hole; puts what it makes into the leaf `out_leaf` of `out`, which begins as
 * a copy of the leaf: with `pon_params_storage_gradient`, `pon_params_set` or `pon_params_replace`. An answer that is not
 * PON_OK is a fault of that leaf; the walk goes on to find all. Called on the thread of the call alone; must not unwind.
 */
typedef pon_status (*pon_cotangent_fn)(void *userdata,
                                       const struct pon_params *params,
                                       pon_node leaf,
                                       const struct pon_params *cotangent,
                                       pon_node cotangent_leaf,
                                       struct pon_params *out,
                                       pon_node out_leaf,
                                       struct pon_faults *faults);

/**
 * Number of a layer: its place among the layers of its description, from 0. An input's has the bit PON_LAYER_INPUT.
 */
typedef uint32_t pon_layer;

/**
 * An input or output of a network.
 */
typedef struct pon_port {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * What one number is.
   */
  pon_dtype dtype;
  /**
   * Its name.
   */
  struct pon_str name;
  /**
   * How many axes, the batch counted; PON_SHAPE_UNKNOWN if nothing says it.
   */
  int32_t ndim;
  /**
   * 0.
   */
  uint32_t reserved;
  /**
   * Lengths, the batch first; -1 is free.
   */
  const int64_t *shape;
} pon_port;

/**
 * A place of a network for numbers.
 */
typedef struct pon_slot {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * PON_ROLE_PARAMETER or PON_ROLE_STATISTIC.
   */
  int32_t role;
  /**
   * Its dotted path, e.g. `0.weight`.
   */
  struct pon_str path;
  /**
   * The first layer that uses it.
   */
  pon_layer layer;
  /**
   * What one number is.
   */
  pon_dtype dtype;
  /**
   * The numbers, read only.
   */
  struct pon_view view;
} pon_slot;

/**
 * Bytes that the host reads. Called on threads that are in a call with this source, several at once if the host lets them;
 * must not unwind.
 */
typedef struct pon_reader {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * 0.
   */
  uint32_t reserved;
  /**
   * Handed to all functions.
   */
  void *userdata;
  /**
   * Called once when the reader is needed no more, or NULL.
   */
  pon_drop_fn drop;
  /**
   * How many bytes there are, -1 or NULL: that is not known, and `pon_source_reader` reads them all at once, in order.
   */
  int64_t (*size)(void *userdata);
  /**
   * Writes up to `cap` bytes from place `at` into `buf`; answers how many, 0 at the end, -1 if it failed.
   */
  int64_t (*read)(void *userdata, uint64_t at, void *buf, size_t cap);
  /**
   * Opens a file beside this one, by its name, as a source that the library then owns; NULL: there is none.
   */
  pon_status (*neighbour)(void *userdata, const char *name, size_t name_len, struct pon_source **out);
} pon_reader;

/**
 * A change of every number of a top, before it is handed out.
 */
typedef struct pon_transform {
  /**
   * The top.
   */
  struct pon_str top;
  /**
   * PON_TRANSFORM_SCALE or PON_TRANSFORM_SUB_MEAN.
   */
  int32_t kind;
  /**
   * 0.
   */
  uint32_t reserved;
  /**
   * The factor.
   */
  double scale;
  /**
   * The HDF5 file that holds the mean, or NULL.
   */
  const struct pon_source *mean;
} pon_transform;

/**
 * Gives 64 drawn bits.
 */
typedef uint64_t (*pon_bits_fn)(void *userdata);

/**
 * How a data set is read; noughts are defaults.
 */
typedef struct pon_dataset_options {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * Examples of a batch; 0: 1.
   */
  uint32_t batch;
  /**
   * Names of the datasets that are read, or NULL: `data` and `label`.
   */
  const struct pon_str *tops;
  /**
   * How many.
   */
  uint32_t tops_count;
  /**
   * How many `transforms` there are.
   */
  uint32_t transforms_count;
  /**
   * What is done to the tops, in order, or NULL.
   */
  const struct pon_transform *transforms;
  /**
   * Where the paths of the list begin; "": the folder the process works in.
   */
  struct pon_str folder;
  /**
   * PON_SHUFFLE_NONE, _SEED or _BITS.
   */
  int32_t shuffle;
  /**
   * Batches that a thread of the set's own keeps ready; 0: none, and no thread. It calls nothing of the host
   * but its `pon_allocator`: not with PON_SHUFFLE_BITS, and a `list` that the host reads is read whole before.
   */
  uint32_t ahead;
  /**
   * Shuffles in chunks of so many examples, files anew in each epoch; 0: the files once, and all examples of a file.
   */
  uint64_t chunk;
  /**
   * From which an order is drawn.
   */
  uint64_t seed;
  /**
   * Gives the bits an order is drawn from, on the thread of `pon_dataset_open` and `pon_dataset_next`, or NULL.
   */
  pon_bits_fn bits;
  /**
   * Handed to `bits`; must stay until the data set is freed.
   */
  void *bits_userdata;
} pon_dataset_options;

/**
 * One kind of numbers of each example.
 */
typedef struct pon_top {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * What one number is in the files: PON_DTYPE_F32 or PON_DTYPE_F64.
   */
  pon_dtype dtype;
  /**
   * Its name.
   */
  struct pon_str name;
  /**
   * Lengths of one example, slowest axis first, the batch left out.
   */
  const int64_t *shape;
  /**
   * How many.
   */
  int32_t ndim;
  /**
   * 0.
   */
  uint32_t reserved;
} pon_top;

/**
 * What a flatten is handed, where a file does not say it.
 */
typedef struct pon_flattened {
  /**
   * The path of the flatten, or of the dense or normalisation layer after it in a network written as code.
   */
  struct pon_str path;
  /**
   * Lengths of one example as the description has them, whatever the file: window axes first and channels last.
   */
  const int64_t *shape;
  /**
   * How many.
   */
  int32_t ndim;
  /**
   * 0.
   */
  uint32_t reserved;
} pon_flattened;

/**
 * Tells how far a call has come; an answer that is not 0 ends it with PON_STOPPED. Must not unwind.
 */
typedef int32_t (*pon_progress_fn)(void *userdata, uint64_t done, uint64_t total);

/**
 * Asked for each node before it is read, in the order of the file and from the root (the empty path) down: 0 leaves it out.
 * Not asked below a node that is left out. `path` is as in `pon_params_find` and has a NUL at its end. Called during
 * `pon_import_open`, on its thread; must not unwind.
 */
typedef int32_t (*pon_filter_fn)(void *userdata, const char *path, size_t path_len);

/**
 * Makes something of an object of a file: the root of `object`, whose type name is the hint. With PON_UNMARSHAL_REPLACE the
 * root of `made` takes its place, or its one child if that has the key "". An answer that is none of PON_UNMARSHAL_UNKNOWN,
 * _KEEP and _REPLACE ends the call. Both sets live through the call alone. Called on the thread that reads the set; must not
 * unwind.
 */
typedef int32_t (*pon_unmarshal_fn)(void *userdata, const struct pon_params *object, struct pon_params *made);

/**
 * Which leaf of a tree fills which slot of a network.
 */
typedef struct pon_slot_source {
  /**
   * Path of the leaf in the tree, e.g. `/layers/0/weight`.
   */
  struct pon_str path;
  /**
   * Path of the slot, e.g. `0.weight`.
   */
  struct pon_str slot;
} pon_slot_source;

/**
 * How a file of nested Python values (`jaxon`) is read; noughts are defaults.
 */
typedef struct pon_pytree_options {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * How many `prefixes` there are.
   */
  uint32_t prefixes_count;
  /**
   * If there are any, only what stands at or below one of these paths is read; all else is PON_KIND_NOT_LOADED.
   */
  const struct pon_str *prefixes;
  /**
   * Says which nodes are read, or NULL.
   */
  pon_filter_fn filter;
  /**
   * Handed to `filter`.
   */
  void *filter_userdata;
  /**
   * Asked first what to make of each object, or NULL.
   */
  pon_unmarshal_fn unmarshal;
  /**
   * Handed to `unmarshal`; must stay until the import is freed.
   */
  void *unmarshal_userdata;
  /**
   * The classes that are known, or NULL: each PON_KIND_OBJECT in it is a class by its type name (`module.Class`), its
   * children are the fields with their defaults; PON_KIND_NOT_LOADED is no default.
   */
  const struct pon_params *schema;
  /**
   * 1: a field that a class of the schema does not have is left out with a warning; 0: it is a fault.
   */
  int32_t allow_missing_fields;
  /**
   * 1: a field that the file does not have takes its default with a warning; 0: it is a fault.
   */
  int32_t allow_unknown_fields;
  /**
   * 1: data of dill are given as bytes, never run; 0: they are a fault.
   */
  int32_t allow_dill;
  /**
   * How many `slots` there are.
   */
  uint32_t slots_count;
  /**
   * Which leaf fills which slot of a network; NULL: the dotted path of each array is its slot.
   */
  const struct pon_slot_source *slots;
} pon_pytree_options;

/**
 * What a host says about a file that the file does not say; noughts are defaults.
 */
typedef struct pon_import_options {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * PON_LAYOUT_CHANNELS_LAST, _CHANNELS_FIRST or _AS_FILE: the axis order the host wants at the ports.
   */
  int32_t layout;
  /**
   * The format; "": told from the bytes.
   */
  struct pon_str format;
  /**
   * The loss the network was trained with; "": the file's own.
   */
  struct pon_str loss;
  /**
   * Taken away from each name that begins with it, e.g. `module.`; "": nothing.
   */
  struct pon_str strip_prefix;
  /**
   * The entry of a checkpoint that holds the numbers, a key at its root or a path like `/ema/state_dict`; of
   * an HDF5 file the group that holds the set, of Jaxon the path of a value in its tree; "": the whole.
   */
  struct pon_str key;
  /**
   * The layers, for formats of numbers only, or NULL.
   */
  const struct pon_description *network;
  /**
   * Shape of one example of the first input in the host's order, the batch left out, or NULL; those of further inputs
   * stand in the description's own `inputs`.
   */
  const int64_t *example;
  /**
   * How many lengths `example` has.
   */
  int32_t example_ndim;
  /**
   * How many `flattened` there are.
   */
  uint32_t flattened_count;
  /**
   * What flattens are handed, or NULL.
   */
  const struct pon_flattened *flattened;
  /**
   * Told how far a call on the import is, on the thread of that call, or NULL.
   */
  pon_progress_fn progress;
  /**
   * Handed to `progress`; must stay until the import is freed.
   */
  void *progress_userdata;
  /**
   * Ends a call on the import when raised, or NULL. The import keeps what it needs of it.
   */
  const struct pon_cancel *cancel;
  /**
   * 1: weights that PyTorch keeps in parts (`weight_norm`, `spectral_norm`, pruning) are put together for a network; 0: not.
   */
  int32_t fold_weight_norm;
  /**
   * PON_TYPES_REFUSE or PON_TYPES_KEEP: what becomes of a structured leaf of a type that nobody registered.
   */
  int32_t unknown_types;
  /**
   * A set that the one in the file must fit, or NULL: kinds, order of keys and types of structured leaves are taken from it.
   */
  const struct pon_params *prototype;
  /**
   * How a file of nested Python values is read, or NULL.
   */
  const struct pon_pytree_options *pytree;
  /**
   * 1: the loss takes the last activation of the network over, a sigmoid or softmax, which is left out, for hosts that train
   * on; of files that say their layers, with the loss they or `loss` say; refused of others. 0: the network as it stands.
   */
  int32_t lift_loss;
  /**
   * 1: the network is put in a row of layers, `0`, `1`, …, for hosts that hold a stack and no graph: every bias is there,
   * channels are last throughout, and what is no row is refused; of files that say their layers, refused of others. 0: the
   * network as it stands.
   */
  int32_t stack;
} pon_import_options;

/**
 * An array of a file.
 */
typedef struct pon_entry {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * What one number is.
   */
  pon_dtype dtype;
  /**
   * Its dotted path, raw.
   */
  struct pon_str path;
  /**
   * Where it stands, in the file's words, raw.
   */
  struct pon_str place;
  /**
   * Lengths, slowest axis first, as the file has them.
   */
  const int64_t *shape;
  /**
   * How many.
   */
  int32_t ndim;
  /**
   * 0.
   */
  uint32_t reserved;
  /**
   * Bytes of the numbers.
   */
  uint64_t bytes;
  /**
   * Byte of the source at which they begin, or PON_NO_OFFSET.
   */
  uint64_t offset;
} pon_entry;

/**
 * How a network is evaluated; noughts are defaults.
 */
typedef struct pon_evaluation_options {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * What its numbers are: PON_DTYPE_F32 or PON_DTYPE_F64; 0: F32.
   */
  pon_dtype dtype;
  /**
   * From which numbers are drawn where none are given.
   */
  uint64_t seed;
} pon_evaluation_options;

/**
 * Numbers under a name.
 */
typedef struct pon_blob {
  /**
   * The blob.
   */
  struct pon_str name;
  /**
   * Its numbers, the batch first.
   */
  struct pon_view view;
} pon_blob;

/**
 * A loss or a statistic.
 */
typedef struct pon_figure {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * PON_FIGURE_LOSS or PON_FIGURE_STATISTIC.
   */
  int32_t kind;
  /**
   * The loss layer's name, or the layer's and what it counts: `test-accuracy`.
   */
  struct pon_str name;
  /**
   * The number; a loss has its layer's weight in it.
   */
  double value;
  /**
   * Over how many a statistic is the mean; 0 of a loss.
   */
  uint64_t count;
} pon_figure;

/**
 * Options of a session; noughts are defaults.
 */
typedef struct pon_session_options {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * PON_DEVICE_CPU.
   */
  int32_t device_kind;
  /**
   * 0.
   */
  int32_t device_index;
  /**
   * PON_PRECISION_STANDARD or PON_PRECISION_EXACT.
   */
  int32_t precision;
  /**
   * Threads that the examples of a run are divided between, or a large step of one, the caller's among them; 0: as the context
   * says. With one, the calling thread only.
   * Threads of ours look for work for 40 microseconds before they sleep.
   */
  uint32_t threads;
  /**
   * PON_ISA_BEST, or for tests another of PON_ISA_*: PON_E_UNSUPPORTED if the processor has it not.
   */
  int32_t isa;
  /**
   * PON_SESSION_TIMED or 0.
   */
  uint32_t flags;
  /**
   * 0.
   */
  uint32_t reserved;
  /**
   * Most examples of a run; memory is laid out for them once. 0: 1.
   */
  uint64_t max_batch;
} pon_session_options;

/**
 * What a session has done.
 */
typedef struct pon_session_stats {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * 0.
   */
  uint32_t reserved;
  /**
   * Bytes of the session's memory for values.
   */
  uint64_t workspace_bytes;
  /**
   * Runs that ended well.
   */
  uint64_t runs;
  /**
   * Nanoseconds of the last of them; 0 unless the session was made with PON_SESSION_TIMED.
   */
  uint64_t last_ns;
  /**
   * Nanoseconds of the longest of them; 0 unless the session was made with PON_SESSION_TIMED.
   */
  uint64_t worst_ns;
  /**
   * Allocations of the library on the calling threads during all runs; 0 unless the library has a defect.
   */
  uint64_t allocations;
} pon_session_stats;

/**
 * Options of saving; noughts are defaults.
 */
typedef struct pon_save_options {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * 0.
   */
  uint32_t flags;
  /**
   * `safetensors`; for a network `onnx` (its layers and its numbers, for any runtime of ONNX) or `mocha` (its numbers as an
   * HDF5 model of Mocha); for a set `julia` (HDF5 as NeuralNetworkParameters.jl writes it) or `jaxon` (HDF5 as Jaxon 2 writes
   * nested Python values); "": safetensors.
   */
  struct pon_str format;
  /**
   * Notes for the file's head: a JSON object of texts, e.g. `{"format":"pt"}`; "": none.
   */
  struct pon_str notes_json;
  /**
   * Told how far the call is, or NULL.
   */
  pon_progress_fn progress;
  /**
   * Handed to `progress`.
   */
  void *progress_userdata;
  /**
   * Ends the call when raised, or NULL.
   */
  const struct pon_cancel *cancel;
  /**
   * Of a set of Julia: the group of the file that it goes into; "": the file itself.
   */
  struct pon_str group;
  /**
   * Of a set of Julia: an HDF5 file that it is put into, all of which stays as it is, or NULL. It may be the one written.
   */
  const struct pon_source *into;
} pon_save_options;

/**
 * Where the bytes of a file go; called on the thread of the call alone, and only during it. Must not unwind.
 */
typedef struct pon_writer {
  /**
   * Size of the struct, set by the caller.
   */
  uint32_t struct_size;
  /**
   * 0.
   */
  uint32_t reserved;
  /**
   * Handed to `write`.
   */
  void *userdata;
  /**
   * Takes the `size` bytes that stand at place `at` of the file; pieces come in order, from the first byte on and without
   * gaps. An answer that is not 0 ends the call with PON_E_IO.
   */
  int32_t (*write)(void *userdata, uint64_t at, const void *data, size_t size);
} pon_writer;

/**
 * Done. `ok`.
 */
#define PON_OK 0

/**
 * A callback or a raised cancel flag ended the call. `stopped`.
 */
#define PON_STOPPED 1

/**
 * A pointer that must not be NULL is. `argument.null`.
 */
#define PON_E_NULL 100

/**
 * A handle is of another kind, or was freed (seen where it can be). `argument.handle`.
 */
#define PON_E_HANDLE 101

/**
 * A value outside what the call takes. `argument.value`.
 */
#define PON_E_VALUE 102

/**
 * A `struct_size` this library does not know. `argument.struct_size`.
 */
#define PON_E_STRUCT_SIZE 103

/**
 * The object is not in a state that allows the call. `argument.state`.
 */
#define PON_E_STATE 104

/**
 * A buffer of the caller is too small. `argument.too_small`.
 */
#define PON_E_TOO_SMALL 105

/**
 * The call comes too late, e.g. an allocator after the first allocation. `argument.too_late`.
 */
#define PON_E_TOO_LATE 106

/**
 * Header and library do not fit. `argument.abi`.
 */
#define PON_E_ABI 107

/**
 * Text that is not UTF-8, or holds a NUL. `argument.text`.
 */
#define PON_E_TEXT 108

/**
 * The object is shared and can not be changed. `argument.shared`.
 */
#define PON_E_SHARED 109

/**
 * No such file. `source.not_found`.
 */
#define PON_E_NOT_FOUND 200

/**
 * The system refused a read or a write. `source.io`.
 */
#define PON_E_IO 201

/**
 * The source ends before its format does. `source.truncated`.
 */
#define PON_E_TRUNCATED 202

/**
 * A limit of the context was met. `source.limit`.
 */
#define PON_E_LIMIT 203

/**
 * No format this library knows. `format.unrecognised`.
 */
#define PON_E_UNRECOGNISED 300

/**
 * The format's own rules are broken. `format.malformed`.
 */
#define PON_E_MALFORMED 301

/**
 * Sound, but not read by this library. `format.unsupported`.
 */
#define PON_E_UNSUPPORTED 302

/**
 * Refused as hostile by construction. `format.refused`.
 */
#define PON_E_HOSTILE 303

/**
 * One name twice. `format.duplicate`.
 */
#define PON_E_DUPLICATE 304

/**
 * Bytes that belong to nothing. `format.gap`.
 */
#define PON_E_GAP 305

/**
 * Bytes that belong to two things. `format.overlap`.
 */
#define PON_E_OVERLAP 306

/**
 * Bytes after the end. `format.trailing`.
 */
#define PON_E_TRAILING 307

/**
 * A product of sizes that no machine can hold. `format.overflow`.
 */
#define PON_E_OVERFLOW 308

/**
 * Text that is not UTF-8. `format.encoding`.
 */
#define PON_E_ENCODING 309

/**
 * An element type the format does not have. `format.dtype`.
 */
#define PON_E_DTYPE 310

/**
 * A note (metadata) that does not fit. `format.metadata`.
 */
#define PON_E_METADATA 311

/**
 * A thing the format demands is not there. `format.missing`.
 */
#define PON_E_ABSENT 312

/**
 * No node at this path. `set.no_path`.
 */
#define PON_E_NO_PATH 400

/**
 * A key twice under one branch. `set.twice`.
 */
#define PON_E_KEY_TWICE 401

/**
 * A node of another kind than asked for. `set.kind`.
 */
#define PON_E_KIND 402

/**
 * Two element types where one is wanted. `set.eltype`.
 */
#define PON_E_ELTYPE 403

/**
 * A shape, or a count of numbers, other than the one that is wanted. `set.shape`.
 */
#define PON_E_SHAPE 404

/**
 * A type of structured leaf that nobody registered, or another than the one that is wanted. `set.type`.
 */
#define PON_E_TYPE 405

/**
 * A node that a prototype has and a set has not. `set.missing`.
 */
#define PON_E_MISSING 406

/**
 * A node that a set has and its prototype has not. `set.unexpected`.
 */
#define PON_E_UNEXPECTED 407

/**
 * Keys whose order a file may have lost. `set.key_order`.
 */
#define PON_E_KEY_ORDER 408

/**
 * References that lead round in a circle. `set.circle`.
 */
#define PON_E_CIRCLE 409

/**
 * A layer word nobody knows. `network.word`.
 */
#define PON_E_WORD 500

/**
 * An attribute that is missing, unknown, repeated or out of range. `network.attribute`.
 */
#define PON_E_ATTRIBUTE 501

/**
 * A layer that does not take the shape reaching it. `network.shape`.
 */
#define PON_E_LAYER_SHAPE 502

/**
 * A slot nobody wrote. `slot.missing`.
 */
#define PON_E_SLOT_MISSING 503

/**
 * A name that is no slot. `slot.unknown`.
 */
#define PON_E_SLOT_UNKNOWN 504

/**
 * A slot that would hold a NaN or an infinity. `slot.nonfinite`.
 */
#define PON_E_SLOT_NONFINITE 505

/**
 * A loss that does not fit the network. `network.loss`.
 */
#define PON_E_LOSS 506

/**
 * Layers that feed one another in a ring. `network.cycle`.
 */
#define PON_E_CYCLE 507

/**
 * A slot written twice. `slot.twice`.
 */
#define PON_E_SLOT_TWICE 508

/**
 * A slot written in another shape. `slot.shape`.
 */
#define PON_E_SLOT_SHAPE 509

/**
 * A slot written in an element type it does not take. `slot.dtype`.
 */
#define PON_E_SLOT_DTYPE 510

/**
 * A slot whose axis order can not be told. `slot.layout`.
 */
#define PON_E_SLOT_LAYOUT 511

/**
 * Every name stands behind a prefix that was not said. `slot.prefix`.
 */
#define PON_E_SLOT_PREFIX 512

/**
 * Text that is no JSON. `text.syntax`.
 */
#define PON_E_SYNTAX 513

/**
 * A key that is unknown, repeated or missing in a description. `text.key`.
 */
#define PON_E_KEY 514

/**
 * A connection to a layer that is not there, or a name taken twice. `network.connection`.
 */
#define PON_E_CONNECTION 515

/**
 * An input whose shape is not known. `network.input`.
 */
#define PON_E_INPUT 516

/**
 * A port without a view. `run.not_bound`.
 */
#define PON_E_NOT_BOUND 600

/**
 * No such device. `run.no_device`.
 */
#define PON_E_NO_DEVICE 601

/**
 * Memory that could not be had. `run.memory`.
 */
#define PON_E_MEMORY 602

/**
 * The device went away. `run.device_lost`.
 */
#define PON_E_DEVICE_LOST 603

/**
 * A defect of this library; nothing was changed. `internal`.
 */
#define PON_E_INTERNAL 900

/**
 * An earlier defect left the object unusable. `internal.poisoned`.
 */
#define PON_E_POISONED 901

/**
 * No element type, or one this library does not know.
 */
#define PON_DTYPE_NONE 0

/**
 * IEEE 754 single precision.
 */
#define PON_DTYPE_F32 1

/**
 * IEEE 754 double precision.
 */
#define PON_DTYPE_F64 2

/**
 * IEEE 754 half precision.
 */
#define PON_DTYPE_F16 3

/**
 * The upper half of a single.
 */
#define PON_DTYPE_BF16 4

/**
 * Signed whole number of 8 bits.
 */
#define PON_DTYPE_I8 5

/**
 * Signed whole number of 16 bits.
 */
#define PON_DTYPE_I16 6

/**
 * Signed whole number of 32 bits.
 */
#define PON_DTYPE_I32 7

/**
 * Signed whole number of 64 bits.
 */
#define PON_DTYPE_I64 8

/**
 * Whole number of 8 bits.
 */
#define PON_DTYPE_U8 9

/**
 * Whole number of 16 bits.
 */
#define PON_DTYPE_U16 10

/**
 * Whole number of 32 bits.
 */
#define PON_DTYPE_U32 11

/**
 * Whole number of 64 bits.
 */
#define PON_DTYPE_U64 12

/**
 * A byte that is 0 or 1.
 */
#define PON_DTYPE_BOOL 13

/**
 * Two singles: real and imaginary part.
 */
#define PON_DTYPE_C64 14

/**
 * Two doubles: real and imaginary part.
 */
#define PON_DTYPE_C128 15

/**
 * 8-bit float, 4 bits of exponent, finite.
 */
#define PON_DTYPE_F8_E4M3 16

/**
 * 8-bit float, 5 bits of exponent.
 */
#define PON_DTYPE_F8_E5M2 17

/**
 * 8 bits of exponent alone.
 */
#define PON_DTYPE_F8_E8M0 18

/**
 * 8-bit float, 4 bits of exponent, no negative nought.
 */
#define PON_DTYPE_F8_E4M3FNUZ 19

/**
 * 8-bit float, 5 bits of exponent, no negative nought.
 */
#define PON_DTYPE_F8_E5M2FNUZ 20

/**
 * 4-bit float, two in a byte.
 */
#define PON_DTYPE_F4 21

/**
 * 6-bit float, 2 bits of exponent, four in three bytes.
 */
#define PON_DTYPE_F6_E2M3 22

/**
 * 6-bit float, 3 bits of exponent, four in three bytes.
 */
#define PON_DTYPE_F6_E3M2 23

/**
 * 8-bit float, 3 bits of exponent.
 */
#define PON_DTYPE_F8_E3M4 24

/**
 * 8-bit float, 4 bits of exponent, with infinities.
 */
#define PON_DTYPE_F8_E4M3_IEEE 25

/**
 * 8-bit float, 4 bits of exponent with the bias 11, no negative nought.
 */
#define PON_DTYPE_F8_E4M3B11FNUZ 26

/**
 * 4-bit float, one in a byte: its low bits.
 */
#define PON_DTYPE_F4_E2M1 27

/**
 * Signed whole number of 4 bits, one in a byte: its low bits.
 */
#define PON_DTYPE_I4 28

/**
 * Whole number of 4 bits, one in a byte.
 */
#define PON_DTYPE_U4 29

/**
 * Signed whole number of 2 bits, one in a byte: its low bits.
 */
#define PON_DTYPE_I2 30

/**
 * Whole number of 2 bits, one in a byte.
 */
#define PON_DTYPE_U2 31

/**
 * A branch of children by name.
 */
#define PON_KIND_NAMED 1

/**
 * The same, kept as the root of a parameter set.
 */
#define PON_KIND_PARAMETERS 2

/**
 * A branch of children by place.
 */
#define PON_KIND_LIST 3

/**
 * A branch of children by place, of a fixed number.
 */
#define PON_KIND_TUPLE 4

/**
 * A branch of children in no order that counts.
 */
#define PON_KIND_SET 5

/**
 * The same, unchangeable in its own world.
 */
#define PON_KIND_FROZEN_SET 6

/**
 * A branch of children by place, each with a key that is a tree.
 */
#define PON_KIND_MAP 7

/**
 * A branch of the fields of a type with a name.
 */
#define PON_KIND_OBJECT 8

/**
 * A leaf of several parts: children `storage` and maybe `metadata`, and a type with a name.
 */
#define PON_KIND_STRUCTURED 9

/**
 * A leaf: an array, in `tensor`.
 */
#define PON_KIND_TENSOR 32

/**
 * A leaf: a whole number, in `i`.
 */
#define PON_KIND_INT 33

/**
 * A leaf: a whole number of more than 64 bits, its decimal digits in `text`.
 */
#define PON_KIND_BIG_INT 34

/**
 * A leaf: a number, in `re`.
 */
#define PON_KIND_REAL 35

/**
 * A leaf: a complex number, in `re` and `im`.
 */
#define PON_KIND_COMPLEX 36

/**
 * A leaf: 0 or 1, in `i`.
 */
#define PON_KIND_BOOL 37

/**
 * A leaf: text, in `text`.
 */
#define PON_KIND_TEXT 38

/**
 * A leaf: bytes, in `text`.
 */
#define PON_KIND_BYTES 39

/**
 * A leaf: nothing.
 */
#define PON_KIND_NONE 40

/**
 * A leaf: Python's `...`.
 */
#define PON_KIND_ELLIPSIS 41

/**
 * A leaf: a range of whole numbers, from `i` on, in steps of `step`, before `end`.
 */
#define PON_KIND_RANGE 42

/**
 * A leaf: one number of an element type of its own, in `tensor`, which has no axes.
 */
#define PON_KIND_SCALAR 43

/**
 * A leaf: elements of a type of its own; `descr` says which, `shape` and `ndim` how many, `text` has their bytes.
 */
#define PON_KIND_OPAQUE 45

/**
 * A leaf that was left out on purpose.
 */
#define PON_KIND_NOT_LOADED 44

/**
 * A leaf: the same object as the node in `i`.
 */
#define PON_KIND_REFERENCE 64

/**
 * In a `pon_layer`: the input of this number, not a layer.
 */
#define PON_LAYER_INPUT 2147483648

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Tells the interface number of the library: PON_ABI of the header it was built with.
 * Owns: nothing.
 * Nullable: none.
 * Threads: any.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API uint32_t pon_abi(void);

/**
 * Tells the version of the library, as PON_HEADER.
 * Owns: nothing.
 * Nullable: none.
 * Threads: any.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API uint32_t pon_version(void);

/**
 * Tells whether a caller built with this header can use the library; called first, as `pon_check(PON_ABI, PON_HEADER)`.
 * Owns: nothing.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_ABI: another interface number, or a header that is newer than the library.
 * Since: 0.1.0.
 */
PON_API pon_status pon_check(uint32_t abi, uint32_t header);

/**
 * Tells what the library was built as: a JSON object with `version`, `abi`, `target`, `debug_entries`.
 * Owns: the text is static.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL.
 * Since: 0.1.0.
 */
PON_API pon_status pon_build_info(struct pon_str *out);

/**
 * Gives the stable name of a status, e.g. `slot.shape`; `unknown` for a number this library does not know.
 * Owns: the text is static.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL.
 * Since: 0.1.0.
 */
PON_API pon_status pon_status_name(pon_status status, struct pon_str *out);

/**
 * Says what a status means, in a sentence for people; of a number this library does not know, that it does not.
 * Owns: the text is static.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL.
 * Since: 0.1.0.
 */
PON_API pon_status pon_status_text(pon_status status, struct pon_str *out);

/**
 * Sets where the library's memory comes from, for the whole process; before any other call that makes something.
 * Owns: the functions and `userdata` must work until the process ends or the library is unloaded.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL (also a function that is NULL), PON_E_STRUCT_SIZE, PON_E_VALUE, PON_E_TOO_LATE (memory has been used).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_set_allocator(const struct pon_allocator *allocator);

/**
 * Tells the bits and the name of an element type; unknown ones are PON_E_VALUE.
 * Owns: `name` is static.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_VALUE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_dtype_info(pon_dtype dtype, uint32_t *bits, struct pon_str *name);

/**
 * Makes a context.
 * Owns: the caller owns `*out` and frees it with `pon_context_free`; what is made with it keeps what it needs of it.
 * On failure `log_drop` is not called.
 * Nullable: options (defaults).
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_STRUCT_SIZE, PON_E_VALUE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_context_new(const struct pon_context_options *options, struct pon_context **out);

/**
 * Frees a context.
 * Owns: takes `context`; `log_drop` is called when nothing that was made with it is left.
 * Nullable: context (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_context_free(struct pon_context *context);

/**
 * Makes an empty list of faults.
 * Owns: the caller owns `*out` and frees it with `pon_faults_free`.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL.
 * Since: 0.1.0.
 */
PON_API pon_status pon_faults_new(struct pon_faults **out);

/**
 * Empties a list.
 * Owns: ends what the list has lent.
 * Nullable: faults (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_faults_clear(struct pon_faults *faults);

/**
 * Tells how many faults a list holds.
 * Owns: nothing.
 * Nullable: faults (0).
 * Threads: any.
 * Errors: none; 0.
 * Since: 0.1.0.
 */
PON_API size_t pon_faults_count(const struct pon_faults *faults);

/**
 * Gives one fault; `out->struct_size` is set before the call.
 * Owns: the texts belong to the list, until it is changed or freed.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE (no such fault).
 * Since: 0.1.0.
 */
PON_API pon_status pon_faults_get(const struct pon_faults *faults, size_t index, struct pon_fault *out);

/**
 * Gives the messages, a fault a line.
 * Owns: the text belongs to the list, until it is changed or freed.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_faults_text(const struct pon_faults *faults, struct pon_str *out);

/**
 * Gives all as JSON: `{"faults":[{"code","name","severity","path","place","offset","message","arguments"}]}`, and `"more"`
 * if there were more than are kept.
 * Owns: the text belongs to the list, until it is changed or freed.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_faults_json(const struct pon_faults *faults,
                           struct pon_str *out);

/**
 * Frees a list.
 * Owns: takes `faults`.
 * Nullable: faults (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_faults_free(struct pon_faults *faults);

/**
 * Makes a flag that is down.
 * Owns: the caller owns `*out` and frees it with `pon_cancel_free`.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL.
 * Since: 0.1.0.
 */
PON_API pon_status pon_cancel_new(struct pon_cancel **out);

/**
 * Raises the flag: calls that were given it end with PON_STOPPED at their next look at it.
 * Owns: nothing.
 * Nullable: cancel (nothing happens).
 * Threads: any, at any time, also from a signal handler.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_cancel_raise(const struct pon_cancel *cancel);

/**
 * Takes the flag down, so that it can be used again.
 * Owns: nothing.
 * Nullable: cancel (nothing happens).
 * Threads: any, at any time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_cancel_reset(const struct pon_cancel *cancel);

/**
 * Frees a flag; no call that was given it may still run.
 * Owns: takes `cancel`.
 * Nullable: cancel (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_cancel_free(struct pon_cancel *cancel);

/**
 * Makes an array of noughts.
 * Owns: the caller owns `*out` and frees it with `pon_tensor_free`.
 * Nullable: context (default limits), shape (if ndim is 0).
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_LIMIT, PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_tensor_new(const struct pon_context *context,
                          pon_dtype dtype,
                          int32_t ndim,
                          const int64_t *shape,
                          struct pon_tensor **out);

/**
 * Copies numbers into an array of its own, packed.
 * Owns: the caller owns `*out` and frees it with `pon_tensor_free`; `from` is used during the call only.
 * Nullable: context (default limits).
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_LIMIT, PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_tensor_copy(const struct pon_context *context,
                           const struct pon_view *from,
                           struct pon_tensor **out);

/**
 * Makes an array over numbers of the caller, without a copy.
 * Owns: the caller owns `*out` and frees it with `pon_tensor_free`. The numbers must stay until `release` is called, once,
 * on whichever thread uses them last; `shape` and `strides` are used during the call only. On failure `release` is not called.
 * Nullable: release, userdata.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_VALUE.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_tensor_wrap(const struct pon_view *from,
                           pon_drop_fn release,
                           void *userdata,
                           struct pon_tensor **out);

/**
 * Makes one more handle of the same numbers.
 * Owns: the caller owns `*out` and frees it with `pon_tensor_free`, before or after `tensor`.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_tensor_share(const struct pon_tensor *tensor, struct pon_tensor **out);

/**
 * Lends the numbers to be read.
 * Owns: the view belongs to `tensor` and ends with it.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_tensor_view(const struct pon_tensor *tensor, struct pon_view *out);

/**
 * Lends the numbers to be written; refused while anything else holds them or if they are read only.
 * Owns: the view belongs to `tensor` and ends with it, or when `tensor` is shared, saved, or put into anything.
 * Nullable: none.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_SHARED.
 * Since: 0.1.0.
 */
PON_API pon_status pon_tensor_view_mut(struct pon_tensor *tensor, struct pon_view *out);

/**
 * Makes an array of the same numbers in another element type; shares them if the type is theirs already.
 * Real and whole numbers and BOOL are taken. To a float: nearest, ties to even. To a whole number: towards 0, held within
 * its range, NaN is 0. To BOOL: whether it is not 0.
 * Owns: the caller owns `*out` and frees it with `pon_tensor_free`.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (a type that is not taken), PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_tensor_cast(const struct pon_tensor *tensor,
                           pon_dtype to,
                           struct pon_tensor **out);

/**
 * Frees a handle; the numbers go with the last one that holds them.
 * Owns: takes `tensor`.
 * Nullable: tensor (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_tensor_free(struct pon_tensor *tensor);

/**
 * Takes an array of another library over, without a copy.
 * Owns: the caller owns `*out` and frees it with `pon_tensor_free`; `managed` is taken on success only, and its deleter is
 * called once, on whichever thread uses the numbers last.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_ABI (another major version), PON_E_VALUE (another device, type or shape than the library takes).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_tensor_from_dlpack(struct DLManagedTensorVersioned *managed,
                                  struct pon_tensor **out);

/**
 * Hands an array to another library, without a copy and read only.
 * Owns: the caller owns `*out` and calls its deleter once, on any thread, before or after `tensor` is freed.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (a type that DLPack has not, or of no whole bytes).
 * Since: 0.1.0.
 */
PON_API pon_status pon_tensor_to_dlpack(const struct pon_tensor *tensor, struct DLManagedTensorVersioned **out);

/**
 * Makes an empty set: a root of the kind PON_KIND_NAMED.
 * Owns: the caller owns `*out` and frees it with `pon_params_free`.
 * Nullable: context (default limits).
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_params_new(const struct pon_context *context, struct pon_params **out);

/**
 * Makes a copy that shares the numbers and nothing else.
 * Owns: the caller owns `*out` and frees it with `pon_params_free`.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_params_copy(const struct pon_params *params, struct pon_params **out);

/**
 * Tells how many nodes there are, the root counted.
 * Owns: nothing.
 * Nullable: params (0).
 * Threads: any.
 * Errors: none; 0.
 * Since: 0.1.0.
 */
PON_API uint32_t pon_params_count(const struct pon_params *params);

/**
 * Compares two sets: kinds, names of types, keys in their order, element types, shapes, and numbers bit by bit. If they
 * differ, `*out` is 0 and the first difference comes to `faults` as a warning that names its path.
 * Owns: nothing.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_equal(const struct pon_params *params,
                            const struct pon_params *other,
                            int32_t *out,
                            struct pon_faults *faults);

/**
 * Tells the element type of all numbers below a node: PON_DTYPE_NONE if there are none, a fault that names both where there
 * are two. Of a structured leaf the storage counts and not the metadata. A plain number counts as one of 64 bits.
 * Owns: nothing.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_ELTYPE.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_eltype(const struct pon_params *params,
                             pon_node from,
                             pon_dtype *out,
                             struct pon_faults *faults);

/**
 * Makes a copy of a set whose numbers, metadata left out, have another element type.
 * Owns: the caller owns `*out` and frees it with `pon_params_free`.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_ELTYPE (complex to real, real to whole), PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_convert(const struct pon_params *params,
                              pon_dtype to,
                              struct pon_params **out,
                              struct pon_faults *faults);

/**
 * Makes a set of the shape of a prototype with the numbers of a looser one: kinds, order of keys, types and metadata of
 * structured leaves are the prototype's. All that does not fit is said at once: nodes that are missing or too many, other
 * kinds, types, element types and shapes.
 * Owns: the caller owns `*out` and frees it with `pon_params_free`; the numbers are shared with `loose`.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_MISSING, PON_E_UNEXPECTED, PON_E_KIND, PON_E_TYPE, PON_E_ELTYPE, PON_E_SHAPE.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_conform(const struct pon_params *loose,
                              const struct pon_params *prototype,
                              struct pon_params **out,
                              struct pon_faults *faults);

/**
 * Frees a set.
 * Owns: takes `params`; networks made of it keep what they need.
 * Nullable: params (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_params_free(struct pon_params *params);

/**
 * Tells what a node is; `out->struct_size` is set before the call.
 * Owns: the text belongs to the set, until it is changed or freed.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_NO_PATH.
 * Since: 0.1.0.
 */
PON_API pon_status pon_params_node(const struct pon_params *params, pon_node node, struct pon_node_info *out);

/**
 * Gives a child of a branch by its place.
 * Owns: nothing.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH.
 * Since: 0.1.0.
 */
PON_API pon_status pon_params_child(const struct pon_params *params, pon_node node, uint32_t index, pon_node *out);

/**
 * Finds a node by its path from another: `/key/key`, `~0` for `~` and `~1` for `/` in a key, places as numbers,
 * `~2` for the tree that is the key of a map's child.
 * Owns: nothing.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_NO_PATH.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_find(const struct pon_params *params,
                           pon_node from,
                           const char *path,
                           size_t path_len,
                           pon_node *out);

/**
 * Writes the path of a node from the root into a buffer, with a NUL. `*need` becomes the bytes it takes, NUL included, also
 * if the buffer is too small.
 * Owns: nothing.
 * Nullable: buffer (if capacity is 0).
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_TOO_SMALL.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_path(const struct pon_params *params,
                           pon_node node,
                           char *buffer,
                           size_t capacity,
                           size_t *need);

/**
 * Gives the value of a leaf; `out->struct_size` is set before the call.
 * Owns: text and tensor belong to the set, until it is changed or freed; the tensor is not freed by the caller.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_NO_PATH, PON_E_KIND (a branch).
 * Since: 0.1.0.
 */
PON_API pon_status pon_params_get(const struct pon_params *params, pon_node node, struct pon_value *out);

/**
 * Lends the numbers of an array or typed scalar to be read.
 * Owns: the view belongs to the set, until it is changed or freed.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_KIND (no array).
 * Since: 0.1.0.
 */
PON_API pon_status pon_params_view(const struct pon_params *params, pon_node node, struct pon_view *out);

/**
 * Lends the numbers of an array or typed scalar with its axes in an order of the host's: the numbers are not moved.
 * Owns: the view belongs to the set, until it is changed or freed.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (an order other than PON_ORDER_ROWS and PON_ORDER_COLUMNS), PON_E_NO_PATH,
 * PON_E_KIND (no array, or of an element type of no whole bytes).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_view_as(const struct pon_params *params,
                              pon_node node,
                              int32_t order,
                              struct pon_view *out);

/**
 * Adds a leaf as the last child of a branch; `value->struct_size` is set before the call.
 * Owns: the set shares the numbers of a tensor and copies text.
 * Nullable: key (a branch that goes by place), out.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, PON_E_NO_PATH, PON_E_KIND, PON_E_KEY_TWICE,
 * PON_E_LIMIT.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_add(struct pon_params *params,
                          pon_node parent,
                          const char *key,
                          size_t key_len,
                          const struct pon_value *value,
                          pon_node *out);

/**
 * Adds an empty branch as the last child of a branch.
 * Owns: nothing.
 * Nullable: key (a branch that goes by place), out.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE, PON_E_NO_PATH, PON_E_KIND, PON_E_KEY_TWICE, PON_E_LIMIT.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_add_branch(struct pon_params *params,
                                 pon_node parent,
                                 const char *key,
                                 size_t key_len,
                                 pon_kind kind,
                                 pon_node *out);

/**
 * Puts another value into a leaf; `value->struct_size` is set before the call.
 * Owns: the set shares the numbers of a tensor and copies text.
 * Nullable: none.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, PON_E_NO_PATH, PON_E_KIND.
 * Since: 0.1.0.
 */
PON_API pon_status pon_params_set(struct pon_params *params, pon_node node, const struct pon_value *value);

/**
 * Takes a node and all below it away; not the root.
 * Owns: ends what the set has lent.
 * Nullable: none.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (the root), PON_E_NO_PATH.
 * Since: 0.1.0.
 */
PON_API pon_status pon_params_remove(struct pon_params *params, pon_node node);

/**
 * Adds an empty structured leaf (PON_KIND_STRUCTURED) or object (PON_KIND_OBJECT) as the last child of a branch. A structured
 * leaf has a child `storage`, an array or blocks, and where its type needs them a named child `metadata` of whole numbers.
 * Owns: nothing.
 * Nullable: key (a branch that goes by place), out.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE, PON_E_NO_PATH, PON_E_KIND, PON_E_KEY_TWICE, PON_E_LIMIT.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_add_typed(struct pon_params *params,
                                pon_node parent,
                                const char *key,
                                size_t key_len,
                                pon_kind kind,
                                const char *type_name,
                                size_t type_name_len,
                                pon_node *out);

/**
 * Gives a child of a map its key: a leaf. `value->struct_size` is set before the call.
 * Owns: the set shares the numbers of a tensor and copies text.
 * Nullable: out.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, PON_E_NO_PATH, PON_E_KIND (no child of a
 * map), PON_E_KEY_TWICE (it has a key), PON_E_LIMIT.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_key(struct pon_params *params,
                          pon_node child,
                          const struct pon_value *value,
                          pon_node *out);

/**
 * Gives a child of a map its key: an empty branch, to be filled. An object or structured leaf has a type with a name.
 * Owns: nothing.
 * Nullable: type_name (a branch without one), out.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE, PON_E_NO_PATH, PON_E_KIND (no child of a map), PON_E_KEY_TWICE (it
 * has a key), PON_E_LIMIT.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_key_branch(struct pon_params *params,
                                 pon_node child,
                                 pon_kind kind,
                                 const char *type_name,
                                 size_t type_name_len,
                                 pon_node *out);

/**
 * Says what a leaf is beyond its kind, e.g. `jax.Array`, `numpy.str_`, `bytearray`; "" takes it back. A leaf keeps it when it
 * gets another value.
 * Owns: ends what the set has lent.
 * Nullable: type_name ("").
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_NO_PATH, PON_E_KIND (a branch).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_set_type(struct pon_params *params,
                               pon_node leaf,
                               const char *type_name,
                               size_t type_name_len);

/**
 * Makes the root a branch of another kind: any kind without a type while it is empty; afterwards a named one becomes a
 * parameter set and the other way round.
 * Owns: ends what the set has lent.
 * Nullable: none.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_STATE (the root has children that the kind would lose the keys of).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_root(struct pon_params *params,
                           pon_kind kind);

/**
 * Adds a copy of a node of another set, with all below it, as the last child of a branch.
 * Owns: the numbers are shared.
 * Nullable: key (a branch that goes by place), out.
 * Threads: one at a time; any for `from`, which is another set.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_NO_PATH, PON_E_KIND, PON_E_KEY_TWICE, PON_E_STATE (a reference leads out
 * of what is copied), PON_E_LIMIT.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_graft(struct pon_params *params,
                            pon_node parent,
                            const char *key,
                            size_t key_len,
                            const struct pon_params *from,
                            pon_node node,
                            pon_node *out);

/**
 * Puts a copy of a node of another set, with all below it, in the place of a node, which keeps its number and key.
 * Owns: the numbers are shared; ends what the set has lent.
 * Nullable: none.
 * Threads: one at a time; any for `from`.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_STATE (something refers to what would go, or leads out of what is
 * copied), PON_E_LIMIT.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_replace(struct pon_params *params,
                              pon_node node,
                              const struct pon_params *from,
                              pon_node source);

/**
 * Registers a type of structured leaves for all that is made with the context; one of the same name is forgotten. The eight
 * of GeometricOptimizers.jl are there from the start.
 * Owns: the context keeps a copy of `*leaf_type` until it and all that was made with it are freed, then calls `drop`. On
 * failure `drop` is not called.
 * Nullable: none.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_context_register_leaf(struct pon_context *context,
                                     const char *name,
                                     size_t name_len,
                                     const struct pon_leaf_type *leaf_type);

/**
 * Checks every structured leaf of a set against its type. `keep` is 1 to pass over types that nobody registered, else 0.
 * Owns: nothing.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_TYPE, PON_E_SHAPE, PON_E_KIND, PON_E_NO_PATH, PON_E_ELTYPE.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_check(const struct pon_params *params,
                            int32_t keep,
                            struct pon_faults *faults);

/**
 * Gives a structured leaf as its matrix, in the element type of its storage, of the shape columns, rows; an array or number as
 * itself.
 * Owns: the caller owns `*out` and frees it with `pon_tensor_free`.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_KIND, PON_E_TYPE (nobody registered it), PON_E_SHAPE, PON_E_ELTYPE,
 * PON_E_LIMIT, PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_dense(const struct pon_params *params,
                            pon_node node,
                            struct pon_tensor **out,
                            struct pon_faults *faults);

/**
 * Makes the structured leaf of a type that is nearest to a matrix (of the shape columns, rows), as the root of a set: of a
 * symmetric matrix half the sum with its transpose, of a skew-symmetric one half the difference, of a triangular one its
 * triangle; a lift has the number `n` of columns of its blocks, others take 0.
 * Owns: the caller owns `*out` and frees it with `pon_params_free`.
 * Nullable: context (the built-in types), faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE, PON_E_TYPE (unknown, or without such a rule), PON_E_SHAPE,
 * PON_E_ELTYPE, PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_project(const struct pon_context *context,
                              const char *type_name,
                              size_t type_name_len,
                              const struct pon_view *matrix,
                              int64_t n,
                              struct pon_params **out,
                              struct pon_faults *faults);

/**
 * Makes a structured leaf of the type and metadata of another, with a storage of the host's: that node of `numbers` with all
 * below it, in any element type. It is the root of the set that is made; `pon_params_replace` puts it where it belongs, and
 * `pon_params_check` says whether the storage fits.
 * Owns: the caller owns `*out` and frees it with `pon_params_free`; the numbers are shared.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_KIND (no structured leaf), PON_E_STATE (a reference leads out of the
 * storage).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_rebuild(const struct pon_params *params,
                              pon_node leaf,
                              const struct pon_params *numbers,
                              pon_node storage,
                              struct pon_params **out,
                              struct pon_faults *faults);

/**
 * Computes the layout of a branch: depth first, in the order of the set; within an array slowest axis first, which of a set of
 * Julia is column-major order. Of a structured leaf the storage counts alone. Every leaf must hold numbers.
 * Owns: the caller owns `*out` and frees it with `pon_layout_free`; it keeps what it needs of the set.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_KIND, PON_E_OVERFLOW.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_layout_new(const struct pon_params *params,
                          pon_node from,
                          struct pon_layout **out,
                          struct pon_faults *faults);

/**
 * Tells how many numbers the flat vector has.
 * Owns: nothing.
 * Nullable: layout (0).
 * Threads: any.
 * Errors: none; 0.
 * Since: 0.1.0.
 */
PON_API uint64_t pon_layout_count(const struct pon_layout *layout);

/**
 * Tells how many leaves the layout has.
 * Owns: nothing.
 * Nullable: layout (0).
 * Threads: any.
 * Errors: none; 0.
 * Since: 0.1.0.
 */
PON_API size_t pon_layout_segments(const struct pon_layout *layout);

/**
 * Tells a leaf's place; `out->struct_size` is set before the call.
 * Owns: shape and path belong to the layout.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_layout_segment(const struct pon_layout *layout, size_t index, struct pon_segment *out);

/**
 * Tells where the numbers of a node stand, by its path from where the layout was made.
 * Owns: nothing.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_NO_PATH.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_layout_range(const struct pon_layout *layout,
                            const char *path,
                            size_t path_len,
                            uint64_t *first,
                            uint64_t *count);

/**
 * Compares two layouts: `*out` is 1 if kinds, keys, ranges and shapes are the same; types of structured leaves and element
 * types do not count.
 * Owns: nothing.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_layout_equal(const struct pon_layout *layout,
                            const struct pon_layout *other,
                            int32_t *out);

/**
 * Copies the numbers of a set of this layout, its branch `from`, into a vector, converted where its element type is another.
 * Allocates nothing. If it refuses, nothing was written.
 * Owns: `flat` is used during the call only.
 * Nullable: none.
 * Threads: any, each with a vector of its own.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_SHAPE (another count, or a set of another layout), PON_E_ELTYPE.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_layout_gather(const struct pon_layout *layout,
                             const struct pon_params *params,
                             pon_node from,
                             const struct pon_view *flat);

/**
 * Copies a vector into a set of this layout, its branch `to`; each leaf keeps its element type, and single numbers are
 * written too. Arrays that others look at as well, or that lie in a mapped file, first become the set's own; afterwards
 * nothing is allocated. If it refuses, nothing was written.
 * Owns: `flat` is used during the call only; ends what the set has lent.
 * Nullable: none.
 * Threads: one at a time for `params`.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_SHAPE (another count, or a set of another layout), PON_E_ELTYPE,
 * PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_layout_scatter(const struct pon_layout *layout,
                              const struct pon_view *flat,
                              struct pon_params *params,
                              pon_node to);

/**
 * Makes a set of this layout with the numbers of a vector, in its element type; structured leaves keep type and metadata.
 * Owns: the caller owns `*out` and frees it with `pon_params_free`; nothing is shared with `flat`.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_SHAPE, PON_E_ELTYPE, PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_layout_unflatten(const struct pon_layout *layout,
                                const struct pon_view *flat,
                                struct pon_params **out,
                                struct pon_faults *faults);

/**
 * Splits a matrix along `axis`, 0 or 1, which counts the flat numbers, a Jacobian for one: each leaf becomes its block, with the
 * other axis whole; the blocks of a structured leaf's storage stand in its place.
 * Owns: the caller owns `*out` and frees it with `pon_params_free`; the matrix is copied.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_SHAPE, PON_E_ELTYPE, PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_layout_unflatten_rows(const struct pon_layout *layout,
                                     const struct pon_view *matrix,
                                     int32_t axis,
                                     struct pon_params **out,
                                     struct pon_faults *faults);

/**
 * Frees a layout.
 * Owns: takes `layout`.
 * Nullable: layout (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_layout_free(struct pon_layout *layout);

/**
 * Walks over the leaves of sets of the same shape in flat order: a fold keeps its sum in `userdata`; a map in place sets the
 * leaves of the first set. Keys are the same in the same order; a parameter set may stand beside a named branch. Where a later
 * set has nothing, as a leaf or in the place of a branch, the place is passed over.
 * Owns: nothing.
 * Nullable: userdata, faults.
 * Threads: the sets are used by this call and its callback alone, if that changes one.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_KIND, PON_E_SHAPE (keys differ: both lists are named), and what the
 * callback answers.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_each(const struct pon_params *const *sets,
                           size_t count,
                           int32_t depth,
                           pon_walk_fn call,
                           void *userdata,
                           struct pon_faults *faults);

/**
 * Makes a set of the shape of the first one; each leaf is what the callback makes of the leaves at its place. Keys are the same
 * in the same order; a parameter set may stand beside a named branch. A leaf of nothing is handed over as any other; a branch
 * that is nothing is refused.
 * Owns: the caller owns `*out` and frees it with `pon_params_free`.
 * Nullable: userdata, faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_KIND, PON_E_SHAPE (keys differ: both lists are named), and what the
 * callback answers.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_map(const struct pon_params *const *sets,
                          size_t count,
                          int32_t depth,
                          pon_map_fn call,
                          void *userdata,
                          struct pon_params **out,
                          struct pon_faults *faults);

/**
 * Makes the gradient of a set over the numbers it stores, of the cotangent that a reverse pass left of it. A structured leaf
 * takes a cotangent of its matrix by its type's rule, one of its fields, or a structured leaf that holds gradients already. A
 * hole (nothing, a number 0, a branch without children, a key that is not there) becomes zero; `*out` is NULL if the whole
 * cotangent is one. A parameter set takes a named branch of the one key `params`, or a parameter set, which is passed on
 * as it is.
 * Owns: the caller owns `*out` and frees it with `pon_params_free`.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_SHAPE, PON_E_TYPE, PON_E_KIND, PON_E_ELTYPE, PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_gradient(const struct pon_params *params,
                               const struct pon_params *cotangent,
                               struct pon_params **out,
                               struct pon_faults *faults);

/**
 * Walks over a set and its cotangent as `pon_params_gradient` does, and makes a set of the same shape and keys; each leaf is
 * what the callback makes of the leaf and its cotangent. A hole becomes zero, of the element type of what the callback made
 * first, else of the leaf's (double precision for whole numbers), without a call; a leaf of nothing stays nothing. `*out` is
 * NULL if the whole cotangent is a hole.
 * Owns: the caller owns `*out` and frees it with `pon_params_free`.
 * Nullable: userdata, faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_SHAPE (every misfit), PON_E_MEMORY, and what the callback answers.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_map_cotangent(const struct pon_params *params,
                                    const struct pon_params *cotangent,
                                    pon_cotangent_fn call,
                                    void *userdata,
                                    struct pon_params **out,
                                    struct pon_faults *faults);

/**
 * Puts the gradient of one leaf over its storage in the place of a leaf of another set: of an array or number its cotangent
 * in the leaf's element type, of a structured leaf what its type's rule makes, as `pon_params_gradient` says.
 * Owns: ends what `out` has lent.
 * Nullable: faults.
 * Threads: one at a time for `out`, which is another set than the two.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_SHAPE, PON_E_TYPE, PON_E_KIND (a branch), PON_E_ELTYPE, PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_params_storage_gradient(const struct pon_params *params,
                                       pon_node leaf,
                                       const struct pon_params *cotangent,
                                       pon_node cotangent_leaf,
                                       struct pon_params *out,
                                       pon_node out_leaf,
                                       struct pon_faults *faults);

/**
 * Makes an empty description, to be filled layer by layer.
 * Owns: the caller owns `*out` and frees it with `pon_description_free`.
 * Nullable: context (default limits).
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_description_new(const struct pon_context *context, struct pon_description **out);

/**
 * Reads a description from its JSON text: `{"kind":"stack","layers":[…]}`, `{"kind":"graph","inputs":[…],"layers":[…],
 * "outputs":[…]}`, or PyTorch's words, `{"style":"torch","layers":[…]}`.
 * Owns: the caller owns `*out` and frees it with `pon_description_free`.
 * Nullable: context (default limits), faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_SYNTAX, PON_E_KEY and the others of 500 to 549, PON_E_LIMIT.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_description_parse(const struct pon_context *context,
                                 const char *text,
                                 size_t text_len,
                                 struct pon_description **out,
                                 struct pon_faults *faults);

/**
 * Gives the JSON text of a description.
 * Owns: the text belongs to the description, until it is changed or freed.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_description_print(const struct pon_description *description, struct pon_str *out);

/**
 * Adds an input. `shape` is that of one example, the batch left out, -1 for a free length; `ndim` may be PON_SHAPE_UNKNOWN.
 * Owns: nothing.
 * Nullable: shape (if ndim is 0 or PON_SHAPE_UNKNOWN), out.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE, PON_E_LIMIT.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_description_input(struct pon_description *description,
                                 const char *name,
                                 size_t name_len,
                                 pon_dtype dtype,
                                 int32_t ndim,
                                 const int64_t *shape,
                                 pon_layer *out);

/**
 * Adds a layer. Unless it is connected it takes what the layer before makes; the first takes the first input.
 * Owns: nothing.
 * Nullable: name (its number), out.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_LIMIT; whether word and settings are right is said when a network is built.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_description_layer(struct pon_description *description,
                                 const char *word,
                                 size_t word_len,
                                 const char *name,
                                 size_t name_len,
                                 pon_layer *out);

/**
 * Feeds a layer: its input number `to_port` becomes what `from` makes. Ports are connected in order, from 0.
 * Owns: nothing.
 * Nullable: none.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (no such layer, `from_port` is not 0, or a port before `to_port` is free).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_description_connect(struct pon_description *description,
                                   pon_layer from,
                                   uint32_t from_port,
                                   pon_layer to,
                                   uint32_t to_port);

/**
 * Adds an output: what a layer or an input makes, under a name. Without one, the last layer's is the output.
 * Owns: nothing.
 * Nullable: none.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (no such layer, or `from_port` is not 0), PON_E_LIMIT.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_description_output(struct pon_description *description,
                                  pon_layer from,
                                  uint32_t from_port,
                                  const char *name,
                                  size_t name_len);

/**
 * Frees a description.
 * Owns: takes `description`; networks made of it keep what they need.
 * Nullable: description (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_description_free(struct pon_description *description);

/**
 * Sets a setting of a layer to whole numbers: one number or a list, as the word wants it.
 * Owns: nothing.
 * Nullable: values (if count is 0: an empty list).
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (no such layer).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_description_set_ints(struct pon_description *description,
                                    pon_layer layer,
                                    const char *key,
                                    size_t key_len,
                                    const int64_t *values,
                                    size_t count);

/**
 * Sets a setting of a layer to numbers: one number or a list, as the word wants it.
 * Owns: nothing.
 * Nullable: values (if count is 0: an empty list).
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (no such layer, or a number that is not finite).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_description_set_reals(struct pon_description *description,
                                     pon_layer layer,
                                     const char *key,
                                     size_t key_len,
                                     const double *values,
                                     size_t count);

/**
 * Sets a setting of a layer to text.
 * Owns: nothing.
 * Nullable: none.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (no such layer).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_description_set_text(struct pon_description *description,
                                    pon_layer layer,
                                    const char *key,
                                    size_t key_len,
                                    const char *value,
                                    size_t value_len);

/**
 * Sets a setting of a layer to true (1) or false (0).
 * Owns: nothing.
 * Nullable: none.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (no such layer, or neither 0 nor 1).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_description_set_bool(struct pon_description *description,
                                    pon_layer layer,
                                    const char *key,
                                    size_t key_len,
                                    int32_t value);

/**
 * Tells how many layer words there are.
 * Owns: nothing.
 * Nullable: context.
 * Threads: any.
 * Errors: none; 0.
 * Since: 0.1.0.
 */
PON_API size_t pon_words_count(const struct pon_context *context);

/**
 * Gives a layer word and the JSON schema of its layers.
 * Owns: the texts belong to the context; without one they stay until the library is unloaded.
 * Nullable: context.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (no such word).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_words_get(const struct pon_context *context,
                         size_t index,
                         struct pon_str *word,
                         struct pon_str *schema_json);

/**
 * Builds a network: each slot once, in its shape, finite, and nothing else, or all that is wrong in `faults`. The leaves of
 * `params` are tensors, by dotted path and in the library's own layout (see `pon_network_slot`).
 * Owns: the caller owns `*out` and frees it with `pon_network_free`; numbers are shared where they fit as they are.
 * Nullable: params (noughts, for work on shapes alone), faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, those of 400 to 549, PON_E_LIMIT, PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_network_build(const struct pon_description *description,
                             const struct pon_params *params,
                             struct pon_network **out,
                             struct pon_faults *faults);

/**
 * Makes a network of the same plan with other numbers in the library's own layout, all or none; sessions may swap to it.
 * `network` stays as it is. Numbers of a newer file: import it as a network of its own and hand over `pon_network_params` of it.
 * Owns: the caller owns `*out` and frees it with `pon_network_free`.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, those of 400 to 549, PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_network_with(const struct pon_network *network,
                            const struct pon_params *params,
                            struct pon_network **out,
                            struct pon_faults *faults);

/**
 * Makes one more handle of the same network.
 * Owns: the caller owns `*out` and frees it with `pon_network_free`, before or after `network`.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_network_share(const struct pon_network *network, struct pon_network **out);

/**
 * Gives the numbers of a network as a set of leaves by slot path, in the library's own layout.
 * Owns: the caller owns `*out` and frees it with `pon_params_free`; the numbers are shared.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_network_params(const struct pon_network *network, struct pon_params **out);

/**
 * Gives the description of a network, in the library's own words.
 * Owns: the caller owns `*out` and frees it with `pon_description_free`.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_network_description(const struct pon_network *network, struct pon_description **out);

/**
 * Finds a layer of a network by its name: that of the description, `id` in PyTorch's words. Numbers count the layers that
 * were put in for the order of axes too.
 * Owns: nothing.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (no such layer).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_network_layer(const struct pon_network *network,
                             const char *name,
                             size_t name_len,
                             pon_layer *out);

/**
 * Tells about what a layer makes, as a tap of it sees it: its name, and its shape with the batch first (1 where the value is
 * the same for all examples), channels last whatever order the ports have; `out->struct_size` is set before the call.
 * Owns: name and shape belong to the network and end with this handle.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE (no such layer).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_network_layer_port(const struct pon_network *network,
                                  pon_layer layer,
                                  struct pon_port *out);

/**
 * Tells how many slots a network has.
 * Owns: nothing.
 * Nullable: network (0).
 * Threads: any.
 * Errors: none; 0.
 * Since: 0.1.0.
 */
PON_API size_t pon_network_slots(const struct pon_network *network);

/**
 * Tells about a slot; `out->struct_size` is set before the call.
 * Owns: path and view belong to the network and end with this handle.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE (no such slot).
 * Since: 0.1.0.
 */
PON_API pon_status pon_network_slot(const struct pon_network *network, size_t index, struct pon_slot *out);

/**
 * Tells how many inputs (PON_INPUT) or outputs (PON_OUTPUT) a network has.
 * Owns: nothing.
 * Nullable: network (0).
 * Threads: any.
 * Errors: none; 0.
 * Since: 0.1.0.
 */
PON_API size_t pon_network_ports(const struct pon_network *network, int32_t direction);

/**
 * Tells about an input or output; `out->struct_size` is set before the call.
 * Owns: name and shape belong to the network and end with this handle.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE (no such port).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_network_port(const struct pon_network *network,
                            int32_t direction,
                            size_t index,
                            struct pon_port *out);

/**
 * Frees a handle; the network goes with the last one, and with the last session of it.
 * Owns: takes `network`.
 * Nullable: network (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_network_free(struct pon_network *network);

/**
 * Tells the steps that a session of this precision runs, as text for people: for each step its kernel, the layer it works
 * for, the shape and the bytes of what it makes of one example, the bytes of the network's numbers it reads, whose values it
 * takes, which layers' work went into its numbers and what it does on the way; then the bytes of the numbers, which all
 * sessions share, and of a session of one example and one thread. Lines end with LF; columns may be added.
 * Owns: the text belongs to the network and ends with this handle.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (precision), PON_E_MEMORY, those of 500 to 549 (the network can not run).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_network_plan_text(const struct pon_network *network,
                                 int32_t precision,
                                 struct pon_str *out,
                                 struct pon_faults *faults);

/**
 * Opens a file, mapped where the system can; its path is UTF-8 on every system.
 * Owns: the caller owns `*out` and frees it with `pon_source_free`. The file must not be shortened or written while anything
 * read from it lives.
 * Nullable: context (default limits), faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_NOT_FOUND, PON_E_IO, PON_E_LIMIT.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_source_path(const struct pon_context *context,
                           const char *path,
                           size_t path_len,
                           struct pon_source **out,
                           struct pon_faults *faults);

/**
 * Takes bytes in memory, without a copy.
 * Owns: the caller owns `*out` and frees it with `pon_source_free`. The bytes must stay until `release` is called, once, on
 * whichever thread uses them last; without `release` until everything read from the source is freed. On failure `release` is
 * not called.
 * Nullable: context (default limits), data (if size is 0), release, userdata.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_LIMIT.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_source_bytes(const struct pon_context *context,
                            const void *data,
                            size_t size,
                            pon_drop_fn release,
                            void *userdata,
                            struct pon_source **out);

/**
 * Takes bytes that the host reads when they are needed.
 * Owns: the caller owns `*out` and frees it with `pon_source_free`; `reader` is used during the call only, its functions and
 * userdata until `drop` is called, once, on whichever thread reads last. On failure `drop` is not called.
 * Nullable: context (default limits), faults.
 * Threads: any.
 * Errors: PON_E_NULL (also `read`), PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE, PON_E_LIMIT, PON_E_IO.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_source_reader(const struct pon_context *context,
                             const struct pon_reader *reader,
                             struct pon_source **out,
                             struct pon_faults *faults);

/**
 * Frees a source.
 * Owns: takes `source`; what was read from it keeps what it needs.
 * Nullable: source (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_source_free(struct pon_source *source);

/**
 * Opens the HDF5 files that a list names, a path a line, or a single HDF5 file, and looks at all of them: every top must be in
 * each, of one shape and type, and the tops of a file must have as many examples. No numbers are read.
 * Owns: the caller owns `*out` and frees it with `pon_dataset_free`, before or after `list`; texts and sources of the options
 * are used during the call only. The files must not be shortened or written while the set lives; a `list` that the host reads
 * must give its bytes until then, unless `ahead` is not 0: then all of them are read now.
 * Nullable: context (default limits), options (defaults), faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, PON_E_SHAPE, PON_E_LIMIT, PON_E_MEMORY, those of
 * 200 to 399.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_dataset_open(const struct pon_context *context,
                            const struct pon_source *list,
                            const struct pon_dataset_options *options,
                            struct pon_dataset **out,
                            struct pon_faults *faults);

/**
 * How many kinds of numbers each example has.
 * Owns: nothing.
 * Nullable: dataset (0).
 * Threads: any.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API size_t pon_dataset_tops(const struct pon_dataset *dataset);

/**
 * One kind of numbers; what it lends lives as long as the data set.
 * Owns: nothing.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE (no such top).
 * Since: 0.1.0.
 */
PON_API pon_status pon_dataset_top(const struct pon_dataset *dataset, size_t index, struct pon_top *out);

/**
 * How many examples the set has.
 * Owns: nothing.
 * Nullable: dataset (0).
 * Threads: any.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API uint64_t pon_dataset_examples(const struct pon_dataset *dataset);

/**
 * How often the last example of the set has been given, the last batch among it.
 * Owns: nothing.
 * Nullable: dataset (0).
 * Threads: any.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API uint64_t pon_dataset_epoch(const struct pon_dataset *dataset);

/**
 * Writes the next batch into the caller's views, a view a top in their order: the batch first, then the lengths of one example;
 * F32 or F64, numbers are rounded where that is less than the file has. Batches run across files and epochs. Of views of the
 * same numbers the last one counts.
 * Owns: the views and what they look at stay the caller's.
 * Nullable: faults.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (a view that is no such), PON_E_TOO_SMALL (fewer views than tops), those of 200
 * to 399, PON_E_MEMORY, PON_E_STATE (the thread that reads ahead has met a fault before). After PON_E_VALUE, PON_E_NULL and
 * PON_E_TOO_SMALL the batch is still to come.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_dataset_next(struct pon_dataset *dataset,
                            const struct pon_view *views,
                            size_t count,
                            struct pon_faults *faults);

/**
 * Frees a data set, and ends its thread if it has one.
 * Owns: takes `dataset`.
 * Nullable: dataset (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_dataset_free(struct pon_dataset *dataset);

/**
 * Opens a file: tells its format and reads its listing, no numbers.
 * Owns: the caller owns `*out` and frees it with `pon_import_free`, before or after `source`; texts, description and lists of
 * the options are used during the call only.
 * Nullable: context (default limits), options (defaults), faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, those of 200 to 399.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_import_open(const struct pon_context *context,
                           const struct pon_source *source,
                           const struct pon_import_options *options,
                           struct pon_import **out,
                           struct pon_faults *faults);

/**
 * Gives the name of the format.
 * Owns: the text belongs to the import.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_import_format(const struct pon_import *import, struct pon_str *out);

/**
 * Tells how many arrays the file lists.
 * Owns: nothing.
 * Nullable: import (0).
 * Threads: any.
 * Errors: none; 0.
 * Since: 0.1.0.
 */
PON_API size_t pon_import_entries(const struct pon_import *import);

/**
 * Tells about an array of the file, without reading it; `out->struct_size` is set before the call.
 * Owns: texts and shape belong to the import.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE (no such entry).
 * Since: 0.1.0.
 */
PON_API pon_status pon_import_entry(const struct pon_import *import, size_t index, struct pon_entry *out);

/**
 * Gives a note of the file by its key, e.g. `format` of safetensors.
 * Owns: the text belongs to the import.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_NO_PATH (no such note).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_import_note(const struct pon_import *import,
                           const char *key,
                           size_t key_len,
                           struct pon_str *out);

/**
 * Reads one array into numbers of the caller, which have its shape and element type.
 * Owns: `out` is used during the call only.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (no such entry, or a view that does not fit), those of 200 to 399, PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_import_read(const struct pon_import *import,
                           size_t index,
                           const struct pon_view *out,
                           struct pon_faults *faults);

/**
 * Reads all arrays into a set, as the file has them.
 * Owns: the caller owns `*out` and frees it with `pon_params_free`; numbers of a mapped file are not copied.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, those of 200 to 399, PON_E_MEMORY, PON_STOPPED.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_import_params(const struct pon_import *import,
                             struct pon_params **out,
                             struct pon_faults *faults);

/**
 * Gives the description of the file's network, or of the options, in the library's own words.
 * Owns: the caller owns `*out` and frees it with `pon_description_free`.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_ABSENT (neither has one), those of 500 to 549.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_import_description(const struct pon_import *import,
                                  struct pon_description **out,
                                  struct pon_faults *faults);

/**
 * Makes the network: its description, and each slot filled once, in its shape, finite, from the file, or all that is wrong.
 * Owns: the caller owns `*out` and frees it with `pon_network_free`.
 * Nullable: faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, those of 200 to 549, PON_E_MEMORY, PON_STOPPED.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_import_network(const struct pon_import *import,
                              struct pon_network **out,
                              struct pon_faults *faults);

/**
 * Gives the loss the network was trained with, "" if nothing says it.
 * Owns: the text belongs to the import.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_import_loss(const struct pon_import *import, struct pon_str *out);

/**
 * Frees an import.
 * Owns: takes `import`; what was made of it keeps what it needs.
 * Nullable: import (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_import_free(struct pon_import *import);

/**
 * Makes a network in Mocha's words ready to be evaluated, with the numbers of a file by the names of its layers: losses,
 * statistics and layers that a session does not run among them. Shapes count as similar whose outer lengths of 1 differ.
 * Files that output layers are to write must not be there, unless they say that they replace them.
 * Owns: the caller owns `*out` and frees it with `pon_evaluation_free`, before or after `description` and `import`.
 * Nullable: context (default limits), import (no layer has numbers), options (defaults), faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE, PON_E_LIMIT, PON_E_MEMORY, those of 200 to 549,
 * PON_STOPPED.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_evaluation_new(const struct pon_context *context,
                              const struct pon_description *description,
                              const struct pon_import *import,
                              const struct pon_evaluation_options *options,
                              struct pon_evaluation **out,
                              struct pon_faults *faults);

/**
 * Gives a layer that draws its numbers, for the next run that succeeds alone: a dropout one from 0 to 1 for each number it
 * takes, a crop three from 0 to 1 (its place along width and height, the mirror), a layer of normal numbers these themselves,
 * top after top. A run refuses more or fewer; none take back what was given. Without them dropouts pass all on, and the others
 * draw from the seed.
 * Owns: nothing.
 * Nullable: numbers (if `count` is 0).
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (no layer of this name draws).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_evaluation_draw(struct pon_evaluation *evaluation,
                               const char *layer,
                               size_t layer_len,
                               const double *numbers,
                               size_t count);

/**
 * Runs every layer once on the blobs that come from outside: the tops of data layers and the inputs, each with the batch first.
 * `*loss` becomes the total of the losses. After a failure blobs, losses, statistics and given draws are those of before.
 * Owns: `blobs` and what they look at are used during the call only; ends what the evaluation has lent.
 * Nullable: loss, faults.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (a view that holds no real numbers, a label that is no class, draws
 * that are not as many as a layer takes), PON_E_LIMIT, PON_E_LAYER_SHAPE (also a blob that is not what its layer makes, or
 * blobs that fit no parameters), PON_E_INPUT, PON_E_NOT_BOUND, PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_evaluation_run(struct pon_evaluation *evaluation,
                              const struct pon_blob *blobs,
                              size_t count,
                              double *loss,
                              struct pon_faults *faults);

/**
 * How many losses and statistics there are.
 * Owns: nothing.
 * Nullable: evaluation (0).
 * Threads: any.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API size_t pon_evaluation_figures(const struct pon_evaluation *evaluation);

/**
 * Gives a loss or a statistic: first the losses of the last run, then the statistics, each in running order.
 * Owns: the name belongs to the evaluation, until the next run or reset.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE (no such figure).
 * Since: 0.1.0.
 */
PON_API pon_status pon_evaluation_figure(const struct pon_evaluation *evaluation, size_t index, struct pon_figure *out);

/**
 * Lends a blob of the last run, as packed doubles: of a network of singles each is one that a single holds.
 * Owns: the numbers belong to the evaluation, until the next run; they must not be written.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_NO_PATH (no such blob, or nothing has run).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_evaluation_blob(const struct pon_evaluation *evaluation,
                               const char *name,
                               size_t name_len,
                               struct pon_view *out);

/**
 * Begins all statistics anew, and forgets what output layers have kept.
 * Owns: ends the figures that were lent.
 * Nullable: none.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_evaluation_reset(struct pon_evaluation *evaluation);

/**
 * Writes the files of the network's HDF5 output layers: the batches of all runs since the last reset, one after another.
 * Owns: nothing.
 * Nullable: faults.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_IO, PON_E_NOT_FOUND, PON_E_MEMORY, PON_E_SHAPE (runs of examples of unlike shapes).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_evaluation_write(struct pon_evaluation *evaluation,
                                struct pon_faults *faults);

/**
 * Frees an evaluation.
 * Owns: takes `evaluation`.
 * Nullable: evaluation (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_evaluation_free(struct pon_evaluation *evaluation);

/**
 * Tells how much memory for values a session of these options would hold, in bytes; nothing is laid out yet.
 * Owns: nothing.
 * Nullable: options (defaults), faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE, PON_E_NO_DEVICE, PON_E_LIMIT, those of 500 to 549.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_session_bytes(const struct pon_network *network,
                             const struct pon_session_options *options,
                             uint64_t *size,
                             struct pon_faults *faults);

/**
 * Makes a session, with all the memory it will ever need.
 * Owns: the caller owns `*out` and frees it with `pon_session_free`, before or after `network`.
 * Nullable: options (defaults), faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE, PON_E_NO_DEVICE, PON_E_UNSUPPORTED, PON_E_LIMIT,
 * PON_E_MEMORY, those of 500 to 549.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_session_new(const struct pon_network *network,
                           const struct pon_session_options *options,
                           struct pon_session **out,
                           struct pon_faults *faults);

/**
 * Runs with the bound views. No allocation, lock, system call or print, with one thread.
 * Owns: nothing.
 * Nullable: cancel.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NOT_BOUND, PON_E_VALUE (views of different batches, or a whole number outside of its
 * table), PON_STOPPED, PON_E_POISONED. Outputs are written on success only.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_session_run(struct pon_session *session,
                           const struct pon_cancel *cancel);

/**
 * Runs with these views, one for each input and output, and leaves the bound ones alone. The batch is the first axis of all.
 * No allocation, lock, system call or print, with one thread.
 * Owns: the views are used during the call only.
 * Nullable: inputs (if input_count is 0), outputs (if output_count is 0), cancel.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (other counts, shapes or types, or a whole number outside of its table),
 * PON_STOPPED, PON_E_POISONED. Outputs are written on success only.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_session_run_with(struct pon_session *session,
                                const struct pon_view *inputs,
                                size_t input_count,
                                const struct pon_view *outputs,
                                size_t output_count,
                                const struct pon_cancel *cancel);

/**
 * Tells the instruction set of a session's kernels: `portable`, `avx2`, `avx512`, `neon`.
 * Owns: the text is static.
 * Nullable: none.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_session_isa(const struct pon_session *session, struct pon_str *out);

/**
 * Goes on with the numbers of another network of the same plan, made by `pon_network_with`; on failure all stays as it was.
 * Owns: the session keeps what it needs of `network`.
 * Nullable: none.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (another plan), PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_session_swap(struct pon_session *session,
                            const struct pon_network *network);

/**
 * Makes a session usable again after PON_E_INTERNAL, which poisons it.
 * Owns: nothing.
 * Nullable: none.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_session_reset(struct pon_session *session);

/**
 * Tells what a session has done; `out->struct_size` is set before the call.
 * Owns: nothing.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_session_stats_get(const struct pon_session *session, struct pon_session_stats *out);

/**
 * Frees a session.
 * Owns: takes `session`.
 * Nullable: session (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_session_free(struct pon_session *session);

/**
 * Binds an input (PON_INPUT) or output (PON_OUTPUT) to numbers of the caller for all runs to come; the batch is the first axis.
 * Owns: the numbers must stay until the port is bound anew or the session freed; the rest of the view is copied.
 * Nullable: view (unbinds).
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (no such port, or the view does not fit it).
 * Since: 0.1.0.
 */
PON_API
pon_status pon_session_bind(struct pon_session *session,
                            int32_t direction,
                            size_t port,
                            const struct pon_view *view);

/**
 * Gives the view of an input or output: the bound one, or else a buffer of the session's own, bound by this call, with room
 * for `max_batch` examples. At each run its first length becomes the batch of the views of the caller, if there are any.
 * Owns: the view belongs to the session and ends when the port is bound or the session is freed.
 * Nullable: none.
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (no such port), PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_session_port(struct pon_session *session,
                            int32_t direction,
                            size_t port,
                            struct pon_view *out);

/**
 * Copies what a layer makes into numbers of the caller, at each run to come, as soon as it is made. PON_DTYPE_F32; the batch is
 * the first axis, the channels the last (`pon_network_layer_port` tells the shape); 1 where the value is the same for all
 * examples. At a run it must be that of the run. Where the plan has taken layers into others, the first tap lays out a session
 * that has them all, whose runs come before those of this one: taps cost time and memory, and change no answer.
 * Owns: the numbers must stay until the tap is taken away or the session freed; the rest of the view is copied.
 * Nullable: out (takes the tap of this layer away).
 * Threads: one at a time.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (a layer that has no value of its own, or a view that does not fit it),
 * PON_E_LIMIT, PON_E_MEMORY.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_session_tap(struct pon_session *session,
                           pon_layer layer,
                           const struct pon_view *out);

/**
 * Saves a set or a network to a file, all or nothing: written beside it, then put in its place. An imported network is
 * written as PyTorch has it if it came from there, a built one in the library's own layout; the note `format` (`pt` or
 * `pontil`) tells an import which. A set is written as it is and gets no note: read into a network it counts as PyTorch's. In the format `julia` a set keeps kinds, keys,
 * structured leaves and element types, and must have one element type; in the format `jaxon` it keeps kinds, references,
 * objects with their hints, and what leaves are beyond their kind. In the format `onnx` a network is written with its
 * layers, ports in the axis order of its description; every layer that ONNX can not express is a fault (PON_E_UNSUPPORTED)
 * that names it, and more than 2 GiB is refused (PON_E_LIMIT). In the format `mocha` a network that was imported has its numbers
 * as `<layer>___weight`, `___filter` and `___bias`; a layer whose numbers Mocha does not know is a fault (PON_E_UNSUPPORTED).
 * Owns: nothing.
 * Nullable: params, network (exactly one is given), options (safetensors), faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, PON_E_IO, PON_E_NOT_FOUND, PON_E_KIND,
 * PON_E_KEY_TWICE (a name in the group is taken), PON_E_ELTYPE, PON_E_DTYPE, PON_E_UNSUPPORTED, PON_E_LIMIT, PON_E_STATE (a network
 * whose layers are in no known order), PON_E_MEMORY, PON_STOPPED.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_save_path(const struct pon_params *params,
                         const struct pon_network *network,
                         const struct pon_save_options *options,
                         const char *path,
                         size_t path_len,
                         struct pon_faults *faults);

/**
 * Saves a set or a network to memory, as `pon_save_path` does to a file.
 * Owns: the caller owns `*out` and frees it with `pon_bytes_free`.
 * Nullable: params, network (exactly one is given), options (safetensors), faults.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, PON_E_KIND, PON_E_UNSUPPORTED, PON_E_MEMORY,
 * PON_STOPPED.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_save_bytes(const struct pon_params *params,
                          const struct pon_network *network,
                          const struct pon_save_options *options,
                          struct pon_bytes **out,
                          struct pon_faults *faults);

/**
 * Saves a set or a network to a writer of the host, as `pon_save_path` does to a file. What was written before a failure is
 * the host's to take back.
 * Owns: `writer` is used during the call only.
 * Nullable: params, network (exactly one is given), options (safetensors), faults.
 * Threads: any.
 * Errors: PON_E_NULL (also `write`), PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, PON_E_IO, PON_E_KIND,
 * PON_E_UNSUPPORTED, PON_E_MEMORY, PON_STOPPED.
 * Since: 0.1.0.
 */
PON_API
pon_status pon_save_writer(const struct pon_params *params,
                           const struct pon_network *network,
                           const struct pon_save_options *options,
                           const struct pon_writer *writer,
                           struct pon_faults *faults);

/**
 * Lends the bytes.
 * Owns: the data belong to `bytes` and end with it.
 * Nullable: none.
 * Threads: any.
 * Errors: PON_E_NULL, PON_E_HANDLE.
 * Since: 0.1.0.
 */
PON_API pon_status pon_bytes_get(const struct pon_bytes *bytes, const void **data, size_t *size);

/**
 * Frees bytes.
 * Owns: takes `bytes`.
 * Nullable: bytes (nothing happens).
 * Threads: one at a time.
 * Errors: none.
 * Since: 0.1.0.
 */
PON_API void pon_bytes_free(struct pon_bytes *bytes);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PONTIL_H */
