// Everything pontil.hpp offers, used as its users would. Prints what failed, then `N passed, N failed`.
#include <pontil.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

static int passed, failed;

#define TEST(name) static void name()
#define MUST(thing) \
  if (!(thing)) throw std::runtime_error("line " + std::to_string(__LINE__) + ": not so: " #thing)

static const char WORDS[] = R"({"kind":"stack","layers":[{"kind":"dense","inputs":2,"outputs":1}]})";

static const char MOCHA[] = R"({"style":"mocha","inputs":[{"name":"x","shape":[2]},{"name":"t","shape":[1]}],"layers":[
  {"kind":"InnerProductLayer","name":"0","bottoms":["x"],"tops":["y"],"output_dim":1},
  {"kind":"SquareLossLayer","name":"loss","bottoms":["y","t"]}]})";

static pontil::params state(std::vector<std::int64_t> shape = {1, 2}) {
  static const float weight[] = {1, 2, 3}, bias[] = {0.5f};
  pontil::params made;
  made.add(0, "0.weight", pontil::value::of(pontil::tensor::copy(pontil::view(weight, pontil::span<const std::int64_t>(shape)))));
  made.add(0, "0.bias", pontil::value::of(pontil::tensor::copy(pontil::view(bias, {1}))));
  return made;
}

static std::vector<unsigned char> file(std::vector<std::int64_t> shape = {1, 2}) {
  const auto bytes = pontil::save_bytes(state(std::move(shape)));
  return {bytes.data().begin(), bytes.data().end()};
}

static pontil::network opened(const pontil::source& from) {
  const auto words = pontil::description::parse(WORDS);
  pontil::import_options options;
  options.network = &words;
  return pontil::model_file::open(from, options).read_network();
}

static float answer(const pontil::network& of) {
  const float x[] = {1, 10};
  float y[] = {0};
  pontil::session(of).run(pontil::span<const float>(x), pontil::span<float>(y));
  return y[0];
}

static std::vector<pontil::fault> faults_of(const pontil::source& from) {
  try {
    opened(from);
  } catch (const pontil::error& refused) {
    MUST(refused.code() == PON_E_SLOT_SHAPE && std::strlen(refused.what()) > 0);
    return refused.faults();
  }
  return {};
}

static pontil::reader functions(std::vector<unsigned char> bytes) {
  pontil::reader from;
  from.read = [bytes = std::move(bytes)](std::uint64_t at, void* into, std::size_t room) {
    const std::size_t left = at < bytes.size() ? bytes.size() - static_cast<std::size_t>(at) : 0;
    const std::size_t count = left < room ? left : room;
    std::memcpy(into, bytes.data() + at, count);
    return static_cast<std::int64_t>(count);
  };
  return from;
}

TEST(library_fits) {
  MUST(pontil::check() == PON_OK && pontil::abi() == PON_ABI && pontil::version() >= PON_HEADER);
  MUST(pontil::build_info().find("\"version\"") != std::string_view::npos);
  MUST(pontil::dtype_info(PON_DTYPE_F32) == std::make_pair(std::string_view("F32"), 32u));
  MUST(pontil::words().size() > 20);
}

TEST(path_memory_and_functions_are_one) {
  const auto bytes = file();
  const char* folder = std::getenv("TMPDIR");
  const std::string path = std::string(folder == nullptr ? "/tmp" : folder) + "/pontil-\xc3\xa9.safetensors";
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<long>(bytes.size()));
  MUST(answer(opened(pontil::source::path(path))) == 21.5f);
  MUST(answer(opened(pontil::source::memory(bytes))) == 21.5f);
  MUST(answer(opened(pontil::source::from(functions(bytes)))) == 21.5f);
  std::ifstream in(path, std::ios::binary);
  MUST(answer(opened(pontil::source::stream(in))) == 21.5f);
  std::remove(path.c_str());
}

/// A stream that only goes forward, as a pipe does.
struct forward : std::streambuf {
  explicit forward(std::string bytes) : bytes_(std::move(bytes)) { setg(&bytes_[0], &bytes_[0], &bytes_[0] + bytes_.size()); }
  std::string bytes_;
};

TEST(streams_are_read_from_where_they_stand) {
  const auto bytes = file();
  const std::string text(bytes.begin(), bytes.end());
  std::stringstream in("abc" + text);
  in.seekg(3);
  MUST(answer(opened(pontil::source::stream(in))) == 21.5f);
  forward pipe(text);
  std::istream one_way(&pipe);
  MUST(answer(opened(pontil::source::stream(one_way))) == 21.5f);
}

