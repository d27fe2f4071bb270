#include <openacc.h>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

// Launches one OpenACC compute region per map.
namespace sextant::map_chain {

using Lengths = Choices<64, 128, 256>;

struct Gang {
  int vector_length = 128;
};

// Applies one map, in asynchronous queue `queue` or, with acc_async_sync, synchronously. The vector length is
// a template argument because GCC accepts only a constant there.
template <typename T, int length>
void region(std::int64_t n, const T* x, const T* from, T* y, T sign, int queue) {
#pragma acc parallel loop gang vector vector_length(length) present(x [0:n], from [0:n], y [0:n]) async(queue)
  for (std::int64_t i = 0; i < n; ++i) y[i] = T(0.5) * from[i] + sign * x[i];
}

template <typename T>
void launch_regions(const Call& call, int queue) {
  const T *x = call.array<const T>(0), *y0 = call.array<const T>(1);
  T* y = call.array<T>(2);
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    for (std::int64_t t = 0; t < steps_of(call.problem); ++t)
      region<T, length>(call.problem.extents.x, x, t == 0 ? y0 : y, y, t % 2 == 0 ? T(1) : T(-1), queue);
  });
}

inline Variant regions_variant(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::openacc;
  variant.description = description;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}});
  return variant;
}

}  // namespace sextant::map_chain

namespace sextant {
namespace {

namespace async_queue {

constexpr int queue = 1;

template <typename T>
void launch(const Call& call) {
  map_chain::launch_regions<T>(call, queue);
  acc_wait(queue);
}

Variant form() {
  Variant variant =
      map_chain::regions_variant("one region per map in an asynchronous queue, with one wait at the end");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace async_queue

// One compute region applies all maps. Each lane keeps 16 bytes of x and of y in registers.
namespace fused {

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

}  // namespace fused

namespace region_each {

template <typename T>
void launch(const Call& call) {
  map_chain::launch_regions<T>(call, acc_async_sync);
}

Variant form() {
  Variant variant = map_chain::regions_variant("the plain form: one region per map, each waited for");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace region_each

}  // namespace

std::vector<Variant> map_chain_openacc() {
  return {
      named("async_queue", async_queue::form()),
      {.name = "fused",
       .description = "all maps in one region; each lane keeps 16 bytes in registers",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<fused::Gang>({{"vector_length", &fused::Gang::vector_length, fused::Lengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(fused::launch)},
      named("region_each", region_each::form()),
  };
}

}  // namespace sextant
