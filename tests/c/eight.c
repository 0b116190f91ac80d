/* Loaded before a program's libraries, it says that the machine has eight processors: Julia 1.5 takes no more threads than that. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
long sysconf(int name) {
  long (*next)(int) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
  return name == _SC_NPROCESSORS_ONLN ? 8 : next(name);
}
