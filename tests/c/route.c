/* The corpus through C: `route LIST OUT`, as tests/routes tells. */
#include "held.h"
#include "must.h"
#include <pontil.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FIELDS = 11, PORTS = 32, AXES = 32 };

static FILE *out;
static const char *name, *way;

static held whole(const char *path) {
  held all = {NULL, 0};
  unsigned char *room;
  FILE *file = fopen(path, "rb");
  MUST(file != NULL && fseek(file, 0, SEEK_END) == 0);
  all.size = (size_t)ftell(file);
  rewind(file);
  room = malloc(all.size + 1);
  MUST(room != NULL && fread(room, 1, all.size, file) == all.size);
  fclose(file);
  all.data = room;
  return all;
}

static uint64_t sum(uint64_t so_far, const void *data, size_t size) {
  for (size_t at = 0; at < size; at++) so_far = (so_far ^ ((const unsigned char *)data)[at]) * 0x100000001b3u;
  return so_far;
}

static const uint64_t START = 0xcbf29ce484222325u;

static void escaped(pon_str text) {
  fputc('\t', out);
  for (size_t at = 0; at < text.len; at++) {
    unsigned char one = (unsigned char)text.data[at];
    if (one < 0x20 || one == '\\') fprintf(out, "\\x%02x", one);
    else fputc(one, out);
  }
}

static pon_status refused(pon_status status, const pon_faults *faults) {
  if (status == PON_OK) return status;
  fprintf(out, "%s\t%s\trefused\t%d\n", name, way, (int)status);
  for (size_t at = 0; at < pon_faults_count(faults); at++) {
    pon_fault fault;
    fault.struct_size = sizeof fault;
    MUST(pon_faults_get(faults, at, &fault) == PON_OK);
    fprintf(out, "%s\t%s\tfault\t%d\t%s\t%s", name, way, (int)fault.code, fault.name.data,
            fault.severity == PON_SEVERITY_ERROR ? "error" : "warning");
    escaped(fault.path);
    escaped(fault.place);
    if (fault.offset == PON_NO_OFFSET) fputs("\t-", out);
    else fprintf(out, "\t%" PRIu64, fault.offset);
    escaped(fault.message);
    escaped(fault.arguments_json);
    fputc('\n', out);
  }
  return status;
}

static void let_go(held *of) {
  free((void *)(uintptr_t)of->data);
  of->data = NULL;
}

static int32_t lengths(char *text, int64_t *shape) {
  int32_t axes = 0;
  for (char *one = text; *one != 0; one++) {
    shape[axes++] = strtoll(one, &one, 10);
    if (*one == 0) break;
  }
  return axes;
}

static size_t product(const int64_t *shape, int32_t axes) {
  size_t count = 1;
  for (int32_t axis = 0; axis < axes; axis++) count *= (size_t)shape[axis];
  return count;
}

static pon_status listing(const pon_import *import, pon_faults *faults) {
  uint64_t total = START;
  for (size_t at = 0; at < pon_import_entries(import); at++) {
    pon_entry entry;
    pon_view view;
    char head[600];
    int size;
    unsigned char *numbers;
    entry.struct_size = sizeof entry;
    MUST(pon_import_entry(import, at, &entry) == PON_OK);
    size = snprintf(head, sizeof head, "\n%d\n", (int)entry.dtype);
    for (int32_t axis = 0; axis < entry.ndim; axis++) {
      size += snprintf(head + size, sizeof head - (size_t)size, axis ? ",%" PRId64 : "%" PRId64, entry.shape[axis]);
    }
    size += snprintf(head + size, sizeof head - (size_t)size, "\n");
    total = sum(sum(total, entry.path.data, entry.path.len), head, (size_t)size);
    numbers = malloc((size_t)entry.bytes + 1);
    memset(&view, 0, sizeof view);
    view.data = numbers;
    view.dtype = entry.dtype;
    view.ndim = entry.ndim;
    view.shape = entry.shape;
    pon_status status = pon_import_read(import, at, &view, faults);
    if (status == PON_OK) total = sum(total, numbers, (size_t)entry.bytes);
    free(numbers);
    if (status != PON_OK) return status;
  }
  fprintf(out, "%s\t%s\tlisting\t%zu\t%016" PRIx64 "\n", name, way, pon_import_entries(import), total);
  return PON_OK;
}

/* Splits at a mark; gives how many parts there are. */
static int split(char *text, char mark, char **parts, int most) {
  int count = 0;
  if (*text == 0) return 0;
  for (parts[count++] = text; *text != 0; text++) {
    if (*text == mark) {
      *text = 0;
      MUST(count < most);
      parts[count++] = text + 1;
    }
  }
  return count;
}

