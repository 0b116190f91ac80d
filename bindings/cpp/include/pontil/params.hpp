// Parameter sets: ordered trees of branches, arrays, numbers and structured leaves. A node is a number; 0 is the root.

#ifndef PONTIL_PARAMS_HPP
#define PONTIL_PARAMS_HPP

#include "tensor.hpp"

namespace pontil {

/// Number of a node.
using node = pon_node;

/// What a node is and where it hangs; texts live until the set is changed.
struct node_info {
  pon_kind kind;
  node parent;
  std::uint32_t children;
  std::string_view key;
  node key_node;
  node refers_to;
  std::string_view type_name;
};

/// The value of a leaf.
struct value {
  pon_kind kind = PON_KIND_NONE;
  std::int64_t i = 0;
  double re = 0, im = 0;
  std::string_view text;
  const pon_tensor* tensor = nullptr;
  std::int64_t step = 0, end = 0;
  /// Of PON_KIND_OPAQUE: what an element is, and how many there are.
  std::string_view descr;
  span<const std::int64_t> shape;

  static value of(const pontil::tensor& numbers) {
    value made;
    made.kind = PON_KIND_TENSOR;
    made.tensor = numbers.get();
    return made;
  }
  static value of(std::int64_t number) {
    value made;
    made.kind = PON_KIND_INT;
    made.i = number;
    return made;
  }
  static value of(double number) {
    value made;
    made.kind = PON_KIND_REAL;
    made.re = number;
    return made;
  }
  static value of(std::string_view text) {
    value made;
    made.kind = PON_KIND_TEXT;
    made.text = text;
    return made;
  }
  pon_value raw() const {
    pon_value raw{};
    raw.struct_size = sizeof raw;
    raw.kind = kind;
    raw.i = i;
    raw.re = re;
    raw.im = im;
    raw.text = detail::lent(text);
    raw.tensor = tensor;
    raw.step = step;
    raw.end = end;
    raw.descr = detail::lent(descr);
    raw.shape = shape.data();
    raw.ndim = static_cast<std::int32_t>(shape.size());
    return raw;
  }
};

class params;

/// A set of somebody else, to read.
class params_look {
 public:
  explicit params_look(const pon_params* lent) : lent_(lent) {}
  const pon_params* get() const noexcept { return lent_; }

