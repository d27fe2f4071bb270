#include "toolbox/host/algorithms.hpp"
#include "vectors.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  for_each_index(0, horner::tiles_of(call.problem.extents.x), [=](std::int64_t part) {
    horner::evaluate_part<T>(call, part * horner::tile, horner::tile);
  });
}

}  // namespace

Variant horner_stdpar_vectors() {
  Variant variant =
      horner::vectors_variant("std::for_each over tiles, 1, 4 or 8 vectors of values in flight in each");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
