/* Parameter sets: every kind of node, walks, flat vectors, structured leaves and their gradients, types of the host's own. */
#include "set.h"
#include <stdlib.h>
#include <string.h>

static pon_faults *faults;

static void kinds(void) {
  pon_params *set = NULL;
  pon_node map, child, key;
  pon_node_info info;
  pon_value value;
  memset(&info, 0, sizeof info);
  memset(&value, 0, sizeof value);
  info.struct_size = sizeof info;
  MUST(pon_params_new(NULL, &set) == PON_OK);
  map = branch(set, 0, "m", PON_KIND_MAP);
  child = whole(set, map, "", 5);
  MUST(pon_params_key_branch(set, child, PON_KIND_TUPLE, NULL, 0, &key) == PON_OK);
  whole(set, key, "", 6);
  value.struct_size = sizeof value;
  value.kind = PON_KIND_ELLIPSIS;
  MUST(pon_params_key(set, child, &value, NULL) == PON_E_KEY_TWICE && pon_params_key(set, map, &value, NULL) == PON_E_KIND);
  MUST(find(set, "/m/0/~2") == key && find(set, "/m/0") == child);
  MUST(pon_params_node(set, child, &info) == PON_OK && info.key_node == key && info.refers_to == PON_NO_NODE);
  value.kind = PON_KIND_RANGE;
  value.i = 1;
  value.step = 2;
  value.end = 9;
  add(set, 0, "r", value);
  memset(&value, 0, sizeof value);
  value.struct_size = sizeof value;
  MUST(pon_params_get(set, find(set, "/r"), &value) == PON_OK && value.step == 2 && value.end == 9);
  value.step = 0;
  MUST(pon_params_set(set, find(set, "/r"), &value) == PON_E_VALUE);
  memset(&value, 0, sizeof value);
  value.kind = PON_KIND_REFERENCE;
  value.i = child;
  add(set, 0, "again", value);
  MUST(pon_params_node(set, find(set, "/again"), &info) == PON_OK && info.refers_to == child);
  MUST(pon_params_remove(set, map) == PON_E_STATE);
  MUST(pon_params_remove(set, find(set, "/again")) == PON_OK && pon_params_remove(set, map) == PON_OK);
  MUST(pon_params_add_typed(set, 0, "o", PON_NUL, PON_KIND_OBJECT, "Point", PON_NUL, &child) == PON_OK);
  MUST(pon_params_node(set, child, &info) == PON_OK && info.type_name.len == 5);
  MUST(memcmp(info.type_name.data, "Point", 6) == 0);
  MUST(pon_params_add_branch(set, 0, "p", PON_NUL, PON_KIND_OBJECT, NULL) == PON_E_VALUE);
  MUST(pon_params_count(set) == 3);
  pon_params_free(set);
}

static void orders(void) {
  pon_params *set = example(NULL), *other = example(NULL), *single = NULL;
  pon_view view;
  pon_dtype dtype = -1;
  int32_t equal = -1;
  double changed[6] = {1, 2, 3, 4, 5, 7};
  static const int64_t shape[2] = {3, 2};
  MUST(pon_params_view_as(set, find(set, "/L1/W"), PON_ORDER_COLUMNS, &view) == PON_OK);
  MUST(view.shape[0] == 2 && view.shape[1] == 3 && view.strides[0] == 1 && view.strides[1] == 2);
  MUST(pon_params_view_as(set, find(set, "/L1/W"), PON_ORDER_ROWS, &view) == PON_OK && view.shape[0] == 3);
  MUST(pon_params_view_as(set, find(set, "/L1/W"), 2, &view) == PON_E_VALUE);
  MUST(pon_params_equal(set, other, &equal, faults) == PON_OK && equal == 1 && pon_faults_count(faults) == 0);
  MUST(pon_params_remove(other, find(other, "/L1/W")) == PON_OK);
  array(other, find(other, "/L1"), "W", 2, shape, changed);
  MUST(pon_params_equal(set, other, &equal, faults) == PON_OK && equal == 0 && pon_faults_count(faults) == 1);
  pon_faults_clear(faults);
  MUST(pon_params_eltype(set, 0, &dtype, faults) == PON_OK && dtype == PON_DTYPE_F64);
  MUST(pon_params_convert(set, PON_DTYPE_F32, &single, faults) == PON_OK);
  MUST(pon_params_eltype(single, 0, &dtype, faults) == PON_OK && dtype == PON_DTYPE_F32);
  MUST(pon_params_graft(single, 0, "L3", PON_NUL, set, find(set, "/L1"), NULL) == PON_OK);
  MUST(pon_params_eltype(single, 0, &dtype, faults) == PON_E_ELTYPE && pon_faults_count(faults) == 1);
  pon_faults_clear(faults);
  pon_params_free(single);
  MUST(pon_params_conform(other, set, &single, faults) == PON_OK);
  MUST(numbers(single, "/L1/W")[5] == 7);
  pon_params_free(single);
  MUST(pon_params_remove(other, find(other, "/L2")) == PON_OK);
  MUST(pon_params_conform(other, set, &single, faults) == PON_E_MISSING && pon_faults_count(faults) == 1);
  pon_faults_clear(faults);
  pon_params_free(set);
  pon_params_free(other);
}

