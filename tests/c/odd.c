/* Calls that are wrong, and calls in an odd order: each is told apart, none ends the process, outputs stay untouched. */
#include "objects.h"

static int dropped = 0;

static void drop(void *userdata) { *(int *)userdata += 1; }

static void wrong_kinds(objects *all) {
  pon_view view;
  pon_tensor *out = (pon_tensor *)all;
  MUST(pon_tensor_view((pon_tensor *)all->params, &view) == PON_E_HANDLE);
  MUST(pon_tensor_share((pon_tensor *)(void *)((char *)all->weight + 1), &out) == PON_E_HANDLE);
  MUST(out == (pon_tensor *)all);
  MUST(pon_network_slots((pon_network *)all->session) == 0);
  pon_tensor_free((pon_tensor *)all->network);
  pon_tensor_free(NULL);
  answers(all->session, 21.5f);
}

static void struct_sizes(void) {
  struct {
    pon_context_options options;
    uint64_t later;
  } larger;
  pon_context *context = NULL;
  memset(&larger, 0, sizeof larger);
  MUST(pon_context_new(&larger.options, &context) == PON_E_STRUCT_SIZE);
  larger.options.struct_size = 8;
  MUST(pon_context_new(&larger.options, &context) == PON_E_STRUCT_SIZE);
  larger.options.struct_size = sizeof larger;
  larger.later = 1;
  MUST(pon_context_new(&larger.options, &context) == PON_E_STRUCT_SIZE && context == NULL);
  larger.later = 0;
  larger.options.log_level = 77;
  MUST(pon_context_new(&larger.options, &context) == PON_E_VALUE && context == NULL);
  larger.options.log_level = 0;
  larger.options.log_drop = drop;
  larger.options.log_userdata = &dropped;
  MUST(pon_context_new(&larger.options, &context) == PON_OK);
  MUST(dropped == 0);
  pon_context_free(context);
  MUST(dropped == 1);
}

static void limits(void) {
  pon_context_options options;
  pon_context *context = NULL;
  pon_tensor *tensor = NULL;
  const int64_t five = 5, huge = INT64_MAX;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.max_tensor_bytes = 16;
  options.max_file_bytes = 3;
  MUST(pon_context_new(&options, &context) == PON_OK);
  MUST(pon_tensor_new(context, PON_DTYPE_F32, 1, &five, &tensor) == PON_E_LIMIT && tensor == NULL);
  MUST(pon_tensor_new(NULL, PON_DTYPE_F32, 1, &huge, &tensor) == PON_E_VALUE);
  MUST(pon_tensor_new(NULL, PON_DTYPE_F32, 99, &huge, &tensor) == PON_E_VALUE);
  MUST(pon_tensor_new(NULL, 12345, 1, &five, &tensor) == PON_E_VALUE);
  pon_source *source = NULL;
  MUST(pon_source_bytes(context, "four", 4, NULL, NULL, &source) == PON_E_LIMIT);
  pon_context_free(context);
}

static void tensors(void) {
  float numbers[6] = {0, 1, 2, 3, 4, 5};
  const int64_t shape[2] = {3, 2}, strides[2] = {-2, 1};
  pon_view view = packed(numbers + 4, PON_DTYPE_F32, 2, shape), seen;
  pon_tensor *tensor = NULL, *share = NULL, *other = NULL;
  view.strides = strides;
  dropped = 0;
  MUST(pon_tensor_wrap(&view, drop, &dropped, &tensor) == PON_OK);
  MUST(pon_tensor_view(tensor, &seen) == PON_OK && seen.data == numbers + 4 && seen.strides[0] == -2);
  MUST(seen.flags == PON_VIEW_READ_ONLY);
  MUST(pon_tensor_view_mut(tensor, &seen) == PON_OK && seen.flags == 0);
  MUST(pon_tensor_share(tensor, &share) == PON_OK);
  MUST(pon_tensor_view_mut(tensor, &seen) == PON_E_SHARED);
  pon_tensor_free(tensor);
  MUST(dropped == 0);
  MUST(pon_tensor_view_mut(share, &seen) == PON_OK);
  MUST(pon_tensor_cast(share, PON_DTYPE_I8, &other) == PON_OK);
  MUST(pon_tensor_view(other, &seen) == PON_OK && seen.strides == NULL && ((int8_t *)seen.data)[0] == 4);
  pon_tensor_free(other);
  MUST(pon_tensor_cast(share, PON_DTYPE_C64, &other) == PON_E_VALUE);
  pon_tensor_free(share);
  MUST(dropped == 1);
  view.dtype = 999;
  MUST(pon_tensor_wrap(&view, drop, &dropped, &tensor) == PON_E_VALUE && dropped == 1);
  uint32_t bits = 0;
  pon_str name;
  MUST(pon_dtype_info(PON_DTYPE_F4, &bits, &name) == PON_OK && bits == 4 && strcmp(name.data, "F4") == 0);
  MUST(pon_dtype_info(-1, &bits, &name) == PON_E_VALUE && bits == 4);
}

