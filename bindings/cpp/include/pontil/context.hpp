// Limits, threads and log of the calls a context is given to; and the flag that ends a call.

#ifndef PONTIL_CONTEXT_HPP
#define PONTIL_CONTEXT_HPP

#include "result.hpp"

#include <functional>

namespace pontil {

/// A flag that any thread may raise to end a running call. It can be copied; copies are one flag.
class cancel {
 public:
  cancel() {
    pon_cancel* raw = nullptr;
    pon_cancel_new(&raw);
    raw_ = std::shared_ptr<pon_cancel>(raw, pon_cancel_free);
  }
  void raise() const noexcept { pon_cancel_raise(raw_.get()); }
  void reset() const noexcept { pon_cancel_reset(raw_.get()); }
  const pon_cancel* get() const noexcept { return raw_.get(); }

 private:
  std::shared_ptr<pon_cancel> raw_;
};

/// Hears how far a call has come; `false` ends it with PON_STOPPED.
using progress = std::function<bool(std::uint64_t done, std::uint64_t total)>;

/// Options of a context; noughts are defaults.
struct context_options {
  /// Threads of a session that does not say.
  std::uint32_t threads = 0;
  /// Hears of defects of the library, on a thread that is in a call.
  std::function<void(std::int32_t level, std::string_view message)> log;
  /// The host's own pool: runs `part(0)` to `part(parts - 1)` and comes back when all are done. It must not throw: the parts of a
  /// run can not be taken back, so a throw ends the program.
  std::function<void(std::uint32_t parts, const std::function<void(std::uint32_t)>& part)> parallel;
  std::uint64_t max_file_bytes = 0;
  std::uint64_t max_tensor_bytes = 0;
  std::uint64_t max_header_bytes = 0;
  std::uint64_t max_depth = 0;
  std::uint64_t max_entries = 0;
  std::uint64_t max_faults = 0;
  std::uint64_t max_session_bytes = 0;
};

namespace detail {

template <class F>
void dropped(void* userdata) {
  delete static_cast<F*>(userdata);
}

/// What a call came to that takes `kept` over unless it is refused.
template <class Keep>
status given(status code, std::unique_ptr<Keep>& kept) noexcept {
  if (code == PON_OK) kept.release();
  return code;
}

inline std::int32_t told(void* userdata, std::uint64_t so_far, std::uint64_t total) {
  return guarded<std::int32_t>(1, [&] { return (*static_cast<progress*>(userdata))(so_far, total) ? 0 : 1; });
}

inline void logged(void* userdata, std::int32_t level, const pon_str* message) {
  using log = decltype(context_options::log);
  guarded<int>(0, [&] { return (*static_cast<log*>(userdata))(level, text(*message)), 0; });
}

inline void shared_out(void* userdata, std::uint32_t parts, pon_task_fn run, void* task) noexcept {
  using parallel = decltype(context_options::parallel);
  (*static_cast<parallel*>(userdata))(parts, [run, task](std::uint32_t part) { run(task, part); });
}

}  // namespace detail

/// Limits, threads and log. Where a call takes none, the defaults hold: silent, one thread, stated limits. A pool of the host
/// must outlive every session made with the context, and so must the context that has one.
class context {
 public:
  static result<context> try_make(context_options options = {}) {
    pon_context_options raw{};
    raw.struct_size = sizeof raw;
    raw.threads = options.threads;
    raw.max_file_bytes = options.max_file_bytes;
    raw.max_tensor_bytes = options.max_tensor_bytes;
    raw.max_header_bytes = options.max_header_bytes;
    raw.max_depth = options.max_depth;
    raw.max_entries = options.max_entries;
    raw.max_faults = options.max_faults;
    raw.max_session_bytes = options.max_session_bytes;
    std::unique_ptr<decltype(options.log)> log;
    if (options.log) {
      log = std::make_unique<decltype(options.log)>(std::move(options.log));
      raw.log_level = PON_LOG_ERROR;
      raw.log = detail::logged;
      raw.log_userdata = log.get();
      raw.log_drop = detail::dropped<decltype(options.log)>;
    }
    auto pool = std::make_unique<decltype(options.parallel)>(std::move(options.parallel));
    if (*pool) {
      raw.parallel = detail::shared_out;
      raw.parallel_userdata = pool.get();
    }
    pon_context* made = nullptr;
    if (const status code = pon_context_new(&raw, &made); code != PON_OK) return detail::refused(code);
    log.release();
    return context(made, std::move(pool));
  }
#ifdef PONTIL_EXCEPTIONS
  explicit context(context_options options = {}) : context(try_make(std::move(options)).value()) {}
#endif

  pon_context* get() const noexcept { return raw_.get(); }

 private:
  context(pon_context* raw, std::unique_ptr<decltype(context_options::parallel)> pool) : pool_(std::move(pool)), raw_(raw) {}

  std::unique_ptr<decltype(context_options::parallel)> pool_;
  detail::owned<pon_context, pon_context_free> raw_;
};

namespace detail {
inline const pon_context* raw(const context* from) { return from == nullptr ? nullptr : from->get(); }
}  // namespace detail

}  // namespace pontil

#endif