static void flat(void) {
  pon_params *set = example(NULL), *made = NULL;
  pon_layout *layout = NULL, *second = NULL;
  pon_segment segment;
  double flat[10], rows[20];
  uint64_t first = 0, count = 0;
  int32_t equal = 0, i;
  static const int64_t ten = 10, nine = 9, both[2] = {10, 2};
  pon_view vector = {flat, PON_DTYPE_F64, 1, &ten, NULL, PON_DEVICE_CPU, 0, 0, 0}, matrix = vector, view;
  MUST(pon_layout_new(set, 0, &layout, faults) == PON_OK && pon_layout_count(layout) == 10);
  MUST(pon_layout_segments(layout) == 3);
  memset(&segment, 0, sizeof segment);
  segment.struct_size = sizeof segment;
  MUST(pon_layout_segment(layout, 2, &segment) == PON_OK && segment.first == 7 && segment.count == 3);
  MUST(strcmp(segment.path.data, "/L2/S/storage") == 0 && segment.ndim == 1 && segment.shape[0] == 3);
  MUST(pon_layout_segment(layout, 3, &segment) == PON_E_VALUE);
  MUST(pon_layout_range(layout, "/L2/S", PON_NUL, &first, &count) == PON_OK && first == 7 && count == 3);
  MUST(pon_layout_range(layout, "/L9", PON_NUL, &first, &count) == PON_E_NO_PATH);
  MUST(pon_layout_gather(layout, set, 0, &vector) == PON_OK);
  for (i = 0; i < 10; i++) MUST(flat[i] == i + 1);
  for (i = 0; i < 10; i++) flat[i] *= 2;
  MUST(pon_layout_scatter(layout, &vector, set, 0) == PON_OK && numbers(set, "/L2/S/storage")[2] == 20);
  vector.shape = &nine;
  MUST(pon_layout_scatter(layout, &vector, set, 0) == PON_E_SHAPE && pon_layout_gather(layout, set, 0, &vector) == PON_E_SHAPE);
  vector.shape = &ten;
  MUST(pon_layout_unflatten(layout, &vector, &made, faults) == PON_OK);
  MUST(pon_params_equal(set, made, &equal, faults) == PON_OK && equal == 1);
  MUST(pon_layout_new(made, 0, &second, faults) == PON_OK);
  MUST(pon_layout_equal(layout, second, &equal) == PON_OK && equal == 1);
  pon_params_free(made);
  for (i = 0; i < 20; i++) rows[i] = i;
  matrix.data = rows;
  matrix.ndim = 2;
  matrix.shape = both;
  MUST(pon_layout_unflatten_rows(layout, &matrix, 0, &made, faults) == PON_OK);
  MUST(pon_params_view(made, find(made, "/L2/S"), &view) == PON_OK && view.shape[0] == 3 && view.shape[1] == 2);
  MUST(((double *)view.data)[0] == 14);
  MUST(pon_layout_unflatten_rows(layout, &matrix, 1, &set, faults) == PON_E_SHAPE);
  pon_faults_clear(faults);
  pon_params_free(made);
  pon_layout_free(layout);
  pon_layout_free(second);
  pon_params_free(set);
}

static pon_status count_leaves(void *userdata, const pon_node *nodes, size_t count) {
  (void)nodes;
  *(size_t *)userdata += count;
  return PON_OK;
}

static pon_status twice(void *userdata, const pon_node *nodes, size_t count, pon_params *out, pon_node leaf) {
  pon_value value;
  pon_tensor *tensor = NULL;
  pon_view view, twice;
  double room[8];
  int64_t total = 1;
  int32_t i;
  (void)userdata;
  if (count != 1 || nodes[0] != leaf) return PON_E_VALUE;
  MUST(pon_params_view(out, leaf, &view) == PON_OK);
  for (i = 0; i < view.ndim; i++) total *= view.shape[i];
  for (i = 0; i < (int32_t)total; i++) room[i] = 2 * ((double *)view.data)[i];
  twice = view;
  twice.data = room;
  twice.flags = 0;
  MUST(pon_tensor_copy(NULL, &twice, &tensor) == PON_OK);
  memset(&value, 0, sizeof value);
  value.struct_size = sizeof value;
  MUST(pon_params_get(out, leaf, &value) == PON_OK);
  value.tensor = tensor;
  MUST(pon_params_set(out, leaf, &value) == PON_OK);
  pon_tensor_free(tensor);
  return PON_OK;
}

