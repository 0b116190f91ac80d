/* 100 times: load with RTLD_DEEPBIND, panic inside of the guard, unload; nothing is printed and nothing stays mapped.
 * usage: guard LIBRARY   (built with `debug-entries`; run with RUST_BACKTRACE=1 as well) */
#include "mapped.h"
#include <dlfcn.h>
#include <pontil.h>
#include <string.h>

#define FIND(name) MUST((*(void **)&name = dlsym(library, #name)) != NULL)

static int heard;

static void hear(void *userdata, int32_t level, const pon_str *message) {
  MUST(userdata == &heard && level == PON_LOG_ERROR && strstr(message->data, "asked for") != NULL);
  heard++;
}

int main(int argc, char **argv) {
  MUST(argc == 2);
  for (int round = 0; round < 100; round++) {
    pon_status (*pon_debug_panic)(const pon_context *);
    pon_status (*pon_context_new)(const pon_context_options *, pon_context **);
    void (*pon_context_free)(pon_context *);
    pon_context_options options;
    pon_context *context = NULL;
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    MUST(library != NULL);
    FIND(pon_debug_panic);
    FIND(pon_context_new);
    FIND(pon_context_free);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.log_level = PON_LOG_ERROR;
    options.log = hear;
    options.log_userdata = &heard;
    MUST(pon_debug_panic(NULL) == PON_E_INTERNAL && heard == round);
    MUST(pon_context_new(&options, &context) == PON_OK);
    MUST(pon_debug_panic(context) == PON_E_INTERNAL && heard == round + 1);
    pon_context_free(context);
    MUST(dlclose(library) == 0);
    MUST(mapped(argv[1]) == 0);
  }
  void *one = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL), *two = dlmopen(LM_ID_NEWLM, argv[1], RTLD_NOW | RTLD_LOCAL);
  MUST(one != NULL && two != NULL && one != two);
  return 0;
}
