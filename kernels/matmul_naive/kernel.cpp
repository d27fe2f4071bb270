#include "../matmul/definition.hpp"

namespace sextant {

std::vector<Kernel> matmul_naive_kernels() {
  Kernel kernel = matmul::definition("matmul_naive", "C = A*B, B accessed down its columns");
  kernel.traits = [](const Problem& p) {  // The loop reads B down its columns.
    const auto side = static_cast<double>(p.extents.x);
    Traits traits = elementwise_traits(2 * side, 1);
    traits.stride_read = side;
    traits.depth = levels(p.extents.x);
    return traits;
  };
  kernel.presentation.study = {default_study, 11, {claim::shared_memory, claim::small_faster}};
  kernel.presentation.published = {{"cuda", "16x16", at_study_sizes({12.88, 358.58, 1511.96, 2367.07}),
                                    at_study_sizes({3.23, 49.86, 327.53, 1066.52})},
                                   {"openacc", "16x16", at_study_sizes({9.79, 294.00, 1187.21, 1827.90}),
                                    at_study_sizes({0.02, 1.07, 43.79, 467.84})}};
  return {kernel};
}

}  // namespace sextant
