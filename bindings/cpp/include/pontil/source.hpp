// Bytes to be read: a file, memory, or what functions of the host give.

#ifndef PONTIL_SOURCE_HPP
#define PONTIL_SOURCE_HPP

#include "context.hpp"
#include "view.hpp"

#include <istream>
#include <mutex>

namespace pontil {

class source;

/// Functions that give bytes. They are called on threads that are in a call with the source.
struct reader {
  /// Writes up to `room` bytes from place `at` into `into`; answers how many, 0 at the end, -1 if it failed.
  std::function<std::int64_t(std::uint64_t at, void* into, std::size_t room)> read;
  /// How many bytes there are; empty: not known, and all are read at once, in order.
  std::optional<std::int64_t> size;
  /// Opens a file beside this one; empty: there is none.
  std::function<std::optional<source>(std::string_view name)> neighbour;
};

/// Bytes to be read.
class source {
 public:
  explicit source(pon_source* owned) : raw_(owned) {}

  /// A file, in UTF-8.
  static result<source> try_path(std::string_view path, const context* with = nullptr) {
    return detail::made<source, pon_source>([&](pon_source** out, pon_faults* faults) {
      return pon_source_path(detail::raw(with), path.data(), path.size(), out, faults);
    });
  }
  /// Memory; `keep` is destroyed when nothing needs it any more, on any thread.
  template <class Keep>
  static result<source> try_memory(span<const unsigned char> bytes, Keep keep, const context* with = nullptr) {
    auto kept = std::make_unique<Keep>(std::move(keep));
    return detail::made<source, pon_source>([&](pon_source** out, pon_faults*) {
      return detail::given(
          pon_source_bytes(detail::raw(with), bytes.data(), bytes.size(), detail::dropped<Keep>, kept.get(), out), kept);
    });
  }
  static result<source> try_memory(std::vector<unsigned char> bytes, const context* with = nullptr) {
    const span<const unsigned char> all(bytes.data(), bytes.size());
    return try_memory(all, std::move(bytes), with);
  }
  static result<source> try_reader(reader from, const context* with = nullptr);
  /// What a stream holds from where it stands. One that can not seek is read to its end here; another must stay as it is until
  /// what is opened from it is gone.
  static result<source> try_stream(std::istream& from, const context* with = nullptr);

#ifdef PONTIL_EXCEPTIONS
  static source path(std::string_view path, const context* with = nullptr) { return try_path(path, with).value(); }
  static source memory(std::vector<unsigned char> bytes, const context* with = nullptr) {
    return try_memory(std::move(bytes), with).value();
  }
  static source from(reader functions, const context* with = nullptr) { return try_reader(std::move(functions), with).value(); }
  static source stream(std::istream& from, const context* with = nullptr) { return try_stream(from, with).value(); }
#endif

  const pon_source* get() const noexcept { return raw_.get(); }
  /// Gives the handle away.
  pon_source* release() noexcept { return raw_.release(); }

 private:
  detail::owned<pon_source, pon_source_free> raw_;
};

namespace detail {

inline std::int64_t reader_size(void* userdata) noexcept { return static_cast<reader*>(userdata)->size.value_or(-1); }

inline std::int64_t reader_read(void* userdata, std::uint64_t at, void* into, std::size_t room) {
  return guarded<std::int64_t>(-1, [&] { return static_cast<reader*>(userdata)->read(at, into, room); });
}

inline status reader_neighbour(void* userdata, const char* name, std::size_t length, pon_source** out) {
  return guarded<status>(PON_E_NOT_FOUND, [&] {
    std::optional<source> found = static_cast<reader*>(userdata)->neighbour(std::string_view(name, length));
    if (!found) return PON_E_NOT_FOUND;
    *out = found->release();
    return PON_OK;
  });
}

inline std::int64_t piece(std::istream& from, void* into, std::size_t room) {
  return static_cast<std::int64_t>(from.rdbuf()->sgetn(static_cast<char*>(into), static_cast<std::streamsize>(room)));
}

}  // namespace detail

inline result<source> source::try_reader(reader from, const context* with) {
  auto kept = std::make_unique<reader>(std::move(from));
  pon_reader raw{};
  raw.struct_size = sizeof raw;
  raw.userdata = kept.get();
  raw.drop = detail::dropped<reader>;
  raw.size = detail::reader_size;
  if (kept->read) raw.read = detail::reader_read;
  if (kept->neighbour) raw.neighbour = detail::reader_neighbour;
  return detail::made<source, pon_source>([&](pon_source** out, pon_faults* faults) {
    return detail::given(pon_source_reader(detail::raw(with), &raw, out, faults), kept);
  });
}

inline result<source> source::try_stream(std::istream& from, const context* with) {
  reader functions;
  const auto start = from.tellg();
  if (start == std::istream::pos_type(-1) || !from.seekg(0, std::ios::end)) {
    from.clear();
    functions.read = [&from](std::uint64_t, void* into, std::size_t room) { return detail::piece(from, into, room); };
    return try_reader(std::move(functions), with);
  }
  functions.size = static_cast<std::int64_t>(from.tellg() - start);
  functions.read = [&from, start, one = std::make_shared<std::mutex>()](std::uint64_t at, void* into, std::size_t room) {
    const std::lock_guard<std::mutex> alone(*one);
    const auto place = start + static_cast<std::istream::off_type>(at);
    if (from.rdbuf()->pubseekpos(place, std::ios::in) == std::istream::pos_type(-1)) return std::int64_t{-1};
    return detail::piece(from, into, room);
  };
  return try_reader(std::move(functions), with);
}

}  // namespace pontil

#endif
