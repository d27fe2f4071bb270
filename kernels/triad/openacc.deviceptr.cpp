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

// As `packed`, on memory that CUDA allocated and copies: no look-up of the arrays at each launch.
template <typename T, int vector_length_>
void loop(std::int64_t n, const T* a, const T* b, T* c, T s) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t packs = (n + width - 1) / width;
  const int gangs = openacc::gangs_for(packs, vector_length_);
#pragma acc parallel loop gang(static : 1) vector deviceptr(a, b, c) vector_length(vector_length_) \
    num_gangs(gangs)
  for (std::int64_t pack = 0; pack < packs; ++pack) {
    const std::int64_t i = pack * width;
    if (i + width <= n) {
      T x[width], y[width];
      openacc::load_pack(a + i, x);
      openacc::load_pack(b + i, y);
      for (int k = 0; k < width; ++k) x[k] += s * y[k];
      openacc::store_pack(c + i, x);
    } else {
      for (std::int64_t k = i; k < n; ++k) c[k] = a[k] + s * b[k];
    }
  }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    loop<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
               static_cast<T>(triad::scalar));
  });
}

}  // namespace

Variant triad_openacc_deviceptr() {
  Variant variant;
  variant.description = "16-byte packs on memory allocated and copied by CUDA";
  variant.home = Home::cuda;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
