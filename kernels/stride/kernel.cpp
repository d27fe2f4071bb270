#include "loop.hpp"
#include "toolbox/host/elementwise.hpp"

namespace sextant {

std::vector<Kernel> stride_kernels() {
  struct Member {
    int stride, place;
    // Published speed-ups of OpenACC by array size. None are published for CUDA.
    std::vector<FigureAt> openacc;
  };
  const Member members[] = {{2, 12, at_study_sizes({0.41, 5.89, 32.52, 87.22})},
                            {4, 13, at_study_sizes({1.09, 16.03, 74.41, 96.41})},
                            {16, 14, at_study_sizes({1.98, 23.37, 75.33, 71.96})},
                            {64, 15, at_study_sizes({1.83, 31.47, 76.60, 132.23})}};
  std::vector<Kernel> kernels;
  for (const auto& [stride, place, openacc] : members) {
    Kernel kernel = copying_kernel("", "stride", "c[i] = b[i], visiting i in steps of the stride");
    kernel.name = "stride" + std::to_string(stride);
    kernel.parameters = {stride};
    kernel.traits = [](const Problem& p) {
      const auto stride_of = static_cast<double>(p.parameters[0]);
      return elementwise_traits(1, 1, stride_of, stride_of);
    };
    kernel.presentation.study = {default_study, place};
    kernel.presentation.published = {{"cuda", "1024"}, {"openacc", "128", openacc}};
    kernels.push_back(kernel);
  }
  return kernels;
}

}  // namespace sextant
