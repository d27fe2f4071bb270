// The tuned OpenACC copy of array 0 to array 1 in memory order.
#pragma once

#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/openacc/packed.hpp"

namespace sextant::openacc {

struct CopyGang {
  int vector_length = 256;
};

struct Copy {
  template <typename T>
  static SEXTANT_INLINE T apply(T, T y, T) {
    return y;
  }
};

template <typename T>
void launch_copy(const Call& call) {
  BlockSizes::with(call.tuned<CopyGang>().vector_length, [&]<int V>() {
    packed_loop<Copy, V, 1>(call.problem.extents.count(), call.array<const T>(0), call.array<const T>(0),
                            call.array<T>(1), T{});
  });
}

inline Variant packed_copy() {
  Variant variant;
  variant.description = "one 16-byte pack per thread, iterations distributed cyclically";
  variant.memory_space = MemorySpace::openacc;
  variant.tunables = tunables<CopyGang>({{"vector_length", &CopyGang::vector_length, BlockSizes::list()}});
  variant.launch = {.float32 = launch_copy<float>, .float64 = launch_copy<double>};
  return variant;
}

}  // namespace sextant::openacc
