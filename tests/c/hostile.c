/* A host that does what no host should: every struct in every wrong size, views that lie, callbacks that misbehave, and calls
 * out of order. Each is refused by a status of its own kind or does what the header says; none ends the process. */
#include "objects.h"
#include <pthread.h>
#include <time.h>

/* As many bytes as any struct with `struct_size`, and more. */
typedef union sized {
  uint32_t struct_size;
  unsigned char bytes[512];
} sized;

static objects all;
static int calls;


static pon_status as_context(sized *options) {
  pon_context *out = NULL;
  pon_status status = pon_context_new((pon_context_options *)options, &out);
  pon_context_free(out);
  return status;
}

static pon_status as_session(sized *options) {
  pon_session *out = NULL;
  pon_status status = pon_session_new(all.network, (pon_session_options *)options, &out, all.faults);
  pon_session_free(out);
  return status;
}

static pon_status as_bytes(sized *options) {
  uint64_t size = 0;
  return pon_session_bytes(all.network, (pon_session_options *)options, &size, all.faults);
}

static pon_status as_import(sized *options) {
  pon_import *out = NULL;
  pon_status status = pon_import_open(NULL, all.source, (pon_import_options *)options, &out, all.faults);
  pon_import_free(out);
  return status;
}

static pon_status as_save(sized *options) {
  pon_bytes *out = NULL;
  pon_status status = pon_save_bytes(all.params, NULL, (pon_save_options *)options, &out, all.faults);
  pon_bytes_free(out);
  return status;
}

static pon_status as_fault(sized *out) {
  pon_faults_clear(all.faults);
  MUST(pon_source_path(NULL, "/nowhere/at/all", PON_NUL, &all.source, all.faults) == PON_E_NOT_FOUND);
  return pon_faults_get(all.faults, 0, (pon_fault *)out);
}

static pon_status as_node(sized *out) { return pon_params_node(all.params, 0, (pon_node_info *)out); }
static pon_status as_value(sized *out) { return pon_params_get(all.params, 1, (pon_value *)out); }
static pon_status as_slot(sized *out) { return pon_network_slot(all.network, 0, (pon_slot *)out); }
static pon_status as_port(sized *out) { return pon_network_port(all.network, PON_INPUT, 0, (pon_port *)out); }
static pon_status as_entry(sized *out) { return pon_import_entry(all.import, 0, (pon_entry *)out); }
static pon_status as_stats(sized *out) { return pon_session_stats_get(all.session, (pon_session_stats *)out); }

/* In every size from 0 on: one of ours, or larger with noughts behind, or refused; nothing behind the size is touched. */
static void sizes(pon_status (*use)(sized *), size_t ours, int written) {
  for (uint32_t size = 0; size < 300; size++) {
    sized it;
    memset(&it, 0, sizeof it);
    it.struct_size = size;
    memset(it.bytes + (size < 4 ? 4 : size), 0xA5, sizeof it - (size < 4 ? 4 : size));
    MUST(use(&it) == (size >= ours ? PON_OK : PON_E_STRUCT_SIZE));
    MUST(it.struct_size == size);
    for (size_t at = size < 4 ? 4 : size; at < sizeof it; at++) MUST(it.bytes[at] == 0xA5);
    if (size > ours) {
      it.bytes[size - 1] = 1;
      MUST(use(&it) == (written ? PON_OK : PON_E_STRUCT_SIZE));
      MUST(!written || it.bytes[size - 1] == 0);
    }
  }
  sized it;
  memset(&it, 0, sizeof it);
  it.struct_size = UINT32_MAX;
  MUST(use(&it) == PON_E_STRUCT_SIZE);
}

static void structs(void) {
  sizes(as_context, sizeof(pon_context_options), 0);
  sizes(as_session, sizeof(pon_session_options), 0);
  sizes(as_bytes, sizeof(pon_session_options), 0);
  sizes(as_import, sizeof(pon_import_options), 0);
  sizes(as_save, sizeof(pon_save_options), 0);
  sizes(as_fault, sizeof(pon_fault), 1);
  sizes(as_node, sizeof(pon_node_info), 1);
  sizes(as_value, sizeof(pon_value), 1);
  sizes(as_slot, sizeof(pon_slot), 1);
  sizes(as_port, sizeof(pon_port), 1);
  sizes(as_entry, sizeof(pon_entry), 1);
  sizes(as_stats, sizeof(pon_session_stats), 1);
}

