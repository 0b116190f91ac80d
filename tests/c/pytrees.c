/* Trees of nested Python values: made, saved, read back whole and in part, held to classes, and what a host makes of objects. */
#include "held.h"
#include "set.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pon_faults *faults;
static pon_source *source;

static pon_node text(pon_params *set, pon_node parent, const char *key, pon_kind kind, const char *said) {
  pon_value value;
  memset(&value, 0, sizeof value);
  value.kind = kind;
  value.text.data = said;
  value.text.len = strlen(said);
  return add(set, parent, key, value);
}

static pon_node plain(pon_params *set, pon_node parent, const char *key, pon_kind kind, int64_t i) {
  pon_value value;
  memset(&value, 0, sizeof value);
  value.kind = kind;
  value.i = i;
  return add(set, parent, key, value);
}

static pon_node object(pon_params *set, pon_node parent, const char *key, const char *type) {
  pon_node node = PON_NO_NODE;
  MUST(pon_params_add_typed(set, parent, key, PON_NUL, PON_KIND_OBJECT, type, PON_NUL, &node) == PON_OK);
  return node;
}

static pon_kind kind_of(const pon_params *set, const char *path) {
  pon_node_info info;
  memset(&info, 0, sizeof info);
  info.struct_size = sizeof info;
  MUST(pon_params_node(set, find(set, path), &info) == PON_OK);
  return info.kind;
}

/* {"layers": [Linear, ref to it], "map": {(1, 2): set, None: {}}, "own": own[v2], "d": dill over bytes, ...} */
static pon_params *tree(void) {
  static const int64_t shape[2] = {1, 2}, one[1] = {1};
  double weight[2] = {1, 2}, bias[1] = {0.5};
  pon_params *set = NULL;
  pon_node layers, linear, map, child, key;
  pon_value value;
  memset(&value, 0, sizeof value);
  value.struct_size = sizeof value;
  value.kind = PON_KIND_NONE;
  MUST(pon_params_new(NULL, &set) == PON_OK);
  layers = branch(set, 0, "layers", PON_KIND_LIST);
  linear = object(set, layers, "", "dclass[m.Linear]");
  array(set, linear, "weight", 2, shape, weight);
  array(set, linear, "bias", 1, one, bias);
  whole(set, linear, "extra", 7);
  plain(set, layers, "", PON_KIND_REFERENCE, linear);
  map = branch(set, 0, "map", PON_KIND_MAP);
  child = branch(set, map, "", PON_KIND_SET);
  whole(set, child, "", 3);
  MUST(pon_params_key_branch(set, child, PON_KIND_TUPLE, NULL, 0, &key) == PON_OK);
  whole(set, key, "", 1);
  whole(set, key, "", 2);
  child = branch(set, map, "", PON_KIND_NAMED);
  MUST(pon_params_key(set, child, &value, NULL) == PON_OK);
  whole(set, object(set, 0, "own", "own[v2]"), "n", 3);
  text(set, object(set, 0, "d", "dill"), "", PON_KIND_BYTES, "\x80\x04K\x01.");
  text(set, 0, "big", PON_KIND_BIG_INT, "-123456789012345678901234567890");
  text(set, 0, "a/b\\'c", PON_KIND_TEXT, "line\nwith 'quotes'");
  branch(set, 0, "frozen", PON_KIND_FROZEN_SET);
  return set;
}

static pon_status opened(const pon_pytree_options *pytree, int32_t types, pon_import **import) {
  pon_import_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.unknown_types = types;
  options.pytree = pytree;
  pon_faults_clear(faults);
  return pon_import_open(NULL, source, &options, import, faults);
}

static pon_params *read_with(const pon_pytree_options *pytree, int32_t types) {
  pon_import *import = NULL;
  pon_params *set = NULL;
  MUST(opened(pytree, types, &import) == PON_OK);
  MUST(pon_import_params(import, &set, faults) == PON_OK);
  pon_import_free(import);
  return set;
}

static pon_pytree_options fresh(void) {
  pon_pytree_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.allow_dill = 1;
  return options;
}

