#include "places.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/gang_memory.hpp"
#include "toolbox/openacc/pack.hpp"
#include "toolbox/openacc/vector_length.hpp"

namespace sextant {
namespace {

// A lane loads several 16-byte packs of four indices before it loads elements. Neighbouring lanes have
// neighbouring packs.
namespace packed {

using openacc::load_pack;
using openacc::pack_width;
using openacc::store_pack;
using Lengths = Choices<64, 128, 256, 512>;
using Packs = Choices<1, 2, 4>;
constexpr int most = 4;  // a 16-byte pack holds this many indices

struct Gang {
  int vector_length = 256, vectors_per_thread = 2;
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
        for (int k = 0; k < most; ++k) value[v][k] = a[place[v][k]];
#pragma GCC unroll 4
      for (int v = 0; v < packs; ++v)
        for (int k = 0; k < most; k += width) store_pack(y + i + v * most + k, value[v] + k);
    } else {
      for (std::int64_t k = i; k < n; ++k) y[k] = a[p[k]];
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Gang>();
  Lengths::with(shape.vector_length, [&]<int length>() {
    Packs::with(shape.vectors_per_thread, [&]<int packs>() {
      move<T, length, packs>(call.problem.extents.x, call.array<const std::int32_t>(0),
                             call.array<const T>(1), call.array<T>(2));
    });
  });
}

}  // namespace packed

namespace parallel_loop {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument because GCC requires a constant.
template <typename T, int length>
void move(std::int64_t n, const std::int32_t* p, const T* a, T* y) {
#pragma acc parallel loop present(p [0:n], a [0:n], y [0:n]) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) y[i] = a[p[i]];
}

template <typename T>
void launch(const Call& call) {
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    move<T, length>(call.problem.extents.x, call.array<const std::int32_t>(0), call.array<const T>(1),
                    call.array<T>(2));
  });
}

}  // namespace parallel_loop

// For indices within windows: a gang loads a window of a into gang-private memory in 16-byte packs, then
// gathers from there.
namespace windows {

using openacc::load_pack, openacc::store_pack;
using Lengths = Choices<128, 256, 512>;
constexpr int window = static_cast<int>(places::window);
constexpr int most = 4;  // a 16-byte pack holds this many indices

struct Gang {
  int vector_length = 256;
};

// Gathers the elements of one lane from `stage`, the window in gang-private memory. The lane has `packs`
// packs of four indices, which are `length` packs apart.
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

}  // namespace windows

}  // namespace

std::vector<Variant> gather_openacc() {
  return {
      {.name = "packed",
       .description = "indices by 16-byte packs, 4 to 16 elements in flight per lane",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<packed::Gang>(
           {{"vector_length", &packed::Gang::vector_length, packed::Lengths::list()},
            {"vectors_per_thread", &packed::Gang::vectors_per_thread, packed::Packs::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(packed::launch)},
      {.name = "parallel_loop",
       .description = "the plain form: a parallel loop on present data",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<parallel_loop::Gang>(
           {{"vector_length", &parallel_loop::Gang::vector_length, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(parallel_loop::launch),
       .adapt = by_name<openacc::adapt_vector_length<parallel_loop::Gang>>},
      {.name = "windows",
       .description =
           "only for gather_near: each gang loads a window of a into shared memory and gathers from there",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<windows::Gang>(
           {{"vector_length", &windows::Gang::vector_length, windows::Lengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(windows::launch),
       .constraint = places::refuse_random},
  };
}

}  // namespace sextant
