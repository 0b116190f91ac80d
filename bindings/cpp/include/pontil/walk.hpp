// Walks over the leaves of sets of one shape, with any callable.

#ifndef PONTIL_WALK_HPP
#define PONTIL_WALK_HPP

#include "params.hpp"

namespace pontil {

namespace detail {

inline std::vector<const pon_params*> listed(std::initializer_list<params_look> sets) {
  std::vector<const pon_params*> all;
  for (const params_look& set : sets) all.push_back(set.get());
  return all;
}

template <class F>
status walked(void* userdata, const pon_node* nodes, std::size_t count) {
  return guarded<status>(PON_STOPPED, [&] { return (*static_cast<F*>(userdata))(span<const node>(nodes, count)) ? PON_OK : PON_STOPPED; });
}

template <class F>
status mapped(void* userdata, const pon_node* nodes, std::size_t count, pon_params* out, pon_node leaf) {
  return guarded<status>(PON_STOPPED, [&] {
    params_edit made(out);
    return (*static_cast<F*>(userdata))(span<const node>(nodes, count), made, leaf) ? PON_OK : PON_STOPPED;
  });
}

}  // namespace detail

/// Calls `call(nodes)` for the leaves at each place; `nodes[i]` is of set number i. `false` ends the walk with PON_STOPPED.
template <class F>
result<done> try_each(std::initializer_list<params_look> sets, F&& call, std::int32_t depth = PON_WALK_LEAVES) {
  const auto all = detail::listed(sets);
  return detail::did([&](pon_faults* faults) {
    return pon_params_each(all.data(), all.size(), depth, detail::walked<std::remove_reference_t<F>>, &call, faults);
  });
}

/// Makes a set of the shape of the first; `call(nodes, out, leaf)` puts each leaf into `out`.
template <class F>
result<params> try_map(std::initializer_list<params_look> sets, F&& call, std::int32_t depth = PON_WALK_LEAVES) {
  const auto all = detail::listed(sets);
  return detail::made<params, pon_params>([&](pon_params** out, pon_faults* faults) {
    return pon_params_map(all.data(), all.size(), depth, detail::mapped<std::remove_reference_t<F>>, &call, out, faults);
  });
}

#ifdef PONTIL_EXCEPTIONS
template <class F>
void each(std::initializer_list<params_look> sets, F&& call, std::int32_t depth = PON_WALK_LEAVES) {
  try_each(sets, std::forward<F>(call), depth).value();
}
template <class F>
params map(std::initializer_list<params_look> sets, F&& call, std::int32_t depth = PON_WALK_LEAVES) {
  return try_map(sets, std::forward<F>(call), depth).value();
}
#endif

}  // namespace pontil

#endif
