// All maps in one region: a lane has a pack of 16 bytes in registers.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using Lengths = Choices<64, 128, 256, 512>;

struct Gang {
  int vector_length = 128;
};

template <typename T, int length>
void chain(std::int64_t n, std::int64_t steps, const T* x, const T* y0, T* y) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t packs = (n + width - 1) / width;
  const int gangs = openacc::gangs_for(packs, length);
#pragma acc parallel loop gang(static : 1) vector vector_length(length) num_gangs(gangs) \
    present(x [0:n], y0 [0:n], y [0:n])
  for (std::int64_t pack = 0; pack < packs; ++pack) {
    const std::int64_t first = pack * width;
    T a[width], b[width];
    if (first + width <= n) {
      openacc::load_pack(x + first, a);
      openacc::load_pack(y0 + first, b);
    } else {
      for (int k = 0; k < width; ++k) {
        const std::int64_t i = first + k < n ? first + k : first;
        a[k] = x[i], b[k] = y0[i];
      }
    }
#pragma acc loop seq
    for (std::int64_t pair = 0; pair < steps / 2; ++pair)
#pragma GCC unroll 4
      for (int k = 0; k < width; ++k) {
        const T once = T(0.5) * b[k] + a[k];
        b[k] = T(0.5) * once - a[k];
      }
    if (steps % 2 != 0)
#pragma GCC unroll 4
      for (int k = 0; k < width; ++k) b[k] = T(0.5) * b[k] + a[k];
    if (first + width <= n) {
      openacc::store_pack(y + first, b);
    } else {
      for (int k = 0; k < width; ++k)
        if (first + k < n) y[first + k] = b[k];
    }
  }
}

template <typename T>
void launch(const Call& call) {
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    chain<T, length>(call.problem.extents.x, map_chain::steps_of(call.problem), call.array<const T>(0),
                     call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace

Variant map_chain_openacc_fused() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "all maps in one region, 16 bytes a lane in registers";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
