/* Mocha's networks and data: LeNet over a list of digits, by a session and evaluated whole; orders, transforms and refusals of
 * data sets; a model written and read again. Usage: mocha short|full FOLDER of
 * fixtures/mocha; short leaves LeNet out. */
#include "objects.h"
#include <math.h>

#define BATCH 100
#define BATCHES 10
#define EACH (28 * 28)

static const char *folder;
static pon_faults *faults;

static pon_source *source_of(const char *name) {
  static char path[4096];
  pon_source *source = NULL;
  MUST(snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path);
  MUST(pon_source_path(NULL, path, PON_NUL, &source, faults) == PON_OK);
  return source;
}

static pon_source *source_of_text(const char *text) {
  pon_source *source = NULL;
  MUST(pon_source_bytes(NULL, text, strlen(text), NULL, NULL, &source) == PON_OK);
  return source;
}

static pon_dataset_options reading(uint32_t batch) {
  pon_dataset_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.batch = batch;
  options.folder.data = folder;
  options.folder.len = PON_NUL;
  return options;
}

static pon_dataset *opened(const char *list, const pon_dataset_options *options) {
  pon_source *source = source_of(list);
  pon_dataset *set = NULL;
  MUST(pon_dataset_open(NULL, source, options, &set, faults) == PON_OK);
  pon_source_free(source);
  return set;
}

static pon_description *words_of(const char *name) {
  static char text[1 << 14], path[4096];
  pon_description *words = NULL;
  FILE *file;
  size_t size;
  MUST(snprintf(path, sizeof path, "%s/networks/%s.json", folder, name) < (int)sizeof path);
  MUST((file = fopen(path, "rb")) != NULL);
  size = fread(text, 1, sizeof text, file);
  MUST(fclose(file) == 0 && size > 0 && size < sizeof text);
  MUST(pon_description_parse(NULL, text, size, &words, faults) == PON_OK);
  return words;
}

static pon_import *import_of(pon_source *source, const pon_description *words) {
  pon_import_options options;
  pon_import *import = NULL;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.network = words;
  options.layout = PON_LAYOUT_AS_FILE;
  MUST(pon_import_open(NULL, source, &options, &import, faults) == PON_OK);
  pon_source_free(source);
  return import;
}

/* What the list says of its digits, then one batch after another straight into the session's own input. */
static int by_session(const pon_network *network) {
  static float labels[BATCH];
  static const int64_t label_shape[2] = {BATCH, 1};
  pon_dataset_options options = reading(BATCH);
  pon_dataset *set;
  pon_session_options running;
  pon_session *session = NULL;
  pon_view in, out, views[2];
  pon_top top;
  int hits = 0;
  options.ahead = 2;
  set = opened("lenet/test.txt", &options);
  memset(&top, 0, sizeof top);
  top.struct_size = sizeof top;
  MUST(pon_dataset_tops(set) == 2 && pon_dataset_examples(set) == 1000 && pon_dataset_epoch(set) == 0);
  MUST(pon_dataset_top(set, 2, &top) == PON_E_VALUE && pon_dataset_top(set, 0, &top) == PON_OK);
  MUST(strcmp(top.name.data, "data") == 0 && top.dtype == PON_DTYPE_F32 && top.ndim == 3);
  MUST(top.shape[0] == 1 && top.shape[1] == 28 && top.shape[2] == 28);
  memset(&running, 0, sizeof running);
  running.struct_size = sizeof running;
  running.max_batch = BATCH;
  MUST(pon_session_new(network, &running, &session, faults) == PON_OK);
  MUST(pon_session_port(session, PON_INPUT, 0, &in) == PON_OK && pon_session_port(session, PON_OUTPUT, 0, &out) == PON_OK);
  MUST(out.ndim == 2 && out.shape[1] == 10);
  views[0] = in;
  views[1] = packed(labels, PON_DTYPE_F32, 2, label_shape);
  for (int batch = 0; batch < BATCHES; batch++) {
    const float *answers = out.data;
    MUST(pon_dataset_next(set, views, 2, faults) == PON_OK);
    MUST(pon_session_run(session, NULL) == PON_OK);
    for (int example = 0; example < BATCH; example++, answers += 10) {
      int best = 0;
      for (int class = 1; class < 10; class++) best = answers[class] > answers[best] ? class : best;
      hits += best == (int)labels[example];
    }
  }
  MUST(pon_dataset_epoch(set) == 1);
  pon_session_free(session);
  pon_dataset_free(set);
  return hits;
}

