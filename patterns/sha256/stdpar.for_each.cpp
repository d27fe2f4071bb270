#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const std::uint32_t* message = call.array<const std::uint32_t>(0);
  std::uint32_t* digest = call.array<std::uint32_t>(1);
  for_each_index(0, call.problem.extents.x, [=](std::int64_t i) {
    sha256::digest_plain(message + i * sha256::words, sha256::host_constants.k, digest + i * sha256::words);
  });
}

}  // namespace

Variant sha256_stdpar_for_each() {
  Variant variant;
  variant.description = "std::for_each over messages";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
