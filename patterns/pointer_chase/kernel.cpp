#include "suite/kernel.hpp"

#include "loop.hpp"
#include "toolbox/draws.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using namespace pointer_chase;

constexpr std::int64_t least = 4;  // elements of the smallest problem: one chain and a table of two entries

// The random order in which the cycle visits all entries of the table. Its seed is fixed, because the table
// and the start indices are filled by separate calls.
Permutation order_of(const Problem& problem) { return {structure_seed(1), places_of(problem)}; }

// The position in that random order at which a chain starts.
std::int64_t begin_of(const Problem& problem, std::int64_t chain) {
  return chain * places_of(problem) / chains_of(problem);
}

void fill_next(const Problem& problem, std::int32_t* next) {
  // number of entries per chunk; a chunk computes each of its indices once
  constexpr std::int64_t stretch = 1024;
  const Permutation place(order_of(problem));
  const std::int64_t count = places_of(problem);
#pragma omp parallel for schedule(static)
  for (std::int64_t first = 0; first < count; first += stretch) {
    std::int64_t from = place(first);
    for (std::int64_t i = first + 1; i <= std::min(first + stretch, count); ++i) {
      const std::int64_t to = place(i < count ? i : 0);
      next[from] = static_cast<std::int32_t>(to);
      from = to;
    }
  }
}

void initialise(const Problem& problem, int index, std::uint64_t, void* data) {
  auto* values = static_cast<std::int32_t*>(data);
  if (index == 0) return fill_next(problem, values);
  const Permutation place(order_of(problem));
  for (std::int64_t c = 0; c < chains_of(problem); ++c)
    values[c] = static_cast<std::int32_t>(place(begin_of(problem, c)));
}

// Computes the results without walking: a chain ends `steps` positions after its start in the random order.
void reference(const Problem& problem, const void* const*, double* const* results) {
  const Permutation place(order_of(problem));
  for (std::int64_t c = 0; c < chains_of(problem); ++c)
    results[2][c] =
        static_cast<double>(place((begin_of(problem, c) + steps_of(problem)) % places_of(problem)));
}

// Counts an entry once, even if several steps read it.
Work work(const Problem& p) {
  const std::int64_t chains = chains_of(p), steps = chains * steps_of(p);
  return {.bytes_read = 4 * (std::min(steps, places_of(p)) + chains),
          .bytes_written = 4 * chains,
          .items = steps};
}

Traits traits(const Problem& p) {
  const auto steps = static_cast<double>(steps_of(p));
  Traits traits = elementwise_traits(1 + 1 / steps, 1 / steps);
  traits.stride_read = std::max(1.0, static_cast<double>(places_of(p)) / 3);
  if (chains_of(p) == 1) traits.stride_write = Traits::not_known;  // there is only one result
  traits.depth = steps;
  return traits;
}

}  // namespace

std::vector<Kernel> pointer_chase_kernels() {
  Kernel kernel;
  kernel.name = "pointer_chase";
  kernel.group = "pointer_chase";
  kernel.dwarf = "graph";
  kernel.formula = "j = start[c]; steps times j = next[j]; last[c] = j";
  kernel.arrays = {
      {"next", Role::in, ElementType::int32}, {"start", Role::in, ElementType::int32}, {"last", Role::out}};
  kernel.parameter_list = {{"chains", 1, 1, std::int64_t{1} << 20, {2, 37, 1000}},
                           {"steps", 4096, 1, std::int64_t{1} << 24, {1, 17}}};
  kernel.extents = [](std::int64_t n) { return Extents{n < least ? 0 : n, 1, 1}; };
  kernel.length = [](const Problem& p, int index) { return index == 0 ? places_of(p) : chains_of(p); };
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise.int32 = initialise;
  kernel.reference.int32 = reference;
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "results are table indices, which must be equal";
  kernel.refuse = [](const Problem& p) {
    return p.extents.x > INT32_MAX ? "more elements than an int32 can index" : nullptr;
  };
  // from sizes that fit in the L1 cache to sizes that need main memory
  for (int exponent = 12; exponent <= 28; exponent += 2) kernel.sizes.push_back(std::int64_t{1} << exponent);
  return {kernel};
}

}  // namespace sextant
