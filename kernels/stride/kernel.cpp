#include "loop.hpp"
#include "toolbox/host/elementwise.hpp"

namespace sextant {

std::vector<Kernel> stride_kernels() {
  std::vector<Kernel> kernels;
  for (const int stride : {2, 4, 16, 64}) {
    Kernel kernel = copying_kernel("", "stride", "c[i] = b[i], visiting i in steps of the stride");
    kernel.name = "stride" + std::to_string(stride);
    kernel.parameters = {stride};
    kernels.push_back(kernel);
  }
  return kernels;
}

}  // namespace sextant
