// Files of frameworks.

#ifndef PONTIL_MODEL_FILE_HPP
#define PONTIL_MODEL_FILE_HPP

#include "network.hpp"
#include "source.hpp"

namespace pontil {

/// What a host says about a file that the file does not say; empty is default. Texts must live through `open` only.
struct import_options {
  /// PON_LAYOUT_*: the axis order the host wants at the ports.
  std::int32_t layout = PON_LAYOUT_CHANNELS_LAST;
  std::string_view format, loss, strip_prefix, key;
  /// The layers, for formats of numbers only.
  const description* network = nullptr;
  /// Shape of one example of the first input, the batch left out.
  std::vector<std::int64_t> example;
  /// What flattens are handed: path and shape.
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> flattened;
  bool fold_weight_norm = false;
  /// Whether structured leaves of types that nobody registered are kept.
  bool keep_unknown_types = false;
  /// Whether the loss takes a last sigmoid or softmax over, which is left out of the network.
  bool lift_loss = false;
  /// Whether the network is put in a row of layers; what is no row is refused.
  bool stack = false;
  /// A set that the one in the file must fit.
  const params_look* prototype = nullptr;
  /// How a file of nested Python values is read, as C says it.
  const pon_pytree_options* pytree = nullptr;
  pontil::progress progress;
  std::optional<pontil::cancel> cancel;
};

/// An array of a file; texts and shape live as long as the file.
struct entry {
  pon_dtype dtype;
  std::string_view path, place;
  span<const std::int64_t> shape;
  std::uint64_t bytes;
  std::optional<std::uint64_t> offset;
};

/// An opened file: its listing is read, its numbers are not.
class model_file {
 public:
  static result<model_file> try_open(const source& from, import_options options = {}, const context* with = nullptr) {
    pon_import_options raw{};
    raw.struct_size = sizeof raw;
    raw.layout = options.layout;
    raw.format = detail::lent(options.format);
    raw.loss = detail::lent(options.loss);
    raw.strip_prefix = detail::lent(options.strip_prefix);
    raw.key = detail::lent(options.key);
    raw.network = options.network == nullptr ? nullptr : options.network->get();
    raw.example = options.example.empty() ? nullptr : options.example.data();
    raw.example_ndim = static_cast<std::int32_t>(options.example.size());
    std::vector<pon_flattened> flattened;
    for (const auto& [path, shape] : options.flattened) {
      flattened.push_back({detail::lent(path), shape.data(), static_cast<std::int32_t>(shape.size()), 0});
    }
    raw.flattened = flattened.empty() ? nullptr : flattened.data();
    raw.flattened_count = static_cast<std::uint32_t>(flattened.size());
    raw.fold_weight_norm = options.fold_weight_norm ? 1 : 0;
    raw.unknown_types = options.keep_unknown_types ? PON_TYPES_KEEP : PON_TYPES_REFUSE;
    raw.lift_loss = options.lift_loss;
    raw.stack = options.stack;
    raw.prototype = options.prototype == nullptr ? nullptr : options.prototype->get();
    raw.pytree = options.pytree;
    raw.cancel = options.cancel ? options.cancel->get() : nullptr;
    auto told = std::make_unique<progress>(std::move(options.progress));
    if (*told) {
      raw.progress = detail::told;
      raw.progress_userdata = told.get();
    }
    auto made = detail::made<model_file, pon_import>([&](pon_import** out, pon_faults* faults) {
      return pon_import_open(detail::raw(with), from.get(), &raw, out, faults);
    });
    if (made) made->progress_ = std::move(told);
    return made;
  }
  explicit model_file(pon_import* owned) : raw_(owned) {}

  std::string_view format() const { return asked(pon_import_format); }
  /// The loss the network was trained with; "" if nothing says it.
  std::string_view loss() const { return asked(pon_import_loss); }
  /// A note of the file; empty: there is none.
  std::optional<std::string_view> note(std::string_view key) const {
    pon_str text{};
    if (pon_import_note(get(), key.data(), key.size(), &text) != PON_OK) return std::nullopt;
    return detail::text(text);
  }
  std::size_t entries() const { return pon_import_entries(get()); }
  result<entry> try_entry(std::size_t index) const {
    pon_entry raw{};
    raw.struct_size = sizeof raw;
    const status code = pon_import_entry(get(), index, &raw);
    entry one{raw.dtype, detail::text(raw.path), detail::text(raw.place),
              {raw.shape, static_cast<std::size_t>(raw.ndim)}, raw.bytes, std::nullopt};
    if (raw.offset != PON_NO_OFFSET) one.offset = raw.offset;
    return detail::plain(code, std::move(one));
  }
  /// One array into numbers of the caller.
  result<done> try_read(std::size_t index, const view& into) const {
    const pon_view raw = into.raw();
    return detail::did([&](pon_faults* faults) { return pon_import_read(get(), index, &raw, faults); });
  }
  result<params> try_params() const {
    return detail::made<params, pon_params>(
        [&](pon_params** out, pon_faults* faults) { return pon_import_params(get(), out, faults); });
  }
  result<description> try_description() const {
    return detail::made<description, pon_description>(
        [&](pon_description** out, pon_faults* faults) { return pon_import_description(get(), out, faults); });
  }
  result<network> try_network() const {
    return detail::made<network, pon_network>(
        [&](pon_network** out, pon_faults* faults) { return pon_import_network(get(), out, faults); });
  }
#ifdef PONTIL_EXCEPTIONS
  static model_file open(const source& from, import_options options = {}, const context* with = nullptr) {
    return try_open(from, std::move(options), with).value();
  }
  entry entry_at(std::size_t index) const { return try_entry(index).value(); }
  params read_params() const { return try_params().value(); }
  network read_network() const { return try_network().value(); }
#endif

  const pon_import* get() const noexcept { return raw_.get(); }

 private:
  std::string_view asked(status (*call)(const pon_import*, pon_str*)) const {
    pon_str text{};
    return call(get(), &text) == PON_OK ? detail::text(text) : std::string_view();
  }

  std::unique_ptr<progress> progress_;
  detail::owned<pon_import, pon_import_free> raw_;
};

}  // namespace pontil

#endif
