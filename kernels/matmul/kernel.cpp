#include "definition.hpp"

namespace sextant {

std::vector<Kernel> matmul_kernels() {
  return {matmul::definition("matmul", "C = A*B, operands along rows")};
}

}  // namespace sextant