/// A stream without end, or one that fails.
struct endless : std::streambuf {
  explicit endless(bool fails) : fails_(fails) {}
  int_type underflow() override {
    if (fails_) throw std::out_of_range("mine");
    setg(piece_, piece_, piece_ + sizeof piece_);
    return traits_type::to_int_type(piece_[0]);
  }
  bool fails_;
  char piece_[1000] = {};
};

TEST(streams_that_can_not_seek_are_read_as_far_as_is_allowed) {
  pontil::context_options options;
  options.max_file_bytes = 100000;
  const pontil::context with(options);
  endless more(false), bad(true);
  std::istream longest(&more), failing(&bad);
  MUST(pontil::source::try_stream(longest, &with).code() == PON_E_LIMIT);
  bool came = false;
  try {
    pontil::source::stream(failing, &with);
  } catch (const std::out_of_range&) {
    came = true;
  }
  MUST(came);
}

TEST(a_listing_is_told) {
  const auto words = pontil::description::parse(WORDS);
  const auto from = pontil::model_file::open(pontil::source::memory(file()));
  MUST(from.format() == "safetensors" && from.entries() == 2 && from.loss().empty() && !from.note("nothing"));
  float weight[2] = {};
  for (std::size_t at = 0; at < from.entries(); at++) {
    const auto entry = from.entry_at(at);
    if (entry.path == "0.weight") {
      MUST(entry.shape.size() == 2 && entry.bytes == 8 && entry.offset);
      MUST(from.try_read(at, pontil::view(weight, {1, 2})));
    }
  }
  MUST(weight[1] == 2);
  const auto read = from.read_params();
  MUST(read.count() == 3 && read.numbers(read.find("/0.weight")).numbers<const float>()[1] == 2);
}

TEST(faults_are_equal_from_everywhere) {
  const auto bad = file({1, 3});
  const auto one = faults_of(pontil::source::memory(bad)), other = faults_of(pontil::source::from(functions(bad)));
  MUST(one.size() == 1 && other.size() == 1 && one[0].message == other[0].message);
  MUST(one[0].path == "0.weight" && one[0].name == "slot.shape" && one[0].error && one[0].offset == other[0].offset);
}

TEST(no_exceptions_if_not_wanted) {
  const auto from = pontil::source::try_path("/nowhere/at/all");
  MUST(!from && from.code() == PON_E_NOT_FOUND && from.faults().size() == 1 && !from.text().empty());
}

TEST(what_a_callback_throws_comes_out) {
  pontil::reader from;
  from.read = [](std::uint64_t, void*, std::size_t) -> std::int64_t { throw std::out_of_range("mine"); };
  bool came = false;
  try {
    opened(pontil::source::from(std::move(from)));
  } catch (const std::out_of_range& thrown) {
    came = std::strcmp(thrown.what(), "mine") == 0;
  }
  MUST(came);
  came = false;
  const auto set = state();
  try {
    pontil::each({set}, [](pontil::span<const pontil::node>) -> bool { throw 7; });
  } catch (int thrown) {
    came = thrown == 7;
  }
  MUST(came);
  MUST(answer(opened(pontil::source::memory(file()))) == 21.5f);
}

TEST(what_is_thrown_once_comes_out) {
  pontil::params set;
  const std::vector<float> numbers(5000);
  for (const char* name : {"a", "b", "c", "d"}) {
    set.add(0, name, pontil::value::of(pontil::tensor::copy(pontil::view(numbers.data(), {5000}))));
  }
  pontil::save_options as;
  as.format = "julia";
  const auto bytes = pontil::save_bytes(set, as);
  const auto all = bytes.data();
  int well = 0;
  for (bool threw = true; threw; well++) {
    threw = false;
    int left = well;
    pontil::reader from;
    from.size = static_cast<std::int64_t>(all.size());
    from.read = [&](std::uint64_t at, void* into, std::size_t room) {
      threw = threw || left == 0;
      if (left-- == 0) throw std::out_of_range("mine");
      const std::size_t count = std::min(room, all.size() - static_cast<std::size_t>(at));
      std::memcpy(into, all.data() + at, count);
      return static_cast<std::int64_t>(count);
    };
    bool came = false;
    try {
      pontil::model_file::open(pontil::source::from(std::move(from))).read_params();
    } catch (const std::out_of_range&) {
      came = true;
    }
    MUST(came == threw);
  }
  MUST(well > 3);
}

