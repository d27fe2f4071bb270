#include "loop.hpp"
#include "toolbox/host/elementwise.hpp"

namespace sextant {

std::vector<Kernel> rows_kernels() {
  Kernel kernel = copying_kernel("rows", "stride", "c[y][x] = b[y][x], walking down columns");
  kernel.extents = square_extents<2>;
  kernel.family = "rows";
  kernel.traits = [](const Problem& p) {
    const auto row = static_cast<double>(p.extents.x);
    return elementwise_traits(1, 1, row, row);
  };
  kernel.presentation.study = {default_study, 16};
  kernel.presentation.published = {{"cuda", "256"}, {"openacc", "1x128"}};
  return {kernel};
}

}  // namespace sextant
