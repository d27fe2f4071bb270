// The tuned OpenACC loop for element-wise kernels. Each thread processes one 16-byte pack of elements.
#pragma once

#include "toolbox/openacc/pack.hpp"

namespace sextant::openacc {

// Computes c[i] = Operation::apply(a[i], b[i], s) for 0 <= i < n. If `inputs` is 1, pass b for a, which is
// then read only once. gang(static:1) makes neighbouring threads access neighbouring packs. By default, GCC
// gives each gang one long chunk of iterations.
template <typename Operation, int vector_length_, int inputs, typename T>
void packed_loop(std::int64_t n, const T* a, const T* b, T* c, T s) {
  constexpr int width = pack_width<T>;
  const std::int64_t packs = (n + width - 1) / width;
  const int gangs = gangs_for(packs, vector_length_);
#pragma acc parallel loop gang(static : 1) vector present(a [0:n], b [0:n], c [0:n]) \
    vector_length(vector_length_) num_gangs(gangs)
  for (std::int64_t pack = 0; pack < packs; ++pack) {
    const std::int64_t i = pack * width;
    if (i + width <= n) {
      T x[width], y[width];
      load_pack(b + i, y);
      if constexpr (inputs == 2) load_pack(a + i, x);
      for (int k = 0; k < width; ++k) y[k] = Operation::apply(inputs == 2 ? x[k] : y[k], y[k], s);
      store_pack(c + i, y);
    } else {
      for (std::int64_t k = i; k < n; ++k) c[k] = Operation::apply(a[k], b[k], s);
    }
  }
}

}  // namespace sextant::openacc