TEST(what_was_thrown_belongs_to_its_call) {
  pontil::reader from;
  from.read = [](std::uint64_t, void*, std::size_t) -> std::int64_t { throw std::out_of_range("mine"); };
  const auto network = opened(pontil::source::memory(file()));
  auto refused = pontil::source::try_reader(std::move(from));
  MUST(!refused && refused.code() != PON_OK);
  // What is asked meanwhile does not throw it, within a callback neither.
  MUST(network.input().name == "input");
  const auto set = state();
  bool inner = false;
  pontil::each({set}, [&](pontil::span<const pontil::node>) {
    inner = !pontil::source::try_path("/nowhere/at/all") && network.output().dtype == PON_DTYPE_F32;
    return true;
  });
  MUST(inner);
  bool came = false;
  try {
    std::move(refused).value();
  } catch (const std::out_of_range&) {
    came = true;
  }
  MUST(came);
}

TEST(progress_and_cancel) {
  const auto words = pontil::description::parse(WORDS);
  const auto from = pontil::source::memory(file());
  pontil::import_options options;
  options.network = &words;
  int told = 0;
  options.progress = [&told](std::uint64_t, std::uint64_t) { return ++told < 0; };
  auto stopped = pontil::model_file::try_open(from, options);
  const auto code = stopped ? stopped->try_network().code() : stopped.code();
  MUST(told > 0 && code == PON_STOPPED);
  pontil::import_options other;
  other.network = &words;
  other.cancel.emplace();
  other.cancel->raise();
  auto ended = pontil::model_file::try_open(from, other);
  MUST((ended ? ended->try_network().code() : ended.code()) == PON_STOPPED);
}

TEST(numbers_at_any_address) {
  const std::string head = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"F64","shape":[2],"data_offsets":[1,17]}})";
  std::vector<unsigned char> bytes = {static_cast<unsigned char>(head.size()), 0, 0, 0, 0, 0, 0, 0};
  bytes.insert(bytes.end(), head.begin(), head.end());
  bytes.push_back(7);
  const double numbers[] = {1.5, 2.5};
  bytes.insert(bytes.end(), reinterpret_cast<const unsigned char*>(numbers), reinterpret_cast<const unsigned char*>(numbers + 2));
  const auto set = pontil::model_file::open(pontil::source::memory(bytes)).read_params();
  MUST((set.numbers(set.find("/b")).copy<double>() == std::vector<double>{1.5, 2.5}));
  const float grid[] = {1, 2, 3, 4, 5, 6};
  const auto turned = pontil::tensor::wrap(pontil::view(grid, PON_DTYPE_F32, std::vector<std::int64_t>{3, 2}, std::vector<std::int64_t>{1, 3}, true), 0);
  MUST(turned.numbers().numbers<const float>().empty());
  MUST((turned.numbers().copy<float>() == std::vector<float>{1, 4, 2, 5, 3, 6}));
}

TEST(sets_are_trees) {
  pontil::params set;
  const auto branch = set.add_branch(0, "L1", PON_KIND_NAMED);
  const double numbers[] = {1, 2, 3, 4, 5, 6};
  const auto leaf = set.add(branch, "W", pontil::value::of(pontil::tensor::copy(pontil::view(numbers, {2, 3}))));
  MUST(set.find("/L1/W") == leaf && set.path(leaf) == "/L1/W" && set.info(leaf).key == "W" && set.child(branch, 0) == leaf);
  MUST(set.numbers(leaf).numbers<const double>()[5] == 6);
  MUST(set.numbers(leaf, PON_ORDER_COLUMNS).shape()[0] == 3);
  MUST(*set.try_eltype() == PON_DTYPE_F64);
  const pontil::layout layout(set);
  MUST(layout.count() == 6 && layout.segments() == 1 && layout.try_range("/L1/W")->second == 6);
  auto flat = layout.flatten(set);
  for (double& number : flat) number *= 2;
  const auto doubled = layout.unflatten(flat);
  MUST(doubled.numbers(doubled.find("/L1/W")).numbers<const double>()[5] == 12);
  const auto same = set.try_equal(doubled);
  MUST(same && !*same && same.faults().size() == 1 && !same.faults()[0].error);
  double sum = 0;
  pontil::each({set, doubled}, [&](pontil::span<const pontil::node> nodes) {
    sum += set.numbers(nodes[0]).numbers<const double>()[0] + doubled.numbers(nodes[1]).numbers<const double>()[0];
    return true;
  });
  MUST(sum == 3);
  const auto zeroed = pontil::map({set}, [](pontil::span<const pontil::node>, pontil::params_edit& out, pontil::node at) {
    const double noughts[6] = {};
    out.set(at, pontil::value::of(pontil::tensor::copy(pontil::view(noughts, {2, 3}))));
    return true;
  });
  MUST(layout.flatten(zeroed)[0] == 0);
  MUST(set.try_conform(set) && set.try_convert(PON_DTYPE_F32) && set.try_copy()->count() == set.count());
}

