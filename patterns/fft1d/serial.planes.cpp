#include "planes.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t length = fft1d::length_of(call.problem);
  T* state = static_cast<T*>(call.state);
  for (std::int64_t b = 0; b < fft1d::batches_of(call.problem); ++b)
    fft1d::transform(length, call.array<const T>(0) + 2 * b * length, state, state + 2 * length,
                     call.array<T>(1) + 2 * b * length);
}

}  // namespace

Variant fft1d_serial_planes() {
  Variant variant = fft1d::host_variant<fft1d::planes_of>(
      "Stockham's order, radix 4, real and imaginary parts apart in the lanes of vectors");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
