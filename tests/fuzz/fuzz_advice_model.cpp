// Fuzzes advice models. Damaged data must be read and written again, or rejected by a UserError.
#include <cstdlib>

#include "base/error.hpp"
#include "fuzz/target.hpp"
#include "predict/model.hpp"
#include "predict/sha256.hpp"

namespace sextant::fuzz {
namespace {

using namespace predict;

// The first line, with the checksum of the others. A mutation would break a checksum, so the inputs contain
// none.
std::string with_first_line(const std::string& rest) {
  return "sextant advice 5 " + sha256(rest) + '\n' + rest;
}

}  // namespace

std::vector<std::string> seeds() {
  AdviceModel model;
  model.machines = {"A Processor, 4 threads"};
  model.ranges = {{"items", 2, 30}};
  model.calibrations[0][0] = {1, 12, false, 0.9, 0.5, 0.1};
  const std::string text = to_text(model);
  return {text.substr(text.find('\n') + 1)};
}

std::vector<std::string> words() {
  return {"machine ",
          "constant ",
          "range ",
          "calibration unknown ",
          "relation call ",
          "few",
          "enough",
          "nan",
          "inf",
          "-1",
          "1e999",
          "\n",
          " ",
          "\xff"};
}

}  // namespace sextant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant::fuzz;
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const AdviceModel model = read_model(with_first_line(text), "input");
    if (to_text(read_model(to_text(model), "again")) != to_text(model)) std::abort();
  } catch (const sextant::UserError&) {
  }
  return 0;
}
