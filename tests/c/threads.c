/* Eight threads with a session each run one network, while a ninth asks the network and frees its share; eight threads at once
 * ask everything that a handle lends for the first time; and a pool of the host. */
#include "objects.h"
#include <pthread.h>

static void *run(void *userdata) {
  pon_session *session = NULL;
  MUST(pon_session_new(userdata, NULL, &session, NULL) == PON_OK);
  for (int i = 0; i < 1000; i++) answers(session, 21.5f);
  pon_session_free(session);
  return NULL;
}

static void *ask(void *userdata) {
  for (int i = 0; i < 2000; i++) {
    pon_network *share = NULL;
    pon_slot slot;
    slot.struct_size = sizeof slot;
    MUST(pon_network_share(userdata, &share) == PON_OK);
    MUST(pon_network_slot(share, 1, &slot) == PON_OK && strcmp(slot.path.data, "0.bias") == 0);
    pon_network_free(share);
  }
  return NULL;
}

static objects fresh;
static pthread_barrier_t together;

/* The addresses of all that is lent; the same for every thread. */
typedef struct lent {
  const void *faults, *json, *message, *printed, *path, *port, *key, *value, *word, *entry;
} lent;

static void *look(void *userdata) {
  lent *seen = userdata;
  pon_str text, schema;
  pon_fault fault;
  pon_slot slot;
  pon_port port;
  pon_node_info node;
  pon_value value;
  pon_entry entry;
  pon_network *network = NULL;
  fault.struct_size = sizeof fault;
  slot.struct_size = sizeof slot;
  port.struct_size = sizeof port;
  node.struct_size = sizeof node;
  value.struct_size = sizeof value;
  entry.struct_size = sizeof entry;
  pthread_barrier_wait(&together);
  MUST(pon_faults_text(fresh.faults, &text) == PON_OK);
  seen->faults = text.data;
  MUST(pon_faults_json(fresh.faults, &text) == PON_OK);
  seen->json = text.data;
  MUST(pon_faults_get(fresh.faults, 0, &fault) == PON_OK);
  seen->message = fault.message.data;
  MUST(pon_description_print(fresh.description, &text) == PON_OK && text.data[text.len] == 0);
  seen->printed = text.data;
  MUST(pon_network_slot(fresh.network, 1, &slot) == PON_OK);
  seen->path = slot.path.data;
  MUST(pon_network_port(fresh.network, PON_OUTPUT, 0, &port) == PON_OK);
  seen->port = port.shape;
  MUST(pon_params_node(fresh.params, 2, &node) == PON_OK && strcmp(node.key.data, "0.bias") == 0);
  seen->key = node.key.data;
  MUST(pon_params_get(fresh.params, 2, &value) == PON_OK);
  seen->value = value.tensor;
  MUST(pon_words_get(fresh.context, 3, &text, &schema) == PON_OK);
  seen->word = schema.data;
  MUST(pon_import_entry(fresh.import, 0, &entry) == PON_OK);
  seen->entry = entry.path.data;
  MUST(pon_import_network(fresh.import, &network, NULL) == PON_OK);
  run(network);
  pon_network_free(network);
  return NULL;
}

static void first_looks(void) {
  enum { THREADS = 8 };
  lent seen[THREADS];
  pthread_t threads[THREADS];
  pon_source *source = NULL;
  for (int round = 0; round < 20; round++) {
    fresh = objects_new();
    memset(seen, 0, sizeof seen);
    MUST(pon_source_path(fresh.context, "/nowhere/at/all", PON_NUL, &source, fresh.faults) == PON_E_NOT_FOUND);
    MUST(pthread_barrier_init(&together, NULL, THREADS) == 0);
    for (int i = 0; i < THREADS; i++) MUST(pthread_create(&threads[i], NULL, look, &seen[i]) == 0);
    for (int i = 0; i < THREADS; i++) MUST(pthread_join(threads[i], NULL) == 0);
    for (int i = 1; i < THREADS; i++) MUST(memcmp(&seen[0], &seen[i], sizeof seen[0]) == 0);
    pthread_barrier_destroy(&together);
    objects_free(&fresh);
  }
}

static void parallel(void *userdata, uint32_t parts, pon_task_fn one, void *task) {
  *(int *)userdata += 1;
  while (parts-- > 0) one(task, parts);
}

static void host_pool(void) {
  static float x[256 * 512], y[256 * 512];
  const int64_t shape[2] = {256, 512};
  pon_view in = packed(x, PON_DTYPE_F32, 2, shape), out = packed(y, PON_DTYPE_F32, 2, shape);
  const char *words = "{\"kind\":\"stack\",\"layers\":[{\"kind\":\"dense\",\"inputs\":512,\"outputs\":512}]}";
  pon_context_options options;
  pon_session_options session_options;
  pon_context *context = NULL;
  pon_description *description = NULL;
  pon_network *network = NULL;
  pon_session *session = NULL;
  int asked = 0;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.threads = 2;
  options.parallel = parallel;
  options.parallel_userdata = &asked;
  memset(&session_options, 0, sizeof session_options);
  session_options.struct_size = sizeof session_options;
  session_options.max_batch = 256;
  MUST(pon_context_new(&options, &context) == PON_OK);
  MUST(pon_description_parse(context, words, PON_NUL, &description, NULL) == PON_OK);
  MUST(pon_network_build(description, NULL, &network, NULL) == PON_OK);
  MUST(pon_session_new(network, &session_options, &session, NULL) == PON_OK);
  y[9] = 1;
  MUST(pon_session_run_with(session, &in, 1, &out, 1, NULL) == PON_OK && y[9] == 0 && asked > 0);
  pon_session_free(session);
  pon_network_free(network);
  pon_description_free(description);
  pon_context_free(context);
}

int main(void) {
  objects all = objects_new();
  enum { SESSIONS = 8 };
  pthread_t threads[SESSIONS], asking;
  for (int i = 0; i < SESSIONS; i++) MUST(pthread_create(&threads[i], NULL, run, all.network) == 0);
  MUST(pthread_create(&asking, NULL, ask, all.network) == 0);
  for (int i = 0; i < SESSIONS; i++) MUST(pthread_join(threads[i], NULL) == 0);
  MUST(pthread_join(asking, NULL) == 0);
  first_looks();
  host_pool();
  objects_free(&all);
  return 0;
}
