

#include "loop.hpp"
#include "toolbox/cuda/stream.cuh"

// Defines the operation of `add` on one element. The kernels of toolbox/cuda/stream.cuh apply it to whole
// arrays.
namespace sextant::add {

struct Operation {
  static constexpr int inputs = 2;
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

}  // namespace sextant::add

namespace sextant {

std::vector<Variant> add_cuda() {
  return {
      named("elementwise", stream::elementwise_variant<add::Operation>()),
      named("vector", stream::vector_variant<add::Operation>()),
  };
}

}  // namespace sextant
