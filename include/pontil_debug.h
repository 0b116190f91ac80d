/* pontil_debug.h - entries that misbehave on purpose, for the tests of the guard.
 * Only in a library built with the cargo feature `debug-entries`; never installed, never shipped. */
#ifndef PONTIL_DEBUG_H
#define PONTIL_DEBUG_H

#include "pontil.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Panics inside of the guard: always PON_E_INTERNAL. The log of `context`, which may be NULL, hears of it. */
PON_API pon_status pon_debug_panic(const pon_context *context);

#ifdef __cplusplus
}
#endif

#endif /* PONTIL_DEBUG_H */
