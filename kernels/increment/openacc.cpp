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

// As in `parallel_loop`, but one data region encloses all loops. The array is copied in once and out once,
// for any number of loops.
namespace data_region {

template <typename T, int vector_length_>
void once(std::int64_t n, T* a) {
#pragma acc data copy(a [0:n])
  {
#pragma acc parallel loop present(a [0:n]) vector_length(vector_length_)
    for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
  }
}

template <typename T, int vector_length_>
void twice(std::int64_t n, T* a) {
#pragma acc data copy(a [0:n])
  {
#pragma acc parallel loop present(a [0:n]) vector_length(vector_length_)
    for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
#pragma acc parallel loop present(a [0:n]) vector_length(vector_length_)
    for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
  }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    const auto loops = increment::loops(call) == 1 ? once<T, V> : twice<T, V>;
    loops(call.problem.extents.x, call.array<T>(0));
  });
}

}  // namespace data_region

// The first version in the talk "Introduction to OpenACC": the compiler decides how to parallelise the loops.
namespace kernels {

template <typename T>
void once(std::int64_t n, T* a) {
  // The counter `i` is declared outside the loop. GCC 12 allocates no device memory for a counter declared in
  // the loop, and the region aborts.
  std::int64_t i;
#pragma acc kernels copy(a [0:n])
  for (i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

template <typename T>
void twice(std::int64_t n, T* a) {
  std::int64_t i;
#pragma acc kernels copy(a [0:n])
  {
    for (i = 0; i < n; ++i) a[i] = a[i] + T(1);
    for (i = 0; i < n; ++i) a[i] = a[i] + T(1);
  }
}

template <typename T>
void launch(const Call& call) {
  const auto loops = increment::loops(call) == 1 ? once<T> : twice<T>;
  loops(call.problem.extents.x, call.array<T>(0));
}

}  // namespace kernels

// Like `kernels`, with the assertion that iterations are independent.
namespace kernels_independent {

template <typename T>
void once(std::int64_t n, T* a) {
#pragma acc kernels copy(a [0:n])
#pragma acc loop independent
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

template <typename T>
void twice(std::int64_t n, T* a) {
#pragma acc kernels copy(a [0:n])
  {
#pragma acc loop independent
    for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
#pragma acc loop independent
    for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
  }
}

template <typename T>
void launch(const Call& call) {
  const auto loops = increment::loops(call) == 1 ? once<T> : twice<T>;
  loops(call.problem.extents.x, call.array<T>(0));
}

}  // namespace kernels_independent

namespace packed {

struct Gang {
  int vector_length = 1024;
};

// Each thread increments one 16-byte pack, and neighbouring threads have neighbouring packs. All increments
// of an element happen in a register.
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

}  // namespace packed

// One compute region per loop, each with its own data clause. A second loop copies the array in and out
// again.
namespace parallel_loop {

template <typename T, int vector_length_>
void once(std::int64_t n, T* a) {
#pragma acc parallel loop copy(a [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

template <typename T, int vector_length_>
void twice(std::int64_t n, T* a) {
#pragma acc parallel loop copy(a [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
#pragma acc parallel loop copy(a [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    const auto loops = increment::loops(call) == 1 ? once<T, V> : twice<T, V>;
    loops(call.problem.extents.x, call.array<T>(0));
  });
}

}  // namespace parallel_loop

// The loops of `parallel_loop` on an array that already has a device copy. The time includes no copies
// between host and device.
namespace present {

template <typename T, int vector_length_>
void once(std::int64_t n, T* a) {
#pragma acc parallel loop present(a [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

template <typename T, int vector_length_>
void twice(std::int64_t n, T* a) {
#pragma acc parallel loop present(a [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
#pragma acc parallel loop present(a [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    const auto loops = increment::loops(call) == 1 ? once<T, V> : twice<T, V>;
    loops(call.problem.extents.x, call.array<T>(0));
  });
}

}  // namespace present

}  // namespace

std::vector<Variant> increment_openacc() {
  return {
      {.name = "data_region",
       .description = "parallel loops within one data region; one copy in and one copy out per call",
       .memory_space = MemorySpace::host,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(data_region::launch)},
      {.name = "kernels",
       .description = "kernels, one region for all loops; copies on every call",
       .memory_space = MemorySpace::host,
       .launch = SEXTANT_FLOAT_DOUBLE_INT(kernels::launch)},
      {.name = "kernels_independent",
       .description = "kernels with loop independent, one region for all loops; copies on every call",
       .memory_space = MemorySpace::host,
       .launch = SEXTANT_FLOAT_DOUBLE_INT(kernels_independent::launch)},
      {.name = "packed",
       .description = "one region for all loops, one 16-byte pack per thread",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<packed::Gang>({{"vector_length", &packed::Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(packed::launch)},
      {.name = "parallel_loop",
       .description = "parallel loop; one region per loop, each with its own copies",
       .memory_space = MemorySpace::host,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(parallel_loop::launch)},
      {.name = "present",
       .description = "parallel loop; one region per loop; arrays stay on the device",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(present::launch)},
  };
}

}  // namespace sextant
