// A network made ready to run in memory of its own. One thread at a time.

#ifndef PONTIL_SESSION_HPP
#define PONTIL_SESSION_HPP

#include "network.hpp"

namespace pontil {

/// Options of a session; noughts are defaults.
struct session_options {
  /// Most examples of a run.
  std::uint64_t max_batch = 0;
  std::int32_t precision = PON_PRECISION_STANDARD;
  std::uint32_t threads = 0;
  std::int32_t isa = PON_ISA_BEST;
  /// Whether each run is timed.
  bool timed = false;
};

/// A session: one thread at a time; nothing looks whether that is so. What runs allocates nothing.
class session {
 public:
  static result<session> try_make(const network& of, const session_options& options = {}) {
    const pon_session_options raw = laid_out(options);
    auto made = detail::made<session, pon_session>(
        [&](pon_session** out, pon_faults* faults) { return pon_session_new(of.get(), &raw, out, faults); });
    if (made) made->in_ = only(of, PON_INPUT), made->out_ = only(of, PON_OUTPUT), made->most_ = options.max_batch;
    return made;
  }
  /// How much memory for values such a session would hold.
  static result<std::uint64_t> try_bytes(const network& of, const session_options& options = {}) {
    const pon_session_options raw = laid_out(options);
    std::uint64_t size = 0;
    auto went = detail::did([&](pon_faults* faults) { return pon_session_bytes(of.get(), &raw, &size, faults); });
    if (!went) return std::move(went).refusal();
    return size;
  }
  explicit session(pon_session* owned) : raw_(owned) {}

  /// Runs with the bound views.
  status try_run(const cancel* by = nullptr) noexcept { return pon_session_run(raw_.get(), by == nullptr ? nullptr : by->get()); }
  /// Runs one or more examples of a network with one input and one output of singles; the numbers of examples are those of `in`.
  status try_run(span<const float> in, span<float> out, const cancel* by = nullptr) noexcept {
    const std::size_t batch = examples(in.size(), out.size());
    if (batch == 0) return PON_E_VALUE;
    const pon_view from = in_.look_at(in.data(), batch), to = out_.look_at(out.data(), batch);
    return pon_session_run_with(raw_.get(), &from, 1, &to, 1, by == nullptr ? nullptr : by->get());
  }
  /// Runs with these views, one for each input and output.
  status try_run(std::initializer_list<view> in, std::initializer_list<view> out, const cancel* by = nullptr) noexcept {
    std::array<pon_view, 16> from{}, to{};
    if (in.size() > from.size() || out.size() > to.size()) return PON_E_VALUE;
    for (std::size_t at = 0; at < in.size(); at++) from[at] = in.begin()[at].raw();
    for (std::size_t at = 0; at < out.size(); at++) to[at] = out.begin()[at].raw();
    const pon_cancel* raised = by == nullptr ? nullptr : by->get();
    return pon_session_run_with(raw_.get(), from.data(), in.size(), to.data(), out.size(), raised);
  }
  /// The same with views of C, in any number.
  status try_run(span<const pon_view> in, span<const pon_view> out, const cancel* by = nullptr) noexcept {
    const pon_cancel* raised = by == nullptr ? nullptr : by->get();
    return pon_session_run_with(raw_.get(), in.data(), in.size(), out.data(), out.size(), raised);
  }
  /// Binds a port to numbers of the caller, which must stay until it is bound anew or the session is gone.
  status try_bind(std::int32_t direction, std::size_t port, const view& numbers) noexcept {
    const pon_view raw = numbers.raw();
    return pon_session_bind(raw_.get(), direction, port, &raw);
  }
  status unbind(std::int32_t direction, std::size_t port) noexcept {
    return pon_session_bind(raw_.get(), direction, port, nullptr);
  }
  /// The view of a port: the bound one, or a buffer of the session's own.
  result<look> try_port(std::int32_t direction, std::size_t port) {
    pon_view raw{};
    const status code = pon_session_port(raw_.get(), direction, port, &raw);
    return detail::plain(code, look(raw));
  }
  /// Copies what a layer makes into numbers of the caller at each run to come.
  status try_tap(layer of, const view& into) noexcept {
    const pon_view raw = into.raw();
    return pon_session_tap(raw_.get(), of, &raw);
  }
  status untap(layer of) noexcept { return pon_session_tap(raw_.get(), of, nullptr); }
  /// Goes on with the numbers of another network of the same plan.
  status try_swap(const network& with) noexcept { return pon_session_swap(raw_.get(), with.get()); }
  /// Makes it usable again after PON_E_INTERNAL.
  status reset() noexcept { return pon_session_reset(raw_.get()); }
  /// The instruction set of its kernels.
  std::string_view isa() const noexcept {
    pon_str text{};
    pon_session_isa(raw_.get(), &text);
    return detail::text(text);
  }
  pon_session_stats stats() const noexcept {
    pon_session_stats stats{};
    stats.struct_size = sizeof stats;
    pon_session_stats_get(raw_.get(), &stats);
    return stats;
  }
#ifdef PONTIL_EXCEPTIONS
  explicit session(const network& of, const session_options& options = {}) : session(try_make(of, options).value()) {}
  void run(const cancel* by = nullptr) { demand(try_run(by)); }
  void run(span<const float> in, span<float> out, const cancel* by = nullptr) {
    const status code = try_run(in, out, by);
    if (code != PON_OK) throw error(detail::refused(code, misfit(in.size(), out.size())));
  }
  void run(span<const pon_view> in, span<const pon_view> out, const cancel* by = nullptr) { demand(try_run(in, out, by)); }
  void run(std::initializer_list<view> in, std::initializer_list<view> out, const cancel* by = nullptr) {
    demand(try_run(in, out, by));
  }
  void bind(std::int32_t direction, std::size_t port, const view& numbers) { demand(try_bind(direction, port, numbers)); }
  void tap(layer of, const view& into) { demand(try_tap(of, into)); }
  void swap(const network& with) { demand(try_swap(with)); }
  look input(std::size_t port = 0) { return try_port(PON_INPUT, port).value(); }
  look output(std::size_t port = 0) { return try_port(PON_OUTPUT, port).value(); }
#endif