static pon_status answered(const pon_import *import, char *ins, char *outs, double most, pon_faults *faults) {
  char *in[PORTS], *wanted[PORTS], *part[3];
  int64_t shapes[2 * PORTS][AXES];
  held given[PORTS];
  float *answers[PORTS];
  pon_view from[PORTS], to[PORTS];
  pon_network *network = NULL;
  pon_session *session = NULL;
  pon_session_options options;
  uint64_t total = START;
  int right = 1, in_count = split(ins, ';', in, PORTS), out_count = split(outs, ';', wanted, PORTS);
  pon_status status = pon_import_network(import, &network, faults);
  if (status != PON_OK) return status;
  if (in_count == 0) fprintf(out, "%s\t%s\tnetwork\n", name, way);
  memset(from, 0, sizeof from);
  memset(to, 0, sizeof to);
  for (int at = 0; at < in_count; at++) {
    MUST(split(in[at], ':', part, 3) >= 2);
    given[at] = whole(part[0]);
    from[at].data = (void *)(uintptr_t)given[at].data;
    from[at].dtype = atoi(part[1]);
    from[at].ndim = lengths(part[2], shapes[at]);
    from[at].shape = shapes[at];
  }
  for (int at = 0; at < out_count; at++) {
    MUST(split(wanted[at], ':', part, 3) == 2);
    to[at].ndim = lengths(part[1], shapes[PORTS + at]);
    to[at].shape = shapes[PORTS + at];
    to[at].dtype = PON_DTYPE_F32;
    answers[at] = calloc(product(to[at].shape, to[at].ndim) + 1, sizeof(float));
    to[at].data = answers[at];
  }
  if (in_count > 0) {
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.max_batch = (uint64_t)from[0].shape[0];
    status = pon_session_new(network, &options, &session, faults);
    if (status == PON_OK) status = pon_session_run_with(session, from, (size_t)in_count, to, (size_t)out_count, NULL);
    MUST(status == PON_OK);
    for (int at = 0; at < out_count; at++) {
      held expected = whole(wanted[at]);
      size_t count = product(to[at].shape, to[at].ndim);
      const double *doubles = (const void *)expected.data;
      total = sum(total, answers[at], count * sizeof(float));
      for (size_t place = 0; place < count; place++) {
        double is = answers[at][place], should = doubles[place];
        right &= is == should || (isnan(is) && isnan(should)) || fabs(is - should) <= most;
      }
      let_go(&expected);
    }
    fprintf(out, "%s\t%s\tanswers\t%016" PRIx64 "\t%s\n", name, way, total, right ? "right" : "wrong");
  }
  for (int at = 0; at < in_count; at++) let_go(&given[at]);
  for (int at = 0; at < out_count; at++) free(answers[at]);
  pon_session_free(session);
  pon_network_free(network);
  return PON_OK;
}

/* Kind, key, name of the type and how many children. */
static uint64_t head_of(const pon_params *params, pon_node node, uint64_t total) {
  pon_node_info info;
  char number[32];
  info.struct_size = sizeof info;
  MUST(pon_params_node(params, node, &info) == PON_OK);
  total = sum(total, number, (size_t)snprintf(number, sizeof number, "%d\n", (int)info.kind));
  total = sum(sum(total, info.key.data, info.key.len), "\n", 1);
  total = sum(total, info.type_name.data, info.type_name.len);
  return sum(total, number, (size_t)snprintf(number, sizeof number, "\n%" PRIu32 "\n", info.children));
}

static uint64_t walked(const pon_params *params, pon_node node, uint64_t total) {
  pon_node_info info;
  pon_value value;
  char number[32];
  info.struct_size = sizeof info;
  value.struct_size = sizeof value;
  MUST(pon_params_node(params, node, &info) == PON_OK);
  total = head_of(params, node, total);
  if (info.kind == PON_KIND_INT || info.kind == PON_KIND_BOOL) {
    MUST(pon_params_get(params, node, &value) == PON_OK);
    total = sum(total, number, (size_t)snprintf(number, sizeof number, "%" PRId64, value.i));
  } else if (info.kind == PON_KIND_REAL) {
    MUST(pon_params_get(params, node, &value) == PON_OK);
    total = sum(total, &value.re, sizeof value.re);
  } else if (info.kind == PON_KIND_TEXT || info.kind == PON_KIND_BIG_INT) {
    MUST(pon_params_get(params, node, &value) == PON_OK);
    total = sum(total, value.text.data, value.text.len);
  } else if (info.kind == PON_KIND_REFERENCE) {
    total = head_of(params, info.refers_to, total);
  }
  if (info.key_node != PON_NO_NODE) total = walked(params, info.key_node, total);
  for (uint32_t at = 0; at < info.children; at++) {
    pon_node child;
    MUST(pon_params_child(params, node, at, &child) == PON_OK);
    total = walked(params, child, total);
  }
  return total;
}

