/* The whole way: words or JSON, numbers, network, session; files in and out; hot weights. */
#include "objects.h"

static void by_hand(objects *all) {
  pon_description *words = NULL, *again = NULL;
  pon_layer input, layer;
  const int64_t shape[1] = {2}, two = 2, one = 1;
  pon_str text;
  pon_network *network = NULL;
  pon_session *session = NULL;
  MUST(pon_description_new(all->context, &words) == PON_OK);
  MUST(pon_description_input(words, "x", PON_NUL, PON_DTYPE_F32, 1, shape, &input) == PON_OK);
  MUST(pon_description_layer(words, "dense", PON_NUL, "0", PON_NUL, &layer) == PON_OK && layer == 0);
  MUST(pon_description_set_ints(words, layer, "inputs", PON_NUL, &two, 1) == PON_OK);
  MUST(pon_description_set_ints(words, layer, "outputs", PON_NUL, &one, 1) == PON_OK);
  MUST(pon_description_set_bool(words, layer, "bias", PON_NUL, 1) == PON_OK);
  MUST(pon_description_set_bool(words, layer, "bias", PON_NUL, 2) == PON_E_VALUE);
  MUST(pon_description_connect(words, input, 0, layer, 0) == PON_OK);
  MUST(pon_description_connect(words, input, 0, layer, 7) == PON_E_VALUE);
  MUST(pon_description_connect(words, 99, 0, layer, 0) == PON_E_VALUE);
  MUST(pon_description_output(words, layer, 0, "y", PON_NUL) == PON_OK);
  MUST(pon_description_print(words, &text) == PON_OK && text.data[text.len] == 0);
  MUST(pon_description_parse(all->context, text.data, text.len, &again, all->faults) == PON_OK);
  MUST(pon_network_build(again, all->params, &network, all->faults) == PON_OK);
  MUST(pon_session_new(network, NULL, &session, all->faults) == PON_OK);
  answers(session, 21.5f);
  pon_session_free(session);
  pon_network_free(network);
  pon_description_free(again);
  pon_description_free(words);
}

static void all_faults_at_once(objects *all) {
  pon_params *params = NULL;
  pon_network *network = (pon_network *)all;
  pon_fault fault;
  pon_str text;
  float nothing[3] = {0, 0, 0};
  const int64_t three = 3;
  pon_view view = packed(nothing, PON_DTYPE_F32, 1, &three);
  pon_tensor *wrong = NULL;
  MUST(pon_tensor_copy(NULL, &view, &wrong) == PON_OK);
  MUST(pon_params_new(all->context, &params) == PON_OK);
  add_tensor(params, "0.weight", wrong);
  add_tensor(params, "other", wrong);
  MUST(pon_network_build(all->description, params, &network, all->faults) == PON_E_SLOT_SHAPE);
  MUST(network == (pon_network *)all);
  MUST(pon_faults_count(all->faults) == 3);
  fault.struct_size = sizeof fault;
  MUST(pon_faults_get(all->faults, 0, &fault) == PON_OK);
  MUST(fault.code == PON_E_SLOT_SHAPE && strcmp(fault.name.data, "slot.shape") == 0);
  MUST(strcmp(fault.path.data, "0.weight") == 0 && fault.severity == PON_SEVERITY_ERROR);
  MUST(fault.arguments_json.data[0] == '{' && fault.message.len > 0);
  MUST(pon_faults_get(all->faults, 3, &fault) == PON_E_VALUE);
  MUST(pon_faults_text(all->faults, &text) == PON_OK && strchr(text.data, '\n') != NULL);
  MUST(pon_faults_json(all->faults, &text) == PON_OK && strncmp(text.data, "{\"faults\":[", 11) == 0);
  pon_faults_clear(all->faults);
  MUST(pon_faults_count(all->faults) == 0);
  MUST(pon_network_build(all->description, all->params, NULL, all->faults) == PON_E_NULL);
  MUST(pon_faults_get(all->faults, 0, &fault) == PON_OK && strstr(fault.message.data, "`out`") != NULL);
  pon_faults_clear(all->faults);
  pon_params_free(params);
  pon_tensor_free(wrong);
}

