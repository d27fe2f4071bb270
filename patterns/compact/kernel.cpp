#include "suite/kernel.hpp"

#include <algorithm>

#include "toolbox/draws.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

std::int64_t kept(const Problem& p) { return (p.parameters[0] * p.extents.x + 99) / 100; }

// The largest input for which `a`, the kept elements and their count fit in n elements. Assumes that half of
// the elements are kept, which is the default.
Extents extents(std::int64_t n) {
  if (n < 3) return {0, 1, 1};
  const std::int64_t most = 2 * (n - 1) / 3;
  return {most % 2 != 0 && 3 * most + 1 > 2 * (n - 1) ? most - 1 : most, 1, 1};
}

std::int64_t length(const Problem& p, int index) {
  return index == 0 ? p.extents.x : index == 1 ? kept(p) : 1;
}

// Returns a random value that is never zero, so that it can be negated. Floating-point values are in (0, 1],
// integers in [1, 2^20].
template <typename T>
T magnitude(std::uint64_t seed, std::int64_t i) {
  const std::uint64_t bits = random_bits(seed, static_cast<std::uint64_t>(i));
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(static_cast<double>((bits >> 11) + 1) * 0x1p-53);
  else if constexpr (static_cast<T>(0.5) != static_cast<T>(0))
    return static_cast<T>(static_cast<float>((bits >> 40) + 1) * 0x1p-24f);
  else
    return static_cast<T>(1 + below(seed, i, std::int64_t{1} << 20));
}

template <typename T>
void initialise(const Problem& problem, int, std::uint64_t seed, void* data) {
  const std::int64_t n = problem.extents.x, count = kept(problem);
  const Permutation places(further_seed(seed, 1), n);
  T* a = static_cast<T*>(data);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    const T value = magnitude<T>(seed, i);
    a[i] = places(i) < count ? value : -value;
  }
}

// y has room for exactly as many elements as `initialise` makes non-negative.
template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T* a = static_cast<const T*>(arrays[0]);
  const std::int64_t room = kept(problem);
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < problem.extents.x; ++i) {
    if (a[i] < 0) continue;
    if (count < room) results[1][count] = static_cast<double>(a[i]);
    ++count;
  }
  results[2][0] = static_cast<double>(count);
}

}  // namespace

std::vector<Kernel> compact_kernels() {
  Kernel kernel;
  kernel.name = "compact";
  kernel.group = "pack";
  kernel.dwarf = "MapReduce";
  kernel.formula = "y = all a[i] >= 0, in order; count = their number";
  kernel.arrays = {{"a", Role::in}, {"y", Role::out}, {"count", Role::out, ElementType::int32}};
  kernel.parameter_list = {{"percent", 50, 1, 99, {1, 99}}};
  kernel.extents = extents;
  kernel.length = length;
  kernel.refuse = [](const Problem& p) {
    return p.extents.x > INT32_MAX ? "more elements than an int32 can count" : nullptr;
  };
  kernel.work = [](const Problem& p) {
    const auto size = static_cast<std::int64_t>(element_size(p.type));
    return Work{.bytes_read = p.extents.x * size, .bytes_written = kept(p) * size + 4, .items = p.extents.x};
  };
  kernel.traits = [](const Problem& p) {
    const double items = static_cast<double>(p.extents.x), share = static_cast<double>(kept(p)) / items;
    Traits traits = elementwise_traits(1, share + 1 / items);
    traits.depth = levels(p.extents.x);
    traits.divergence = std::min(share, 1 - share);
    return traits;
  };
  kernel.initialise = SEXTANT_FLOAT_DOUBLE_INT(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE_INT(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "elements are copied unchanged and counted, so every bit must match";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