/* Each field set to a number that is none of its own. */
static void fields(void) {
  pon_session_options session;
  pon_import_options import;
  pon_save_options save;
  pon_context_options context;
#define WRONG(use, options, field, value, status) \
  memset(&options, 0, sizeof options); \
  options.struct_size = sizeof options; \
  options.field = value; \
  MUST(use((sized *)&options) == status)
  WRONG(as_context, context, reserved, 1, PON_E_VALUE);
  WRONG(as_context, context, log_level, -1, PON_E_VALUE);
  WRONG(as_session, session, device_kind, 2, PON_E_NO_DEVICE);
  WRONG(as_session, session, device_index, -1, PON_E_NO_DEVICE);
  WRONG(as_session, session, precision, 2, PON_E_VALUE);
  WRONG(as_session, session, precision, -1, PON_E_VALUE);
  WRONG(as_session, session, isa, -1, PON_E_VALUE);
  WRONG(as_session, session, isa, 5, PON_E_VALUE);
  WRONG(as_session, session, flags, 2, PON_E_VALUE);
  WRONG(as_session, session, reserved, 1, PON_E_VALUE);
  WRONG(as_session, session, threads, UINT32_MAX, PON_E_VALUE);
  WRONG(as_session, session, max_batch, UINT64_MAX, PON_E_LIMIT);
  WRONG(as_session, session, max_batch, UINT64_MAX / 8, PON_E_LIMIT);
  WRONG(as_import, import, layout, 3, PON_E_VALUE);
  WRONG(as_import, import, layout, -1, PON_E_VALUE);
  WRONG(as_import, import, example_ndim, 1, PON_E_NULL);
  WRONG(as_import, import, flattened_count, UINT32_MAX, PON_E_NULL);
  WRONG(as_import, import, network, (pon_description *)all.params, PON_E_HANDLE);
  WRONG(as_import, import, cancel, (pon_cancel *)all.params, PON_E_HANDLE);
  WRONG(as_import, import, format.len, 3, PON_E_NULL);
  WRONG(as_import, import, format.data, "\xff", PON_OK); /* a length of 0: not said */
  WRONG(as_save, save, flags, 1, PON_E_VALUE);
  WRONG(as_save, save, cancel, (pon_cancel *)all.params, PON_E_HANDLE);
#undef WRONG
  memset(&save, 0, sizeof save);
  save.struct_size = sizeof save;
  for (int i = 0; i < 6; i++) {
    static const char *const notes[] = {"[", "[]", "{\"a\":1}", "{\"a\":\"b\"}}", "\xff", "1"};
    save.notes_json.data = notes[i];
    save.notes_json.len = PON_NUL;
    MUST(as_save((sized *)&save) == (i == 4 ? PON_E_TEXT : PON_E_VALUE));
  }
}

static void texts(void) {
  pon_description *out = NULL;
  pon_layer layer = 0;
  MUST(pon_description_parse(NULL, "a\0b", 3, &out, NULL) == PON_E_TEXT);
  MUST(pon_description_parse(NULL, "\xc3", 1, &out, NULL) == PON_E_TEXT);
  MUST(pon_description_parse(NULL, "\xed\xa0\x80", 3, &out, NULL) == PON_E_TEXT);
  MUST(pon_description_parse(NULL, "", 0, &out, NULL) == PON_E_SYNTAX);
  MUST(pon_description_parse(NULL, "a", SIZE_MAX - 1, &out, NULL) == PON_E_VALUE);
  MUST(pon_description_parse(NULL, "a", (size_t)1 << 63, &out, NULL) == PON_E_VALUE);
  MUST(pon_network_layer(all.network, "nothing", PON_NUL, &layer) == PON_E_VALUE && layer == 0);
  MUST(pon_params_find(all.params, 0, "/\0", 2, &layer) == PON_E_TEXT);
  MUST(out == NULL);
  pon_str word, schema;
  MUST(pon_words_count(NULL) > 60 && pon_words_count(NULL) == pon_words_count(all.context));
  MUST(pon_words_get(NULL, 0, &word, &schema) == PON_OK && schema.data[0] == '{' && word.data[word.len] == 0);
  MUST(pon_words_get(NULL, SIZE_MAX, &word, &schema) == PON_E_VALUE);
  MUST(pon_words_get((pon_context *)all.params, 0, &word, &schema) == PON_E_HANDLE);
}

