// Built with -fno-exceptions: every way is there without them.
#include <pontil.hpp>

#include <cstdio>

int main(int, char** argv) {
  const auto refused = pontil::source::try_path("/nowhere/at/all");
  if (refused || refused.code() != PON_E_NOT_FOUND) return 1;
  const auto words = pontil::description::try_parse(R"({"kind":"stack","layers":[{"kind":"dense","inputs":2,"outputs":1}]})");
  const auto from = pontil::source::try_path(argv[1]);
  if (!words || !from) return 2;
  pontil::import_options options;
  options.network = &*words;
  const auto opened = pontil::model_file::try_open(*from, options);
  if (!opened) return std::puts(opened.text().c_str()), 3;
  const auto network = opened->try_network();
  if (!network) return std::puts(network.text().c_str()), 4;
  auto session = pontil::session::try_make(*network);
  const float x[] = {1, 1};
  float y[] = {0};
  if (!session || session->try_run(pontil::span<const float>(x), pontil::span<float>(y)) != PON_OK) return 5;
  return y[0] == 3.5f ? 0 : 6;
}
