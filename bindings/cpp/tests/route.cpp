// The corpus through C++: `route LIST OUT`, as tests/routes tells.
#include <pontil.hpp>

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

namespace {

using bytes = std::vector<unsigned char>;

bytes whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return bytes(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::string> parts(const std::string& text, char mark) {
  std::vector<std::string> all(1);
  for (const char one : text) {
    if (one == mark) all.emplace_back();
    else all.back() += one;
  }
  return all;
}

std::vector<std::int64_t> lengths(const std::string& text) {
  std::vector<std::int64_t> all;
  if (!text.empty()) {
    for (const auto& one : parts(text, ',')) all.push_back(std::stoll(one));
  }
  return all;
}

std::size_t product(const std::vector<std::int64_t>& shape) {
  std::size_t count = 1;
  for (const auto length : shape) count *= static_cast<std::size_t>(length);
  return count;
}

struct sum {
  std::uint64_t total = 0xcbf29ce484222325u;
  void add(const void* data, std::size_t size) {
    for (std::size_t at = 0; at < size; at++) total = (total ^ static_cast<const unsigned char*>(data)[at]) * 0x100000001b3u;
  }
  std::string text() const {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016" PRIx64, total);
    return digits;
  }
};

std::string escaped(const std::string& text) {
  std::string all;
  for (const char one : text) {
    if (static_cast<unsigned char>(one) < 0x20 || one == '\\') {
      char digits[5];
      std::snprintf(digits, sizeof digits, "\\x%02x", static_cast<unsigned char>(one));
      all += digits;
    } else {
      all += one;
    }
  }
  return all;
}

pontil::source opened(const std::string& path, const std::string& way) {
  if (way == "path") return pontil::source::path(path);
  bytes all = whole(path);
  if (way == "memory") return pontil::source::memory(std::move(all));
  pontil::reader from;
  from.size = static_cast<std::int64_t>(all.size());
  from.read = [all = std::move(all)](std::uint64_t at, void* into, std::size_t room) {
    const std::size_t left = at < all.size() ? all.size() - static_cast<std::size_t>(at) : 0;
    const std::size_t count = left < room ? left : room;
    if (count > 0) std::memcpy(into, all.data() + at, count);
    return static_cast<std::int64_t>(count);
  };
  return pontil::source::from(std::move(from));
}

std::string listing(const pontil::model_file& file) {
  sum total;
  for (std::size_t at = 0; at < file.entries(); at++) {
    const auto entry = file.entry_at(at);
    std::string head = "\n" + std::to_string(entry.dtype) + "\n";
    for (std::size_t axis = 0; axis < entry.shape.size(); axis++) {
      head += (axis > 0 ? "," : "") + std::to_string(entry.shape[axis]);
    }
    head += "\n";
    bytes numbers(static_cast<std::size_t>(entry.bytes) + 1);
    file.try_read(at, pontil::view(numbers.data(), entry.dtype, entry.shape, {}, false)).value();
    total.add(entry.path.data(), entry.path.size());
    total.add(head.data(), head.size());
    total.add(numbers.data(), static_cast<std::size_t>(entry.bytes));
  }
  return "listing\t" + std::to_string(file.entries()) + "\t" + total.text();
}

std::string answered(const pontil::model_file& file, const std::string& ins, const std::string& outs, double most) {
  const auto network = file.read_network();
  if (ins.empty()) return "network";
  std::vector<bytes> given;
  std::vector<std::vector<float>> answers;
  std::vector<pon_view> from, to;
  std::vector<std::vector<std::int64_t>> shapes;
  std::vector<std::string> wanted;
  for (const auto& one : parts(ins, ';')) {
    const auto field = parts(one, ':');
    given.push_back(whole(field[0]));
    shapes.push_back(lengths(field[2]));
    pon_view view{};
    view.data = given.back().data();
    view.dtype = std::stoi(field[1]);
    view.ndim = static_cast<std::int32_t>(shapes.back().size());
    from.push_back(view);
  }
  for (const auto& one : parts(outs, ';')) {
    const auto field = parts(one, ':');
    wanted.push_back(field[0]);
    shapes.push_back(lengths(field[1]));
    answers.emplace_back(product(shapes.back()));
    pon_view view{};
    view.data = answers.back().data();
    view.dtype = PON_DTYPE_F32;
    view.ndim = static_cast<std::int32_t>(shapes.back().size());
    to.push_back(view);
  }
  for (std::size_t at = 0; at < from.size(); at++) from[at].shape = shapes[at].data();
  for (std::size_t at = 0; at < to.size(); at++) to[at].shape = shapes[from.size() + at].data();
  pontil::session_options options;
  options.max_batch = static_cast<std::uint64_t>(shapes[0][0]);
  pontil::session session(network, options);
  session.run(pontil::span<const pon_view>(from), pontil::span<const pon_view>(to));
  sum total;
  bool right = true;
  for (std::size_t at = 0; at < to.size(); at++) {
    const bytes expected = whole(wanted[at]);
    total.add(answers[at].data(), answers[at].size() * sizeof(float));
    for (std::size_t place = 0; place < answers[at].size(); place++) {
      double should = 0;
      std::memcpy(&should, expected.data() + 8 * place, 8);
      const double is = static_cast<double>(answers[at][place]);
      right = right && (is == should || (std::isnan(is) && std::isnan(should)) || std::fabs(is - should) <= most);
    }
  }
  return "answers\t" + total.text() + "\t" + (right ? "right" : "wrong");
}

/// Kind, key, name of the type and how many children.
void head(const pontil::params_look& set, pontil::node at, sum& total) {
  const auto info = set.info(at);
  const std::string all = std::to_string(info.kind) + "\n" + std::string(info.key) + "\n" + std::string(info.type_name) + "\n" +
                          std::to_string(info.children) + "\n";
  total.add(all.data(), all.size());
}

void walked(const pontil::params_look& set, pontil::node at, sum& total) {
  const auto info = set.info(at);
  head(set, at, total);
  if (info.kind == PON_KIND_INT || info.kind == PON_KIND_BOOL) {
    const auto number = std::to_string(set.try_get(at).value().i);
    total.add(number.data(), number.size());
  } else if (info.kind == PON_KIND_REAL) {
    const double number = set.try_get(at).value().re;
    total.add(&number, sizeof number);
  } else if (info.kind == PON_KIND_TEXT || info.kind == PON_KIND_BIG_INT) {
    const auto value = set.try_get(at).value();
    total.add(value.text.data(), value.text.size());
  } else if (info.kind == PON_KIND_REFERENCE) {
    head(set, info.refers_to, total);
  }
  if (info.key_node != PON_NO_NODE) walked(set, info.key_node, total);
  for (std::uint32_t child = 0; child < info.children; child++) walked(set, set.child(at, child), total);
}

std::string tree(const pontil::params_look& set) {
  sum total;
  walked(set, 0, total);
  return "tree\t" + std::to_string(set.count()) + "\t" + total.text();
}

std::string flattened(const pontil::params_look& set) {
  const pontil::layout layout(set);
  pon_dtype dtype = set.try_eltype().value();
  if (dtype == PON_DTYPE_NONE) dtype = PON_DTYPE_F64;
  const std::size_t size = static_cast<std::size_t>(layout.count()) * pontil::dtype_info(dtype).second / 8;
  bytes numbers(size + 1);
  const std::int64_t count = static_cast<std::int64_t>(layout.count());
  layout.try_gather(set, pontil::view(numbers.data(), dtype, pontil::span<const std::int64_t>(&count, 1), {}, false)).value();
  sum total;
  total.add(numbers.data(), size);
  return "set\t" + std::to_string(count) + "\t" + std::to_string(dtype) + "\t" + total.text();
}

void run(const std::vector<std::string>& field, const std::string& way, std::ostream& out) {
  const std::string head = field[0] + "\t" + way + "\t";
  try {
    std::optional<pontil::description> words;
    if (!field[2].empty()) {
      const bytes json = whole(field[2]);
      words.emplace(pontil::description::parse(std::string(json.begin(), json.end())));
    }
    pontil::import_options options;
    options.layout = PON_LAYOUT_AS_FILE;
    options.strip_prefix = field[3];
    options.key = field[4];
    options.fold_weight_norm = field[5] == "1";
    options.example = lengths(field[6]);
    options.network = words ? &*words : nullptr;
    const auto file = pontil::model_file::open(opened(field[1], way), options);
    const auto say = [&](const std::string& line) { out << head << line << "\n"; };
    if (field[7] != "set") say(listing(file));
    if (field[7] == "network") say(answered(file, field[8], field[9], std::stod(field[10])));
    if (field[7] == "tree" || field[7] == "set") {
      const auto set = file.read_params();
      say(tree(set));
      if (field[7] == "set") say(flattened(set));
    }
  } catch (const pontil::error& refused) {
    out << head << "refused\t" << refused.code() << "\n";
    for (const auto& fault : refused.faults()) {
      out << head << "fault\t" << fault.code << "\t" << fault.name << "\t" << (fault.error ? "error" : "warning") << "\t"
          << escaped(fault.path) << "\t" << escaped(fault.place) << "\t"
          << (fault.offset ? std::to_string(*fault.offset) : "-") << "\t" << escaped(fault.message) << "\t"
          << escaped(fault.arguments_json) << "\n";
    }
  }
}

}  // namespace

int main(int, char** argv) {
  std::ifstream list(argv[1]);
  std::ofstream out(argv[2], std::ios::binary);
  for (std::string line; std::getline(list, line);) {
    for (const char* way : {"path", "memory", "stream"}) run(parts(line, '\t'), way, out);
  }
  return 0;
}
