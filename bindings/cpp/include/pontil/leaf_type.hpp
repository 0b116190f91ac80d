// Types of structured leaves that the host brings.

#ifndef PONTIL_LEAF_TYPE_HPP
#define PONTIL_LEAF_TYPE_HPP

#include "params.hpp"

namespace pontil {

/// One type of structured leaves. What is left empty is refused where it is needed. The functions are called on threads that are
/// in a call with something made with the context, several at once.
struct leaf_type {
  /// Whether storage and metadata fit.
  std::function<bool(const params_look&, node leaf)> check;
  /// Rows and columns of the matrix.
  std::function<std::pair<std::int64_t, std::int64_t>(const params_look&, node leaf)> dense_shape;
  /// Writes the matrix; `out` is packed, of the shape columns, rows.
  std::function<void(const params_look&, node leaf, const look& out)> dense;
  /// Puts the gradient over the storage into `out`, whose node `out_leaf` is a copy of the leaf.
  std::function<void(const params_look&, node leaf, const look& cotangent, params_edit& out, node out_leaf)> gradient;
};

namespace detail {

inline status leaf_checked(void* userdata, const pon_params* set, pon_node leaf, pon_faults*) {
  return guarded<status>(PON_E_VALUE, [&] {
    return static_cast<leaf_type*>(userdata)->check(params_look(set), leaf) ? PON_OK : PON_E_VALUE;
  });
}

inline status leaf_shaped(void* userdata, const pon_params* set, pon_node leaf, std::int64_t* rows, std::int64_t* columns) {
  return guarded<status>(PON_E_VALUE, [&] {
    std::tie(*rows, *columns) = static_cast<leaf_type*>(userdata)->dense_shape(params_look(set), leaf);
    return PON_OK;
  });
}

inline status leaf_written(void* userdata, const pon_params* set, pon_node leaf, const pon_view* out) {
  return guarded<status>(PON_E_VALUE, [&] {
    static_cast<leaf_type*>(userdata)->dense(params_look(set), leaf, look(*out));
    return PON_OK;
  });
}

inline status leaf_derived(void* userdata, const pon_params* set, pon_node leaf, const pon_view* cotangent, pon_params* out,
                           pon_node out_leaf, pon_faults*) {
  return guarded<status>(PON_E_VALUE, [&] {
    params_edit made(out);
    static_cast<leaf_type*>(userdata)->gradient(params_look(set), leaf, look(*cotangent), made, out_leaf);
    return PON_OK;
  });
}

}  // namespace detail

/// Registers a type for all that is made with the context.
inline result<done> try_register_leaf(context& with, std::string_view name, leaf_type type) {
  auto kept = std::make_unique<leaf_type>(std::move(type));
  pon_leaf_type raw{};
  raw.struct_size = sizeof raw;
  raw.userdata = kept.get();
  raw.drop = detail::dropped<leaf_type>;
  if (kept->check) raw.check = detail::leaf_checked;
  if (kept->dense_shape) raw.dense_shape = detail::leaf_shaped;
  if (kept->dense) raw.dense = detail::leaf_written;
  if (kept->gradient) raw.gradient = detail::leaf_derived;
  auto went = detail::plain(pon_context_register_leaf(with.get(), name.data(), name.size(), &raw), done{});
  if (went) kept.release();
  return went;
}

#ifdef PONTIL_EXCEPTIONS
inline void register_leaf(context& with, std::string_view name, leaf_type type) {
  try_register_leaf(with, name, std::move(type)).value();
}
#endif

}  // namespace pontil

#endif
