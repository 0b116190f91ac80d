// The order of a set's numbers in one flat vector.

#ifndef PONTIL_LAYOUT_HPP
#define PONTIL_LAYOUT_HPP

#include "params.hpp"

namespace pontil {

/// A leaf's place in a flat vector; shape and path live as long as the layout.
struct segment {
  pon_dtype dtype;
  pontil::node node;
  std::uint64_t first, count;
  span<const std::int64_t> shape;
  std::string_view path;
};

/// Computed once of a branch of a set; serves every set of its shape.
class layout {
 public:
  explicit layout(pon_layout* owned) : raw_(owned) {}

  static result<layout> try_make(const params_look& of, node from = 0) {
    return detail::made<layout, pon_layout>(
        [&](pon_layout** out, pon_faults* faults) { return pon_layout_new(of.get(), from, out, faults); });
  }
  /// How many numbers.
  std::uint64_t count() const { return pon_layout_count(raw_.get()); }
  /// How many leaves.
  std::size_t segments() const { return pon_layout_segments(raw_.get()); }
  result<segment> try_segment(std::size_t index) const {
    pon_segment raw{};
    raw.struct_size = sizeof raw;
    const status code = pon_layout_segment(raw_.get(), index, &raw);
    return detail::plain(code, segment{raw.dtype, raw.node, raw.first, raw.count,
                                       {raw.shape, static_cast<std::size_t>(raw.ndim)}, detail::text(raw.path)});
  }
  /// First number and count of what a path leads to.
  result<std::pair<std::uint64_t, std::uint64_t>> try_range(std::string_view path) const {
    std::pair<std::uint64_t, std::uint64_t> range;
    const status code = pon_layout_range(raw_.get(), path.data(), path.size(), &range.first, &range.second);
    return detail::plain(code, range);
  }
  bool equal(const layout& other) const {
    std::int32_t same = 0;
    return pon_layout_equal(raw_.get(), other.raw_.get(), &same) == PON_OK && same != 0;
  }
  /// A set's numbers into a vector, without allocation.
  result<done> try_gather(const params_look& from, const view& flat, node branch = 0) const {
    const pon_view raw = flat.raw();
    return detail::plain(pon_layout_gather(raw_.get(), from.get(), branch, &raw), done{});
  }
  /// A vector's numbers into a set.
  result<done> try_scatter(const view& flat, params_edit& to, node branch = 0) const {
    const pon_view raw = flat.raw();
    return detail::plain(pon_layout_scatter(raw_.get(), &raw, to.get_mut(), branch), done{});
  }
  result<params> try_unflatten(const view& flat) const {
    const pon_view raw = flat.raw();
    return detail::made<params, pon_params>(
        [&](pon_params** out, pon_faults* faults) { return pon_layout_unflatten(raw_.get(), &raw, out, faults); });
  }
  /// A Jacobian, split along the axis that counts the flat numbers.
  result<params> try_unflatten_rows(const view& matrix, std::int32_t axis) const {
    const pon_view raw = matrix.raw();
    return detail::made<params, pon_params>([&](pon_params** out, pon_faults* faults) {
      return pon_layout_unflatten_rows(raw_.get(), &raw, axis, out, faults);
    });
  }
#ifdef PONTIL_EXCEPTIONS
  explicit layout(const params_look& of, node from = 0) : layout(try_make(of, from).value()) {}
  std::vector<double> flatten(const params_look& from) const {
    std::vector<double> flat(static_cast<std::size_t>(count()));
    try_gather(from, view(flat.data(), {static_cast<std::int64_t>(flat.size())})).value();
    return flat;
  }
  params unflatten(span<const double> flat) const {
    return try_unflatten(view(flat.data(), {static_cast<std::int64_t>(flat.size())})).value();
  }
#endif

 private:
  detail::owned<pon_layout, pon_layout_free> raw_;
};

}  // namespace pontil

#endif
