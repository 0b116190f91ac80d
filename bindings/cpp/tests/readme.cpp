#include <pontil.hpp>
#include <fstream>
#include <iostream>
#include <sstream>
int main(int argc, char** argv) try { // usage: readme model.safetensors network.json
  if (argc != 3) return 2;
  std::stringstream json; json << std::ifstream(argv[2]).rdbuf();
  const auto layers = pontil::description::parse(json.str());
  pontil::import_options options;
  options.network = &layers;
  const auto network = pontil::model_file::open(pontil::source::path(argv[1]), options).read_network();
  pontil::session session(network);
  const std::vector<float> x(static_cast<std::size_t>((*network.input().shape)[1]), 1.0f);
  std::vector<float> y(static_cast<std::size_t>((*network.output().shape)[1]));
  session.run(x, y);
  std::cout << y[0] << "\n";
} catch (const pontil::error& refused) {
  for (const auto& fault : refused.faults()) std::cout << fault.path << ": " << fault.message << "\n"; // all that is wrong
  return 1;
}
