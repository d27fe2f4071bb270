#include "definition.hpp"

namespace sextant {

std::vector<Kernel> matmul_kernels() {
  Kernel kernel = matmul::definition("matmul", "C = A*B, all matrices accessed along rows");
  kernel.traits = [](const Problem& p) {  // For each row of B, the loop reads and writes a row of C.
    const auto side = static_cast<double>(p.extents.x);
    Traits traits = elementwise_traits(2 * side + 1, side + 1);
    traits.depth = levels(p.extents.x);
    return traits;
  };
  kernel.presentation.study = {default_study, 10, {claim::small_faster, claim::dear_transfers}};
  kernel.presentation.published = {{"cuda", "16x16", at_study_sizes({11.96, 243.08, 304.50, 330.63}),
                                    at_study_sizes({3.37, 53.20, 133.40, 234.03})},
                                   {"openacc", "8x8", at_study_sizes({14.14, 273.12, 461.84, 472.06}),
                                    at_study_sizes({0.02, 1.26, 24.25, 167.63})}};
  return {kernel};
}

}  // namespace sextant
