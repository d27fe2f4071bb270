#include "loop.hpp"
#include "toolbox/host/elementwise.hpp"

namespace sextant {

std::vector<Kernel> copy_kernels() {
  Kernel kernel = copying_kernel("copy", "stream", "c[i] = b[i]");
  kernel.presentation.study = {
      default_study, 1, {claim::without_reuse, claim::small_slower, claim::dear_transfers}};
  kernel.presentation.published = {{"cuda", "1024", at_study_sizes({0.44, 4.71, 39.39, 70.37})},
                                   {"openacc", "128", at_study_sizes({0.41, 3.72, 34.10, 73.10})}};
  return {kernel};
}

}  // namespace sextant
