// Sets and networks to a file, to memory, or to a function of the host.

#ifndef PONTIL_SAVE_HPP
#define PONTIL_SAVE_HPP

#include "network.hpp"
#include "source.hpp"

namespace pontil {

/// Options of saving; empty is default. Texts must live through the call.
struct save_options {
  /// `safetensors`, `onnx` or `mocha` for a network, `julia` or `jaxon` for a set.
  std::string_view format;
  /// A JSON object of texts.
  std::string_view notes_json;
  /// Of a set of Julia: the group it goes into.
  std::string_view group;
  /// Of a set of Julia: a file whose content is carried along.
  const source* into = nullptr;
  pontil::progress progress;
  const pontil::cancel* cancel = nullptr;
};

namespace detail {

/// What is saved: a set or a network.
struct saved {
  saved(const params_look& set) : params(set.get()) {}
  saved(const pontil::network& of) : network(of.get()) {}
  const pon_params* params = nullptr;
  const pon_network* network = nullptr;
};

inline pon_save_options laid_out(save_options& options) {
  pon_save_options raw{};
  raw.struct_size = sizeof raw;
  raw.format = lent(options.format);
  raw.notes_json = lent(options.notes_json);
  raw.group = lent(options.group);
  raw.into = options.into == nullptr ? nullptr : options.into->get();
  raw.cancel = options.cancel == nullptr ? nullptr : options.cancel->get();
  if (options.progress) {
    raw.progress = told;
    raw.progress_userdata = &options.progress;
  }
  return raw;
}

template <class F>
std::int32_t write(void* userdata, std::uint64_t at, const void* data, std::size_t size) {
  return guarded<std::int32_t>(1, [&] {
    const span<const unsigned char> bytes(static_cast<const unsigned char*>(data), size);
    return (*static_cast<F*>(userdata))(at, bytes) ? 0 : 1;
  });
}

}  // namespace detail

/// All or nothing: written beside the file, then put in its place.
inline result<done> try_save(detail::saved what, std::string_view path, save_options options = {}) {
  const pon_save_options raw = detail::laid_out(options);
  return detail::did([&](pon_faults* faults) {
    return pon_save_path(what.params, what.network, &raw, path.data(), path.size(), faults);
  });
}

inline result<bytes> try_save_bytes(detail::saved what, save_options options = {}) {
  const pon_save_options raw = detail::laid_out(options);
  return detail::made<bytes, pon_bytes>([&](pon_bytes** out, pon_faults* faults) {
    return pon_save_bytes(what.params, what.network, &raw, out, faults);
  });
}

/// `write(at, bytes)` takes the pieces in order; `false` ends the call with PON_E_IO.
template <class F>
result<done> try_save_to(detail::saved what, F&& write, save_options options = {}) {
  const pon_save_options raw = detail::laid_out(options);
  pon_writer writer{};
  writer.struct_size = sizeof writer;
  writer.userdata = &write;
  writer.write = detail::write<std::remove_reference_t<F>>;
  return detail::did([&](pon_faults* faults) { return pon_save_writer(what.params, what.network, &raw, &writer, faults); });
}

#ifdef PONTIL_EXCEPTIONS
inline void save(detail::saved what, std::string_view path, save_options options = {}) {
  try_save(what, path, std::move(options)).value();
}
inline bytes save_bytes(detail::saved what, save_options options = {}) {
  return try_save_bytes(what, std::move(options)).value();
}
#endif

}  // namespace pontil

#endif
