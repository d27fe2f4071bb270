#include "suite/kernel.hpp"

#include "pieces.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using all_to_all::piece_of;

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T* b = static_cast<const T*>(arrays[0]);
  const std::int64_t piece = piece_of(problem), parts = problem.parts;
  for (std::int64_t to = 0; to < parts; ++to)
    for (std::int64_t from = 0; from < parts; ++from)
      for (std::int64_t i = 0; i < piece; ++i)
        results[1][(to * parts + from) * piece + i] = static_cast<double>(b[(from * parts + to) * piece + i]);
}

// Totals over all participants (GPUs or ranks). Only bytes_sent counts a single participant, which sends one
// piece to each of the others.
Work work(const Problem& p) {
  const std::int64_t bytes = piece_of(p) * static_cast<std::int64_t>(element_size(p.type)),
                     all = p.parts * p.parts * bytes;
  return {.bytes_read = all,
          .bytes_written = all,
          .items = p.parts * piece_of(p),
          .bytes_sent = (p.parts - 1) * bytes};
}

}  // namespace

std::vector<Kernel> all_to_all_kernels() {
  Kernel kernel;
  kernel.name = "all_to_all";
  kernel.group = "collective";
  kernel.formula = "c[to][from][i] = b[from][to][i]: every partition sends one block to every partition";
  kernel.arrays = {{"b", Role::in}, {"c", Role::out}};
  kernel.extents = vector_extents<2>;
  kernel.length = [](const Problem& p, int) { return p.parts * p.parts * piece_of(p); };
  kernel.work = work;
  kernel.traits = [](const Problem& p) { return elementwise_traits(p.parts, p.parts); };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "elements are copied unchanged, so every bit must match";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
