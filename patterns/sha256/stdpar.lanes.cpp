#include "lanes.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  for_each_index(0, sha256::groups_of(call.problem),
                 [&](std::int64_t group) { sha256::digest_group(call, group); });
}

}  // namespace

Variant sha256_stdpar_lanes() {
  Variant variant;
  variant.description = "std::for_each over groups of messages, one in each lane of a vector";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