static void trees(objects *all) {
  pon_params *params = NULL, *copy = NULL;
  pon_node list, leaf, found;
  pon_node_info info;
  pon_value value;
  char buffer[16];
  size_t need = 0;
  memset(&value, 0, sizeof value);
  value.struct_size = sizeof value;
  info.struct_size = sizeof info;
  MUST(pon_params_new(all->context, &params) == PON_OK);
  MUST(pon_params_add_branch(params, 0, "a/b", PON_NUL, PON_KIND_LIST, &list) == PON_OK);
  MUST(pon_params_add_branch(params, 0, "c", PON_NUL, PON_KIND_TENSOR, NULL) == PON_E_VALUE);
  value.kind = PON_KIND_INT;
  value.i = 7;
  MUST(pon_params_add(params, list, NULL, 0, &value, &leaf) == PON_OK);
  value.kind = 12345;
  MUST(pon_params_add(params, list, NULL, 0, &value, NULL) == PON_E_VALUE);
  value.kind = PON_KIND_BOOL;
  MUST(pon_params_set(params, leaf, &value) == PON_E_VALUE);
  value.kind = PON_KIND_NONE;
  MUST(pon_params_add(params, 0, "a/b", PON_NUL, &value, NULL) == PON_E_KEY_TWICE);
  MUST(pon_params_add(params, leaf, "x", PON_NUL, &value, NULL) == PON_E_KIND);
  MUST(pon_params_find(params, 0, "/a~1b/0", PON_NUL, &found) == PON_OK && found == leaf);
  MUST(pon_params_path(params, leaf, NULL, 0, &need) == PON_E_TOO_SMALL && need == 8);
  MUST(pon_params_path(params, leaf, buffer, 7, &need) == PON_E_TOO_SMALL);
  MUST(pon_params_path(params, leaf, buffer, 8, &need) == PON_OK && strcmp(buffer, "/a~1b/0") == 0);
  MUST(pon_params_node(params, list, &info) == PON_OK && info.kind == PON_KIND_LIST && info.children == 1);
  MUST(strcmp(info.key.data, "a/b") == 0 && info.parent == 0);
  MUST(pon_params_get(params, leaf, &value) == PON_OK && value.kind == PON_KIND_INT && value.i == 7);
  MUST(pon_params_get(params, list, &value) == PON_E_KIND);
  MUST(pon_params_copy(params, &copy) == PON_OK && pon_params_count(copy) == 3);
  MUST(pon_params_remove(copy, list) == PON_OK && pon_params_count(copy) == 1);
  MUST(pon_params_remove(copy, 0) == PON_E_VALUE && pon_params_count(params) == 3);
  MUST(pon_params_child(params, 0, 0, &found) == PON_OK && found == list);
  MUST(pon_params_child(params, 0, 1, &found) == PON_E_NO_PATH);
  pon_params_free(params);
  pon_params_free(copy);
}

static void odd_views(objects *all) {
  float x[2] = {1, 10}, y[1] = {-1};
  const int64_t x_shape[2] = {1, 2}, y_shape[2] = {1, 1}, minus[2] = {1, -2}, many[2] = {2, 2};
  const int64_t backwards[2] = {2, -1};
  pon_view in = packed(x, PON_DTYPE_F32, 2, x_shape), out = packed(y, PON_DTYPE_F32, 2, y_shape), bad = in;
  MUST(pon_session_run_with(all->session, &in, 1, &out, 2, NULL) == PON_E_VALUE);
  MUST(pon_session_run_with(all->session, NULL, 0, &out, 1, NULL) == PON_E_VALUE);
  MUST(pon_session_run_with(all->session, NULL, 1, &out, 1, NULL) == PON_E_NULL);
  bad.shape = minus;
  MUST(pon_session_run_with(all->session, &bad, 1, &out, 1, NULL) == PON_E_VALUE);
  bad.shape = many;
  MUST(pon_session_run_with(all->session, &bad, 1, &out, 1, NULL) == PON_E_VALUE);
  bad = in;
  bad.dtype = PON_DTYPE_F64;
  MUST(pon_session_run_with(all->session, &bad, 1, &out, 1, NULL) == PON_E_VALUE);
  bad = out;
  bad.flags = PON_VIEW_READ_ONLY;
  MUST(pon_session_run_with(all->session, &in, 1, &bad, 1, NULL) == PON_E_VALUE);
  bad = in;
  bad.device_kind = 2;
  MUST(pon_session_run_with(all->session, &bad, 1, &out, 1, NULL) == PON_E_VALUE);
  bad = in;
  bad.data = NULL;
  MUST(pon_session_run_with(all->session, &bad, 1, &out, 1, NULL) == PON_E_NULL);
  MUST(y[0] == -1);
  bad = in;
  bad.data = x + 1;
  bad.strides = backwards;
  MUST(pon_session_run_with(all->session, &bad, 1, &out, 1, NULL) == PON_OK && y[0] == 12.5f);
}

int main(void) {
  objects all = objects_new();
  wrong_kinds(&all);
  struct_sizes();
  limits();
  tensors();
  trees(&all);
  odd_views(&all);
  objects_free(&all);
  return 0;
}