static pon_figure figure(const pon_evaluation *evaluation, size_t index) {
  pon_figure one;
  memset(&one, 0, sizeof one);
  one.struct_size = sizeof one;
  MUST(pon_evaluation_figure(evaluation, index, &one) == PON_OK);
  return one;
}

static pon_blob blob(const char *name, pon_view view) {
  pon_blob one;
  one.name.data = name;
  one.name.len = strlen(name);
  one.view = view;
  return one;
}

/* The same digits whole: the hits, and the mean loss of the batches. */
static int evaluated(const pon_description *words, const pon_import *import, double *loss) {
  static float digits[BATCH * EACH];
  static double labels[BATCH];
  static const int64_t digits_shape[4] = {BATCH, 1, 28, 28}, label_shape[2] = {BATCH, 1};
  pon_dataset_options options = reading(BATCH);
  pon_dataset *set = opened("lenet/test.txt", &options);
  pon_evaluation *evaluation = NULL;
  pon_view views[2], answers;
  pon_blob blobs[2];
  pon_figure told;
  double total = 0, one;
  int hits;
  MUST(pon_evaluation_new(NULL, words, import, NULL, &evaluation, faults) == PON_OK);
  MUST(pon_evaluation_blob(evaluation, "ip2", PON_NUL, &answers) == PON_E_NO_PATH);
  views[0] = packed(digits, PON_DTYPE_F32, 4, digits_shape);
  views[1] = packed(labels, PON_DTYPE_F64, 2, label_shape);
  blobs[0] = blob("data", views[0]);
  blobs[1] = blob("label", views[1]);
  MUST(pon_evaluation_run(evaluation, blobs, 1, &one, faults) == PON_E_NOT_BOUND);
  for (int batch = 0; batch < BATCHES; batch++) {
    MUST(pon_dataset_next(set, views, 2, faults) == PON_OK);
    MUST(pon_evaluation_run(evaluation, blobs, 2, &one, faults) == PON_OK);
    total += one;
  }
  MUST(pon_evaluation_figures(evaluation) == 2);
  told = figure(evaluation, 0);
  MUST(told.kind == PON_FIGURE_LOSS && strcmp(told.name.data, "loss") == 0 && told.value == one && told.count == 0);
  told = figure(evaluation, 1);
  MUST(told.kind == PON_FIGURE_STATISTIC && strcmp(told.name.data, "test-accuracy-accuracy") == 0);
  MUST(told.count == BATCHES * BATCH);
  hits = (int)lround(told.value * (double)told.count);
  MUST(pon_evaluation_blob(evaluation, "ip2", PON_NUL, &answers) == PON_OK);
  MUST(answers.dtype == PON_DTYPE_F64 && answers.ndim == 2 && answers.shape[0] == BATCH && answers.shape[1] == 10);
  labels[3] = 10; /* no class: nothing of the refused run is counted */
  MUST(pon_evaluation_run(evaluation, blobs, 2, NULL, faults) == PON_E_VALUE);
  MUST(figure(evaluation, 1).count == BATCHES * BATCH);
  MUST(pon_evaluation_reset(evaluation) == PON_OK && figure(evaluation, 1).count == 0);
  pon_evaluation_free(evaluation);
  pon_dataset_free(set);
  *loss = total / BATCHES;
  return hits;
}

