// What triad does to one element, for the stream forms.
#pragma once

#include "loop.hpp"
#include "toolbox/cuda/stream.cuh"

namespace sextant::triad {

struct Operation {
  static constexpr int inputs = 2;
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a + static_cast<T>(scalar) * b;
  }
};

}  // namespace sextant::triad
