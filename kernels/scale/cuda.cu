

#include "loop.hpp"
#include "toolbox/cuda/stream.cuh"

// Defines the operation of `scale` on one element. The kernels of toolbox/cuda/stream.cuh apply it to whole
// arrays.
namespace sextant::scale {

struct Operation {
  static constexpr int inputs = 1;
  template <typename T>
  __device__ T operator()(T b, T) const {
    return static_cast<T>(scalar) * b;
  }
};

}  // namespace sextant::scale

namespace sextant {

std::vector<Variant> scale_cuda() {
  return {
      named("elementwise", stream::elementwise_variant<scale::Operation>()),
      named("vector", stream::vector_variant<scale::Operation>()),
  };
}

}  // namespace sextant
