// What add does to one element, for the stream forms.
#pragma once

#include "loop.hpp"
#include "toolbox/cuda/stream.cuh"

namespace sextant::add {

struct Operation {
  static constexpr int inputs = 2;
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

}  // namespace sextant::add
