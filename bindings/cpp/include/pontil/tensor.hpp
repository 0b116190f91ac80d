// Counted arrays of numbers, and bytes that the library made.

#ifndef PONTIL_TENSOR_HPP
#define PONTIL_TENSOR_HPP

#include "context.hpp"
#include "view.hpp"

namespace pontil {

/// An array. Sharing it costs nothing.
class tensor {
 public:
  explicit tensor(pon_tensor* owned) : raw_(owned) {}

  /// Noughts.
  static result<tensor> try_zeros(pon_dtype dtype, span<const std::int64_t> shape, const context* with = nullptr) {
    return detail::made<tensor, pon_tensor>([&](pon_tensor** out, pon_faults*) {
      return pon_tensor_new(detail::raw(with), dtype, static_cast<std::int32_t>(shape.size()), shape.data(), out);
    });
  }
  /// A packed copy.
  static result<tensor> try_copy(const view& from, const context* with = nullptr) {
    const pon_view raw = from.raw();
    return detail::made<tensor, pon_tensor>(
        [&](pon_tensor** out, pon_faults*) { return pon_tensor_copy(detail::raw(with), &raw, out); });
  }
  /// The numbers of `from` themselves; `keep` is destroyed when nothing needs them any more, on any thread.
  template <class Keep>
  static result<tensor> try_wrap(const view& from, Keep keep) {
    const pon_view raw = from.raw();
    auto kept = std::make_unique<Keep>(std::move(keep));
    return detail::made<tensor, pon_tensor>([&](pon_tensor** out, pon_faults*) {
      return detail::given(pon_tensor_wrap(&raw, detail::dropped<Keep>, kept.get(), out), kept);
    });
  }
  result<tensor> try_share() const {
    return detail::made<tensor, pon_tensor>([&](pon_tensor** out, pon_faults*) { return pon_tensor_share(get(), out); });
  }
  result<tensor> try_cast(pon_dtype to) const {
    return detail::made<tensor, pon_tensor>([&](pon_tensor** out, pon_faults*) { return pon_tensor_cast(get(), to, out); });
  }
#ifdef PONTIL_EXCEPTIONS
  static tensor zeros(pon_dtype dtype, span<const std::int64_t> shape) { return try_zeros(dtype, shape).value(); }
  static tensor copy(const view& from) { return try_copy(from).value(); }
  template <class Keep>
  static tensor wrap(const view& from, Keep keep) {
    return try_wrap(from, std::move(keep)).value();
  }
  tensor share() const { return try_share().value(); }
  tensor cast(pon_dtype to) const { return try_cast(to).value(); }
#endif

  /// The numbers, to read.
  look numbers() const {
    pon_view raw{};
    pon_tensor_view(get(), &raw);
    return look(raw);
  }
  /// The numbers, to write; refused if they are shared or lent read only.
  result<look> try_edit() {
    pon_view raw{};
    const status code = pon_tensor_view_mut(raw_.get(), &raw);
    return detail::plain(code, look(raw));
  }
  const pon_tensor* get() const noexcept { return raw_.get(); }

 private:
  detail::owned<pon_tensor, pon_tensor_free> raw_;
};

/// Bytes that the library made.
class bytes {
 public:
  explicit bytes(pon_bytes* owned) : raw_(owned) {}
  span<const unsigned char> data() const {
    const void* data = nullptr;
    std::size_t size = 0;
    pon_bytes_get(raw_.get(), &data, &size);
    return {static_cast<const unsigned char*>(data), size};
  }

 private:
  detail::owned<pon_bytes, pon_bytes_free> raw_;
};

}  // namespace pontil

#endif
