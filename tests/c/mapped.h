/* For the programs that load and unload the library themselves. */
#ifndef MAPPED_H
#define MAPPED_H

#include "must.h"
#include <string.h>

/* How many mappings of this process are of the file. */
static int mapped(const char *path) {
  char line[1024];
  int count = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  MUST(maps != NULL);
  while (fgets(line, sizeof line, maps)) count += strstr(line, path) != NULL;
  fclose(maps);
  return count;
}

#endif
