/* One of everything, for the tests: a dense network 2 -> 1 with weight [1, 2] and bias [0.5]. */
#ifndef OBJECTS_H
#define OBJECTS_H

#include "must.h"
#include <pontil.h>
#include <string.h>

typedef struct objects {
  pon_context *context;
  pon_faults *faults;
  pon_cancel *cancel;
  pon_tensor *weight, *bias, *written;
  pon_params *params;
  pon_layout *layout;
  pon_description *description;
  pon_network *network;
  pon_bytes *bytes;
  pon_source *source;
  pon_import *import;
  pon_session *session;
  pon_bytes *model;
  pon_dataset *dataset;
  pon_evaluation *evaluation;
} objects;

static const char DENSE[] = "{\"kind\":\"stack\",\"layers\":[{\"kind\":\"dense\",\"inputs\":2,\"outputs\":1}]}";

/* The same network in Mocha's words, with a loss. */
static const char MOCHA[] =
    "{\"style\":\"mocha\",\"inputs\":[{\"name\":\"x\",\"shape\":[2]},{\"name\":\"t\",\"shape\":[1]}],\"layers\":["
    "{\"kind\":\"InnerProductLayer\",\"name\":\"0\",\"bottoms\":[\"x\"],\"tops\":[\"y\"],\"output_dim\":1},"
    "{\"kind\":\"SquareLossLayer\",\"name\":\"loss\",\"bottoms\":[\"y\",\"t\"]}]}";

static pon_view packed(const void *data, pon_dtype dtype, int32_t ndim, const int64_t *shape) {
  pon_view view;
  memset(&view, 0, sizeof view);
  view.data = (void *)(uintptr_t)data;
  view.dtype = dtype;
  view.ndim = ndim;
  view.shape = shape;
  return view;
}

static void add_tensor(pon_params *params, const char *key, const pon_tensor *tensor) {
  pon_value value;
  memset(&value, 0, sizeof value);
  value.struct_size = sizeof value;
  value.kind = PON_KIND_TENSOR;
  value.tensor = tensor;
  MUST(pon_params_add(params, 0, key, PON_NUL, &value, NULL) == PON_OK);
}

/* A data set of the numbers of the imported network as a model of Mocha, and the network evaluated. */
static void add_mocha(objects *all) {
  static const pon_str tops[2] = {{"0___weight", 10}, {"0___bias", 8}};
  pon_dataset_options reading;
  pon_save_options options;
  pon_description *words = NULL;
  pon_network *network = NULL;
  pon_source *file = NULL;
  const void *data;
  size_t size;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.format.data = "mocha";
  options.format.len = 5;
  MUST(pon_import_network(all->import, &network, all->faults) == PON_OK);
  MUST(pon_save_bytes(NULL, network, &options, &all->model, all->faults) == PON_OK);
  pon_network_free(network);
  MUST(pon_bytes_get(all->model, &data, &size) == PON_OK);
  MUST(pon_source_bytes(all->context, data, size, NULL, NULL, &file) == PON_OK);
  memset(&reading, 0, sizeof reading);
  reading.struct_size = sizeof reading;
  reading.tops = tops;
  reading.tops_count = 2;
  MUST(pon_dataset_open(all->context, file, &reading, &all->dataset, all->faults) == PON_OK);
  pon_source_free(file);
  MUST(pon_description_parse(all->context, MOCHA, PON_NUL, &words, all->faults) == PON_OK);
  MUST(pon_evaluation_new(all->context, words, all->import, NULL, &all->evaluation, all->faults) == PON_OK);
  pon_description_free(words);
}

static inline objects objects_new(void) {
  static const float weight[2] = {1, 2}, bias[1] = {0.5f};
  static const int64_t weight_shape[2] = {2, 1}, written_shape[2] = {1, 2}, bias_shape[1] = {1};
  pon_params *file = NULL; /* as PyTorch has it: weight [outputs, inputs] */
  objects all;
  pon_view view;
  const void *data;
  size_t size;
  pon_import_options options;
  memset(&all, 0, sizeof all);
  MUST(pon_check(PON_ABI, PON_HEADER) == PON_OK);
  MUST(pon_context_new(NULL, &all.context) == PON_OK);
  MUST(pon_faults_new(&all.faults) == PON_OK);
  MUST(pon_cancel_new(&all.cancel) == PON_OK);
  view = packed(weight, PON_DTYPE_F32, 2, weight_shape);
  MUST(pon_tensor_copy(all.context, &view, &all.weight) == PON_OK);
  view = packed(bias, PON_DTYPE_F32, 1, bias_shape);
  MUST(pon_tensor_copy(all.context, &view, &all.bias) == PON_OK);
  MUST(pon_params_new(all.context, &all.params) == PON_OK);
  add_tensor(all.params, "0.weight", all.weight);
  add_tensor(all.params, "0.bias", all.bias);
  MUST(pon_layout_new(all.params, 0, &all.layout, all.faults) == PON_OK);
  MUST(pon_description_parse(all.context, DENSE, PON_NUL, &all.description, all.faults) == PON_OK);
  MUST(pon_network_build(all.description, all.params, &all.network, all.faults) == PON_OK);
  view = packed(weight, PON_DTYPE_F32, 2, written_shape);
  MUST(pon_tensor_copy(all.context, &view, &all.written) == PON_OK);
  MUST(pon_params_new(all.context, &file) == PON_OK);
  add_tensor(file, "0.weight", all.written);
  add_tensor(file, "0.bias", all.bias);
  MUST(pon_save_bytes(file, NULL, NULL, &all.bytes, all.faults) == PON_OK);
  pon_params_free(file);
  MUST(pon_bytes_get(all.bytes, &data, &size) == PON_OK);
  MUST(pon_source_bytes(all.context, data, size, NULL, NULL, &all.source) == PON_OK);
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.network = all.description;
  MUST(pon_import_open(all.context, all.source, &options, &all.import, all.faults) == PON_OK);
  MUST(pon_session_new(all.network, NULL, &all.session, all.faults) == PON_OK);
  add_mocha(&all);
  return all;
}

static inline void objects_free(objects *all) {
  pon_evaluation_free(all->evaluation);
  pon_dataset_free(all->dataset);
  pon_bytes_free(all->model);
  pon_session_free(all->session);
  pon_import_free(all->import);
  pon_source_free(all->source);
  pon_bytes_free(all->bytes);
  pon_network_free(all->network);
  pon_description_free(all->description);
  pon_params_free(all->params);
  pon_layout_free(all->layout);
  pon_tensor_free(all->weight);
  pon_tensor_free(all->bias);
  pon_tensor_free(all->written);
  pon_cancel_free(all->cancel);
  pon_faults_free(all->faults);
  pon_context_free(all->context);
}

/* Runs [1, 10] through a session of the network: 1*1 + 10*2 + 0.5. */
static inline void answers(pon_session *session, float expected) {
  const float x[2] = {1, 10};
  float y[1] = {0};
  const int64_t x_shape[2] = {1, 2}, y_shape[2] = {1, 1};
  pon_view in = packed(x, PON_DTYPE_F32, 2, x_shape), out = packed(y, PON_DTYPE_F32, 2, y_shape);
  MUST(pon_session_run_with(session, &in, 1, &out, 1, NULL) == PON_OK);
  MUST(y[0] == expected);
}

#endif