static uint64_t split_mix(void *state) {
  uint64_t z = *(uint64_t *)state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* Three files of 5, 1 and 2 examples of 2x3x2 and a label: orders, borders, transforms. */
static void orders_and_transforms(void) {
  static double data[8 * 12], label[8], other[8 * 12];
  static const int64_t data_shape[4] = {8, 2, 3, 2}, label_shape[2] = {8, 1}, three[4] = {3, 2, 3, 2}, three_labels[2] = {3, 1};
  static const uint64_t epochs[8] = {0, 0, 1, 1, 1, 2, 2, 3};
  static const int64_t one_shape[4] = {1, 2, 3, 2}, one_label[2] = {1, 1};
  pon_dataset_options options = reading(3);
  pon_transform transforms[2];
  pon_view views[2];
  uint64_t state = 9;
  pon_dataset *set = opened("files/source.txt", &options);
  views[0] = packed(data, PON_DTYPE_F64, 4, three);
  views[1] = packed(label, PON_DTYPE_F64, 2, three_labels);
  for (int batch = 0; batch < 8; batch++) {
    MUST(pon_dataset_next(set, views, 2, faults) == PON_OK && pon_dataset_epoch(set) == epochs[batch]);
    for (int row = 0; row < 3; row++) MUST(data[row * 12] == (batch * 3 + row) % 8 * 12);
  }
  pon_dataset_free(set);
  views[0] = packed(data, PON_DTYPE_F64, 4, data_shape);
  views[1] = packed(label, PON_DTYPE_F64, 2, label_shape);
  options = reading(8);
  options.shuffle = PON_SHUFFLE_SEED;
  options.seed = 9;
  set = opened("files/source.txt", &options);
  MUST(pon_dataset_next(set, views, 2, faults) == PON_OK && pon_dataset_epoch(set) == 1);
  pon_dataset_free(set);
  memcpy(other, data, sizeof data);
  options.shuffle = PON_SHUFFLE_BITS;
  options.bits = split_mix;
  options.bits_userdata = &state;
  set = opened("files/source.txt", &options);
  MUST(pon_dataset_next(set, views, 2, faults) == PON_OK && memcmp(other, data, sizeof data) == 0);
  pon_dataset_free(set);
  options = reading(1); /* a file without a list, its numbers doubled and less their mean */
  memset(transforms, 0, sizeof transforms);
  transforms[0].top.data = transforms[1].top.data = "data";
  transforms[0].top.len = transforms[1].top.len = 4;
  transforms[0].kind = PON_TRANSFORM_SCALE;
  transforms[0].scale = 2;
  transforms[1].kind = PON_TRANSFORM_SUB_MEAN;
  transforms[1].mean = source_of("files/mean_3d.hdf5");
  options.transforms = transforms;
  options.transforms_count = 2;
  set = opened("files/data_a.hdf5", &options);
  pon_source_free((pon_source *)(uintptr_t)transforms[1].mean);
  views[0] = packed(data, PON_DTYPE_F64, 4, one_shape);
  views[1] = packed(label, PON_DTYPE_F64, 2, one_label);
  MUST(pon_dataset_examples(set) == 5 && pon_dataset_next(set, views, 2, faults) == PON_OK);
  MUST(data[0] == -1.5 && data[1] == 0.5 && data[2] == 2.5);
  pon_dataset_free(set);
}

static void refused(const char *list, const pon_dataset_options *options, pon_status status, size_t count) {
  pon_source *source = source_of_text(list);
  pon_dataset *set = NULL;
  pon_faults_clear(faults);
  MUST(pon_dataset_open(NULL, source, options, &set, faults) == status && set == NULL);
  MUST(pon_faults_count(faults) == count);
  pon_faults_clear(faults);
  pon_source_free(source);
}

static void refusals(void) {
  static float data[12], label[1];
  static const int64_t data_shape[4] = {1, 2, 3, 2}, wrong_shape[4] = {1, 3, 2, 2}, label_shape[2] = {1, 1};
  pon_dataset_options options = reading(1);
  pon_dataset *set = opened("files/data_a.hdf5", &options);
  pon_view views[2];
  views[0] = packed(data, PON_DTYPE_F32, 4, wrong_shape);
  views[1] = packed(label, PON_DTYPE_F32, 2, label_shape);
  MUST(pon_dataset_next(set, views, 2, faults) == PON_E_VALUE);
  views[0] = packed(data, PON_DTYPE_F32, 4, data_shape);
  MUST(pon_dataset_next(set, views, 1, faults) == PON_E_TOO_SMALL);
  views[1].flags = PON_VIEW_READ_ONLY;
  MUST(pon_dataset_next(set, views, 2, faults) == PON_E_VALUE);
  views[1].flags = 0;
  views[1].dtype = PON_DTYPE_I32;
  MUST(pon_dataset_next(set, views, 2, faults) == PON_E_VALUE);
  views[1].dtype = PON_DTYPE_F32;
  data[1] = 0;
  MUST(pon_dataset_next(set, views, 2, faults) == PON_OK && data[1] == 1);
  /* Views of one memory: written one after another. */
  views[1].data = data + 3;
  MUST(pon_dataset_next(set, views, 2, faults) == PON_OK && data[2] == 14 && data[3] == 1 && data[4] == 16);
  pon_dataset_free(set);
  refused("", &options, PON_E_ABSENT, 1);
  refused(" \n\t\n", &options, PON_E_ABSENT, 1);
  refused("no.hdf5\nfiles/data_a.hdf5\nneither.hdf5\n", &options, PON_E_NOT_FOUND, 2);
  refused("files/data_a.hdf5\nfiles/source.txt\n", &options, PON_E_UNRECOGNISED, 1);
  options.shuffle = 3;
  refused("files/data_a.hdf5", &options, PON_E_VALUE, 1);
  options.shuffle = PON_SHUFFLE_BITS;
  refused("files/data_a.hdf5", &options, PON_E_NULL, 1);
  options.shuffle = PON_SHUFFLE_NONE;
  options.batch = UINT32_MAX;
  refused("files/data_a.hdf5", &options, PON_E_VALUE, 2);
  options.batch = 1 << 24;
  options.ahead = 1024;
  refused("files/data_a.hdf5", &options, PON_E_LIMIT, 1);
}

/* The network as a model of Mocha, and that read again. */
static pon_import *again(const pon_network *network, const pon_description *words, pon_bytes **bytes) {
  pon_save_options options;
  pon_source *source = NULL;
  const void *data;
  size_t size;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.format.data = "mocha";
  options.format.len = 5;
  options.group = options.format;
  MUST(pon_save_bytes(NULL, network, &options, bytes, faults) == PON_E_VALUE);
  memset(&options.group, 0, sizeof options.group);
  MUST(pon_save_bytes(NULL, network, &options, bytes, faults) == PON_OK && pon_bytes_get(*bytes, &data, &size) == PON_OK);
  MUST(pon_source_bytes(NULL, data, size, NULL, NULL, &source) == PON_OK);
  return import_of(source, words);
}

/* A layer that draws: given numbers, the seed's, and a network without a file. */
static void draws(void) {
  static const char WORDS[] =
      "{\"style\":\"mocha\",\"inputs\":[{\"name\":\"x\",\"shape\":[2]}],\"layers\":["
      "{\"kind\":\"RandomNormalLayer\",\"name\":\"noise\",\"tops\":[\"noise\"],\"output_dims\":[2],\"batch_sizes\":[1]},"
      "{\"kind\":\"ElementWiseLayer\",\"name\":\"sum\",\"bottoms\":[\"x\",\"noise\"],\"tops\":[\"sum\"],\"operation\":\"Add\"}]}";
  static const double x[2] = {1, 2}, noise[2] = {0.25, -0.5};
  static const int64_t shape[2] = {1, 2}, short_shape[2] = {1, 1};
  pon_description *words = NULL;
  pon_evaluation_options options;
  pon_evaluation *evaluation = NULL;
  pon_view sum;
  pon_blob blobs[2];
  double drawn;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.dtype = PON_DTYPE_F64;
  MUST(pon_description_parse(NULL, WORDS, PON_NUL, &words, faults) == PON_OK);
  MUST(pon_evaluation_new(NULL, words, NULL, &options, &evaluation, faults) == PON_OK);
  blobs[0] = blobs[1] = blob("x", packed(x, PON_DTYPE_F64, 2, shape));
  MUST(pon_evaluation_draw(evaluation, "nobody", PON_NUL, noise, 2) == PON_E_VALUE);
  MUST(pon_evaluation_draw(evaluation, "noise", PON_NUL, noise, 2) == PON_OK);
  MUST(pon_evaluation_run(evaluation, blobs, 1, &drawn, faults) == PON_OK && drawn == 0);
  MUST(pon_evaluation_blob(evaluation, "sum", PON_NUL, &sum) == PON_OK);
  MUST(((const double *)sum.data)[0] == 1.25 && ((const double *)sum.data)[1] == 1.5);
  MUST(pon_evaluation_run(evaluation, blobs, 1, NULL, faults) == PON_OK);
  MUST(pon_evaluation_blob(evaluation, "sum", PON_NUL, &sum) == PON_OK && ((const double *)sum.data)[0] != 1.25);
  MUST(pon_evaluation_run(evaluation, blobs, 2, NULL, faults) == PON_E_VALUE);
  /* Draws of another count are refused; those of a run that fails are there for the next. */
  MUST(pon_evaluation_draw(evaluation, "noise", PON_NUL, noise, 1) == PON_OK);
  MUST(pon_evaluation_run(evaluation, blobs, 1, NULL, faults) == PON_E_VALUE);
  MUST(pon_evaluation_draw(evaluation, "noise", PON_NUL, noise, 2) == PON_OK);
  MUST(pon_evaluation_run(evaluation, blobs, 0, NULL, faults) == PON_E_NOT_BOUND);
  MUST(pon_evaluation_run(evaluation, blobs, 1, NULL, faults) == PON_OK);
  MUST(pon_evaluation_blob(evaluation, "sum", PON_NUL, &sum) == PON_OK && ((const double *)sum.data)[0] == 1.25);
  /* What stands in the place of a blob that a layer makes has its shape. */
  blobs[1] = blob("noise", packed(noise, PON_DTYPE_F64, 2, short_shape));
  MUST(pon_evaluation_run(evaluation, blobs, 2, NULL, faults) == PON_E_LAYER_SHAPE);
  MUST(pon_evaluation_write(evaluation, faults) == PON_OK);
  pon_evaluation_free(evaluation);
  options.dtype = PON_DTYPE_I32;
  MUST(pon_evaluation_new(NULL, words, NULL, &options, &evaluation, faults) == PON_E_VALUE);
  pon_description_free(words);
  MUST(pon_description_parse(NULL, DENSE, PON_NUL, &words, faults) == PON_OK);
  MUST(pon_evaluation_new(NULL, words, NULL, NULL, &evaluation, faults) == PON_E_VALUE);
  pon_description_free(words);
}

/* A number of the answers that the reference gave. */
static double answer(const char *key) {
  static char text[1 << 12], path[4096];
  FILE *file;
  const char *found;
  MUST(snprintf(path, sizeof path, "%s/lenet/answers.json", folder) < (int)sizeof path);
  MUST((file = fopen(path, "rb")) != NULL);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  MUST(fclose(file) == 0 && (found = strstr(text, key)) != NULL && (found = strchr(found, ':')) != NULL);
  return strtod(found + 1, NULL);
}

/* All digits by a session and whole, and with the numbers of the model written anew. */
static void lenet(void) {
  pon_description *words = words_of("lenet");
  pon_import *import = import_of(source_of("lenet/model.hdf5"), words);
  pon_network *network = NULL;
  pon_bytes *bytes = NULL;
  const int hits = (int)answer("\"hits\"");
  double loss, other;
  MUST(pon_import_network(import, &network, faults) == PON_OK);
  MUST(by_session(network) == hits);
  MUST(evaluated(words, import, &loss) == hits && fabs(loss - answer("\"loss\"")) < 1e-4);
  pon_import_free(import);
  import = again(network, words, &bytes);
  MUST(evaluated(words, import, &other) == hits && other == loss);
  pon_import_free(import);
  pon_bytes_free(bytes);
  pon_network_free(network);
  pon_description_free(words);
}

int main(int argc, char **argv) {
  MUST(argc == 3 && pon_check(PON_ABI, PON_HEADER) == PON_OK && pon_faults_new(&faults) == PON_OK);
  folder = argv[2];
  if (strcmp(argv[1], "short") != 0) lenet();
  orders_and_transforms();
  refusals();
  draws();
  pon_faults_free(faults);
  return 0;
}
