/* Gradients of parameter sets: the library's own, the host's over each leaf, and callbacks that do what they should not. */
#include "set.h"
#include <stdio.h>

static pon_faults *faults;

static void gradients(void) {
  static const int64_t two[2] = {2, 2}, shape[2] = {3, 2};
  double g[4] = {1, 2, 3, 4}, w[6] = {1, 1, 1, 1, 1, 1};
  pon_params *set = example(NULL), *cotangent = NULL, *gradient = NULL;
  pon_node inner;
  pon_tensor *dense = NULL;
  pon_view view, m = {g, PON_DTYPE_F64, 2, two, NULL, PON_DEVICE_CPU, 0, 0, 0};
  MUST(pon_params_new(NULL, &cotangent) == PON_OK);
  MUST(pon_params_gradient(set, cotangent, &gradient, faults) == PON_OK && gradient == NULL);
  inner = branch(cotangent, 0, "params", PON_KIND_NAMED);
  array(cotangent, branch(cotangent, inner, "L2", PON_KIND_NAMED), "S", 2, two, g);
  MUST(pon_params_gradient(set, cotangent, &gradient, faults) == PON_OK);
  MUST(numbers(gradient, "/L2/S/storage")[1] == 5 && numbers(gradient, "/L2/S/storage")[2] == 4);
  MUST(numbers(gradient, "/L1/W")[0] == 0);
  pon_params_free(gradient);
  array(cotangent, inner, "L9", 2, shape, w);
  MUST(pon_params_gradient(set, cotangent, &gradient, faults) == PON_E_SHAPE && pon_faults_count(faults) == 1);
  pon_faults_clear(faults);
  MUST(pon_params_dense(set, find(set, "/L2/S"), &dense, faults) == PON_OK && pon_tensor_view(dense, &view) == PON_OK);
  MUST(view.shape[0] == 2 && ((double *)view.data)[1] == 9 && ((double *)view.data)[2] == 9);
  pon_tensor_free(dense);
  MUST(pon_params_project(NULL, "SymmetricMatrix", PON_NUL, &m, 0, &gradient, faults) == PON_OK);
  MUST(numbers(gradient, "/storage")[1] == 2.5);
  pon_params_free(gradient);
  MUST(pon_params_project(NULL, "StiefelManifold", PON_NUL, &m, 0, &gradient, faults) == PON_E_TYPE);
  pon_faults_clear(faults);
  pon_params_free(set);
  pon_params_free(cotangent);
}

typedef struct {
  int calls;
  pon_status answer;
  pon_params *mine;
} Walk;

static pon_status by_rule(void *userdata, const pon_params *set, pon_node leaf, const pon_params *cotangent, pon_node at,
                          pon_params *out, pon_node out_leaf, pon_faults *list) {
  Walk *walk = userdata;
  walk->calls++;
  if (walk->answer != PON_OK) return walk->answer;
  return pon_params_storage_gradient(set, leaf, cotangent, at, out, out_leaf, list);
}

/* Single precision, whatever the leaf: zeros of holes follow it. */
static pon_status single(void *userdata, const pon_params *set, pon_node leaf, const pon_params *cotangent, pon_node at,
                         pon_params *out, pon_node out_leaf, pon_faults *list) {
  pon_status status = by_rule(userdata, set, leaf, cotangent, at, out, out_leaf, list);
  pon_params *converted = NULL;
  if (status != PON_OK) return status;
  status = pon_params_convert(out, PON_DTYPE_F32, &converted, list);
  if (status == PON_OK) status = pon_params_replace(out, out_leaf, converted, out_leaf);
  pon_params_free(converted);
  return status;
}

/* What no host should do, and survives: frees or empties what it was lent, puts a branch where a leaf belongs, calls again. */
static pon_status frees(void *userdata, const pon_params *set, pon_node leaf, const pon_params *cotangent, pon_node at,
                        pon_params *out, pon_node out_leaf, pon_faults *list) {
  (void)userdata, (void)set, (void)leaf, (void)cotangent, (void)at, (void)out_leaf, (void)list;
  pon_params_free(out);
  return PON_OK;
}

