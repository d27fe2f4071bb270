#include "lanes.hpp"
#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

namespace for_each {

void launch(const Call& call) {
  const std::uint32_t* message = call.array<const std::uint32_t>(0);
  std::uint32_t* digest = call.array<std::uint32_t>(1);
  for_each_index(0, call.problem.extents.x, [=](std::int64_t i) {
    sha256::digest_plain(message + i * sha256::words, sha256::host_constants.k, digest + i * sha256::words);
  });
}

}  // namespace for_each

namespace lanes {

void launch(const Call& call) {
  for_each_index(0, sha256::groups_of(call.problem),
                 [&](std::int64_t group) { sha256::digest_group(call, group); });
}

}  // namespace lanes

}  // namespace

std::vector<Variant> sha256_stdpar() {
  return {
      {.name = "for_each",
       .description = "the plain form: std::for_each over messages",
       .launch = {.int32 = for_each::launch}},
      {.name = "lanes",
       .description = "std::for_each over groups of messages, one message per SIMD lane",
       .launch = {.int32 = lanes::launch}},
  };
}

}  // namespace sextant
