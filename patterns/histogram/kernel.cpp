#include "suite/kernel.hpp"

#include "loop.hpp"
#include "toolbox/draws.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using histogram::bins_of;

Extents beside_few_bins(std::int64_t n) { return {std::max<std::int64_t>(0, n - histogram::few_bins), 1, 1}; }
Extents beside_as_many_bins(std::int64_t n) { return {n < 2 ? 0 : n - n / 2, 1, 1}; }

std::int64_t length(const Problem& p, int index) { return index == 0 ? p.extents.x : bins_of(p); }

std::int32_t key(const Problem& p, std::uint64_t seed, std::int64_t i) {
  const std::uint64_t bits = random_bits(seed, static_cast<std::uint64_t>(i));
  switch (p.parameters[0]) {
    case histogram::uniform:
      return static_cast<std::int32_t>(bits >> 56);
    case histogram::skewed:  // each bit is set with probability 1/32
      return static_cast<std::int32_t>(bits & bits >> 8 & bits >> 16 & bits >> 24 & bits >> 32 & 255);
    default:
      return static_cast<std::int32_t>(below(seed, i, bins_of(p)));
  }
}

void initialise(const Problem& problem, int, std::uint64_t seed, void* data) {
  auto* k = static_cast<std::int32_t*>(data);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < problem.extents.x; ++i) k[i] = key(problem, seed, i);
}

// With few bins, each thread has its own table, because all threads update the same bins. With many bins, all
// threads share one table.
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const auto* k = static_cast<const std::int32_t*>(arrays[0]);
  const std::int64_t n = problem.extents.x, bins = bins_of(problem);
  double* c = results[1];
  std::fill(c, c + bins, 0.0);
  if (bins > histogram::few_bins) {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i)
#pragma omp atomic
      c[k[i]] += 1;
    return;
  }
#pragma omp parallel
  {
    std::vector<std::int64_t> mine(static_cast<std::size_t>(bins));
#pragma omp for schedule(static) nowait
    for (std::int64_t i = 0; i < n; ++i) ++mine[static_cast<std::size_t>(k[i])];
#pragma omp critical
    for (std::int64_t b = 0; b < bins; ++b) c[b] += static_cast<double>(mine[static_cast<std::size_t>(b)]);
  }
}

// A table of few bins stays in the L1 cache, so only the keys are read from memory. Many bins are accessed at
// random; consecutive accesses are a third of the table apart on average.
Traits traits(const Problem& p) {
  const bool few = p.parameters[0] != histogram::wide;
  const auto items = static_cast<double>(p.extents.x), bins = static_cast<double>(bins_of(p));
  Traits traits = elementwise_traits(2, 1 + bins / items);
  traits.stride_read = few ? 1 : std::max(1.0, bins / 3);
  traits.stride_write = few ? Traits::not_known : traits.stride_read;
  traits.reduction = few ? 1 : 0;
  traits.depth = few ? levels(p.extents.x) : 1;
  return traits;
}

Kernel with_keys(histogram::Keys keys, const char* name, const char* formula) {
  Kernel kernel;
  kernel.name = name;
  kernel.group = "histogram";
  kernel.dwarf = "MapReduce";
  kernel.formula = formula;
  kernel.arrays = {{"k", Role::in}, {"c", Role::out}};
  kernel.parameters = {keys};
  kernel.extents = keys == histogram::wide ? beside_as_many_bins : beside_few_bins;
  kernel.length = length;
  kernel.refuse = [](const Problem& p) {
    return p.extents.x > INT32_MAX ? "more keys than an int32 can count" : nullptr;
  };
  kernel.work = [](const Problem& p) {
    return Work{.bytes_read = 4 * p.extents.x,
                .bytes_written = 4 * bins_of(p),
                .items = p.extents.x,
                .integer_operations = p.extents.x};
  };
  kernel.traits = traits;
  kernel.initialise.int32 = initialise;
  kernel.reference.int32 = reference;
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "counts are integers and do not depend on the order";
  kernel.sizes = pattern_sizes;
  return kernel;
}

}  // namespace

std::vector<Kernel> histogram_kernels() {
  return {with_keys(histogram::uniform, "histogram_uniform", "c[k[i]] += 1, 256 bins"),
          with_keys(histogram::skewed, "histogram_skewed", "c[k[i]] += 1, 256 bins, most keys 0"),
          with_keys(histogram::wide, "histogram_wide", "c[k[i]] += 1, as many bins as keys")};
}

}  // namespace sextant
