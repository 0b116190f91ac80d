/* Two threads with a session each run one network, while a third asks the network and frees its share. */
#include "objects.h"
#include <pthread.h>

static void *run(void *userdata) {
  pon_session *session = NULL;
  MUST(pon_session_new(userdata, NULL, &session, NULL) == PON_OK);
  for (int i = 0; i < 2000; i++) answers(session, 21.5f);
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
  pthread_t threads[3];
  MUST(pthread_create(&threads[0], NULL, run, all.network) == 0);
  MUST(pthread_create(&threads[1], NULL, run, all.network) == 0);
  MUST(pthread_create(&threads[2], NULL, ask, all.network) == 0);
  for (int i = 0; i < 3; i++) MUST(pthread_join(threads[i], NULL) == 0);
  host_pool();
  objects_free(&all);
  return 0;
}
