// Layers in words, without numbers.

#ifndef PONTIL_DESCRIPTION_HPP
#define PONTIL_DESCRIPTION_HPP

#include "context.hpp"
#include "view.hpp"

namespace pontil {

/// Number of a layer.
using layer = pon_layer;

/// A description, parsed or put together.
class description {
 public:
  explicit description(pon_description* owned) : raw_(owned) {}

  static result<description> try_parse(std::string_view json, const context* with = nullptr) {
    return detail::made<description, pon_description>([&](pon_description** out, pon_faults* faults) {
      return pon_description_parse(detail::raw(with), json.data(), json.size(), out, faults);
    });
  }
  static result<description> try_make(const context* with = nullptr) {
    return detail::made<description, pon_description>(
        [&](pon_description** out, pon_faults*) { return pon_description_new(detail::raw(with), out); });
  }
  /// As JSON.
  std::string text() const {
    pon_str text{};
    return pon_description_print(raw_.get(), &text) == PON_OK ? std::string(detail::text(text)) : std::string();
  }
  result<layer> try_input(std::string_view name, pon_dtype dtype, span<const std::int64_t> shape) {
    layer made = 0;
    const status code = pon_description_input(raw_.get(), name.data(), name.size(), dtype,
                                              static_cast<std::int32_t>(shape.size()), shape.data(), &made);
    return detail::plain(code, made);
  }
  result<layer> try_layer(std::string_view word, std::string_view name) {
    layer made = 0;
    const status code = pon_description_layer(raw_.get(), word.data(), word.size(), name.data(), name.size(), &made);
    return detail::plain(code, made);
  }
  result<done> try_connect(layer from, layer to, std::uint32_t from_port = 0, std::uint32_t to_port = 0) {
    return detail::plain(pon_description_connect(raw_.get(), from, from_port, to, to_port), done{});
  }
  result<done> try_output(layer from, std::string_view name, std::uint32_t from_port = 0) {
    return detail::plain(pon_description_output(raw_.get(), from, from_port, name.data(), name.size()), done{});
  }
  result<done> try_set(layer of, std::string_view key, span<const std::int64_t> values) {
    return detail::plain(
        pon_description_set_ints(raw_.get(), of, key.data(), key.size(), values.data(), values.size()), done{});
  }
  result<done> try_set(layer of, std::string_view key, std::int64_t value) {
    return try_set(of, key, span<const std::int64_t>(&value, 1));
  }
  result<done> try_set_reals(layer of, std::string_view key, span<const double> values) {
    return detail::plain(
        pon_description_set_reals(raw_.get(), of, key.data(), key.size(), values.data(), values.size()), done{});
  }
  result<done> try_set_text(layer of, std::string_view key, std::string_view value) {
    return detail::plain(
        pon_description_set_text(raw_.get(), of, key.data(), key.size(), value.data(), value.size()), done{});
  }
  result<done> try_set_bool(layer of, std::string_view key, bool value) {
    return detail::plain(pon_description_set_bool(raw_.get(), of, key.data(), key.size(), value ? 1 : 0), done{});
  }
#ifdef PONTIL_EXCEPTIONS
  static description parse(std::string_view json, const context* with = nullptr) { return try_parse(json, with).value(); }
#endif

  const pon_description* get() const noexcept { return raw_.get(); }

 private:
  detail::owned<pon_description, pon_description_free> raw_;
};

}  // namespace pontil

#endif