static void drop(void *userdata) { *(int *)userdata += 1; }

/* The next of a fixed row of numbers below `count`. */
static unsigned next(unsigned count) {
  static unsigned random = 1;
  random = random * 1664525u + 1013904223u;
  return (random >> 8) % count;
}

/* Whether an axis stands still. */
static int repeats(const pon_view *view) {
  for (int i = 0; view->strides && i < view->ndim; i++)
    if (view->shape[i] > 1 && view->strides[i] == 0) return 1;
  return 0;
}

/* Views of every kind of nonsense; what is taken must stay within the numbers. */
static void views(void) {
  static double room[64];
  static const pon_dtype types[] = {PON_DTYPE_F32, PON_DTYPE_F64, PON_DTYPE_I8, PON_DTYPE_F16, PON_DTYPE_F4, PON_DTYPE_BOOL, -1, 77};
  static const int64_t lengths[] = {0, 1, 2, 3, 0, 1, 2, 3, -1, INT64_MAX, (int64_t)1 << 62, INT64_MIN};
  static const int64_t steps[] = {1, 0, -1, 2, 3, -3, INT64_MAX, INT64_MIN, (int64_t)1 << 60, -((int64_t)1 << 62)};
  int taken = 0, dropped = 0, copied = 0;
  for (int round = 0; round < 200000; round++) {
    int64_t shape[3], strides[3];
    pon_view view, seen;
    pon_tensor *tensor = NULL, *copy = NULL, *other = NULL;
    int32_t ndim = (int32_t)(next(5)) - (next(50) == 0);
    int wild = next(4) == 0;
    for (int i = 0; i < 3; i++) {
      shape[i] = lengths[next(wild ? 12 : 8)];
      strides[i] = steps[next(wild ? 10 : 6)];
    }
    if (ndim > 3) ndim = next(20) == 0 ? INT32_MAX : 33;
    view = packed((char *)(room + 32) + next(8), types[next(8)], ndim, shape);
    if (next(2)) view.strides = strides;
    if (next(9) == 0) view.data = NULL;
    if (next(40) == 0) view.flags = PON_VIEW_READ_ONLY;
    if (pon_tensor_wrap(&view, drop, &dropped, &tensor) != PON_OK) {
      MUST(tensor == NULL && dropped == taken);
      continue;
    }
    if (wild) { /* not all of it need be ours: it is not looked at */
      pon_tensor_free(tensor);
      MUST(dropped == ++taken);
      continue;
    }
    MUST(pon_tensor_view(tensor, &seen) == PON_OK && seen.ndim == ndim);
    MUST(pon_tensor_view_mut(tensor, &seen) == (view.flags || repeats(&view) ? PON_E_SHARED : PON_OK));
    MUST(pon_tensor_copy(NULL, &view, &copy) == PON_OK);
    MUST(pon_tensor_view_mut(copy, &seen) == PON_OK);
    if (pon_tensor_cast(tensor, PON_DTYPE_F64, &other) == PON_OK) copied++;
    pon_tensor_free(other);
    pon_tensor_free(copy);
    pon_tensor_free(tensor);
    MUST(dropped == ++taken);
  }
  MUST(taken > 1000 && copied > 1000);
}

