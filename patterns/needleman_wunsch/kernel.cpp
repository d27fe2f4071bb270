#include "suite/kernel.hpp"

#include <algorithm>

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/draws.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

// The longest sequences whose arrays fit in n elements. Two sequences of k letters and (k + 1)^2 scores have
// (k + 2)^2 - 3 elements.
Extents extents(std::int64_t n) {
  const std::int64_t letters = std::max<std::int64_t>(0, square_root(n + 3) - 2);
  return {letters, letters, 1};
}

std::int64_t length(const Problem& p, int index) {
  const std::int64_t n = p.extents.x;
  return index < 2 ? n : (n + 1) * (n + 1);
}

void initialise(const Problem& problem, int, std::uint64_t seed, void* data) {
  auto* letters = static_cast<std::int32_t*>(data);
  for (std::int64_t i = 0; i < problem.extents.x; ++i)
    letters[i] = static_cast<std::int32_t>(below(seed, i, 4));
}

void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const std::int64_t n = problem.extents.x, width = n + 1;
  const auto *a = static_cast<const std::int32_t*>(arrays[0]),
             *b = static_cast<const std::int32_t*>(arrays[1]);
  double* h = results[2];
  for (std::int64_t j = 0; j <= n; ++j) h[j] = static_cast<double>(-2 * j);
  for (std::int64_t i = 1; i <= n; ++i) {
    const double* above = h + (i - 1) * width;
    double* row = h + i * width;
    row[0] = static_cast<double>(-2 * i);
    for (std::int64_t j = 1; j <= n; ++j) {
      const double both = above[j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
      row[j] = std::max(both, std::max(above[j], row[j - 1]) - 2);
    }
  }
}

// Counts a comparison, three additions and two maxima per cell.
Work work(const Problem& p) {
  const std::int64_t n = p.extents.x;
  return {.bytes_read = 8 * n,
          .bytes_written = 4 * (n + 1) * (n + 1),
          .items = n * n,
          .integer_operations = 6 * n * n};
}

Traits traits(const Problem& p) {
  const auto n = static_cast<double>(p.extents.x);
  Traits traits = elementwise_traits(4 + 1 / n, (n + 1) * (n + 1) / (n * n));
  traits.depth = 2 * n - 1;
  return traits;
}

}  // namespace

std::vector<Kernel> needleman_wunsch_kernels() {
  Kernel kernel;
  kernel.name = "needleman_wunsch";
  kernel.group = "needleman_wunsch";
  kernel.dwarf = "dynamic programming";
  kernel.formula = "H[i][j] = max(H[i-1][j-1] + (a[i] = b[j] ? 2 : -1), H[i-1][j] - 2, H[i][j-1] - 2)";
  kernel.arrays = {{"a", Role::in}, {"b", Role::in}, {"H", Role::out}};
  kernel.extents = extents;
  kernel.length = length;
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise.int32 = initialise;
  kernel.reference.int32 = reference;
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "exact: scores are sums and maxima of integers";
  kernel.refuse = [](const Problem& p) {
    return p.extents.x > 1 << 24 ? "sequences of more than 2^24 letters" : nullptr;
  };
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