TEST(structured_leaves_of_the_host) {
  pontil::context with;
  pontil::leaf_type twice;
  twice.check = [](const pontil::params_look&, pontil::node) { return true; };
  twice.dense_shape = [](const pontil::params_look&, pontil::node) { return std::make_pair<std::int64_t, std::int64_t>(1, 2); };
  twice.dense = [](const pontil::params_look& set, pontil::node leaf, const pontil::look& out) {
    const auto stored = set.numbers(*set.try_find("/storage", leaf)).numbers<const double>();
    for (std::size_t at = 0; at < 2; at++) out.numbers<double>()[at] = 2 * stored[at];
  };
  pontil::register_leaf(with, "Twice", twice);
  pontil::params set(&with);
  const auto leaf = *set.try_add_typed(0, "t", PON_KIND_STRUCTURED, "Twice");
  const double numbers[] = {1, 2};
  set.add(leaf, "storage", pontil::value::of(pontil::tensor::copy(pontil::view(numbers, {2}))));
  MUST(set.try_check());
  const auto dense = set.try_dense(leaf);
  MUST(dense && dense->numbers().numbers<const double>()[1] == 4);
}

TEST(sessions) {
  const auto network = opened(pontil::source::memory(file()));
  pontil::session_options options;
  options.max_batch = 4;
  MUST(*pontil::session::try_bytes(network, options) > 0);
  pontil::session session(network, options);
  const std::vector<float> x = {1, 10, 0, 0, 2, 2};
  std::vector<float> y(3);
  session.run(x, y);
  MUST(y[0] == 21.5f && y[1] == 0.5f && y[2] == 6.5f);
  MUST(session.try_run(x, pontil::span<float>(y.data(), 2)) == PON_E_VALUE);
  std::string why;
  try {
    session.run(x, pontil::span<float>(y.data(), 2));
  } catch (const pontil::error& refused) {
    why = refused.what();
  }
  MUST(why == "an example has 2 numbers and an answer 1, but there are 6 and room for 2");
  try {
    session.run(std::vector<float>(10), std::vector<float>(5));
  } catch (const pontil::error& refused) {
    why = refused.what();
  }
  MUST(why == "the session takes 4 examples at once, and there are 5: see session_options::max_batch");
  const auto two = pontil::description::parse(R"({"kind":"graph","inputs":[{"name":"x","shape":[2]}],"layers":[
    {"name":"a","kind":"relu","from":["x"]},{"name":"b","kind":"tanh","from":["x"]}],"outputs":["a","b"]})");
  try {
    pontil::session(pontil::network::build(two)).run(std::vector<float>(2), pontil::span<float>());
  } catch (const pontil::error& refused) {
    why = refused.what();
  }
  MUST(why == "the network has several inputs or outputs, other numbers than singles, or a free shape: run it with views");
  session.run({pontil::view(x.data(), {3, 2})}, {pontil::view(y.data(), {3, 1})});
  MUST(y[0] == 21.5f);
  float in[2] = {0, 1}, out[1] = {};
  session.bind(PON_INPUT, 0, pontil::view(in, {1, 2}));
  session.bind(PON_OUTPUT, 0, pontil::view(out, {1, 1}));
  session.run();
  MUST(out[0] == 2.5f && session.stats().runs == 3 && session.stats().allocations == 0 && !session.isa().empty());
  const float weight[] = {0, 0}, bias[] = {9};
  pontil::params other;
  other.add(0, "0.weight", pontil::value::of(pontil::tensor::copy(pontil::view(weight, {2, 1}))));
  other.add(0, "0.bias", pontil::value::of(pontil::tensor::copy(pontil::view(bias, {1}))));
  session.swap(network.with(other));
  session.run();
  MUST(out[0] == 9);
  MUST(network.slots() == 2 && network.slot_at(0).path == "0.weight" && network.input().name == "input");
  MUST(network.numbers().count() == 3 && network.try_layer("0") && !network.try_plan_text()->empty());
  MUST(!network.try_description()->text().empty());
}

