#include "lanes.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  for (std::int64_t g = 0; g < tridiagonal::groups_of<T>(call.problem); ++g)
    tridiagonal::solve_group(call, g, static_cast<T*>(call.state));
}

}  // namespace

Variant tridiagonal_serial_simd() {
  Variant variant = tridiagonal::host_variant<tridiagonal::lanes_of_systems>(
      "a system a lane of a vector of 64 bytes, 16 rows of each turned at a time");
  variant.constraint = tridiagonal::refuse_long;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
