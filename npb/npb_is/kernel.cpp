#include "suite/kernel.hpp"

#include <algorithm>

#include "problem.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace npb_is {
namespace {

// Adds to `results` the histogram of all generated keys except those that iterations change. Threads share
// one large table, because they rarely update the same counter; small tables are private.
void count_generated(const Problem& problem, double* results) {
  constexpr std::int64_t chunk = 1 << 14, own_table = 1 << 16;
  const std::int64_t keys = key_count(problem), values = value_count(problem);
  const int bits = max_log2(problem);
  const bool shared = values > own_table;
#pragma omp parallel
  {
    std::vector<double> mine(shared ? 0 : static_cast<std::size_t>(values));
#pragma omp for schedule(static) nowait
    for (std::int64_t first = 0; first < keys; first += chunk) {
      std::uint64_t state = state_before(first);
      const std::int64_t last = std::min(keys, first + chunk);
      for (std::int64_t j = first; j < last; ++j) {
        const std::int32_t key = next_key(state, bits);
        if (j >= 1 && j < changed_end) continue;
        if (shared) {
#pragma omp atomic
          results[key] += 1;
        } else {
          mine[static_cast<std::size_t>(key)] += 1;
        }
      }
    }
#pragma omp critical
    for (std::size_t v = 0; v < mine.size(); ++v) results[v] += mine[v];
  }
}

// Returns how many of the keys that iterations change have values below k in iteration `it`.
std::int64_t changed_below(std::int64_t k, int it, int bits) {
  std::int64_t below = 0;
  for (std::int64_t j = 1; j < changed_end; ++j) below += key_at(j, it, bits) < k;
  return below;
}

// Computes the expected counts and ranks. The ranks of an official problem class are the published ones;
// those of other problems are computed. All are converted to the range of int32: the last count of class D,
// 2^31, has the bits of a negative int32.
void reference(const Problem& problem, const void* const*, double* const* results) {
  const int bits = max_log2(problem);
  const std::int64_t values = value_count(problem);
  double* c = results[counts];
  std::fill(c, c + values, 0.0);
  count_generated(problem, c);
  for (std::int64_t j = 1; j < changed_end; ++j) c[key_at(j, iterations, bits)] += 1;
  for (std::int64_t v = 1; v < values; ++v) c[v] += c[v - 1];

  const TestKeys tests = test_keys(problem);
  const Class* known = class_of(key_count(problem), problem.parameters[0]);
  for (int it = 1; it <= iterations; ++it)
    for (int i = 0; i < test_count; ++i) {
      double& rank = results[ranks][(it - 1) * test_count + i];
      if (known) {
        rank = static_cast<double>(known->rank_at(it, i));
        continue;
      }
      std::uint64_t state = state_before(tests.index[i]);
      const std::int64_t k =
          tests.index[i] < changed_end ? key_at(tests.index[i], it, bits) : next_key(state, bits);
      const std::int64_t others = changed_below(k, it, bits) - changed_below(k, iterations, bits);
      rank = k == 0 ? 0 : c[k - 1] + static_cast<double>(others);
    }

  constexpr double beyond =
      0x1p32;  // difference between an unsigned 32-bit value and the int32 with the same bits
  for (std::int64_t v = 0; v < values; ++v)
    if (c[v] >= beyond / 2) c[v] -= beyond;
}

Extents keys_of(std::int64_t n) { return {n < least_keys ? 0 : n, 1, 1}; }

std::int64_t elements(const Problem& problem, int index) {
  return index == ranks ? rank_count : value_count(problem);
}

const char* refuse(const Problem& problem) {
  if (key_count(problem) < least_keys)
    return "IS needs at least 32 keys, because iterations change twenty of them";
  if (key_count(problem) > most_keys) return "more than 2^31 keys do not fit in the 32 bits of a count";
  return nullptr;
}

// Returns the work. Each iteration reads the keys and writes the counts. Integer operations: one addition per
// key and one per value.
Work work(const Problem& problem) {
  return {.bytes_read = iterations * 4 * key_count(problem),
          .bytes_written = iterations * 4 * value_count(problem),
          .items = iterations * key_count(problem),
          .integer_operations = iterations * (key_count(problem) + value_count(problem))};
}

// Returns the access pattern of the plain loop. For each key it reads the key and its count, and writes the
// count. It also clears and sums the counts. Consecutive keys are a quarter of the value range apart on
// average.
Traits traits(const Problem& problem) {
  const auto values = static_cast<double>(value_count(problem));
  const double share = values / static_cast<double>(key_count(problem));
  Traits traits = elementwise_traits(2 + share, 1 + 2 * share);
  traits.stride_read = std::max(1.0, values / 4);
  traits.stride_write = traits.stride_read;
  traits.reduction = 0;
  traits.launches = 3 * iterations;
  traits.depth = iterations * levels(value_count(problem));
  return traits;
}

}  // namespace
}  // namespace npb_is

std::vector<Kernel> npb_is_kernels() {
  using namespace npb_is;
  Kernel kernel;
  kernel.name = "npb_is";
  kernel.group = "program";
  kernel.dwarf = "MapReduce";
  kernel.family = "counting";
  kernel.formula =
      "NAS IS: ten rankings of integer keys, counts[v] = number of keys <= v; each changes two keys";
  kernel.arrays = {{"ranks", Role::out}, {"counts", Role::out}};
  kernel.parameters = {0, iterations, 0, 0};  // the report shows the number of iterations
  kernel.parameter_list = {{"max_key_log2", 16, least_max_log2, most_max_log2, {5, 11}}};
  kernel.extents = keys_of;
  kernel.length = elements;
  kernel.work = work;
  kernel.traits = traits;
  kernel.refuse = refuse;
  kernel.reference = {.int32 = reference};
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "counts are integers, whatever the order of counting";
  for (const Class& one : classes)
    kernel.classes.push_back({one.name,
                              {.n = one.keys(),
                               .type = ElementType::int32,
                               .extents = {one.keys(), 1, 1},
                               .parameters = {one.max_log2, iterations, 0, 0}}});
  kernel.unit = {UnitOfWork::Count::items, "Mop/s"};
  kernel.presentation.report = {"IS", "keys ranked", false, 1};
  return {kernel};
}

}  // namespace sextant
