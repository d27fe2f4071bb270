// Fuzzes the options that select cases, one option per line. They must be planned, or rejected with a
// message.
#include <cstdlib>
#include <sstream>

#include "base/error.hpp"
#include "cli/options/selection.hpp"
#include "cli/options/values.hpp"
#include "fuzz/target.hpp"
#include "plan/plan.hpp"

namespace sextant::fuzz {

std::vector<std::string> seeds() {
  return {"-k triad\n-v openmp,cuda\n-n 1Ki:64Mi:x4",
          "-k heat3d_r2\n-n 100x37x53\n-p steps=10",
          "-k npb_ep\n-n S,W,A",
          "-k matmul\n-v cuda.register_tile\n-t tile_m=64\n--type float",
          "-k stencil.*|rows\n-d gpu0\n-t all",
          "--timeout 1h30m\n--share 5%\n--samples 10:500\n--shard 2/4"};
}

std::vector<std::string> words() {
  return {"-k ",    "-v ",   "-n ",    "-p ", "-t ", "--type ", "-d ", "\n",          ",",     "=",
          ".*",     "(a|b)", "[",      ")",   "*",   "{2}",     "all", "block_size=", "cpu",   "gpu1",
          "double", "int",   "steps=", "%",   "ms",  "1/0",     ":",   "copy",        "serial"};
}

}  // namespace sextant::fuzz

namespace {

template <typename Function>
void refused_or(Function&& function) {
  try {
    function();
  } catch (const sextant::UserError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  if (size > 4096) return 0;
  SelectionOptions options;
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find(' ');
    const std::string name = line.substr(0, space),
                      value = space == std::string::npos ? "" : line.substr(space + 1);
    if (name == "-k") options.kernels.push_back(value);
    if (name == "-v") options.variants.push_back(value);
    if (name == "-n") options.sizes.push_back(value);
    if (name == "-p") options.parameters.push_back(value);
    if (name == "-t") options.tunings.push_back(value);
    if (name == "--type") options.types.push_back(value);
    if (name == "-d") options.device = value;
    refused_or([&] { parse_duration(value, name); });
    refused_or([&] { parse_share(value, name); });
    refused_or([&] { parse_samples(value, 1000); });
    refused_or([&] { parse_shard(value); });
  }
  refused_or([&] {
    Selection selection = options.parse();
    if (selection.sizes.size() > 16) selection.sizes.resize(16);
    for (const Case& one : plan(selection))
      if (one.problem.extents.count() <= 0) std::abort();
  });
  return 0;
}