/// A network as a model of Mocha, whose numbers serve as data sets.
static std::vector<unsigned char> model_of(const pontil::network& of) {
  pontil::save_options as;
  as.format = "mocha";
  const auto bytes = pontil::save_bytes(of, as);
  return {bytes.data().begin(), bytes.data().end()};
}

/// Three examples: [1, 2], [3, 4], [5, 6].
static std::vector<unsigned char> three() {
  const float weight[] = {1, 2, 3, 4, 5, 6}, bias[] = {1, 2, 3};
  pontil::params set;
  set.add(0, "0.weight", pontil::value::of(pontil::tensor::copy(pontil::view(weight, {3, 2}))));
  set.add(0, "0.bias", pontil::value::of(pontil::tensor::copy(pontil::view(bias, {3}))));
  const auto bytes = pontil::save_bytes(set);
  const auto words = pontil::description::parse(R"({"kind":"stack","layers":[{"kind":"dense","inputs":2,"outputs":3}]})");
  pontil::import_options options;
  options.network = &words;
  const auto from = pontil::source::memory({bytes.data().begin(), bytes.data().end()});
  return model_of(pontil::model_file::open(from, options).read_network());
}

TEST(batches_are_read_ahead_of_a_stream) {
  const auto bytes = three();
  std::stringstream in(std::string(bytes.begin(), bytes.end()));
  pontil::dataset_options reading;
  reading.tops = {"0___bias"};
  reading.batch = 2;
  reading.ahead = 2;
  auto set = pontil::dataset::open(pontil::source::stream(in), reading);
  in.str("");
  float sum = 0, two[2];
  for (int round = 0; round < 3; round++) {
    set.next({pontil::view(two, {2})});
    sum += two[0] + two[1];
  }
  MUST(sum == 12 && set.epoch() == 2 && set.examples() == 3);
}

TEST(what_bits_throw_comes_out) {
  const auto from = pontil::source::memory(three());
  int drawn = 0, most = 0;
  pontil::dataset_options reading;
  reading.tops = {"0___bias"};
  reading.batch = 3;
  reading.bits = [&]() -> std::uint64_t {
    if (++drawn > most) throw std::out_of_range("mine");
    return 1;
  };
  const auto throws = [](auto&& call) {
    try {
      call();
    } catch (const std::out_of_range&) {
      return true;
    }
    return false;
  };
  const bool at_once = throws([&] {
    auto set = pontil::dataset::open(from, reading);
    float all[3];
    set.next({pontil::view(all, {3})});
  });
  MUST(at_once && drawn > 0);
  most = drawn + 2;
  MUST(throws([&] {
    auto set = pontil::dataset::open(from, reading);
    float all[3];
    for (int round = 0; round < 9; round++) set.next({pontil::view(all, {3})});
  }));
}

TEST(data_sets_feed_networks_of_mocha) {
  const auto from = pontil::source::memory(file());
  pontil::dataset_options reading;
  reading.tops = {"0___weight", "0___bias"};
  reading.transforms = {{"0___bias", 4, nullptr}};
  reading.bits = [] { return std::uint64_t{1}; };
  auto set = pontil::dataset::open(pontil::source::memory(model_of(opened(from))), reading);
  MUST(set.tops() == 2 && set.examples() == 1 && set.top(0).name == "0___weight" && set.top(0).shape.size() == 1);
  float x[] = {0, 0};
  double t[] = {0};
  set.next({pontil::view(x, {1, 2}), pontil::view(t, {1})});
  MUST(x[0] == 1 && x[1] == 2 && t[0] == 2 && set.epoch() == 1);
  MUST(set.try_next({pontil::view(x, {2}), pontil::view(t, {1})}).code() == PON_E_VALUE);
  const auto numbers = pontil::model_file::open(from);
  pontil::evaluation whole(pontil::description::parse(MOCHA), &numbers);
  MUST(whole.run({{"x", pontil::view(x, {1, 2})}, {"t", pontil::view(t, {1, 1})}}) == 6.125);
  const auto told = whole.figures();
  MUST(told.size() == 2 && told[0].kind == PON_FIGURE_LOSS && told[1].name == "loss-square-loss" && told[1].count == 1);
  MUST(whole.blob("y").numbers<const double>()[0] == 5.5);
  MUST(whole.try_draw("nobody", {}).code() == PON_E_VALUE && whole.reset() == PON_OK && whole.figures()[1].count == 0);
  whole.write();
}

