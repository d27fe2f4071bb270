// Places that lie within windows: a gang brings a window of a into memory that its lanes share, by whole packs, and picks elements there by
// their places.
#include "places.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/gang_memory.hpp"

namespace sextant {
namespace {

using openacc::load_pack, openacc::store_pack;
using Lengths = Choices<128, 256, 512>;
constexpr int window = static_cast<int>(places::window);
constexpr int most = 4;  // places in 16 bytes

struct Gang {
  int vector_length = 256;
};

// A lane's elements: `packs` times four, each time as many lanes apart.
template <int length, int packs, typename T>
SEXTANT_INLINE void pick_by_places(int lane, const std::int32_t* p, std::int32_t first, const T* stage,
                                   T* y) {
  std::int32_t place[packs][most];
#pragma GCC unroll 8
  for (int r = 0; r < packs; ++r) load_pack(p + (r * length + lane) * most, place[r]);
#pragma GCC unroll 8
  for (int r = 0; r < packs; ++r) {
    T value[most];
#pragma GCC unroll 4
    for (int k = 0; k < most; ++k) value[k] = stage[place[r][k] - first];
#pragma GCC unroll 4
    for (int k = 0; k < most; k += openacc::pack_width<T>)
      store_pack(y + (r * length + lane) * most + k, value + k);
  }
}

template <typename T, int length>
void gather_windows(std::int64_t n, const std::int32_t* p, const T* a, T* y) {
  constexpr int packs = window / (length * most), width = openacc::pack_width<T>;
  const int windows = static_cast<int>((n + window - 1) / window);
#pragma acc parallel num_gangs(windows) vector_length(length) present(p [0:n], a [0:n], y [0:n])
  {
#pragma acc loop gang(static : 1)
    for (int w = 0; w < windows; ++w) {
      SEXTANT_GANG_ARRAY(T, windowed, window);
      const std::int64_t first = std::int64_t{w} * window;
      if (first + window <= n) {
#pragma acc loop vector
        for (int lane = 0; lane < length; ++lane) {
          SEXTANT_GANG_POINTER(T, stage, windowed);
          T x[window / length];
#pragma GCC unroll 16
          for (int r = 0; r < window / length; r += width)
            load_pack(a + first + r * length + lane * width, x + r);
#pragma GCC unroll 16
          for (int r = 0; r < window / length; r += width)
            openacc::store_of_gang(stage + r * length + lane * width, x + r);
        }
#pragma acc loop vector
        for (int lane = 0; lane < length; ++lane) {
          SEXTANT_GANG_POINTER(T, stage, windowed);
          pick_by_places<length, packs>(lane, p + first, static_cast<std::int32_t>(first), stage, y + first);
        }
      } else {
#pragma acc loop vector
        for (std::int64_t i = first; i < n; ++i) y[i] = a[p[i]];
      }
    }
  }
}

template <typename T>
void launch(const Call& call) {
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    gather_windows<T, length>(call.problem.extents.x, call.array<const std::int32_t>(0),
                              call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace

Variant gather_openacc_windows() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "near places: a gang keeps a window of a in memory of its own, and picks there";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = places::refuse_random;
  return variant;
}

}  // namespace sextant