static void whole_tree(const pon_params *made) {
  pon_pytree_options options = fresh();
  pon_params *set = read_with(&options, PON_TYPES_KEEP);
  pon_node_info info;
  pon_value value;
  int32_t equal = 0;
  memset(&info, 0, sizeof info);
  memset(&value, 0, sizeof value);
  info.struct_size = sizeof info;
  value.struct_size = sizeof value;
  MUST(pon_params_equal(made, set, &equal, faults) == PON_OK && equal == 1);
  MUST(pon_params_node(set, find(set, "/layers/1"), &info) == PON_OK && info.refers_to == find(set, "/layers/0"));
  MUST(pon_params_node(set, find(set, "/map/0"), &info) == PON_OK && info.key_node == find(set, "/map/0/~2"));
  MUST(pon_params_node(set, info.key_node, &info) == PON_OK && info.kind == PON_KIND_TUPLE && info.children == 2);
  MUST(pon_params_node(set, find(set, "/d"), &info) == PON_OK && strcmp(info.type_name.data, "dill") == 0);
  MUST(pon_params_get(set, find(set, "/d/"), &value) == PON_OK && value.kind == PON_KIND_BYTES);
  MUST(value.text.len == 5 && memcmp(value.text.data, "\x80\x04K\x01.", 5) == 0);
  MUST(pon_params_get(set, find(set, "/big"), &value) == PON_OK && value.kind == PON_KIND_BIG_INT);
  MUST(strcmp(value.text.data, "-123456789012345678901234567890") == 0);
  MUST(pon_params_get(set, find(set, "/a~1b\\'c"), &value) == PON_OK && value.kind == PON_KIND_TEXT);
  MUST(kind_of(set, "/frozen") == PON_KIND_FROZEN_SET && kind_of(set, "/map/1/~2") == PON_KIND_NONE);
  pon_params_free(set);
}

static void refusals(void) {
  pon_pytree_options options = fresh();
  pon_import *import = NULL;
  options.allow_dill = 0;
  MUST(opened(&options, PON_TYPES_KEEP, &import) == PON_E_HOSTILE && pon_faults_count(faults) == 1);
  MUST(opened(NULL, PON_TYPES_REFUSE, &import) != PON_OK && pon_faults_count(faults) == 2);
  options.allow_dill = 2;
  MUST(opened(&options, PON_TYPES_KEEP, &import) == PON_E_VALUE);
  options = fresh();
  options.struct_size = 3;
  MUST(opened(&options, PON_TYPES_KEEP, &import) == PON_E_STRUCT_SIZE);
  options = fresh();
  options.prefixes_count = 1;
  MUST(opened(&options, PON_TYPES_KEEP, &import) == PON_E_NULL);
  options = fresh();
  options.slots_count = 1;
  MUST(opened(&options, PON_TYPES_KEEP, &import) == PON_E_NULL && import == NULL);
}

typedef struct asked {
  char log[512];
  const char *without;
} asked;

static int32_t wants(void *userdata, const char *path, size_t length) {
  asked *so_far = userdata;
  MUST(strlen(path) == length);
  strcat(strcat(so_far->log, path), " ");
  return strcmp(path, so_far->without) != 0;
}

static void parts(void) {
  static const pon_str prefixes[2] = {{"/layers/0/weight", 16}, {"/map", 4}}, nowhere = {"/layers/7", 9};
  pon_pytree_options options = fresh();
  pon_params *set;
  pon_import *import = NULL;
  asked log = {"", "/layers/0"};
  options.prefixes = prefixes;
  options.prefixes_count = 2;
  set = read_with(&options, PON_TYPES_KEEP);
  MUST(kind_of(set, "/layers/0/weight") == PON_KIND_TENSOR && kind_of(set, "/layers/0/bias") == PON_KIND_NOT_LOADED);
  MUST(kind_of(set, "/map/0") == PON_KIND_SET && kind_of(set, "/own") == PON_KIND_NOT_LOADED);
  pon_params_free(set);
  options.prefixes = &nowhere;
  options.prefixes_count = 1;
  MUST(opened(&options, PON_TYPES_KEEP, &import) == PON_E_NO_PATH);
  options = fresh();
  options.filter = wants;
  options.filter_userdata = &log;
  set = read_with(&options, PON_TYPES_KEEP);
  /* What is left out in its own place is read where it is referred to; the reference is asked for, and what it leads to. */
  MUST(strncmp(log.log, " /layers /layers/0 /layers/1 /layers/1 /layers/1/weight /layers/1/bias /layers/1/extra /map ", 91) == 0);
  MUST(kind_of(set, "/layers/0") == PON_KIND_NOT_LOADED && kind_of(set, "/layers/1/weight") == PON_KIND_TENSOR);
  pon_params_free(set);
}