static void runs(void) {
  float x[8] = {1, 10, 1, 10, 1, 10, 1, 10}, y[4] = {-1, -1, -1, -1};
  int64_t x_shape[2] = {2, 2}, y_shape[2] = {2, 1};
  const int64_t still[2] = {0, 0}, back[2] = {-1, -1};
  pon_view in = packed(x, PON_DTYPE_F32, 2, x_shape), out = packed(y, PON_DTYPE_F32, 2, y_shape), port;
  pon_session_options options;
  pon_session *session = NULL;
  pon_network *other = NULL, *stranger = NULL;
  pon_description *description = NULL;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.max_batch = 3;
  MUST(pon_session_new(all.network, &options, &session, NULL) == PON_OK);
  MUST(pon_session_run(session, NULL) == PON_E_NOT_BOUND);
  MUST(pon_session_bind(session, PON_INPUT, 1, &in) == PON_E_VALUE);
  MUST(pon_session_bind(session, 0, 0, &in) == PON_E_VALUE);
  MUST(pon_session_bind(session, 3, SIZE_MAX, &in) == PON_E_VALUE);
  MUST(pon_session_bind(session, PON_INPUT, 0, &in) == PON_OK);
  MUST(pon_session_run(session, NULL) == PON_E_NOT_BOUND);
  MUST(pon_session_bind(session, PON_OUTPUT, 0, &out) == PON_OK);
  MUST(pon_session_bind(session, PON_OUTPUT, 0, &out) == PON_OK);
  MUST(pon_session_run(session, NULL) == PON_OK && y[0] == 21.5f && y[1] == 21.5f && y[2] == -1);
  x_shape[0] = 9; /* the shape was copied */
  MUST(pon_session_run(session, NULL) == PON_OK);
  /* Outputs whose places are one and the same. */
  out.strides = still;
  MUST(pon_session_bind(session, PON_OUTPUT, 0, &out) == PON_E_VALUE);
  out.strides = back;
  out.data = y + 1;
  MUST(pon_session_bind(session, PON_OUTPUT, 0, &out) == PON_OK);
  MUST(pon_session_run(session, NULL) == PON_OK && y[0] == 21.5f);
  out.strides = NULL;
  /* An input of one example over and over. */
  x_shape[0] = 2;
  in.strides = still;
  MUST(pon_session_bind(session, PON_INPUT, 0, &in) == PON_OK);
  MUST(pon_session_run(session, NULL) == PON_OK && y[0] == 3.5f);
  in.strides = NULL;
  /* Over each other: inputs are read first. */
  out.data = x;
  MUST(pon_session_run_with(session, &in, 1, &out, 1, NULL) == PON_OK && x[0] == 21.5f && x[1] == 21.5f);
  x[0] = 1, x[1] = 10;
  out.data = y;
  x_shape[0] = y_shape[0] = 0;
  MUST(pon_session_run_with(session, &in, 1, &out, 1, NULL) == PON_OK);
  x_shape[0] = y_shape[0] = 4;
  MUST(pon_session_run_with(session, &in, 1, &out, 1, NULL) == PON_E_VALUE);
  MUST(pon_session_bind(session, PON_INPUT, 0, &in) == PON_E_VALUE);
  x_shape[0] = y_shape[0] = INT64_MAX;
  MUST(pon_session_run_with(session, &in, 1, &out, 1, NULL) == PON_E_VALUE);
  x_shape[0] = 1, y_shape[0] = 2;
  MUST(pon_session_run_with(session, &in, 1, &out, 1, NULL) == PON_E_VALUE);
  MUST(pon_session_bind(session, PON_INPUT, 0, &in) == PON_OK);
  MUST(pon_session_run(session, NULL) == PON_E_VALUE);
  MUST(pon_session_bind(session, PON_INPUT, 0, NULL) == PON_OK);
  MUST(pon_session_run(session, NULL) == PON_E_NOT_BOUND);
  MUST(pon_session_port(session, PON_INPUT, 0, &port) == PON_OK && port.shape[0] == 3);
  ((float *)port.data)[0] = 100;
  MUST(pon_session_run(session, NULL) == PON_OK && y[1] == 100.5f);
  MUST(pon_session_tap(session, 7, &out) == PON_E_VALUE);
  MUST(pon_session_tap(session, PON_LAYER_INPUT, &out) == PON_E_VALUE);
  MUST(pon_session_tap(session, UINT32_MAX, NULL) == PON_OK);
  MUST(pon_network_with(all.network, all.params, &other, all.faults) == PON_OK);
  MUST(pon_session_swap(session, other) == PON_OK);
  MUST(pon_session_run(session, NULL) == PON_OK && y[1] == 100.5f);
  MUST(pon_description_parse(NULL, DENSE, PON_NUL, &description, NULL) == PON_OK);
  MUST(pon_network_build(description, NULL, &stranger, NULL) == PON_OK);
  MUST(pon_session_swap(session, stranger) == PON_E_VALUE);
  MUST(pon_session_run(session, NULL) == PON_OK && y[1] == 100.5f);
  pon_cancel_raise(all.cancel);
  y[1] = -1;
  MUST(pon_session_run(session, all.cancel) == PON_STOPPED && y[1] == -1);
  pon_cancel_reset(all.cancel);
  MUST(pon_session_run(session, all.cancel) == PON_OK && y[1] == 100.5f);
  MUST(pon_session_reset(session) == PON_OK);
  pon_description_free(description);
  pon_network_free(stranger);
  pon_network_free(other);
  pon_session_free(session);
}

