// A description with its numbers; never changes, and is shared by any number of sessions.

#ifndef PONTIL_NETWORK_HPP
#define PONTIL_NETWORK_HPP

#include "description.hpp"
#include "params.hpp"

namespace pontil {

/// An input or output. Lengths: the batch first, -1 is free; no shape: nothing says it. Lives as long as the network.
struct port {
  pon_dtype dtype;
  std::string_view name;
  std::optional<span<const std::int64_t>> shape;
};

/// A place for numbers; lives as long as the network.
struct slot {
  /// Whether training moves it by gradients, not by the forward pass.
  bool parameter;
  std::string_view path;
  pontil::layer layer;
  look numbers;
};

/// A network.
class network {
 public:
  explicit network(pon_network* owned) : raw_(owned) {}

  /// Without numbers: noughts.
  static result<network> try_build(const description& of, const params_look* numbers = nullptr) {
    return detail::made<network, pon_network>([&](pon_network** out, pon_faults* faults) {
      return pon_network_build(of.get(), numbers == nullptr ? nullptr : numbers->get(), out, faults);
    });
  }
  /// The same description with other numbers; sessions may swap to it.
  result<network> try_with(const params_look& numbers) const {
    return detail::made<network, pon_network>([&](pon_network** out, pon_faults* faults) {
      return pon_network_with(get(), numbers.get(), out, faults);
    });
  }
  result<network> try_share() const {
    return detail::made<network, pon_network>([&](pon_network** out, pon_faults*) { return pon_network_share(get(), out); });
  }
  result<params> try_params() const {
    return detail::made<params, pon_params>([&](pon_params** out, pon_faults*) { return pon_network_params(get(), out); });
  }
  result<pontil::description> try_description() const {
    return detail::made<pontil::description, pon_description>(
        [&](pon_description** out, pon_faults*) { return pon_network_description(get(), out); });
  }
  result<layer> try_layer(std::string_view name) const {
    layer found = 0;
    const status code = pon_network_layer(get(), name.data(), name.size(), &found);
    return detail::plain(code, found);
  }
  /// Shape and type of what a layer makes.
  result<port> try_layer_port(layer of) const {
    pon_port raw{};
    raw.struct_size = sizeof raw;
    const status code = pon_network_layer_port(get(), of, &raw);
    return detail::plain(code, told(raw));
  }
  std::size_t slots() const { return pon_network_slots(get()); }
  result<slot> try_slot(std::size_t index) const {
    pon_slot raw{};
    raw.struct_size = sizeof raw;
    const status code = pon_network_slot(get(), index, &raw);
    return detail::plain(code, slot{raw.role == PON_ROLE_PARAMETER, detail::text(raw.path), raw.layer, look(raw.view)});
  }
  /// How many inputs (PON_INPUT) or outputs (PON_OUTPUT).
  std::size_t ports(std::int32_t direction) const { return pon_network_ports(get(), direction); }
  result<port> try_port(std::int32_t direction, std::size_t index) const {
    pon_port raw{};
    raw.struct_size = sizeof raw;
    const status code = pon_network_port(get(), direction, index, &raw);
    return detail::plain(code, told(raw));
  }
  /// The steps it runs in, for people.
  result<std::string> try_plan_text(std::int32_t precision = PON_PRECISION_STANDARD) const {
    pon_str text{};
    auto went = detail::did([&](pon_faults* faults) { return pon_network_plan_text(get(), precision, &text, faults); });
    if (!went) return std::move(went).refusal();
    return std::string(detail::text(text));
  }
#ifdef PONTIL_EXCEPTIONS
  static network build(const description& of, const params_look* numbers = nullptr) { return try_build(of, numbers).value(); }
  network with(const params_look& numbers) const { return try_with(numbers).value(); }
  network share() const { return try_share().value(); }
  pontil::params numbers() const { return try_params().value(); }
  slot slot_at(std::size_t index) const { return try_slot(index).value(); }
  port input(std::size_t index = 0) const { return try_port(PON_INPUT, index).value(); }
  port output(std::size_t index = 0) const { return try_port(PON_OUTPUT, index).value(); }
#endif

  const pon_network* get() const noexcept { return raw_.get(); }

 private:
  static port told(const pon_port& raw) {
    port made{raw.dtype, detail::text(raw.name), std::nullopt};
    if (raw.ndim >= 0) made.shape = span<const std::int64_t>(raw.shape, static_cast<std::size_t>(raw.ndim));
    return made;
  }

  detail::owned<pon_network, pon_network_free> raw_;
};

}  // namespace pontil

#endif
