// Host arrays that the GPU reaches by itself, page-locked for as long as a variant is prepared.
#pragma once

#include <cuda_runtime_api.h>

#include "suite/variant.hpp"

namespace sextant::dot {

struct PinnedInputs {
  const void* arrays[2] = {};

  // Page-locks both inputs of the call; false, with none locked, where the system refuses.
  bool pin(const Call& call) {
    const std::size_t bytes = call.problem.extents.x * element_size(call.problem.type);
    for (int i = 0; i < 2; ++i) {
      if (cudaHostRegister(call.arrays[i], bytes, cudaHostRegisterMapped) != cudaSuccess) {
        cudaGetLastError();  // a refusal must not be found by a later check
        unpin();
        return false;
      }
      arrays[i] = call.arrays[i];
    }
    return true;
  }

  void unpin() {
    for (const void*& array : arrays) {
      if (array) cudaHostUnregister(const_cast<void*>(array));
      array = nullptr;
    }
  }
};

}  // namespace sextant::dot
