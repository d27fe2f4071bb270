// Fuzzes decision-tree models. Damaged data must be read and written again, or rejected by a UserError.
#include <bit>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "fuzz/target.hpp"
#include "predict/trees.hpp"

namespace sextant::fuzz {
namespace {

using namespace predict;

constexpr const char* json_model = R"({"sextant_trees": 1, "features": [{"name": "a", "low": 0, "high": 1},
 {"name": "b", "low": 0, "high": 1}], "ensembles": [{"option": "cuda", "target": "call", "term": "residual",
 "xgboost": {"learner": {"gradient_booster": {"name": "gbtree", "model": {"trees": [
 {"left_children": [1, -1, 3, -1, -1], "right_children": [2, -1, 4, -1, -1], "split_indices": [0, 0, 1, 0, 0],
  "split_conditions": [0.5, 1, -2.5, 2, 3], "default_left": [1, 0, 0, 0, 0], "split_type": [0, 0, 0, 0, 0]}]}},
 "learner_model_param": {"base_score": "5E-1"}, "objective": {"name": "reg:squarederror"}}}}]})";

// Appends the checksum of the compact format. A mutation would break a checksum, so the inputs contain none.
std::string with_checksum(std::string bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(hash >> (8 * i)));
  return bytes;
}

std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}  // compares bits, because sums may be NaN

}  // namespace

std::vector<std::string> seeds() {
  const std::string bytes = Trees::read(json_model, "seed").compact();
  return {json_model, bytes.substr(0, bytes.size() - 8)};
}

std::vector<std::string> words() {
  return {"serial",    "whole",   "difficulty", "\"xgboost\"", "NaN",
          "1e20",      "1e999",   "null",       "[[[[",        "{}",
          "[]",        "-1",      "65535",      "2147483648",  "\xff",
          "\x80",      "\1",      "true",       "0",           "2",
          "4",         "1",       "\"dart\"",   "[5E-1]",      "\"split_type\"",
          "\"trees\"", "\xff\x7f"};
}

}  // namespace sextant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant::fuzz;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const bool compact = text.starts_with("sextant trees ");
    const Trees trees = Trees::read(compact ? with_checksum(text) : text, "input");
    std::vector<float> x(trees.features().size(), 0.25f);
    for (std::size_t i = 1; i < x.size(); i += 2) x[i] = std::numeric_limits<float>::quiet_NaN();
    const Trees again = Trees::read(trees.compact(), "again");
    if (again.compact() != trees.compact()) std::abort();
    for (const Trees::Entry& entry : trees.entries())
      if (bits(*again.at(entry.option, entry.target, entry.term, x)) != bits(entry.ensemble.at(x)))
        std::abort();
  } catch (const sextant::UserError&) {
  }
  return 0;
}
