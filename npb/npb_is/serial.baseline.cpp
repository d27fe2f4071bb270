#include "host_state.hpp"

namespace sextant {
namespace {

using namespace npb_is;

void launch(const Call& call) {
  const std::int64_t n = key_count(call.problem), values = value_count(call.problem);
  rank_all(call, static_cast<std::int32_t*>(call.state), [=](const std::int32_t* keys, std::uint32_t* c) {
    for (std::int64_t v = 0; v < values; ++v) c[v] = 0;
    for (std::int64_t j = 0; j < n; ++j) ++c[keys[j]];
    for (std::int64_t v = 1; v < values; ++v) c[v] += c[v - 1];
  });
}

}  // namespace

Variant npb_is_serial_baseline() {
  Variant variant;
  variant.description = "the plain loops: one table of all values, then its running sum; compiled with -O2";
  variant.launch.int32 = launch;
  variant.prepare = prepare_keys;
  variant.release = release_keys;
  variant.workspace = [](const Problem& problem, const int*) { return key_bytes(problem); };
  return variant;
}

}  // namespace sextant