/* A reader that calls back into the library, and frees the very source it reads for. */
static const void *data;
static size_t size;
static pon_source *mine;

static int64_t read_and_free(void *userdata, uint64_t at, void *buffer, size_t room) {
  size_t count = at < size ? size - (size_t)at : 0;
  pon_description *description = NULL;
  MUST(pon_description_parse(NULL, "{", 1, &description, NULL) == PON_E_SYNTAX);
  answers(all.session, 21.5f);
  if (*(int *)userdata == 0) {
    pon_source_free(mine);
    mine = NULL;
  }
  if (count > room) count = room;
  memcpy(buffer, (const char *)data + at, count);
  return (int64_t)count;
}

static int64_t size_of(void *userdata) {
  (void)userdata;
  return (int64_t)size;
}

/* A writer that holds what it was given against the same file in memory, and fails at a place. */
static uint64_t fails_at, written;

static int32_t compare(void *userdata, uint64_t at, const void *piece, size_t count) {
  MUST(userdata == &written && at == written && at + count <= size);
  MUST(memcmp((const char *)data + at, piece, count) == 0);
  written += count;
  return written > fails_at;
}

static void writers(void) {
  pon_bytes *bytes = NULL;
  pon_writer writer;
  MUST(pon_save_bytes(NULL, all.network, NULL, &bytes, NULL) == PON_OK);
  MUST(pon_bytes_get(bytes, &data, &size) == PON_OK);
  memset(&writer, 0, sizeof writer);
  writer.struct_size = sizeof writer;
  writer.userdata = &written;
  MUST(pon_save_writer(NULL, all.network, NULL, &writer, all.faults) == PON_E_NULL);
  writer.write = compare;
  fails_at = UINT64_MAX;
  MUST(pon_save_writer(NULL, all.network, NULL, &writer, all.faults) == PON_OK && written == size);
  written = fails_at = 0;
  pon_faults_clear(all.faults);
  MUST(pon_save_writer(NULL, all.network, NULL, &writer, all.faults) == PON_E_IO);
  MUST(pon_faults_count(all.faults) == 1 && written > 0 && written < size);
  writer.reserved = 1;
  MUST(pon_save_writer(NULL, all.network, NULL, &writer, all.faults) == PON_E_VALUE);
  pon_bytes_free(bytes);
}

static int32_t stop(void *userdata, uint64_t done, uint64_t total) {
  MUST(done <= total);
  calls++;
  return ++*(int *)userdata > 1;
}