static pon_status empties(void *userdata, const pon_params *set, pon_node leaf, const pon_params *cotangent, pon_node at,
                          pon_params *out, pon_node out_leaf, pon_faults *list) {
  (void)userdata, (void)set, (void)leaf, (void)cotangent, (void)at, (void)list;
  return pon_params_remove(out, out_leaf);
}

static pon_status again(void *userdata, const pon_params *set, pon_node leaf, const pon_params *cotangent, pon_node at,
                        pon_params *out, pon_node out_leaf, pon_faults *list) {
  pon_params *inner = NULL;
  Walk walk = {0, PON_OK, NULL};
  (void)out, (void)out_leaf, (void)leaf, (void)at;
  MUST(pon_params_map_cotangent(set, cotangent, by_rule, &walk, &inner, list) == PON_OK && walk.calls == 1);
  pon_params_free(inner);
  /* The set itself is emptied meanwhile. */
  MUST(pon_params_remove(((Walk *)userdata)->mine, find(set, "/L1")) == PON_OK);
  return pon_params_storage_gradient(set, leaf, cotangent, at, out, out_leaf, list);
}

static void walked(int brief) {
  static const int64_t two[2] = {2, 2}, shape[2] = {3, 2};
  double g[4] = {1, 2, 3, 4}, w[6] = {1, 1, 1, 1, 1, 1};
  pon_params *set = example(NULL), *cotangent = NULL, *made = NULL, *gradient = NULL;
  pon_node inner;
  pon_dtype dtype;
  int32_t equal = 0;
  Walk walk = {0, PON_OK, NULL};
  MUST(pon_params_new(NULL, &cotangent) == PON_OK);
  MUST(pon_params_map_cotangent(set, cotangent, by_rule, &walk, &made, faults) == PON_OK && made == NULL);
  inner = branch(cotangent, 0, "params", PON_KIND_NAMED);
  array(cotangent, branch(cotangent, inner, "L2", PON_KIND_NAMED), "S", 2, two, g);
  MUST(pon_params_map_cotangent(set, cotangent, by_rule, &walk, &made, faults) == PON_OK && walk.calls == 1);
  MUST(pon_params_gradient(set, cotangent, &gradient, faults) == PON_OK);
  MUST(pon_params_equal(made, gradient, &equal, faults) == PON_OK && equal == 1);
  pon_params_free(made);
  pon_params_free(gradient);
  MUST(pon_params_map_cotangent(set, cotangent, single, &walk, &made, faults) == PON_OK);
  MUST(pon_params_eltype(made, 0, &dtype, faults) == PON_OK && dtype == PON_DTYPE_F32);
  pon_params_free(made);
  made = NULL;
  MUST(pon_params_map_cotangent(set, cotangent, NULL, NULL, &made, faults) == PON_E_NULL);
  MUST(pon_params_map_cotangent(set, NULL, by_rule, &walk, &made, faults) == PON_E_NULL);
  MUST(pon_params_map_cotangent(set, cotangent, by_rule, &walk, NULL, faults) == PON_E_NULL);
  /* The mark of what was freed is looked for, which valgrind sees. */
  if (!brief) MUST(pon_params_map_cotangent(set, cotangent, frees, NULL, &made, faults) == PON_E_STATE);
  MUST(pon_params_map_cotangent(set, cotangent, empties, NULL, &made, faults) != PON_OK && made == NULL);
  pon_faults_clear(faults);
  walk.answer = PON_E_ELTYPE;
  array(cotangent, branch(cotangent, inner, "L1", PON_KIND_NAMED), "W", 2, shape, w);
  MUST(pon_params_map_cotangent(set, cotangent, by_rule, &walk, &made, faults) == PON_E_ELTYPE);
  MUST(pon_faults_count(faults) == 2 && made == NULL);
  walk.answer = 12345;
  MUST(pon_params_map_cotangent(set, cotangent, by_rule, &walk, &made, NULL) == PON_STOPPED);
  pon_faults_clear(faults);
  array(cotangent, inner, "L9", 2, shape, w);
  walk.answer = PON_OK;
  MUST(pon_params_map_cotangent(set, cotangent, by_rule, &walk, &made, faults) == PON_E_SHAPE && made == NULL);
  MUST(pon_faults_count(faults) == 1);
  pon_faults_clear(faults);
  MUST(pon_params_remove(cotangent, find(cotangent, "/params/L9")) == PON_OK);
  MUST(pon_params_remove(cotangent, find(cotangent, "/params/L1")) == PON_OK);
  walk.mine = set;
  MUST(pon_params_map_cotangent(set, cotangent, again, &walk, &made, faults) == PON_OK);
  MUST(numbers(made, "/L1/W")[0] == 0 && numbers(made, "/L2/S/storage")[1] == 5);
  pon_params_free(made);
  pon_params_free(set);
  pon_params_free(cotangent);
}

