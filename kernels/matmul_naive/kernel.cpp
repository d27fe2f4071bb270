#include "../matmul/definition.hpp"

namespace sextant {

std::vector<Kernel> matmul_naive_kernels() {
  return {matmul::definition("matmul_naive", "C = A*B, B down its columns")};
}

}  // namespace sextant
