#include "suite/variant.hpp"

namespace sextant {

// The same problem in the same arrays: the launch is matmul's own.
Variant matmul_library_cublas();

std::vector<Variant> matmul_naive_library_cu() { return {named("cublas", matmul_library_cublas())}; }

}  // namespace sextant
