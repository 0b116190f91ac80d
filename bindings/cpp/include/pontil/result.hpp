// What a `try_` form gives: a value or a failure; and the way every call is made.

#ifndef PONTIL_RESULT_HPP
#define PONTIL_RESULT_HPP

#include "fault.hpp"

#include <memory>
#include <variant>

namespace pontil {

/// Nothing, as a value.
struct done {};

/// A value, or why there is none.
template <class T>
class [[nodiscard]] result {
 public:
  result(T value, std::vector<fault> warnings = {}) : held_(std::move(value)), warnings_(std::move(warnings)) {}
  result(failure why) : held_(std::move(why)) {}

  /// Whether there is a value.
  explicit operator bool() const noexcept { return held_.index() == 0; }
  /// PON_OK or why not.
  status code() const noexcept { return *this ? PON_OK : std::get_if<1>(&held_)->code; }
  /// The value; there must be one.
  T& operator*() & { return *std::get_if<0>(&held_); }
  const T& operator*() const& { return *std::get_if<0>(&held_); }
  T&& operator*() && { return std::move(*std::get_if<0>(&held_)); }
  T* operator->() { return std::get_if<0>(&held_); }
  const T* operator->() const { return std::get_if<0>(&held_); }
  /// All that is wrong; of a value, its warnings.
  const std::vector<fault>& faults() const noexcept { return *this ? warnings_ : std::get_if<1>(&held_)->faults; }
  /// A fault a line.
  std::string text() const { return failure{code(), faults()}.text(); }
  /// Takes the failure out; there must be one.
  failure refusal() && { return std::move(*std::get_if<1>(&held_)); }

#ifdef PONTIL_EXCEPTIONS
  /// The value, or what a function of the host threw, or `pontil::error`.
  T value() && {
    if (!*this) {
      failure why = std::move(*this).refusal();
      if (why.thrown) std::rethrow_exception(why.thrown);
      throw error(std::move(why));
    }
    return std::move(*std::get_if<0>(&held_));
  }
#endif

 private:
  std::variant<T, failure> held_;
  std::vector<fault> warnings_;
};

namespace detail {

/// A handle and the function that frees it.
template <class Raw, void (*Free)(Raw*)>
struct freed {
  void operator()(Raw* raw) const noexcept { Free(raw); }
};
template <class Raw, void (*Free)(Raw*)>
using owned = std::unique_ptr<Raw, freed<Raw, Free>>;

/// What a call came to: what a function of the host threw ends it, where that function has no way to.
inline status came_to(status code) { return code == PON_OK && thrown() ? PON_STOPPED : code; }

/// `call(&raw, faults)` makes a handle, which `T` takes over, or is refused and makes none.
template <class T, class Raw, class F>
result<T> made(F&& call) {
  heard faults;
  Raw* raw = nullptr;
  const status code = came_to(call(&raw, faults.list()));
  T value(raw);
  if (code != PON_OK) return faults.why(code);
  return {std::move(value), faults.all()};
}

/// `call(faults)` does something.
template <class F>
result<done> did(F&& call) {
  heard faults;
  const status code = came_to(call(faults.list()));
  if (code != PON_OK) return faults.why(code);
  return {done{}, faults.all()};
}

/// The value, if a call that tells no faults went well.
template <class T>
result<T> plain(status code, T value) {
  if (code != PON_OK) return refused(code);
  return {std::move(value)};
}

}  // namespace detail
}  // namespace pontil

#endif