  /// How many nodes, the root counted.
  std::uint32_t count() const { return pon_params_count(lent_); }
  result<node_info> try_node(node at) const {
    pon_node_info raw{};
    raw.struct_size = sizeof raw;
    const status code = pon_params_node(lent_, at, &raw);
    return detail::plain(code, node_info{raw.kind, raw.parent, raw.children, detail::text(raw.key), raw.key_node,
                                         raw.refers_to, detail::text(raw.type_name)});
  }
  result<node> try_child(node of, std::uint32_t index) const {
    node found = 0;
    const status code = pon_params_child(lent_, of, index, &found);
    return detail::plain(code, found);
  }
  /// By a path like `/L1/W`.
  result<node> try_find(std::string_view path, node from = 0) const {
    node found = 0;
    const status code = pon_params_find(lent_, from, path.data(), path.size(), &found);
    return detail::plain(code, found);
  }
  result<std::string> try_path(node at) const {
    std::size_t need = 0;
    status code = pon_params_path(lent_, at, nullptr, 0, &need);
    if (code != PON_E_TOO_SMALL) return detail::refused(code);
    std::string path(need, '\0');
    code = pon_params_path(lent_, at, &path[0], need, &need);
    path.resize(need - 1);
    return detail::plain(code, std::move(path));
  }
  result<value> try_get(node at) const {
    pon_value raw{};
    raw.struct_size = sizeof raw;
    const status code = pon_params_get(lent_, at, &raw);
    return detail::plain(code, value{raw.kind, raw.i, raw.re, raw.im, detail::text(raw.text), raw.tensor, raw.step, raw.end,
                                     detail::text(raw.descr), {raw.shape, static_cast<std::size_t>(raw.ndim)}});
  }
  /// The numbers of an array; PON_ORDER_COLUMNS: axes in the opposite order.
  result<look> try_view(node at, std::int32_t order = PON_ORDER_ROWS) const {
    pon_view raw{};
    const status code =
        order == PON_ORDER_ROWS ? pon_params_view(lent_, at, &raw) : pon_params_view_as(lent_, at, order, &raw);
    return detail::plain(code, look(raw));
  }
  /// The element type of all numbers below a node.
  result<pon_dtype> try_eltype(node from = 0) const {
    pon_dtype found = PON_DTYPE_NONE;
    auto went = detail::did([&](pon_faults* faults) { return pon_params_eltype(lent_, from, &found, faults); });
    if (!went) return std::move(went).refusal();
    return found;
  }
  /// Whether two sets are the same; if not, the first difference is a warning of the result.
  result<bool> try_equal(const params_look& other) const {
    std::int32_t same = 0;
    auto went = detail::did([&](pon_faults* faults) { return pon_params_equal(lent_, other.get(), &same, faults); });
    if (!went) return std::move(went).refusal();
    return {same != 0, went.faults()};
  }
  /// Checks every structured leaf against its type.
  result<done> try_check(bool keep_unknown = false) const {
    return detail::did([&](pon_faults* faults) { return pon_params_check(lent_, keep_unknown ? 1 : 0, faults); });
  }
  /// A structured leaf as its matrix, of the shape columns, rows.
  result<tensor> try_dense(node at) const {
    return detail::made<tensor, pon_tensor>(
        [&](pon_tensor** out, pon_faults* faults) { return pon_params_dense(lent_, at, out, faults); });
  }
  result<params> try_copy() const;
  result<params> try_convert(pon_dtype to) const;
  /// The shape of `prototype` with the numbers of this one.
  result<params> try_conform(const params_look& prototype) const;
  /// The gradient over the numbers of this set; empty if the whole cotangent is a hole.
  result<std::optional<params>> try_gradient(const params_look& cotangent) const;

#ifdef PONTIL_EXCEPTIONS
  node_info info(node at) const { return try_node(at).value(); }
  node child(node of, std::uint32_t index) const { return try_child(of, index).value(); }
  node find(std::string_view path, node from = 0) const { return try_find(path, from).value(); }
  std::string path(node at) const { return try_path(at).value(); }
  pontil::value get(node at) const { return try_get(at).value(); }
  look numbers(node at, std::int32_t order = PON_ORDER_ROWS) const { return try_view(at, order).value(); }
  bool equal(const params_look& other) const { return try_equal(other).value(); }
#endif

 private:
  const pon_params* lent_;
};

/// A set of somebody else, to change.
class params_edit : public params_look {
 public:
  explicit params_edit(pon_params* lent) : params_look(lent), edit_(lent) {}
  pon_params* get_mut() noexcept { return edit_; }