static void file(objects *all, const char *folder) {
  char path[512];
  pon_source *source = NULL;
  pon_import *import = NULL;
  pon_import_options options;
  pon_save_options save;
  pon_network *network = NULL;
  pon_session *session = NULL;
  pon_entry entry;
  pon_str text;
  float weight[2];
  const int64_t shape[2] = {1, 2};
  pon_view view = packed(weight, PON_DTYPE_F32, 2, shape);
  snprintf(path, sizeof path, "%s/saved.safetensors", folder);
  memset(&save, 0, sizeof save);
  save.struct_size = sizeof save;
  save.notes_json.data = "{\"by\":\"job\"}";
  save.notes_json.len = PON_NUL;
  MUST(pon_import_network(all->import, &network, all->faults) == PON_OK);
  MUST(pon_save_path(NULL, network, &save, path, PON_NUL, all->faults) == PON_OK);
  pon_network_free(network);
  MUST(pon_save_path(all->params, all->network, &save, path, PON_NUL, all->faults) == PON_E_VALUE);
  MUST(pon_source_path(NULL, path, strlen(path), &source, all->faults) == PON_OK);
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.network = all->description;
  MUST(pon_import_open(all->context, source, &options, &import, all->faults) == PON_OK);
  MUST(pon_import_format(import, &text) == PON_OK && strcmp(text.data, "safetensors") == 0);
  MUST(pon_import_note(import, "by", PON_NUL, &text) == PON_OK && strcmp(text.data, "job") == 0);
  MUST(pon_import_note(import, "no", PON_NUL, &text) == PON_E_NO_PATH);
  MUST(pon_import_loss(import, &text) == PON_OK && text.len == 0);
  MUST(pon_import_entries(import) == 2);
  entry.struct_size = sizeof entry;
  for (size_t i = 0; i < 2; i++) {
    MUST(pon_import_entry(import, i, &entry) == PON_OK);
    if (strcmp(entry.path.data, "0.weight") == 0) {
      MUST(entry.ndim == 2 && entry.shape[1] == 2 && entry.bytes == 8 && entry.dtype == PON_DTYPE_F32);
      MUST(pon_import_read(import, i, &view, all->faults) == PON_OK && weight[0] == 1 && weight[1] == 2);
    } else {
      MUST(pon_import_read(import, i, &view, NULL) == PON_E_VALUE);
    }
  }
  MUST(pon_import_network(import, &network, all->faults) == PON_OK);
  MUST(pon_session_new(network, NULL, &session, all->faults) == PON_OK);
  answers(session, 21.5f);
  pon_session_free(session);
  pon_network_free(network);
  pon_import_free(import);
  pon_source_free(source);
  MUST(pon_source_path(NULL, "/no/such/file", PON_NUL, &source, all->faults) == PON_E_NOT_FOUND);
  MUST(pon_source_path(NULL, "a\xff", PON_NUL, &source, NULL) == PON_E_TEXT);
  MUST(pon_source_path(NULL, "a\0b", 3, &source, NULL) == PON_E_TEXT);
  pon_faults_clear(all->faults);
}

static void bound(objects *all) {
  float y[3], tapped[3];
  const int64_t one[2] = {3, 1};
  pon_view in, out = packed(y, PON_DTYPE_F32, 2, one), tap = packed(tapped, PON_DTYPE_F32, 2, one);
  pon_session_options options;
  pon_session_stats stats;
  pon_session *session = NULL;
  pon_str text, isa = {"", 0};
  uint64_t size = 0;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.max_batch = 4;
  options.isa = PON_ISA_PORTABLE;
  MUST(pon_session_bytes(all->network, &options, &size, all->faults) == PON_OK && size > 0);
  MUST(pon_network_plan_text(all->network, PON_PRECISION_STANDARD, &text, all->faults) == PON_OK);
  MUST(strncmp(text.data, "plan: standard precision, ", 26) == 0 && text.data[text.len - 1] == '\n');
  MUST(pon_network_plan_text(all->network, 7, &text, NULL) == PON_E_VALUE);
  MUST(pon_session_new(all->network, &options, &session, all->faults) == PON_OK);
  MUST(pon_session_isa(session, &isa) == PON_OK && strcmp(isa.data, "portable") == 0);
  MUST(pon_session_run(session, NULL) == PON_E_NOT_BOUND);
  MUST(pon_session_port(session, PON_INPUT, 0, &in) == PON_OK && in.shape[0] == 4 && in.shape[1] == 2);
  for (int i = 0; i < 8; i++) ((float *)in.data)[i] = (float)i;
  MUST(pon_session_bind(session, PON_OUTPUT, 0, &out) == PON_OK);
  MUST(pon_session_bind(session, PON_OUTPUT, 1, &out) == PON_E_VALUE);
  MUST(pon_session_bind(session, 3, 0, &out) == PON_E_VALUE);
  MUST(pon_session_bind(session, PON_OUTPUT, 0, &in) == PON_E_VALUE);
  MUST(pon_session_tap(session, 0, &tap) == PON_OK);
  MUST(pon_session_tap(session, 9, &tap) == PON_E_VALUE);
  for (int run = 0; run < 3; run++) {
    MUST(pon_session_run(session, NULL) == PON_OK);
    MUST(y[0] == 2.5f && y[1] == 8.5f && y[2] == 14.5f && tapped[2] == 14.5f);
  }
  pon_cancel_raise(all->cancel);
  MUST(pon_session_run(session, all->cancel) == PON_STOPPED);
  pon_cancel_reset(all->cancel);
  MUST(pon_session_run(session, all->cancel) == PON_OK);
  stats.struct_size = sizeof stats;
  MUST(pon_session_stats_get(session, &stats) == PON_OK);
  MUST(stats.runs == 4 && stats.allocations == 0 && stats.workspace_bytes == size);
  MUST(stats.last_ns == 0 && stats.worst_ns == 0);
  MUST(pon_session_bind(session, PON_OUTPUT, 0, NULL) == PON_OK);
  MUST(pon_session_run(session, NULL) == PON_E_NOT_BOUND);
  MUST(pon_session_reset(session) == PON_OK);
  pon_session_free(session);
}

