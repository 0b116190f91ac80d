// Gradients over a set's numbers by rules of the host.

#ifndef PONTIL_COTANGENT_HPP
#define PONTIL_COTANGENT_HPP

#include "params.hpp"

namespace pontil {

namespace detail {

template <class F>
status rule(void* userdata, const pon_params* set, pon_node leaf, const pon_params* cotangent, pon_node its, pon_params* out,
            pon_node out_leaf, pon_faults*) {
  return guarded<status>(PON_STOPPED, [&] {
    params_edit made(out);
    return (*static_cast<F*>(userdata))(params_look(set), leaf, params_look(cotangent), its, made, out_leaf) ? PON_OK : PON_E_VALUE;
  });
}

}  // namespace detail

/// Makes a set of the shape of `set`; `call(set, leaf, cotangent, cotangent_leaf, out, out_leaf)` puts each leaf that is no hole
/// into `out`; `false` is a fault of that leaf. Empty if the whole cotangent is a hole.
template <class F>
result<std::optional<params>> try_map_cotangent(const params_look& set, const params_look& cotangent, F&& call) {
  return detail::if_any(detail::made<params, pon_params>([&](pon_params** out, pon_faults* faults) {
    return pon_params_map_cotangent(set.get(), cotangent.get(), detail::rule<std::remove_reference_t<F>>, &call, out, faults);
  }));
}

/// Puts the gradient of one leaf over its storage, by the rule of its type, in the place of a leaf of another set.
inline result<done> try_storage_gradient(const params_look& set, node leaf, const params_look& cotangent, node its,
                                         params_edit& out, node out_leaf) {
  return detail::did([&](pon_faults* faults) {
    return pon_params_storage_gradient(set.get(), leaf, cotangent.get(), its, out.get_mut(), out_leaf, faults);
  });
}

/// A structured leaf of the type and metadata of another with a storage of the host's, as a set of its own.
inline result<params> try_rebuild(const params_look& set, node leaf, const params_look& numbers, node storage) {
  return detail::made<params, pon_params>([&](pon_params** out, pon_faults* faults) {
    return pon_params_rebuild(set.get(), leaf, numbers.get(), storage, out, faults);
  });
}

}  // namespace pontil

#endif