static pon_status stops(void *userdata, const pon_node *nodes, size_t count, pon_params *out, pon_node leaf) {
  (void)userdata, (void)nodes, (void)count, (void)out, (void)leaf;
  return PON_STOPPED;
}

static void walks(void) {
  pon_params *set = example(NULL), *other = example(NULL), *made = NULL;
  const pon_params *sets[2];
  size_t count = 0;
  sets[0] = set;
  sets[1] = other;
  MUST(pon_params_each(sets, 2, PON_WALK_LEAVES, count_leaves, &count, faults) == PON_OK && count == 6);
  MUST(pon_params_map(sets, 1, PON_WALK_STORAGE, twice, NULL, &made, faults) == PON_OK);
  MUST(numbers(made, "/L2/S/storage")[0] == 16 && numbers(set, "/L2/S/storage")[0] == 8);
  pon_params_free(made);
  made = NULL;
  MUST(pon_params_map(sets, 1, PON_WALK_STORAGE, stops, NULL, &made, faults) == PON_STOPPED && made == NULL);
  MUST(pon_params_remove(other, find(other, "/L1/s")) == PON_OK);
  MUST(pon_params_each(sets, 2, PON_WALK_LEAVES, count_leaves, &count, faults) == PON_E_SHAPE);
  MUST(pon_params_each(sets, 2, 7, count_leaves, &count, faults) == PON_E_VALUE);
  MUST(pon_params_each(sets, 0, PON_WALK_LEAVES, count_leaves, &count, faults) == PON_E_VALUE);
  pon_faults_clear(faults);
  pon_params_free(set);
  pon_params_free(other);
}

/* A diagonal matrix: the host's own type. */
static pon_status diagonal_check(void *userdata, const pon_params *set, pon_node leaf, pon_faults *list) {
  pon_view view;
  (void)userdata, (void)leaf, (void)list;
  return pon_params_view(set, find(set, "/storage"), &view) == PON_OK && view.ndim == 1 ? PON_OK : PON_E_SHAPE;
}

static pon_status diagonal_shape(void *userdata, const pon_params *set, pon_node leaf, int64_t *rows, int64_t *columns) {
  pon_view view;
  (void)userdata, (void)leaf;
  MUST(pon_params_view(set, find(set, "/storage"), &view) == PON_OK);
  *rows = *columns = view.shape[0];
  return PON_OK;
}

static pon_status diagonal_dense(void *userdata, const pon_params *set, pon_node leaf, const pon_view *out) {
  const double *from = numbers(set, "/storage");
  int64_t i;
  (void)userdata, (void)leaf;
  for (i = 0; i < out->shape[0]; i++) ((double *)out->data)[i * (out->shape[0] + 1)] = from[i];
  return PON_OK;
}

static pon_status diagonal_gradient(void *userdata, const pon_params *set, pon_node leaf, const pon_view *g, pon_params *out,
                                    pon_node out_leaf, pon_faults *list) {
  double room[8];
  int64_t i, n = g->shape[0];
  (void)userdata, (void)set, (void)leaf, (void)list;
  for (i = 0; i < n; i++) room[i] = ((double *)g->data)[i * (n + 1)];
  MUST(pon_params_remove(out, find(out, "/storage")) == PON_OK);
  array(out, out_leaf, "storage", 1, &n, room);
  return PON_OK;
}

static void dropped(void *userdata) { *(int *)userdata += 1; }

