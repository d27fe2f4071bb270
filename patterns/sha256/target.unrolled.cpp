// No `parallel`: a team is one thread, whose lanes share the simd loop.
#include "toolbox/target/teams.hpp"
#include "unrolled.hpp"

namespace sextant {
namespace {

void digest_all(std::int64_t n, const std::uint32_t* message, std::uint32_t* digest, int teams) {
  const std::int64_t count = n * sha256::words;
#pragma omp target SEXTANT_ONE_WARP map(message [0:count], digest [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i)
    sha256::digest_unrolled(message + i * sha256::words, digest + i * sha256::words);
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  digest_all(n, call.array<const std::uint32_t>(0), call.array<std::uint32_t>(1),
             target::teams_for(call.tuned<target::Warps>(), n));
}

}  // namespace

Variant sha256_target_unrolled() {
  Variant variant = target::warps_variant(
      "teams of one warp, a message a lane, no loops within, the schedule in registers");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
