// Data sets of HDF5 files, batch by batch.

#ifndef PONTIL_DATASET_HPP
#define PONTIL_DATASET_HPP

#include "source.hpp"

namespace pontil {

/// A change of every number of a top: a factor, or a file whose dataset `mean` is taken from each example.
struct transform {
  std::string_view top;
  double scale = 1;
  const source* mean = nullptr;
};

/// How a data set is read; empty is default. Texts and sources must live through `open` only.
struct dataset_options {
  std::uint32_t batch = 1;
  /// Names of the datasets; none: `data` and `label`.
  std::vector<std::string_view> tops;
  /// What is done to them, in order.
  std::vector<transform> transforms;
  /// Where the paths of the list begin; empty: the folder the process works in.
  std::string_view folder;
  /// A seed that the order of the examples is drawn from.
  std::optional<std::uint64_t> seed;
  /// Instead of a seed: gives 64 drawn bits, on the thread that asks for a batch. What it throws comes out of that call; the order is
  /// drawn from noughts then.
  std::function<std::uint64_t()> bits;
  /// Shuffles in chunks of so many examples, files anew in each epoch.
  std::uint64_t chunk = 0;
  /// Batches that a thread of the set's own keeps ready. It calls no function of the program but an
  /// allocator's: a stream is read whole before.
  std::uint32_t ahead = 0;
};

/// One kind of numbers of each example; it lives as long as the data set.
struct top {
  pon_dtype dtype;
  std::string_view name;
  span<const std::int64_t> shape;
};

namespace detail {
inline std::uint64_t drawn(void* userdata) {
  return guarded<std::uint64_t>(0, [&] { return (*static_cast<decltype(dataset_options::bits)*>(userdata))(); });
}
}  // namespace detail

/// Examples without end: behind the last comes the first.
class dataset {
 public:
  /// Opens the files that a list names, a path a line, or a single HDF5 file.
  static result<dataset> try_open(const source& list, dataset_options options = {}, const context* with = nullptr) {
    pon_dataset_options raw{};
    raw.struct_size = sizeof raw;
    raw.batch = options.batch;
    std::vector<pon_str> tops;
    for (const auto& name : options.tops) tops.push_back(detail::lent(name));
    raw.tops = tops.empty() ? nullptr : tops.data();
    raw.tops_count = static_cast<std::uint32_t>(tops.size());
    std::vector<pon_transform> transforms;
    for (const auto& one : options.transforms) {
      const std::int32_t kind = one.mean == nullptr ? PON_TRANSFORM_SCALE : PON_TRANSFORM_SUB_MEAN;
      transforms.push_back({detail::lent(one.top), kind, 0, one.scale, one.mean == nullptr ? nullptr : one.mean->get()});
    }
    raw.transforms = transforms.empty() ? nullptr : transforms.data();
    raw.transforms_count = static_cast<std::uint32_t>(transforms.size());
    raw.folder = detail::lent(options.folder);
    raw.chunk = options.chunk;
    raw.ahead = options.ahead;
    auto bits = std::make_unique<std::function<std::uint64_t()>>(std::move(options.bits));
    if (*bits) {
      raw.shuffle = PON_SHUFFLE_BITS;
      raw.bits = detail::drawn;
      raw.bits_userdata = bits.get();
    } else if (options.seed) {
      raw.shuffle = PON_SHUFFLE_SEED;
      raw.seed = *options.seed;
    }
    auto made = detail::made<dataset, pon_dataset>([&](pon_dataset** out, pon_faults* faults) {
      return pon_dataset_open(detail::raw(with), list.get(), &raw, out, faults);
    });
    if (made) made->bits_ = std::move(bits);
    return made;
  }
  explicit dataset(pon_dataset* owned) : raw_(owned) {}

  std::size_t tops() const { return pon_dataset_tops(raw_.get()); }
  result<pontil::top> try_top(std::size_t index) const {
    pon_top raw{};
    raw.struct_size = sizeof raw;
    const status code = pon_dataset_top(raw_.get(), index, &raw);
    const span<const std::int64_t> shape{raw.shape, static_cast<std::size_t>(raw.ndim)};
    return detail::plain(code, pontil::top{raw.dtype, detail::text(raw.name), shape});
  }
  /// How many examples the set has.
  std::uint64_t examples() const { return pon_dataset_examples(raw_.get()); }
  /// How often the last example has been given.
  std::uint64_t epoch() const { return pon_dataset_epoch(raw_.get()); }
  /// Writes the next batch into views, one a top: the batch first, of singles or doubles.
  result<done> try_next(std::initializer_list<view> into) {
    std::vector<pon_view> raw;
    for (const auto& one : into) raw.push_back(one.raw());
    return detail::did([&](pon_faults* faults) { return pon_dataset_next(raw_.get(), raw.data(), raw.size(), faults); });
  }
#ifdef PONTIL_EXCEPTIONS
  static dataset open(const source& list, dataset_options options = {}, const context* with = nullptr) {
    return try_open(list, std::move(options), with).value();
  }
  pontil::top top(std::size_t index) const { return try_top(index).value(); }
  void next(std::initializer_list<view> into) { try_next(into).value(); }
#endif

 private:
  std::unique_ptr<std::function<std::uint64_t()>> bits_;
  detail::owned<pon_dataset, pon_dataset_free> raw_;
};

}  // namespace pontil

#endif