static void hot_weights(objects *all) {
  pon_params *params = NULL;
  pon_network *other = NULL, *stranger = NULL;
  pon_view view;
  pon_value value;
  pon_tensor *doubled = NULL;
  pon_node node;
  MUST(pon_network_params(all->network, &params) == PON_OK);
  MUST(pon_params_find(params, 0, "/0.weight", PON_NUL, &node) == PON_OK);
  MUST(pon_params_view(params, node, &view) == PON_OK);
  MUST(pon_tensor_copy(NULL, &view, &doubled) == PON_OK);
  MUST(pon_tensor_view_mut(doubled, &view) == PON_OK);
  ((float *)view.data)[1] = 4;
  memset(&value, 0, sizeof value);
  value.struct_size = sizeof value;
  value.kind = PON_KIND_TENSOR;
  value.tensor = doubled;
  MUST(pon_params_set(params, node, &value) == PON_OK);
  MUST(pon_network_with(all->network, params, &other, all->faults) == PON_OK);
  answers(all->session, 21.5f);
  MUST(pon_session_swap(all->session, other) == PON_OK);
  answers(all->session, 41.5f);
  MUST(pon_network_build(all->description, NULL, &stranger, all->faults) == PON_OK);
  MUST(pon_session_swap(all->session, stranger) == PON_E_VALUE);
  answers(all->session, 41.5f);
  pon_network_free(stranger);
  pon_network_free(other);
  pon_tensor_free(doubled);
  pon_params_free(params);
}

static void listed(objects *all) {
  pon_slot slot;
  pon_port port;
  pon_layer layer;
  pon_str word, schema;
  slot.struct_size = sizeof slot;
  port.struct_size = sizeof port;
  MUST(pon_network_slots(all->network) == 2);
  MUST(pon_network_slot(all->network, 0, &slot) == PON_OK && strcmp(slot.path.data, "0.weight") == 0);
  MUST(slot.role == PON_ROLE_PARAMETER && slot.layer == 0 && ((float *)slot.view.data)[1] == 2);
  MUST(pon_network_slot(all->network, 2, &slot) == PON_E_VALUE);
  MUST(pon_network_ports(all->network, PON_INPUT) == 1 && pon_network_ports(all->network, 0) == 0);
  MUST(pon_network_port(all->network, PON_INPUT, 0, &port) == PON_OK);
  MUST(port.ndim == 2 && port.shape[0] == -1 && port.shape[1] == 2 && port.dtype == PON_DTYPE_F32);
  MUST(pon_network_layer(all->network, "0", PON_NUL, &layer) == PON_OK && layer == 0);
  pon_port made = {.struct_size = sizeof made};
  MUST(pon_network_layer_port(all->network, layer, &made) == PON_OK && made.ndim == 2 && made.shape[0] == -1);
  MUST(made.name.len == 1 && pon_network_layer_port(all->network, 1000, &made) == PON_E_VALUE);
  MUST(pon_words_count(all->context) > 20);
  MUST(pon_words_get(all->context, 0, &word, &schema) == PON_OK && schema.data[0] == '{');
  MUST(pon_build_info(&word) == PON_OK && word.data[0] == '{');
  MUST(pon_status_name(PON_E_SLOT_SHAPE, &word) == PON_OK && strcmp(word.data, "slot.shape") == 0);
  MUST(pon_status_text(PON_E_VALUE, &word) == PON_OK && strcmp(word.data, "A value outside what the call takes.") == 0);
  MUST(pon_status_text(12345, &word) == PON_OK && word.len > 0);
  MUST(pon_status_name(12345, &word) == PON_OK && strcmp(word.data, "unknown") == 0);
  MUST(pon_abi() == PON_ABI && pon_version() == PON_HEADER);
  MUST(pon_check(PON_ABI + 1, PON_HEADER) == PON_E_ABI && pon_check(PON_ABI, PON_HEADER + 1) == PON_E_ABI);
}

int main(int argc, char **argv) {
  objects all = objects_new();
  MUST(argc == 2);
  answers(all.session, 21.5f);
  by_hand(&all);
  all_faults_at_once(&all);
  file(&all, argv[1]);
  bound(&all);
  hot_weights(&all);
  listed(&all);
  objects_free(&all);
  return 0;
}
