/* What every program of the tests demands with. */
#ifndef MUST_H
#define MUST_H

#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the line when a thing is not so. */
#define MUST(thing) \
  do { \
    if (!(thing)) { \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #thing); \
      exit(1); \
    } \
  } while (0)

#endif
