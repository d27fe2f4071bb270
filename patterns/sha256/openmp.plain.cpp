#include "loop.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const std::uint32_t* message = call.array<const std::uint32_t>(0);
  std::uint32_t* digest = call.array<std::uint32_t>(1);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i)
    sha256::digest_plain(message + i * sha256::words, sha256::host_constants.k, digest + i * sha256::words);
}

}  // namespace

Variant sha256_openmp_plain() {
  Variant variant;
  variant.description = "threads over messages";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
