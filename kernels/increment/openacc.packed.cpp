#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 1024;
};

// One 16-byte pack a thread, dealt out in turn; all increments of an element while it is in a register.
template <typename T, int vector_length_>
void loop(std::int64_t n, T* a, int loops) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t packs = (n + width - 1) / width;
  const int gangs = openacc::gangs_for(packs, vector_length_);
#pragma acc parallel loop gang(static : 1) vector present(a [0:n]) vector_length(vector_length_) \
    num_gangs(gangs)
  for (std::int64_t pack = 0; pack < packs; ++pack) {
    const std::int64_t i = pack * width;
    if (i + width <= n) {
      T x[width];
      openacc::load_pack(a + i, x);
      for (int k = 0; k < width; ++k) {
        x[k] = x[k] + T(1);
        if (loops == 2) x[k] = x[k] + T(1);
      }
      openacc::store_pack(a + i, x);
    } else {
      for (std::int64_t k = i; k < n; ++k) {
        a[k] = a[k] + T(1);
        if (loops == 2) a[k] = a[k] + T(1);
      }
    }
  }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    loop<T, V>(call.problem.extents.x, call.array<T>(0), static_cast<int>(increment::loops(call)));
  });
}

}  // namespace

Variant increment_openacc_packed() {
  Variant variant;
  variant.description = "one region for all loops, one 16-byte pack a thread";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
