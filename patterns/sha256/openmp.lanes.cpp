#include "lanes.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
#pragma omp parallel for schedule(static)
  for (std::int64_t group = 0; group < sha256::groups_of(call.problem); ++group)
    sha256::digest_group(call, group);
}

}  // namespace

Variant sha256_openmp_lanes() {
  Variant variant;
  variant.description = "threads, a message in each lane of a vector, no loops within";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
