#include "host.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

constexpr std::int64_t tile = 1024;

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  for_each_index(0, (n + tile - 1) / tile, [=](std::int64_t part) {
    blackscholes::price_part<T>(call, part * tile, std::min(n, (part + 1) * tile));
  });
}

}  // namespace

Variant blackscholes_stdpar_polynomial() {
  Variant variant;
  variant.description = "std::for_each over tiles, in the lanes of vectors, functions by arithmetic alone";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