static pon_status tree(const pon_import *import, int flat, pon_faults *faults) {
  pon_params *params = NULL;
  pon_layout *layout = NULL;
  pon_dtype dtype = PON_DTYPE_NONE;
  pon_status status = pon_import_params(import, &params, faults);
  if (status == PON_OK) {
    fprintf(out, "%s\t%s\ttree\t%" PRIu32 "\t%016" PRIx64 "\n", name, way, pon_params_count(params), walked(params, 0, START));
  }
  if (status != PON_OK || !flat) {
    pon_params_free(params);
    return status;
  }
  status = pon_layout_new(params, 0, &layout, faults);
  if (status == PON_OK) status = pon_params_eltype(params, 0, &dtype, faults);
  if (status == PON_OK) {
    uint32_t bits = 0;
    pon_str text;
    int64_t count = (int64_t)pon_layout_count(layout);
    unsigned char *numbers;
    pon_view view;
    if (dtype == PON_DTYPE_NONE) dtype = PON_DTYPE_F64;
    MUST(pon_dtype_info(dtype, &bits, &text) == PON_OK);
    numbers = malloc((size_t)count * bits / 8 + 1);
    memset(&view, 0, sizeof view);
    view.data = numbers;
    view.dtype = dtype;
    view.ndim = 1;
    view.shape = &count;
    MUST(pon_layout_gather(layout, params, 0, &view) == PON_OK);
    fprintf(out, "%s\t%s\tset\t%" PRId64 "\t%d\t%016" PRIx64 "\n", name, way, count, (int)dtype,
            sum(START, numbers, (size_t)count * bits / 8));
    free(numbers);
  }
  pon_layout_free(layout);
  pon_params_free(params);
  return status;
}

static pon_status ran(char **field, pon_faults *faults) {
  static int64_t example[AXES];
  static held words, file;
  pon_description *description = NULL;
  pon_source *source = NULL;
  pon_import *import = NULL;
  pon_import_options options;
  pon_status status = PON_OK;
  let_go(&words);
  let_go(&file);
  file = whole(field[1]);
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.layout = PON_LAYOUT_AS_FILE;
  options.strip_prefix.data = field[3];
  options.strip_prefix.len = strlen(field[3]);
  options.key.data = field[4];
  options.key.len = strlen(field[4]);
  options.fold_weight_norm = field[5][0] == '1';
  options.example_ndim = lengths(field[6], example);
  options.example = options.example_ndim > 0 ? example : NULL;
  if (field[2][0] != 0) {
    words = whole(field[2]);
    status = pon_description_parse(NULL, (const char *)words.data, words.size, &description, faults);
    options.network = description;
  }
  if (status != PON_OK) return status;
  if (strcmp(way, "path") == 0) {
    status = pon_source_path(NULL, field[1], PON_NUL, &source, faults);
  } else if (strcmp(way, "memory") == 0) {
    status = pon_source_bytes(NULL, file.data, file.size, NULL, NULL, &source);
  } else {
    pon_reader reader = held_reader(&file);
    status = pon_source_reader(NULL, &reader, &source, faults);
  }
  if (status == PON_OK) status = pon_import_open(NULL, source, &options, &import, faults);
  if (status == PON_OK && strcmp(field[7], "set") != 0) status = listing(import, faults);
  if (status == PON_OK && strcmp(field[7], "network") == 0) {
    status = answered(import, field[8], field[9], atof(field[10]), faults);
  }
  if (status == PON_OK && (strcmp(field[7], "tree") == 0 || strcmp(field[7], "set") == 0)) {
    status = tree(import, strcmp(field[7], "set") == 0, faults);
  }
  pon_import_free(import);
  pon_source_free(source);
  pon_description_free(description);
  return status;
}

int main(int argc, char **argv) {
  static const char *const WAYS[] = {"path", "memory", "stream"};
  static char line[1 << 16], copy[1 << 16];
  char *field[FIELDS];
  FILE *list = fopen(argv[1], "r");
  MUST(argc == 3 && list != NULL && (out = fopen(argv[2], "wb")) != NULL);
  while (fgets(line, sizeof line, list) != NULL) {
    line[strcspn(line, "\n")] = 0;
    for (int at = 0; at < 3; at++) {
      pon_faults *faults = NULL;
      strcpy(copy, line);
      MUST(split(copy, '\t', field, FIELDS) == FIELDS && pon_faults_new(&faults) == PON_OK);
      name = field[0];
      way = WAYS[at];
      refused(ran(field, faults), faults);
      pon_faults_free(faults);
    }
  }
  return fclose(list) | fclose(out);
}
