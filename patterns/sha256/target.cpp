#include "loop.hpp"
#include "toolbox/target/teams.hpp"
#include "unrolled.hpp"

namespace sextant {
namespace {

// The straightforward implementation.
namespace parallel_for {

void digest_all(std::int64_t n, const std::uint32_t* message, const std::uint32_t* k, std::uint32_t* digest) {
  const std::int64_t count = n * sha256::words;
#pragma omp target teams distribute parallel for map(to                                      \
                                                     : message [0:count], k [0:64]) map(from \
                                                                                        : digest [0:count])
  for (std::int64_t i = 0; i < n; ++i)
    sha256::digest_plain(message + i * sha256::words, k, digest + i * sha256::words);
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  digest_all(n, call.array<const std::uint32_t>(0), sha256::host_constants.k, call.array<std::uint32_t>(1));
}

Variant form() {
  Variant variant =
      target::mapped_variant("the plain form: target teams distribute parallel for over messages");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace parallel_for

// A team has one thread, which GCC maps to a warp. The simd loop runs on the 32 lanes of that warp.
namespace unrolled {

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

Variant form() {
  Variant variant =
      target::warps_variant("one message per lane, rounds unrolled, message schedule in registers");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace unrolled

}  // namespace

std::vector<Variant> sha256_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("unrolled", unrolled::form()),
  };
}

}  // namespace sextant
