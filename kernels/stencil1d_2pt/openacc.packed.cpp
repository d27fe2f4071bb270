#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 128;
};

// A 16-byte pack a thread; its outer neighbours come as plain loads, from the cache.
template <typename T, int vector_length_>
void sweep(std::int64_t n, const T* b, T* c) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t packs = (n + width - 1) / width;
  const int gangs = openacc::gangs_for(packs, vector_length_);
#pragma acc parallel loop gang(static : 1) vector present(b [0:n], c [0:n]) vector_length(vector_length_) \
    num_gangs(gangs)
  for (std::int64_t pack = 0; pack < packs; ++pack) {
    const std::int64_t i = pack * width;
    if (i > 0 && i + width < n) {
      T x[width + 2], y[width];
      openacc::load_pack(b + i, x + 1);
      x[0] = b[i - 1];
      x[width + 1] = b[i + width];
      for (int k = 0; k < width; ++k) y[k] = static_cast<T>(0.5) * (x[k] + x[k + 2]);
      openacc::store_pack(c + i, y);
    } else {
      const std::int64_t end = i + width < n ? i + width : n;
      for (std::int64_t k = i; k < end; ++k) c[k] = k == 0 || k == n - 1 ? b[k] : stencil1d_2pt::point(b, k);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    sweep<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<T>(1));
  });
}

}  // namespace

Variant stencil1d_2pt_openacc_packed() {
  Variant variant;
  variant.description = "one 16-byte pack a thread, iterations dealt out in turn";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
