#include "suite/kernel.hpp"

#include <algorithm>

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/draws.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

constexpr std::int64_t block = 64;  // vertices per block; their rows of the matrix should stay in the cache

// Returns an odd number below 2^16. In double it also has 16 fractional bits, so that float could not
// represent it.
template <typename T>
T length_of_edge(std::uint64_t seed, std::int64_t at) {
  const auto whole = static_cast<T>(1 + 2 * below(seed, at, std::int64_t{1} << 15));
  return sizeof(T) == 8 ? whole + static_cast<T>(0x1p-16) * whole : whole;
}

// Fills w. One in eight pairs of vertices has an edge.
template <typename T>
void initialise(const Problem& problem, int, std::uint64_t seed, void* data) {
  const std::int64_t n = problem.extents.x;
  const std::uint64_t of_edges = further_seed(seed, 1);
  T* w = static_cast<T*>(data);
#pragma omp parallel for schedule(static)
  for (std::int64_t at = 0; at < n * n; ++at) {
    const bool edge = below(of_edges, at, 8) == 0;
    w[at] = at % (n + 1) == 0 ? T(0)
            : edge            ? length_of_edge<T>(seed, at)
                              : static_cast<T>(floyd_warshall::far);
  }
}

// Processes blocks of 64 vertices. It updates the rows of the block first; these are then final for this
// step, so the other rows can be updated independently.
template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const std::int64_t n = problem.extents.x;
  const T* w = static_cast<const T*>(arrays[0]);
  std::vector<T> paths(w, w + n * n);
  T* d = paths.data();
  for (std::int64_t begin = 0; begin < n; begin += block) {
    const std::int64_t end = std::min(n, begin + block);
    for (std::int64_t k = begin; k < end; ++k)
      for (std::int64_t i = begin; i < end; ++i) floyd_warshall::relax_row(n, k, i, d);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i)
      if (i < begin || i >= end)
        for (std::int64_t k = begin; k < end; ++k) floyd_warshall::relax_row(n, k, i, d);
  }
  std::copy(paths.begin(), paths.end(), results[1]);
}

// Counts one addition and one comparison for each k, i and j.
Work work(const Problem& p) {
  const std::int64_t n = p.extents.x, bytes = n * n * static_cast<std::int64_t>(element_size(p.type)),
                     operations = 2 * n * n * n;
  const bool whole = p.type == ElementType::int32;
  return {.bytes_read = bytes,
          .bytes_written = bytes,
          .flops = whole ? 0 : operations,
          .items = n * n,
          .integer_operations = whole ? operations : 0};
}

// Counts the copy of w. Then, in each step, each row reads d[i][k] once and two elements per inner iteration.
// Row k and d[0][0] are read less often.
Traits traits(const Problem& p) {
  const auto n = static_cast<double>(p.extents.x);
  Traits traits = elementwise_traits((2 * n * n * n + n * n - 1) / (n * n), n + 1);
  traits.launches = n;
  traits.depth = n;
  return traits;
}

}  // namespace

std::vector<Kernel> floyd_warshall_kernels() {
  Kernel kernel;
  kernel.name = "floyd_warshall";
  kernel.group = "floyd_warshall";
  kernel.dwarf = "dynamic programming";
  kernel.formula = "d[i][j] = min(d[i][j], d[i][k] + d[k][j]) for k = 0 ... n-1";
  kernel.arrays = {{"w", Role::in}, {"d", Role::out}};
  kernel.extents = square_extents<2>;
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise = SEXTANT_FLOAT_DOUBLE_INT(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE_INT(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason =
      "path lengths are integers below 2^24, in double multiples of 2^-16, and exact in any order; pairs "
      "without a path keep 2^29";
  kernel.sizes = {study_sizes[0], study_sizes[1], study_sizes[2],
                  study_sizes[3]};  // no larger size: one core may take a minute at 2^25 elements
  return {kernel};
}

}  // namespace sextant
