/* Parameter sets as the programs here make and look at them. */
#ifndef PONTIL_TEST_SET
#define PONTIL_TEST_SET
#include "must.h"
#include <pontil.h>
#include <string.h>

static pon_node add(pon_params *set, pon_node parent, const char *key, pon_value value) {
  pon_node node = PON_NO_NODE;
  value.struct_size = sizeof value;
  MUST(pon_params_add(set, parent, key, PON_NUL, &value, &node) == PON_OK);
  return node;
}

static pon_node array(pon_params *set, pon_node parent, const char *key, int32_t ndim, const int64_t *shape, double *numbers) {
  pon_view view = {numbers, PON_DTYPE_F64, ndim, shape, NULL, PON_DEVICE_CPU, 0, 0, 0};
  pon_tensor *tensor = NULL;
  pon_value value;
  pon_node node;
  memset(&value, 0, sizeof value);
  MUST(pon_tensor_copy(NULL, &view, &tensor) == PON_OK);
  value.kind = ndim == 0 ? PON_KIND_SCALAR : PON_KIND_TENSOR;
  value.tensor = tensor;
  node = add(set, parent, key, value);
  pon_tensor_free(tensor);
  return node;
}

static pon_node whole(pon_params *set, pon_node parent, const char *key, int64_t number) {
  pon_value value;
  memset(&value, 0, sizeof value);
  value.kind = PON_KIND_INT;
  value.i = number;
  return add(set, parent, key, value);
}

static pon_node branch(pon_params *set, pon_node parent, const char *key, pon_kind kind) {
  pon_node node = PON_NO_NODE;
  MUST(pon_params_add_branch(set, parent, key, PON_NUL, kind, &node) == PON_OK);
  return node;
}

static pon_node packed(pon_params *set, pon_node parent, const char *key, const char *type, int64_t n, int64_t count,
                       double *numbers) {
  pon_node leaf = PON_NO_NODE;
  MUST(pon_params_add_typed(set, parent, key, PON_NUL, PON_KIND_STRUCTURED, type, PON_NUL, &leaf) == PON_OK);
  array(set, leaf, "storage", 1, &count, numbers);
  whole(set, branch(set, leaf, "metadata", PON_KIND_NAMED), "n", n);
  return leaf;
}

static pon_node find(const pon_params *set, const char *path) {
  pon_node node = PON_NO_NODE;
  MUST(pon_params_find(set, 0, path, PON_NUL, &node) == PON_OK);
  return node;
}

static inline const double *numbers(const pon_params *set, const char *path) {
  pon_view view;
  MUST(pon_params_view(set, find(set, path), &view) == PON_OK && view.dtype == PON_DTYPE_F64);
  return view.data;
}

/* L1 = (W 2x3 in Julia, s), L2 = (S symmetric of size 2). */
static inline pon_params *example(const pon_context *context) {
  static const int64_t shape[2] = {3, 2};
  double w[6] = {1, 2, 3, 4, 5, 6}, s[1] = {7}, m[3] = {8, 9, 10};
  pon_params *set = NULL;
  pon_node l1;
  MUST(pon_params_new(context, &set) == PON_OK && pon_params_root(set, PON_KIND_PARAMETERS) == PON_OK);
  l1 = branch(set, 0, "L1", PON_KIND_NAMED);
  array(set, l1, "W", 2, shape, w);
  array(set, l1, "s", 0, NULL, s);
  packed(set, branch(set, 0, "L2", PON_KIND_NAMED), "S", "SymmetricMatrix", 2, 3, m);
  MUST(pon_params_root(set, PON_KIND_NAMED) == PON_OK && pon_params_root(set, PON_KIND_TUPLE) == PON_E_STATE);
  MUST(pon_params_root(set, PON_KIND_PARAMETERS) == PON_OK);
  return set;
}

#endif