static void one_leaf(void) {
  static const int64_t two[2] = {2, 2}, three = 3;
  double g[4] = {1, 2, 3, 4}, v[3] = {5, 6, 7};
  pon_params *set = example(NULL), *other = NULL, *made = NULL;
  pon_node s = find(set, "/L2/S"), matrix, vector;
  MUST(pon_params_new(NULL, &other) == PON_OK);
  matrix = array(other, 0, "m", 2, two, g);
  vector = array(other, 0, "v", 1, &three, v);
  MUST(pon_params_copy(set, &made) == PON_OK);
  MUST(pon_params_storage_gradient(set, s, other, matrix, made, s, faults) == PON_OK);
  MUST(numbers(made, "/L2/S/storage")[1] == 5);
  MUST(pon_params_storage_gradient(set, s, other, vector, made, s, faults) == PON_E_SHAPE);
  MUST(pon_params_storage_gradient(set, 0, other, matrix, made, s, faults) == PON_E_KIND);
  MUST(pon_params_storage_gradient(set, 999, other, matrix, made, s, faults) == PON_E_NO_PATH);
  MUST(pon_params_storage_gradient(set, s, other, 999, made, s, faults) == PON_E_NO_PATH);
  MUST(pon_params_storage_gradient(set, s, other, matrix, made, 999, faults) == PON_E_NO_PATH);
  MUST(numbers(made, "/L2/S/storage")[1] == 5);
  pon_params_free(made);
  MUST(pon_params_rebuild(set, s, other, vector, &made, faults) == PON_OK);
  MUST(numbers(made, "/storage")[2] == 7 && pon_params_check(made, 0, faults) == PON_OK);
  MUST(pon_params_replace(set, s, made, 0) == PON_OK && numbers(set, "/L2/S/storage")[0] == 5);
  pon_params_free(made);
  pon_faults_clear(faults);
  MUST(pon_params_rebuild(set, s, other, matrix, &made, faults) == PON_OK);
  MUST(pon_params_check(made, 0, faults) == PON_E_SHAPE);
  pon_params_free(made);
  MUST(pon_params_rebuild(set, 0, other, matrix, &made, faults) == PON_E_KIND);
  MUST(pon_params_rebuild(set, s, other, 99, &made, faults) == PON_E_NO_PATH);
  pon_faults_clear(faults);
  pon_params_free(other);
  pon_params_free(set);
}

/* What is lent of a node stays while others are asked for: many nodes, each asked after each. */
static void many(pon_node count) {
  pon_params *set = NULL;
  pon_node_info first, info;
  pon_node node;
  char key[16];
  int i;
  MUST(pon_params_new(NULL, &set) == PON_OK);
  memset(&first, 0, sizeof first);
  memset(&info, 0, sizeof info);
  first.struct_size = info.struct_size = sizeof info;
  for (i = 0; i < (int)count; i++) {
    sprintf(key, "k%d", i);
    node = branch(set, 0, key, PON_KIND_NAMED);
    MUST(pon_params_node(set, node, &info) == PON_OK && info.key.len == strlen(key));
  }
  MUST(pon_params_node(set, 1, &first) == PON_OK);
  for (node = 1; node < count; node++) MUST(pon_params_node(set, node, &info) == PON_OK);
  MUST(memcmp(first.key.data, "k0", 3) == 0);
  pon_params_free(set);
}

int main(int argc, char **argv) {
  (void)argv;
  MUST(pon_faults_new(&faults) == PON_OK);
  gradients();
  walked(argc > 1);
  one_leaf();
  many(argc > 1 ? 200 : 20000);
  pon_faults_free(faults);
  return 0;
}