static void classes(void) {
  pon_params *schema = NULL, *set;
  pon_import *import = NULL;
  pon_pytree_options options = fresh();
  pon_node linear;
  pon_value value;
  MUST(pon_params_new(NULL, &schema) == PON_OK);
  linear = object(schema, 0, "Linear", "m.Linear");
  plain(schema, linear, "weight", PON_KIND_NOT_LOADED, 0);
  plain(schema, linear, "bias", PON_KIND_NOT_LOADED, 0);
  whole(schema, linear, "scale", 11);
  options.schema = schema;
  MUST(opened(&options, PON_TYPES_KEEP, &import) == PON_E_UNEXPECTED && pon_faults_count(faults) == 2);
  options.allow_missing_fields = 1;
  MUST(opened(&options, PON_TYPES_KEEP, &import) == PON_E_MISSING);
  options.allow_unknown_fields = 1;
  MUST(opened(&options, PON_TYPES_KEEP, &import) == PON_OK && pon_faults_count(faults) == 2);
  pon_params_free(schema); /* needed while the file is opened alone */
  MUST(pon_import_params(import, &set, faults) == PON_OK);
  pon_import_free(import);
  memset(&value, 0, sizeof value);
  value.struct_size = sizeof value;
  MUST(pon_params_get(set, find(set, "/layers/0/scale"), &value) == PON_OK && value.i == 11);
  linear = PON_NO_NODE;
  MUST(pon_params_find(set, 0, "/layers/0/extra", PON_NUL, &linear) == PON_E_NO_PATH);
  pon_params_free(set);
}

typedef struct maker {
  int32_t answer, calls;
} maker;

static int32_t make(void *userdata, const pon_params *found, pon_params *made) {
  maker *host = userdata;
  pon_node_info info;
  pon_value value;
  memset(&info, 0, sizeof info);
  memset(&value, 0, sizeof value);
  info.struct_size = sizeof info;
  value.struct_size = sizeof value;
  host->calls++;
  MUST(pon_params_node(found, 0, &info) == PON_OK && info.kind == PON_KIND_OBJECT);
  if (strcmp(info.type_name.data, "own[v2]") != 0) return PON_UNMARSHAL_KEEP;
  MUST(pon_params_get(found, find(found, "/n"), &value) == PON_OK && value.i == 3);
  if (host->answer == PON_UNMARSHAL_REPLACE) text(made, 0, "", PON_KIND_TEXT, "three");
  return host->answer;
}

static void objects_of_the_host(void) {
  pon_pytree_options options = fresh();
  pon_import *import = NULL;
  pon_params *set = NULL;
  maker host = {PON_UNMARSHAL_REPLACE, 0};
  options.unmarshal = make;
  options.unmarshal_userdata = &host;
  set = read_with(&options, PON_TYPES_REFUSE);
  MUST(host.calls == 3 && kind_of(set, "/own") == PON_KIND_TEXT && kind_of(set, "/layers/0") == PON_KIND_OBJECT);
  pon_params_free(set);
  host.answer = PON_UNMARSHAL_KEEP;
  set = read_with(&options, PON_TYPES_REFUSE);
  MUST(kind_of(set, "/own") == PON_KIND_OBJECT);
  pon_params_free(set);
  set = NULL;
  MUST(opened(&options, PON_TYPES_REFUSE, &import) == PON_OK);
  host.answer = PON_UNMARSHAL_UNKNOWN;
  MUST(pon_import_params(import, &set, faults) == PON_E_TYPE && set == NULL);
  host.answer = 77;
  pon_faults_clear(faults);
  MUST(pon_import_params(import, &set, faults) == PON_STOPPED && set == NULL);
  host.answer = PON_UNMARSHAL_REPLACE; /* an import that was refused can be asked again */
  MUST(pon_import_params(import, &set, faults) == PON_OK);
  pon_params_free(set);
  pon_import_free(import);
}

