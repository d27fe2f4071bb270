#include "suite/kernel.hpp"

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

using sha256::words;

void initialise(const Problem& problem, int, std::uint64_t seed, void* data) {
  auto* message = static_cast<std::uint32_t*>(data);
  const std::int64_t count = problem.extents.x * words;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i)
    message[i] = static_cast<std::uint32_t>(random_bits(seed, static_cast<std::uint64_t>(i)) >> 32);
}

void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const auto* message = static_cast<const std::uint32_t*>(arrays[0]);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < problem.extents.x; ++i) {
    std::uint32_t digest[words];
    sha256::digest_plain(message + i * words, sha256::host_constants.k, digest);
    for (int t = 0; t < words; ++t) results[1][i * words + t] = static_cast<std::int32_t>(digest[t]);
  }
}

// Counts integer instructions. A round takes 14: six rotations, two three-way exclusive ors, two bitwise
// selections and four additions. A schedule word after the first 16 takes 10: four rotations, two shifts, two
// three-way exclusive ors and two three-way additions.
Work work(const Problem& p) {
  constexpr std::int64_t operations = 64 * 14 + 48 * 10 + words;
  const std::int64_t n = p.extents.x, bytes = n * words * 4;
  return {.bytes_read = bytes, .bytes_written = bytes, .items = n, .integer_operations = n * operations};
}

}  // namespace

std::vector<Kernel> sha256_kernels() {
  Kernel kernel;
  kernel.name = "sha256";
  kernel.group = "hash";
  kernel.dwarf = "combinational";
  kernel.formula = "digest[i] = SHA-256 of the 32 bytes of message[i]";
  kernel.arrays = {{"message", Role::in}, {"digest", Role::out}};
  kernel.extents = vector_extents<2 * words>;
  kernel.length = [](const Problem& p, int) { return p.extents.x * words; };
  kernel.work = work;
  kernel.traits = [](const Problem&) {
    Traits traits = elementwise_traits(words, words);
    traits.depth = 64;
    return traits;
  };
  kernel.initialise.int32 = initialise;
  kernel.reference.int32 = reference;
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "digests must match bit for bit";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
