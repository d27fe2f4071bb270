#include "factors.hpp"
#include "planes.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace baseline {

Variant form() {
  Variant variant = fft1d::host_variant<fft1d::nothing_further>("the plain loop, radix 2 in place, -O2");
  variant.launch = SEXTANT_FLOAT_DOUBLE(fft1d::loop);
  return variant;
}

}  // namespace baseline

namespace native {

Variant form() {
  Variant variant =
      fft1d::host_variant<fft1d::nothing_further>("the plain loop, radix 2 in place, -O3 for this processor");
  variant.launch = SEXTANT_FLOAT_DOUBLE(fft1d::loop);
  return variant;
}

}  // namespace native

namespace planes {

template <typename T>
void launch(const Call& call) {
  const std::int64_t length = fft1d::length_of(call.problem);
  T* state = static_cast<T*>(call.state);
  for (std::int64_t b = 0; b < fft1d::batches_of(call.problem); ++b)
    fft1d::transform(length, call.array<const T>(0) + 2 * b * length, state, state + 2 * length,
                     call.array<T>(1) + 2 * b * length);
}

Variant form() {
  Variant variant = fft1d::host_variant<fft1d::planes_of>(
      "SIMD Stockham transform of radix 4, real and imaginary parts in separate arrays");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace planes

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(fft1d)() {
  return compiled_here({
      named("baseline", baseline::form()),
      named("native", native::form()),
      named("planes", planes::form()),
  });
}

}  // namespace sextant
