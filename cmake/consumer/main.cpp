// Builds a network, runs it, and catches a refusal.
#include <pontil.hpp>

#include <iostream>

int main() {
  const auto words = pontil::description::parse(R"({"kind":"stack","layers":[{"kind":"dense","inputs":2,"outputs":1}]})");
  pontil::session session(pontil::network::build(words));
  const float x[] = {1, 2};
  float y[] = {1};
  session.run(pontil::span<const float>(x), pontil::span<float>(y));
  try {
    pontil::description::parse("{");
  } catch (const pontil::error& refused) {
    std::cout << pontil::build_info() << "\n";
    return y[0] == 0 && refused.code() == PON_E_SYNTAX ? 0 : 1;
  }
  return 2;
}
