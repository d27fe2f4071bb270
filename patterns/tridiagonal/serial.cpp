#include "lanes.hpp"
#include "suite/compilation.hpp"
#include "workspace.hpp"

namespace sextant {
namespace {

namespace baseline {

Variant form() {
  Variant variant = tridiagonal::host_variant<tridiagonal::one_system>("the plain loop, -O2");
  variant.launch = SEXTANT_FLOAT_DOUBLE(tridiagonal::loop);
  return variant;
}

}  // namespace baseline

namespace native {

Variant form() {
  Variant variant =
      tridiagonal::host_variant<tridiagonal::one_system>("the plain loop, -O3 for this processor");
  variant.launch = SEXTANT_FLOAT_DOUBLE(tridiagonal::loop);
  return variant;
}

}  // namespace native

namespace simd {

template <typename T>
void launch(const Call& call) {
  for (std::int64_t g = 0; g < tridiagonal::groups_of<T>(call.problem); ++g)
    tridiagonal::solve_group(call, g, static_cast<T*>(call.state));
}

Variant form() {
  Variant variant = tridiagonal::host_variant<tridiagonal::lanes_of_systems>(
      "one system per SIMD lane; transposes 16 rows of each system at a time");
  variant.constraint = tridiagonal::refuse_long;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace simd

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(tridiagonal)() {
  return compiled_here({
      named("baseline", baseline::form()),
      named("native", native::form()),
      named("simd", simd::form()),
  });
}

}  // namespace sextant
