#include "suite/kernel.hpp"

#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T* a = static_cast<const T*>(arrays[0]);
  const std::int64_t rows = problem.extents.y, columns = problem.extents.x;
#pragma omp parallel for schedule(static)
  for (std::int64_t j = 0; j < columns; ++j)
    for (std::int64_t i = 0; i < rows; ++i) results[1][j * rows + i] = a[i * columns + j];
}

}  // namespace

std::vector<Kernel> transpose_kernels() {
  Kernel kernel;
  kernel.name = "transpose";
  kernel.group = "transpose";
  kernel.dwarf = "dense";
  kernel.formula = "y[j][i] = a[i][j]";
  kernel.arrays = {{"a", Role::in}, {"y", Role::out}};
  kernel.shaped = true;
  kernel.extents = square_extents<2>;
  kernel.refuse = [](const Problem& p) {
    return p.extents.z > 1 ? "a matrix has two extents, not three" : nullptr;
  };
  kernel.work = [](const Problem& p) {
    const std::int64_t bytes = p.extents.count() * static_cast<std::int64_t>(element_size(p.type));
    return Work{.bytes_read = bytes, .bytes_written = bytes, .items = p.extents.count()};
  };
  kernel.traits = [](const Problem& p) {
    return elementwise_traits(1, 1, 1, static_cast<double>(p.extents.y));
  };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "elements are only moved, so results must be equal bit for bit";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
