// What scale does to one element, for the stream forms.
#pragma once

#include "loop.hpp"
#include "toolbox/cuda/stream.cuh"

namespace sextant::scale {

struct Operation {
  static constexpr int inputs = 1;
  template <typename T>
  __device__ T operator()(T b, T) const {
    return static_cast<T>(scalar) * b;
  }
};

}  // namespace sextant::scale
