// Looks at numbers: spans, and strided views with their shape.

#ifndef PONTIL_VIEW_HPP
#define PONTIL_VIEW_HPP

#include "result.hpp"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <type_traits>

namespace pontil {

/// Numbers in a row, of somebody else.
template <class T>
class span {
 public:
  constexpr span() = default;
  constexpr span(T* data, std::size_t size) : data_(data), size_(size) {}
  template <class Of, class = decltype(static_cast<T*>(std::declval<Of&>().data())),
            class = decltype(std::declval<Of&>().size())>
  constexpr span(Of&& of) : data_(of.data()), size_(of.size()) {}
  template <std::size_t N>
  constexpr span(T (&of)[N]) : data_(of), size_(N) {}

  constexpr T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr T& operator[](std::size_t at) const { return data_[at]; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// What one number is, by its type here.
template <class T>
constexpr pon_dtype dtype_of() {
  using Bare = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Bare, float>) return PON_DTYPE_F32;
  else if constexpr (std::is_same_v<Bare, double>) return PON_DTYPE_F64;
  else if constexpr (std::is_same_v<Bare, std::int8_t>) return PON_DTYPE_I8;
  else if constexpr (std::is_same_v<Bare, std::int16_t>) return PON_DTYPE_I16;
  else if constexpr (std::is_same_v<Bare, std::int32_t>) return PON_DTYPE_I32;
  else if constexpr (std::is_same_v<Bare, std::int64_t>) return PON_DTYPE_I64;
  else if constexpr (std::is_same_v<Bare, std::uint8_t>) return PON_DTYPE_U8;
  else if constexpr (std::is_same_v<Bare, std::uint16_t>) return PON_DTYPE_U16;
  else if constexpr (std::is_same_v<Bare, std::uint32_t>) return PON_DTYPE_U32;
  else if constexpr (std::is_same_v<Bare, std::uint64_t>) return PON_DTYPE_U64;
  else if constexpr (std::is_same_v<Bare, bool>) return PON_DTYPE_BOOL;
  else static_assert(sizeof(T) == 0, "no element type of Pontil; give its number to pontil::view yourself");
}

/// A strided look at numbers, which must outlive it. The shape is kept inside.
class view {
 public:
  view() = default;

  /// Packed rows of `shape`, slowest axis first.
  template <class T>
  view(T* data, span<const std::int64_t> shape) : view(data, dtype_of<T>(), shape, {}, std::is_const_v<T>) {}
  template <class T>
  view(T* data, std::initializer_list<std::int64_t> shape) : view(data, span<const std::int64_t>(shape.begin(), shape.size())) {}

  /// Any element type and strides; no strides: packed rows.
  view(const void* data, pon_dtype dtype, span<const std::int64_t> shape, span<const std::int64_t> strides, bool read_only)
      : data_(const_cast<void*>(data)), dtype_(dtype), read_only_(read_only), axes_(shape.size()), strided_(!strides.empty()) {
    if (axes_ > shape_.size()) axes_ = shape_.size() + 1;
    for (std::size_t axis = 0; axis < axes_ && axis < shape_.size(); axis++) {
      shape_[axis] = shape[axis];
      strides_[axis] = axis < strides.size() ? strides[axis] : 0;
    }
  }

  /// As the C functions take it; points into this view.
  pon_view raw() const {
    pon_view raw{};
    raw.data = data_;
    raw.dtype = dtype_;
    raw.ndim = static_cast<std::int32_t>(axes_);
    raw.shape = shape_.data();
    raw.strides = strided_ ? strides_.data() : nullptr;
    raw.flags = read_only_ ? PON_VIEW_READ_ONLY : 0;
    return raw;
  }

 private:
  void* data_ = nullptr;
  pon_dtype dtype_ = PON_DTYPE_NONE;
  bool read_only_ = false;
  std::size_t axes_ = 0;
  bool strided_ = false;
  std::array<std::int64_t, PON_MAX_AXES> shape_{};
  std::array<std::int64_t, PON_MAX_AXES> strides_{};
};

/// A look at numbers of the library, which lives as long as what it was asked of.
class look {
 public:
  explicit look(const pon_view& raw) : raw_(raw) {}

  pon_dtype dtype() const { return raw_.dtype; }
  span<const std::int64_t> shape() const { return {raw_.shape, static_cast<std::size_t>(raw_.ndim)}; }
  /// In numbers; empty: packed rows.
  span<const std::int64_t> strides() const { return {raw_.strides, raw_.strides == nullptr ? 0 : static_cast<std::size_t>(raw_.ndim)}; }
  /// How many numbers.
  std::size_t count() const {
    std::size_t count = 1;
    for (std::int64_t length : shape()) count *= static_cast<std::size_t>(length);
    return count;
  }
  /// Whether the numbers lie in packed rows.
  bool packed() const {
    std::int64_t step = 1;
    for (std::size_t axis = strides().size(); axis-- > 0;) {
      if (shape()[axis] != 1 && strides()[axis] != step) return false;
      step *= shape()[axis];
    }
    return true;
  }
  /// The numbers; empty if they are of another type, not packed, or at an address that the type must not have, as they can be in a
  /// mapped file.
  template <class T>
  span<T> numbers() const {
    const bool writes = !std::is_const_v<T> && (raw_.flags & PON_VIEW_READ_ONLY) != 0;
    const bool astray = reinterpret_cast<std::uintptr_t>(raw_.data) % alignof(T) != 0;
    if (raw_.dtype != dtype_of<T>() || writes || astray || !packed()) return {};
    return {static_cast<T*>(raw_.data), count()};
  }
  /// A copy of the numbers in rows, wherever they lie; empty if they are of another type, or there is no memory for them.
  template <class T>
  std::vector<T> copy() const {
    pon_tensor* rows = nullptr;
    if (raw_.dtype != dtype_of<T>() || pon_tensor_copy(nullptr, &raw_, &rows) != PON_OK) return {};
    const detail::owned<pon_tensor, pon_tensor_free> kept(rows);
    pon_view packed{};
    pon_tensor_view(rows, &packed);
    const auto numbers = look(packed).numbers<const T>();
    return {numbers.begin(), numbers.end()};
  }
  /// As the C functions give it.
  const pon_view& raw() const { return raw_; }

 private:
  pon_view raw_;
};

}  // namespace pontil

#endif
