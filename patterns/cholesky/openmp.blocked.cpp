#include "blocks.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  cholesky::factor<T>(call, [](std::int64_t begin, std::int64_t end, const auto& body) {
#pragma omp parallel for schedule(dynamic, 8)
    for (std::int64_t i = begin; i < end; ++i) body(i);
  });
}

}  // namespace

Variant cholesky_openmp_blocked() {
  Variant variant;
  variant.description = "blocks of 64 columns; threads over the rows below, which are uneven";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
