// Networks in Mocha's words evaluated whole: losses, statistics, every blob on the way.

#ifndef PONTIL_EVALUATION_HPP
#define PONTIL_EVALUATION_HPP

#include "model_file.hpp"

namespace pontil {

/// A loss of the last run, or a mean over all runs since the last reset; the name lives until the next run.
struct figure {
  /// PON_FIGURE_LOSS or PON_FIGURE_STATISTIC.
  std::int32_t kind;
  std::string_view name;
  double value;
  /// Over how many a statistic is the mean.
  std::uint64_t count;
};

/// A network with its numbers, and what its last run left.
class evaluation {
 public:
  /// `numbers` may be null where no layer has any. `dtype` is PON_DTYPE_F32 or PON_DTYPE_F64.
  static result<evaluation> try_make(const description& of, const model_file* numbers, pon_dtype dtype = PON_DTYPE_F32,
                                     std::uint64_t seed = 0, const context* with = nullptr) {
    pon_evaluation_options raw{};
    raw.struct_size = sizeof raw;
    raw.dtype = dtype;
    raw.seed = seed;
    return detail::made<evaluation, pon_evaluation>([&](pon_evaluation** out, pon_faults* faults) {
      const pon_import* file = numbers == nullptr ? nullptr : numbers->get();
      return pon_evaluation_new(detail::raw(with), of.get(), file, &raw, out, faults);
    });
  }
  explicit evaluation(pon_evaluation* owned) : raw_(owned) {}

  /// Gives a layer that draws its numbers, for the next run alone.
  result<done> try_draw(std::string_view whose, span<const double> numbers) {
    return detail::plain(pon_evaluation_draw(raw_.get(), whose.data(), whose.size(), numbers.data(), numbers.size()), done{});
  }
  /// Runs every layer once on the blobs that come from outside; gives the total of the losses.
  result<double> try_run(std::initializer_list<std::pair<std::string_view, view>> blobs) {
    std::vector<pon_blob> raw;
    for (const auto& [name, numbers] : blobs) raw.push_back({detail::lent(name), numbers.raw()});
    double loss = 0;
    auto went = detail::did(
        [&](pon_faults* faults) { return pon_evaluation_run(raw_.get(), raw.data(), raw.size(), &loss, faults); });
    if (!went) return std::move(went).refusal();
    return loss;
  }
  /// The losses of the last run, then the statistics.
  std::vector<pontil::figure> figures() const {
    std::vector<pontil::figure> all;
    for (std::size_t at = 0; at < pon_evaluation_figures(raw_.get()); at++) {
      pon_figure raw{};
      raw.struct_size = sizeof raw;
      if (pon_evaluation_figure(raw_.get(), at, &raw) != PON_OK) break;
      all.push_back({raw.kind, detail::text(raw.name), raw.value, raw.count});
    }
    return all;
  }
  /// A blob of the last run as doubles, until the next one.
  result<look> try_blob(std::string_view name) const {
    pon_view raw{};
    const status code = pon_evaluation_blob(raw_.get(), name.data(), name.size(), &raw);
    return detail::plain(code, look(raw));
  }
  /// Begins statistics anew and forgets what output layers have kept.
  status reset() { return pon_evaluation_reset(raw_.get()); }
  /// Writes the files of the network's HDF5 output layers.
  result<done> try_write() {
    return detail::did([&](pon_faults* faults) { return pon_evaluation_write(raw_.get(), faults); });
  }
#ifdef PONTIL_EXCEPTIONS
  evaluation(const description& of, const model_file* numbers, pon_dtype dtype = PON_DTYPE_F32, std::uint64_t seed = 0)
      : evaluation(try_make(of, numbers, dtype, seed).value()) {}
  void draw(std::string_view whose, span<const double> numbers) { try_draw(whose, numbers).value(); }
  double run(std::initializer_list<std::pair<std::string_view, view>> blobs) { return try_run(blobs).value(); }
  look blob(std::string_view name) const { return try_blob(name).value(); }
  void write() { try_write().value(); }
#endif

 private:
  detail::owned<pon_evaluation, pon_evaluation_free> raw_;
};

}  // namespace pontil

#endif
