// pontil.hpp - Pontil for C++17, on top of pontil.h; headers alone.
//
// Every object owns its handle and can be moved. What can fail comes in two forms: `x` throws `pontil::error`, which carries the
// faults, and `try_x` gives a `pontil::result`. With -fno-exceptions only the second is there. Threads, lifetimes and codes are
// those of pontil.h: a const object serves any number of threads, objects may be destroyed in any order.

#ifndef PONTIL_HPP
#define PONTIL_HPP

#include "pontil/context.hpp"
#include "pontil/cotangent.hpp"
#include "pontil/dataset.hpp"
#include "pontil/description.hpp"
#include "pontil/evaluation.hpp"
#include "pontil/fault.hpp"
#include "pontil/layout.hpp"
#include "pontil/leaf_type.hpp"
#include "pontil/library.hpp"
#include "pontil/model_file.hpp"
#include "pontil/network.hpp"
#include "pontil/params.hpp"
#include "pontil/result.hpp"
#include "pontil/save.hpp"
#include "pontil/session.hpp"
#include "pontil/source.hpp"
#include "pontil/tensor.hpp"
#include "pontil/view.hpp"
#include "pontil/walk.hpp"

#endif
