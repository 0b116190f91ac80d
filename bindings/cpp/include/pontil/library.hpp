// Which library this is, whether it fits these headers, and what it knows.

#ifndef PONTIL_LIBRARY_HPP
#define PONTIL_LIBRARY_HPP

#include "context.hpp"

namespace pontil {

/// Whether the library that was loaded fits these headers: PON_OK or PON_E_ABI.
inline status check() noexcept { return pon_check(PON_ABI, PON_HEADER); }

/// The interface number of the library.
inline std::uint32_t abi() noexcept { return pon_abi(); }

/// The version of the library: major << 16 | minor << 8 | patch.
inline std::uint32_t version() noexcept { return pon_version(); }

/// What the library was built as: a JSON object.
inline std::string_view build_info() noexcept {
  pon_str text{};
  pon_build_info(&text);
  return detail::text(text);
}

/// Name and bits of an element type; "" and 0 of one that is not known.
inline std::pair<std::string_view, std::uint32_t> dtype_info(pon_dtype dtype) noexcept {
  pon_str name{};
  std::uint32_t bits = 0;
  if (pon_dtype_info(dtype, &bits, &name) != PON_OK) return {"", 0};
  return {detail::text(name), bits};
}

/// A layer word with the JSON schema of its settings.
struct word {
  std::string_view name;
  std::string_view schema_json;
};

/// Every layer word; the texts live as long as the context.
inline std::vector<word> words(const context* with = nullptr) {
  std::vector<word> all;
  for (std::size_t at = 0, count = pon_words_count(detail::raw(with)); at < count; at++) {
    pon_str name{}, schema{};
    if (pon_words_get(detail::raw(with), at, &name, &schema) == PON_OK) all.push_back({detail::text(name), detail::text(schema)});
  }
  return all;
}

}  // namespace pontil

#endif
