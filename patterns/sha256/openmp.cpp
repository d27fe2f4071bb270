#include "lanes.hpp"
#include "loop.hpp"

namespace sextant {
namespace {

namespace lanes {

void launch(const Call& call) {
#pragma omp parallel for schedule(static)
  for (std::int64_t group = 0; group < sha256::groups_of(call.problem); ++group)
    sha256::digest_group(call, group);
}

}  // namespace lanes

namespace plain {

void launch(const Call& call) {
  const std::uint32_t* message = call.array<const std::uint32_t>(0);
  std::uint32_t* digest = call.array<std::uint32_t>(1);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i)
    sha256::digest_plain(message + i * sha256::words, sha256::host_constants.k, digest + i * sha256::words);
}

}  // namespace plain

}  // namespace

std::vector<Variant> sha256_openmp() {
  return {
      {.name = "lanes",
       .description = "threads over groups of messages, one message per SIMD lane, rounds unrolled",
       .launch = {.int32 = lanes::launch}},
      {.name = "plain",
       .description = "the plain form: threads over messages",
       .launch = {.int32 = plain::launch}},
  };
}

}  // namespace sextant
