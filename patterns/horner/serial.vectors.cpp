#include "vectors.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  horner::evaluate_part<T>(call, 0, call.problem.extents.x);
}

}  // namespace

Variant horner_serial_vectors() {
  Variant variant = horner::vectors_variant("1, 4 or 8 vectors of values in flight");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
