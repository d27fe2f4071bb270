// The form that one would write first.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

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

}  // namespace

Variant sha256_target_parallel_for() {
  Variant variant =
      target::mapped_variant("the form one writes first: target teams distribute parallel for over messages");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
