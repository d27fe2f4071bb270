#include "../matmul/gpu.hpp"

namespace sextant {

std::vector<Variant> matmul_naive_library_cu() { return {named("cublas", matmul_library_cublas())}; }

}  // namespace sextant