static void slots(void) {
  static const char words[] =
      "{\"style\":\"torch\",\"layers\":[{\"id\":\"0\",\"kind\":\"Linear\",\"args\":{\"in_features\":2,\"out_features\":1}}]}";
  pon_slot_source rows[2] = {{{"/layers/0/weight", 16}, {"0.weight", 8}}, {{"/layers/1/bias", 14}, {"0.bias", 6}}};
  pon_description *description = NULL;
  pon_pytree_options pytree = fresh();
  pon_import_options options;
  pon_import *import = NULL;
  pon_network *network = NULL;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.unknown_types = PON_TYPES_KEEP;
  options.pytree = &pytree;
  pytree.slots = rows;
  pytree.slots_count = 2;
  MUST(pon_description_parse(NULL, words, PON_NUL, &description, faults) == PON_OK);
  options.network = description;
  MUST(pon_import_open(NULL, source, &options, &import, faults) == PON_OK && pon_import_entries(import) == 2);
  MUST(pon_import_network(import, &network, faults) == PON_OK);
  pon_network_free(network);
  pon_import_free(import);
  rows[1].path.data = "/layers/0/extra";
  rows[1].path.len = 15;
  pon_faults_clear(faults);
  MUST(pon_import_open(NULL, source, &options, &import, faults) == PON_E_KIND);
  pytree.slots_count = 1; /* the strict load misses the other slot */
  MUST(pon_import_open(NULL, source, &options, &import, faults) == PON_OK);
  MUST(pon_import_network(import, &network, faults) == PON_E_SLOT_MISSING);
  pon_import_free(import);
  pon_description_free(description);
}

static void *reads(void *made) {
  for (int round = 0; round < 5; round++) {
    pon_pytree_options pytree = fresh();
    pon_import_options options;
    pon_import *import = NULL;
    pon_params *set = NULL;
    int32_t equal = 0;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.unknown_types = PON_TYPES_KEEP;
    options.pytree = &pytree;
    MUST(pon_import_open(NULL, source, &options, &import, NULL) == PON_OK);
    MUST(pon_import_params(import, &set, NULL) == PON_OK);
    MUST(pon_params_equal(made, set, &equal, NULL) == PON_OK && equal == 1);
    pon_params_free(set);
    pon_import_free(import);
  }
  return NULL;
}

/* Eight threads read one source: bytes in memory, then a host's reader. */
static void threads(pon_params *made, held *from) {
  pthread_t all[8];
  pon_source *memory = source;
  pon_reader reader = held_reader(from);
  for (int turn = 0; turn < 2; turn++) {
    for (int at = 0; at < 8; at++) MUST(pthread_create(&all[at], NULL, reads, made) == 0);
    for (int at = 0; at < 8; at++) MUST(pthread_join(all[at], NULL) == 0);
    if (turn == 0) MUST(pon_source_reader(NULL, &reader, &source, faults) == PON_OK);
  }
  pon_source_free(source);
  source = memory;
}

int main(void) {
  pon_params *made = tree();
  pon_save_options options;
  pon_bytes *bytes = NULL;
  const void *data = NULL;
  held from;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.format.data = "jaxon";
  options.format.len = 5;
  MUST(pon_faults_new(&faults) == PON_OK);
  MUST(pon_save_bytes(made, NULL, &options, &bytes, faults) == PON_OK);
  MUST(pon_bytes_get(bytes, &data, &from.size) == PON_OK);
  from.data = data;
  MUST(pon_source_bytes(NULL, data, from.size, NULL, NULL, &source) == PON_OK);
  whole_tree(made);
  refusals();
  parts();
  classes();
  objects_of_the_host();
  slots();
  threads(made, &from);
  pon_source_free(source);
  pon_bytes_free(bytes);
  pon_params_free(made);
  pon_faults_free(faults);
  return 0;
}