  result<node> try_add(node parent, std::string_view key, const pontil::value& with) {
    const pon_value raw = with.raw();
    return added([&](node* out) { return pon_params_add(edit_, parent, key.data(), key.size(), &raw, out); });
  }
  result<node> try_add_branch(node parent, std::string_view key, pon_kind kind) {
    return added([&](node* out) { return pon_params_add_branch(edit_, parent, key.data(), key.size(), kind, out); });
  }
  /// A structured leaf or an object, with the name of its type.
  result<node> try_add_typed(node parent, std::string_view key, pon_kind kind, std::string_view type_name) {
    return added([&](node* out) {
      return pon_params_add_typed(edit_, parent, key.data(), key.size(), kind, type_name.data(), type_name.size(), out);
    });
  }
  /// Gives a child of a map its key.
  result<node> try_key(node child, const pontil::value& key) {
    const pon_value raw = key.raw();
    return added([&](node* out) { return pon_params_key(edit_, child, &raw, out); });
  }
  result<node> try_key_branch(node child, pon_kind kind, std::string_view type_name = {}) {
    const char* name = type_name.empty() ? nullptr : type_name.data();
    return added([&](node* out) { return pon_params_key_branch(edit_, child, kind, name, type_name.size(), out); });
  }
  result<node> try_graft(node parent, std::string_view key, const params_look& from, node at) {
    return added([&](node* out) { return pon_params_graft(edit_, parent, key.data(), key.size(), from.get(), at, out); });
  }
  result<done> try_set(node at, const pontil::value& with) {
    const pon_value raw = with.raw();
    return detail::plain(pon_params_set(edit_, at, &raw), done{});
  }
  result<done> try_replace(node at, const params_look& from, node source) {
    return detail::plain(pon_params_replace(edit_, at, from.get(), source), done{});
  }
  result<done> try_remove(node at) { return detail::plain(pon_params_remove(edit_, at), done{}); }
  result<done> try_root(pon_kind kind) { return detail::plain(pon_params_root(edit_, kind), done{}); }

#ifdef PONTIL_EXCEPTIONS
  node add(node parent, std::string_view key, const pontil::value& with) { return try_add(parent, key, with).value(); }
  node add_branch(node parent, std::string_view key, pon_kind kind) { return try_add_branch(parent, key, kind).value(); }
  void set(node at, const pontil::value& with) { try_set(at, with).value(); }
  void remove(node at) { try_remove(at).value(); }
#endif

 private:
  template <class F>
  result<node> added(F&& call) {
    node made = 0;
    const status code = call(&made);
    return detail::plain(code, made);
  }

  pon_params* edit_;
};

/// A set.
class params : public params_edit {
 public:
  explicit params(pon_params* owned) : params_edit(owned), raw_(owned) {}

  static result<params> try_make(const context* with = nullptr) {
    return detail::made<params, pon_params>(
        [&](pon_params** out, pon_faults*) { return pon_params_new(detail::raw(with), out); });
  }
  /// The structured leaf of a type that is nearest to a matrix, as a set of its own.
  static result<params> try_project(std::string_view type_name, const view& matrix, std::int64_t n = 0,
                                    const context* with = nullptr) {
    const pon_view raw = matrix.raw();
    return detail::made<params, pon_params>([&](pon_params** out, pon_faults* faults) {
      return pon_params_project(detail::raw(with), type_name.data(), type_name.size(), &raw, n, out, faults);
    });
  }
#ifdef PONTIL_EXCEPTIONS
  explicit params(const context* with = nullptr) : params(try_make(with).value()) {}
#endif

 private:
  detail::owned<pon_params, pon_params_free> raw_;
};

inline result<params> params_look::try_copy() const {
  return detail::made<params, pon_params>([&](pon_params** out, pon_faults*) { return pon_params_copy(lent_, out); });
}

inline result<params> params_look::try_convert(pon_dtype to) const {
  return detail::made<params, pon_params>(
      [&](pon_params** out, pon_faults* faults) { return pon_params_convert(lent_, to, out, faults); });
}

inline result<params> params_look::try_conform(const params_look& prototype) const {
  return detail::made<params, pon_params>([&](pon_params** out, pon_faults* faults) {
    return pon_params_conform(lent_, prototype.get(), out, faults);
  });
}

namespace detail {
/// The set that a call made, if it made one.
inline result<std::optional<params>> if_any(result<params> made) {
  if (!made) return std::move(made).refusal();
  return made->get() == nullptr ? std::optional<params>() : std::optional<params>(*std::move(made));
}
}  // namespace detail

inline result<std::optional<params>> params_look::try_gradient(const params_look& cotangent) const {
  return detail::if_any(detail::made<params, pon_params>([&](pon_params** out, pon_faults* faults) {
    return pon_params_gradient(lent_, cotangent.get(), out, faults);
  }));
}

}  // namespace pontil

#endif
