// Fuzzes the size notation of the command line. Any text must give at most a million sizes, or be rejected.
#include <cstdlib>

#include "base/error.hpp"
#include "fuzz/target.hpp"
#include "plan/selection.hpp"

namespace sextant::fuzz {

std::vector<std::string> seeds() {
  return {"7936,130560", "64Ki",      "2^20",  "1e6", "1Ki:64Mi:x4",
          "32:2048:+32", "100x37x53", "S,W,A", "10M", "1.5Gi"};
}

std::vector<std::string> words() {
  return {"Ki",   "Mi",  "G",   "T",    ":",  ":x", ":+", "x",
          "^",    ",",   "e9",  "e308", "1e", "0",  "-1", "99999999999999999999",
          "0x1p", "nan", "inf", ".",    " ",  "S"};
}

}  // namespace sextant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sextant::Selection selection;
  try {
    sextant::parse_sizes(std::string(reinterpret_cast<const char*>(data), size), &selection);
  } catch (const sextant::UserError&) {
    return 0;
  }
  if (selection.sizes.size() > 1'000'000) std::abort();
  for (const std::int64_t n : selection.sizes)
    if (n < 1 || n > (std::int64_t{1} << 50)) std::abort();
  for (const sextant::Extents& shape : selection.shapes)
    if (shape.x < 1 || shape.y < 1 || shape.z < 1) std::abort();
  return 0;
}
