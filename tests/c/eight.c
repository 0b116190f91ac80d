/* Loaded before a program's libraries, it says that the machine has eight processors: Julia 1.5 takes no more threads than that. */
#include <dlfcn.h>
#include <unistd.h>

long sysconf(int name) {
  long (*next)(int);
  *(void **)&next = dlsym(RTLD_NEXT, "sysconf");
  return name == _SC_NPROCESSORS_ONLN ? 8 : next(name);
}
