/* Between the first and the 10,000th run: no call of malloc or its kin, and no system call (the kernel would end the child). */
#include "objects.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static long calls;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *block);

void *malloc(size_t size) { calls++; return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { calls++; return __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { calls++; return __libc_realloc(block, size); }
void *aligned_alloc(size_t align, size_t size) { calls++; return __libc_memalign(align, size); }
void free(void *block) { calls++; __libc_free(block); }
int posix_memalign(void **out, size_t align, size_t size) {
  calls++;
  *out = __libc_memalign(align, size);
  return *out ? 0 : ENOMEM;
}

/* From here on the kernel kills the process at any system call but its end. */
static int nothing_but_exit(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
  };
  struct sock_fprog program = {4, rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(void) {
  objects all = objects_new();
  const float x[2] = {1, 10};
  float y[1] = {0};
  const int64_t x_shape[2] = {1, 2}, y_shape[2] = {1, 1};
  pon_view in = packed(x, PON_DTYPE_F32, 2, x_shape), out = packed(y, PON_DTYPE_F32, 2, y_shape);
  long before;
  pid_t child;
  int status = 0;
  MUST(pon_session_bind(all.session, PON_INPUT, 0, &in) == PON_OK);
  MUST(pon_session_bind(all.session, PON_OUTPUT, 0, &out) == PON_OK);
  MUST(pon_session_run(all.session, all.cancel) == PON_OK);
  before = calls;
  MUST(before > 0);
  child = fork();
  MUST(child >= 0);
  if (child == 0) {
    long good = 0;
    if (nothing_but_exit()) _exit(77);
    for (int i = 0; i < 10000; i++) {
      good += pon_session_run(all.session, all.cancel) == PON_OK;
      good += pon_session_run_with(all.session, &in, 1, &out, 1, NULL) == PON_OK;
    }
    _exit(good == 20000 && calls == before && y[0] == 21.5f ? 0 : 1);
  }
  MUST(waitpid(child, &status, 0) == child);
  MUST(WIFEXITED(status));
  MUST(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77);
  objects_free(&all);
  return WEXITSTATUS(status);
}
