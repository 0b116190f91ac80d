/* 100 times: load, run with two threads, list the words, unload; no thread and no mapping is left. A second copy, in a
 * namespace of its own, lives beside the first. usage: unload LIBRARY */
#include "mapped.h"
#include <dirent.h>
#include <dlfcn.h>
#include <pontil.h>
#include <string.h>

/* A function of the library under its own name, in this scope. */
#define FIND(answer, name, parameters) \
  answer(*name) parameters; \
  MUST((*(void **)&name = dlsym(library, #name)) != NULL)

static int threads(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  MUST(tasks != NULL);
  for (struct dirent *task; (task = readdir(tasks)) != NULL;) count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}

static void use(void *library) {
  static float x[256 * 512], y[256 * 512];
  static const char words[] = "{\"kind\":\"stack\",\"layers\":[{\"kind\":\"dense\",\"inputs\":512,\"outputs\":512}]}";
  static const int64_t shape[2] = {256, 512};
  pon_session_options options;
  pon_view in, out;
  pon_description *description = NULL;
  pon_network *network = NULL;
  pon_session *session = NULL;
  FIND(size_t, pon_words_count, (const pon_context *));
  FIND(pon_status, pon_description_parse,
       (const pon_context *, const char *, size_t, pon_description **, pon_faults *));
  FIND(pon_status, pon_network_build, (const pon_description *, const pon_params *, pon_network **, pon_faults *));
  FIND(pon_status, pon_session_new, (const pon_network *, const pon_session_options *, pon_session **, pon_faults *));
  FIND(pon_status, pon_session_run_with,
       (pon_session *, const pon_view *, size_t, const pon_view *, size_t, const pon_cancel *));
  FIND(void, pon_description_free, (pon_description *));
  FIND(void, pon_network_free, (pon_network *));
  FIND(void, pon_session_free, (pon_session *));
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.threads = 2;
  options.max_batch = 256;
  memset(&in, 0, sizeof in);
  in.data = x;
  in.dtype = PON_DTYPE_F32;
  in.ndim = 2;
  in.shape = shape;
  out = in;
  out.data = y;
  MUST(pon_words_count(NULL) > 0);
  MUST(pon_description_parse(NULL, words, PON_NUL, &description, NULL) == PON_OK);
  MUST(pon_network_build(description, NULL, &network, NULL) == PON_OK);
  pon_description_free(description);
  MUST(pon_session_new(network, &options, &session, NULL) == PON_OK);
  pon_network_free(network);
  MUST(threads() == 2);
  y[9] = 1;
  MUST(pon_session_run_with(session, &in, 1, &out, 1, NULL) == PON_OK && y[9] == 0);
  pon_session_free(session);
  MUST(threads() == 1);
}

int main(int argc, char **argv) {
  MUST(argc == 2);
  for (int round = 0; round < 100; round++) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    MUST(library != NULL && mapped(argv[1]) > 0);
    use(library);
    MUST(dlclose(library) == 0);
    MUST(mapped(argv[1]) == 0);
  }
  void *one = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL), *two = dlmopen(LM_ID_NEWLM, argv[1], RTLD_NOW | RTLD_LOCAL);
  MUST(one != NULL && two != NULL && one != two);
  use(one);
  use(two);
  use(one);
  return 0;
}
