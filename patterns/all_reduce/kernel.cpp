#include "suite/kernel.hpp"

#include "suite/extents.hpp"
#include "toolbox/exact_sums.hpp"
#include "toolbox/host/traits.hpp"
#include "toolbox/share.hpp"

namespace sextant {
namespace {

template <typename T>
void initialise(const Problem& problem, int, std::uint64_t seed, void* data) {
  const ExactSum sum(problem.type, problem.parts);
  const std::int64_t n = problem.extents.x;
  T* a = static_cast<T*>(data);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < problem.parts * n; ++i) a[i] = sum.term<T>(seed, i, i / n);
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T* a = static_cast<const T*>(arrays[0]);
  const std::int64_t n = problem.extents.x;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (int part = 0; part < problem.parts; ++part) sum += static_cast<double>(a[part * n + i]);
    for (int part = 0; part < problem.parts; ++part) results[1][part * n + i] = sum;
  }
}

// Totals over all participants (GPUs or ranks). Only bytes_sent counts a single participant, the one with the
// shortest slice. bytes_sent is the minimum if each element is summed by one participant (Patarasuk and Yuan,
// "Bandwidth optimal all-reduce algorithms", 2009).
Work work(const Problem& p) {
  const auto element = static_cast<std::int64_t>(element_size(p.type));
  const std::int64_t n = p.extents.x, all = p.parts * n;
  return {.bytes_read = all * element,
          .bytes_written = all * element,
          .flops = (p.parts - 1) * n,
          .items = n,
          .bytes_sent = 2 * (n - share_of(n, p.parts, p.parts - 1).count) * element};
}

Traits traits(const Problem& p) {
  Traits traits = elementwise_traits(p.parts, p.parts);
  traits.depth = levels(p.parts);
  return traits;
}

}  // namespace

std::vector<Kernel> all_reduce_kernels() {
  Kernel kernel;
  kernel.name = "all_reduce";
  kernel.group = "collective";
  kernel.formula = "c[p][i] = sum of a[q][i] over all partitions q, in every partition p";
  kernel.arrays = {{"a", Role::in}, {"c", Role::out}};
  kernel.extents = vector_extents<2>;
  kernel.length = [](const Problem& p, int) { return p.parts * p.extents.x; };
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "the sums are exact in any order, so every bit must match";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