static void callbacks(void) {
  pon_reader reader;
  pon_import_options options;
  pon_save_options save;
  pon_import *import = NULL;
  pon_network *network = NULL;
  pon_bytes *bytes = NULL;
  int dropped = 0, told = 0;
  MUST(pon_bytes_get(all.bytes, &data, &size) == PON_OK);
  memset(&reader, 0, sizeof reader);
  reader.struct_size = sizeof reader;
  reader.userdata = &dropped;
  reader.drop = drop;
  reader.size = size_of;
  reader.read = read_and_free;
  MUST(pon_source_reader(NULL, &reader, &mine, NULL) == PON_OK);
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.network = all.description;
  MUST(pon_import_open(NULL, mine, &options, &import, NULL) == PON_OK && mine == NULL && dropped == 0);
  MUST(pon_import_network(import, &network, NULL) == PON_OK);
  pon_import_free(import);
  pon_network_free(network);
  MUST(dropped == 1);
  options.progress = stop;
  options.progress_userdata = &told;
  network = NULL;
  MUST(pon_import_open(NULL, all.source, &options, &import, all.faults) == PON_OK);
  told = 100;
  MUST(pon_import_network(import, &network, all.faults) == PON_STOPPED && network == NULL && calls > 0);
  pon_import_free(import);
  memset(&save, 0, sizeof save);
  save.struct_size = sizeof save;
  save.progress = stop;
  save.progress_userdata = &told;
  MUST(pon_save_bytes(all.params, NULL, &save, &bytes, all.faults) == PON_STOPPED && bytes == NULL);
}

static pon_cancel *raised;

static void *raise_soon(void *userdata) {
  const struct timespec soon = {0, 50000000};
  nanosleep(&soon, NULL);
  clock_gettime(CLOCK_MONOTONIC, userdata);
  pon_cancel_raise(raised);
  return NULL;
}

/* A run of many seconds ends soon after the flag was raised. */
static void long_run(void) {
  const char *words = "{\"kind\":\"stack\",\"layers\":[{\"kind\":\"dense\",\"inputs\":4096,\"outputs\":4096}]}";
  const int64_t shape[2] = {8192, 4096};
  float *numbers = calloc((size_t)shape[0] * 4096, sizeof *numbers);
  pon_view view = packed(numbers, PON_DTYPE_F32, 2, shape);
  pon_description *description = NULL;
  pon_network *network = NULL;
  pon_session *session = NULL;
  pon_session_options options;
  pthread_t thread;
  struct timespec begin, end;
  MUST(numbers != NULL);
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.max_batch = 8192;
  MUST(pon_cancel_new(&raised) == PON_OK);
  MUST(pon_description_parse(NULL, words, PON_NUL, &description, NULL) == PON_OK);
  MUST(pon_network_build(description, NULL, &network, NULL) == PON_OK);
  MUST(pon_session_new(network, &options, &session, NULL) == PON_OK);
  MUST(pthread_create(&thread, NULL, raise_soon, &begin) == 0);
  MUST(pon_session_run_with(session, &view, 1, &view, 1, raised) == PON_STOPPED);
  clock_gettime(CLOCK_MONOTONIC, &end);
  MUST(pthread_join(thread, NULL) == 0);
  MUST((end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000 < 1000);
  pon_session_free(session);
  pon_network_free(network);
  pon_description_free(description);
  pon_cancel_free(raised);
  free(numbers);
}

/* More faults than a list keeps unasked. */
static void many_faults(void) {
  pon_context_options options;
  pon_context *context = NULL;
  pon_description *description = NULL;
  pon_network *network = NULL;
  pon_str text;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.max_faults = 12000;
  MUST(pon_context_new(&options, &context) == PON_OK);
  MUST(pon_description_new(context, &description) == PON_OK);
  for (int i = 0; i < 13000; i++) MUST(pon_description_layer(description, "noSuchWord", PON_NUL, NULL, 0, NULL) == PON_OK);
  pon_faults_clear(all.faults);
  MUST(pon_network_build(description, NULL, &network, all.faults) != PON_OK);
  MUST(pon_faults_count(all.faults) == 12000);
  MUST(pon_network_build(description, NULL, &network, all.faults) != PON_OK);
  MUST(pon_faults_count(all.faults) == 24000);
  MUST(pon_faults_text(all.faults, &text) == PON_OK && strlen(text.data) == text.len);
  pon_description_free(description);
  pon_context_free(context);
  pon_faults_clear(all.faults);
  MUST(pon_faults_count(all.faults) == 0);
}

int main(int argc, char **argv) {
  (void)argv;
  all = objects_new();
  fields();
  texts();
  views();
  writers();
  runs();
  callbacks();
  if (argc < 2) {
    long_run();
    many_faults();
  }
  pon_source *source = all.source;
  structs();
  all.source = source;
  objects_free(&all);
  return 0;
}
