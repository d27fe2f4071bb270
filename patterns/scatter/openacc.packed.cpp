// A lane has some packs of four places under way at a time; neighbouring lanes have neighbouring packs.
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using openacc::load_pack;
using openacc::pack_width;
using Lengths = Choices<64, 128, 256, 512>;
using Packs = Choices<1, 2, 4>;
constexpr int most = 4;  // places in 16 bytes

struct Gang {
  int vector_length = 256, packs = 2;
};

template <typename T, int length, int packs>
void move(std::int64_t n, const std::int32_t* p, const T* a, T* y) {
  constexpr int width = pack_width<T>, each = packs * most;
  const std::int64_t threads = (n + each - 1) / each;
  const int gangs = openacc::gangs_for(threads, length);
#pragma acc parallel loop gang(static : 1) vector present(p [0:n], a [0:n], y [0:n]) vector_length(length) \
    num_gangs(gangs)
  for (std::int64_t thread = 0; thread < threads; ++thread) {
    const std::int64_t i = thread * each;
    if (i + each <= n) {
      std::int32_t place[packs][most];
      T value[packs][most];
#pragma GCC unroll 4
      for (int v = 0; v < packs; ++v) load_pack(p + i + v * most, place[v]);
#pragma GCC unroll 4
      for (int v = 0; v < packs; ++v)
        for (int k = 0; k < most; k += width) load_pack(a + i + v * most + k, value[v] + k);
#pragma GCC unroll 4
      for (int v = 0; v < packs; ++v)
        for (int k = 0; k < most; ++k) y[place[v][k]] = value[v][k];
    } else {
      for (std::int64_t k = i; k < n; ++k) y[p[k]] = a[k];
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Gang>();
  Lengths::with(shape.vector_length, [&]<int length>() {
    Packs::with(shape.packs, [&]<int packs>() {
      move<T, length, packs>(call.problem.extents.x, call.array<const std::int32_t>(0),
                             call.array<const T>(1), call.array<T>(2));
    });
  });
}

}  // namespace

Variant scatter_openacc_packed() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "places by 16-byte packs, 4 to 16 elements of a lane under way";
  variant.tunables = tunables<Gang>(
      {{"vector_length", &Gang::vector_length, Lengths::list()}, {"packs", &Gang::packs, Packs::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