TEST(any_order_of_ends) {
  auto words = std::make_unique<pontil::description>(pontil::description::parse(WORDS));
  auto from = std::make_unique<pontil::source>(pontil::source::memory(file()));
  pontil::import_options options;
  options.network = words.get();
  auto opened = std::make_unique<pontil::model_file>(pontil::model_file::open(*from, options));
  words.reset();
  from.reset();
  auto network = std::make_unique<pontil::network>(opened->read_network());
  opened.reset();
  pontil::session session(*network);
  network.reset();
  const float x[] = {1, 10};
  float y[] = {0};
  session.run(pontil::span<const float>(x), pontil::span<float>(y));
  MUST(y[0] == 21.5f);
}

TEST(lent_memory_is_given_back) {
  const auto given = std::make_shared<int>(0);
  {
    const float numbers[] = {1, 2};
    const auto lent = pontil::tensor::wrap(pontil::view(numbers, {2}), given);
    const auto share = lent.share();
    MUST(given.use_count() == 2 && share.numbers().numbers<const float>().data() == numbers);
    MUST(lent.cast(PON_DTYPE_F64).numbers().numbers<const double>()[1] == 2);
  }
  MUST(given.use_count() == 1);
}

TEST(saved_to_functions) {
  std::vector<unsigned char> got;
  const auto set = state();
  MUST(pontil::try_save_to(set, [&got](std::uint64_t at, pontil::span<const unsigned char> bytes) {
    got.insert(got.end(), bytes.begin(), bytes.end());
    return at + bytes.size() == got.size();
  }));
  MUST(got == file());
  MUST(pontil::try_save_to(set, [](std::uint64_t, pontil::span<const unsigned char>) { return false; }).code() == PON_E_IO);
}

TEST(eight_threads_share_one_network) {
  const auto network = opened(pontil::source::memory(file()));
  std::vector<std::thread> threads;
  std::vector<std::uint32_t> bits(8);
  for (std::size_t at = 0; at < bits.size(); at++) {
    threads.emplace_back([&network, &bits, at] {
      pontil::session session(network);
      for (int i = 0; i < 200; i++) {
        const float x[] = {0.1f, 0.7f};
        float y[] = {0};
        session.run(pontil::span<const float>(x), pontil::span<float>(y));
        std::memcpy(&bits[at], y, 4);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto one : bits) MUST(one == bits[0] && one != 0);
}

int main() {
  const std::map<std::string, void (*)()> tests = {
      {"library_fits", library_fits},
      {"path_memory_and_functions_are_one", path_memory_and_functions_are_one},
      {"streams_are_read_from_where_they_stand", streams_are_read_from_where_they_stand},
      {"what_is_thrown_once_comes_out", what_is_thrown_once_comes_out},
      {"what_was_thrown_belongs_to_its_call", what_was_thrown_belongs_to_its_call},
      {"a_listing_is_told", a_listing_is_told},
      {"faults_are_equal_from_everywhere", faults_are_equal_from_everywhere},
      {"no_exceptions_if_not_wanted", no_exceptions_if_not_wanted},
      {"what_a_callback_throws_comes_out", what_a_callback_throws_comes_out},
      {"progress_and_cancel", progress_and_cancel},
      {"numbers_at_any_address", numbers_at_any_address},
      {"sets_are_trees", sets_are_trees},
      {"structured_leaves_of_the_host", structured_leaves_of_the_host},
      {"sessions", sessions},
      {"streams_that_can_not_seek_are_read_as_far_as_is_allowed", streams_that_can_not_seek_are_read_as_far_as_is_allowed},
      {"batches_are_read_ahead_of_a_stream", batches_are_read_ahead_of_a_stream},
      {"what_bits_throw_comes_out", what_bits_throw_comes_out},
      {"data_sets_feed_networks_of_mocha", data_sets_feed_networks_of_mocha},
      {"any_order_of_ends", any_order_of_ends},
      {"lent_memory_is_given_back", lent_memory_is_given_back},
      {"saved_to_functions", saved_to_functions},
      {"eight_threads_share_one_network", eight_threads_share_one_network},
  };
  for (const auto& [name, test] : tests) {
    try {
      test();
      passed++;
    } catch (const std::exception& error) {
      failed++;
      std::printf("FAILED: %s: %s\n", name.c_str(), error.what());
    }
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