 private:
#ifdef PONTIL_EXCEPTIONS
  static void demand(status code) {
    if (code != PON_OK) throw error(detail::refused(code));
  }
  /// What does not fit; empty if all does, and the library refused the run.
  std::string misfit(std::size_t in, std::size_t out) const {
    if (const std::size_t batch = examples(in, out); batch > 0) {
      const std::uint64_t most = most_ == 0 ? 1 : most_;
      if (batch <= most) return {};
      return "the session takes " + std::to_string(most) + " examples at once, and there are " + std::to_string(batch) +
             ": see session_options::max_batch";
    }
    if (in_.numbers == 0 || out_.numbers == 0) {
      return "the network has several inputs or outputs, other numbers than singles, or a free shape: run it with views";
    }
    return "an example has " + std::to_string(in_.numbers) + " numbers and an answer " + std::to_string(out_.numbers) +
           ", but there are " + std::to_string(in) + " and room for " + std::to_string(out);
  }
#endif
  /// How many examples there are; 0 if the numbers are no such.
  std::size_t examples(std::size_t in, std::size_t out) const noexcept {
    const std::size_t batch = in_.numbers == 0 || out_.numbers == 0 ? 0 : in / in_.numbers;
    return in == batch * in_.numbers && out == batch * out_.numbers ? batch : 0;
  }
  static pon_session_options laid_out(const session_options& options) {
    pon_session_options raw{};
    raw.struct_size = sizeof raw;
    raw.max_batch = options.max_batch;
    raw.precision = options.precision;
    raw.threads = options.threads;
    raw.isa = options.isa;
    raw.flags = options.timed ? PON_SESSION_TIMED : 0;
    return raw;
  }
  /// The only input or output of a network, if it is of singles.
  struct only {
    /// Of one example; 0: there is no such port.
    std::size_t numbers = 0;
    std::int32_t axes = 0;
    std::array<std::int64_t, PON_MAX_AXES> shape{};

    only() = default;
    only(const network& of, std::int32_t direction) {
      const auto port = of.try_port(direction, 0);
      if (of.ports(direction) != 1 || !port || !port->shape || port->dtype != PON_DTYPE_F32) return;
      numbers = 1;
      axes = static_cast<std::int32_t>(port->shape->size());
      for (std::size_t axis = 0; axis < port->shape->size(); axis++) {
        shape[axis] = (*port->shape)[axis];
        if (axis > 0) numbers *= shape[axis] < 0 ? 0 : static_cast<std::size_t>(shape[axis]);
      }
    }
    pon_view look_at(const float* data, std::size_t batch) noexcept {
      shape[0] = static_cast<std::int64_t>(batch);
      pon_view view{};
      view.data = const_cast<float*>(data);
      view.dtype = PON_DTYPE_F32;
      view.ndim = axes;
      view.shape = shape.data();
      return view;
    }
  };

  only in_, out_;
  std::uint64_t most_ = 0;
  detail::owned<pon_session, pon_session_free> raw_;
};

}  // namespace pontil

#endif
