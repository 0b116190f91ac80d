// What can be wrong with a file, a network or a call, and the exception that carries it.

#ifndef PONTIL_FAULT_HPP
#define PONTIL_FAULT_HPP

#include <pontil.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define PONTIL_EXCEPTIONS 1
#endif

namespace pontil {

/// PON_OK or why not.
using status = pon_status;

/// One fault.
struct fault {
  status code = PON_OK;
  /// Whether it refused the call; a warning did not.
  bool error = true;
  /// Stable name of the code, e.g. `slot.shape`.
  std::string name;
  /// One line for people.
  std::string message;
  /// Of the slot, node or layer; "" if none.
  std::string path;
  /// Where the file holds it, in the file's words; "" if none.
  std::string place;
  /// What the message is made of: a JSON object.
  std::string arguments_json;
  /// Byte in the source.
  std::optional<std::uint64_t> offset;
};

/// Why a call was refused: its code and every fault.
struct failure {
  status code = PON_OK;
  std::vector<fault> faults;
  /// What a function of the host threw, if that ended the call.
  std::exception_ptr thrown = nullptr;

  /// A fault a line.
  std::string text() const {
    std::string text;
    for (const fault& one : faults) text += (text.empty() ? "" : "\n") + one.message;
    return text;
  }
};

#ifdef PONTIL_EXCEPTIONS
/// A refusal.
class error : public std::exception {
 public:
  explicit error(failure why) : why_(std::move(why)), text_(why_.text()) {}

  /// Why: PON_STOPPED, PON_E_...
  status code() const noexcept { return why_.code; }
  /// All that is wrong, in the order it was found.
  const std::vector<fault>& faults() const noexcept { return why_.faults; }
  /// A fault a line.
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  failure why_;
  std::string text_;
};
#endif

namespace detail {

inline std::string_view text(const pon_str& from) { return {from.data == nullptr ? "" : from.data, from.len}; }

inline pon_str lent(std::string_view from) { return {from.data(), from.size()}; }

inline std::string worded(status (*call)(status, pon_str*), status code) {
  pon_str said{};
  return call(code, &said) == PON_OK ? std::string(text(said)) : std::string("unknown");
}

/// What a function of the host threw, until the call that it stopped is back.
inline std::exception_ptr& thrown() {
  static thread_local std::exception_ptr kept;
  return kept;
}

/// Runs a function of the host for the library: nothing may unwind through the library.
template <class Answer, class F>
Answer guarded([[maybe_unused]] Answer refused, F&& call) noexcept {
#ifdef PONTIL_EXCEPTIONS
  try {
    return call();
  } catch (...) {
    thrown() = std::current_exception();
    return refused;
  }
#else
  return call();
#endif
}

/// The faults of one call, and what functions of the host throw in it. Calls can stand within one another.
class heard {
 public:
  heard() : outer_(std::exchange(thrown(), nullptr)) { pon_faults_new(&list_); }
  ~heard() {
    pon_faults_free(list_);
    thrown() = std::move(outer_);
  }
  heard(const heard&) = delete;
  heard& operator=(const heard&) = delete;

  pon_faults* list() { return list_; }

  std::vector<fault> all() const {
    std::vector<fault> faults;
    for (std::size_t at = 0, count = pon_faults_count(list_); at < count; at++) {
      pon_fault raw{};
      raw.struct_size = sizeof raw;
      if (pon_faults_get(list_, at, &raw) != PON_OK) continue;
      fault one;
      one.code = raw.code;
      one.error = raw.severity == PON_SEVERITY_ERROR;
      one.name = text(raw.name);
      one.message = text(raw.message);
      one.path = text(raw.path);
      one.place = text(raw.place);
      one.arguments_json = text(raw.arguments_json);
      if (raw.offset != PON_NO_OFFSET) one.offset = raw.offset;
      faults.push_back(std::move(one));
    }
    return faults;
  }

  failure why(status code) const { return {code, all(), std::exchange(thrown(), nullptr)}; }

 private:
  pon_faults* list_ = nullptr;
  std::exception_ptr outer_;
};

/// The failure of a call that tells no faults.
inline failure refused(status code, std::string why = {}) {
  fault one;
  one.code = code;
  one.name = worded(pon_status_name, code);
  one.message = why.empty() ? worded(pon_status_text, code) : std::move(why);
  return {code, {std::move(one)}};
}

}  // namespace detail
}  // namespace pontil

#endif