static void own_types(void) {
  static const int64_t two[2] = {2, 2};
  double s[2] = {3, 4}, g[4] = {1, 2, 5, 6};
  int drops = 0;
  pon_context_options options;
  pon_context *context = NULL;
  pon_leaf_type type;
  pon_params *set = NULL, *cotangent = NULL, *gradient = NULL;
  pon_tensor *dense = NULL;
  pon_view view;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  memset(&type, 0, sizeof type);
  type.struct_size = sizeof type;
  type.userdata = &drops;
  type.drop = dropped;
  MUST(pon_context_new(&options, &context) == PON_OK && pon_params_new(context, &set) == PON_OK);
  packed(set, 0, "D", "Diagonal", 2, 2, s);
  MUST(pon_params_check(set, 0, faults) == PON_E_TYPE && pon_params_check(set, 1, faults) == PON_OK);
  pon_faults_clear(faults);
  MUST(pon_context_register_leaf(context, "Diagonal", PON_NUL, &type) == PON_OK && drops == 0);
  MUST(pon_params_dense(set, find(set, "/D"), &dense, faults) == PON_E_TYPE);
  pon_faults_clear(faults);
  type.check = diagonal_check;
  type.dense_shape = diagonal_shape;
  type.dense = diagonal_dense;
  type.gradient = diagonal_gradient;
  MUST(pon_context_register_leaf(context, "Diagonal", PON_NUL, &type) == PON_OK && drops == 1);
  pon_context_free(context);
  MUST(pon_params_check(set, 0, faults) == PON_OK);
  MUST(pon_params_dense(set, find(set, "/D"), &dense, faults) == PON_OK && pon_tensor_view(dense, &view) == PON_OK);
  MUST(((double *)view.data)[0] == 3 && ((double *)view.data)[1] == 0 && ((double *)view.data)[3] == 4);
  pon_tensor_free(dense);
  MUST(pon_params_new(NULL, &cotangent) == PON_OK);
  array(cotangent, 0, "D", 2, two, g);
  MUST(pon_params_gradient(set, cotangent, &gradient, faults) == PON_OK);
  MUST(numbers(gradient, "/D/storage")[0] == 1 && numbers(gradient, "/D/storage")[1] == 6);
  pon_params_free(gradient);
  pon_params_free(cotangent);
  pon_params_free(set);
  MUST(drops == 2);
}

static pon_params *loaded(const pon_source *source, const char *group, const pon_params *prototype, pon_status wanted) {
  pon_import_options options;
  pon_import *import = NULL;
  pon_params *set = NULL;
  pon_status status;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.key.data = group;
  options.key.len = group ? PON_NUL : 0;
  options.prototype = prototype;
  MUST(pon_import_open(NULL, source, &options, &import, faults) == PON_OK);
  status = pon_import_params(import, &set, faults);
  MUST(status == wanted);
  pon_import_free(import);
  return set;
}

static void files(void) {
  pon_params *set = example(NULL), *other = NULL, *back;
  pon_save_options options;
  pon_bytes *first = NULL, *second = NULL;
  pon_source *store = NULL, *both = NULL;
  const void *data;
  size_t size;
  int32_t equal = 0;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.format.data = "julia";
  options.format.len = PON_NUL;
  MUST(pon_save_bytes(set, NULL, &options, &first, faults) == PON_OK && pon_bytes_get(first, &data, &size) == PON_OK);
  MUST(pon_source_bytes(NULL, data, size, NULL, NULL, &store) == PON_OK);
  back = loaded(store, NULL, NULL, PON_OK);
  MUST(pon_params_equal(set, back, &equal, faults) == PON_OK && equal == 1);
  pon_params_free(back);
  options.into = store;
  MUST(pon_save_bytes(set, NULL, &options, &second, faults) == PON_E_KEY_TWICE && second == NULL);
  pon_faults_clear(faults);
  options.group.data = "/runs/1";
  options.group.len = PON_NUL;
  MUST(pon_save_bytes(set, NULL, &options, &second, faults) == PON_OK && pon_bytes_get(second, &data, &size) == PON_OK);
  MUST(pon_source_bytes(NULL, data, size, NULL, NULL, &both) == PON_OK);
  back = loaded(both, "/runs/1", set, PON_OK);
  MUST(pon_params_equal(set, back, &equal, faults) == PON_OK && equal == 1);
  pon_params_free(back);
  MUST(pon_params_convert(set, PON_DTYPE_F32, &other, faults) == PON_OK);
  MUST(loaded(both, "/runs/1", other, PON_E_ELTYPE) == NULL && pon_faults_count(faults) == 3);
  pon_faults_clear(faults);
  options.into = NULL;
  options.format.data = "safetensors";
  MUST(pon_save_bytes(set, NULL, &options, &second, faults) == PON_E_VALUE);
  pon_faults_clear(faults);
  pon_source_free(store);
  pon_source_free(both);
  pon_bytes_free(first);
  pon_bytes_free(second);
  pon_params_free(set);
  pon_params_free(other);
}

int main(void) {
  MUST(pon_faults_new(&faults) == PON_OK);
  kinds();
  orders();
  flat();
  walks();
  own_types();
  files();
  pon_faults_free(faults);
  return 0;
}
