#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"
#include "toolbox/openacc/packed.hpp"
#include "toolbox/openacc/vector_length.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 128;
};

namespace async {

struct Gang {
  int vector_length = 32;
};

template <typename T, int vector_length_>
void loop(std::int64_t n, const T* a, const T* b, T* c, T s) {
#pragma acc parallel loop gang vector present(a [0:n], b [0:n], c [0:n]) vector_length(vector_length_) async
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + s * b[i];
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    loop<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
               static_cast<T>(triad::scalar));
  });
}

}  // namespace async

// The data clauses copy the arrays between host and device on every call.
namespace data_clauses {

struct Gang {
  int vector_length = 32;
};

template <typename T, int vector_length_>
void loop(std::int64_t n, const T* a, const T* b, T* c, T s) {
#pragma acc parallel loop copyin(a [0:n], b [0:n]) copyout(c [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + s * b[i];
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    loop<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
               static_cast<T>(triad::scalar));
  });
}

}  // namespace data_clauses

namespace deviceptr {

// As in `packed`, but CUDA allocates and copies the arrays. OpenACC then need not look up the arrays at each
// launch.
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

}  // namespace deviceptr

namespace packed {

struct Triad {
  template <typename T>
  static SEXTANT_INLINE T apply(T x, T y, T s) {
    return x + s * y;
  }
};

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    openacc::packed_loop<Triad, V, 2>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                                      call.array<T>(2), static_cast<T>(triad::scalar));
  });
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Gang& gang) {
  if (problem.n >= (std::int64_t{4} << 20)) gang.vector_length = 512;
}

}  // namespace packed

namespace parallel_loop {

struct Gang {
  int vector_length = 32;
};

template <typename T, int vector_length_>
void loop(std::int64_t n, const T* a, const T* b, T* c, T s) {
#pragma acc parallel loop present(a [0:n], b [0:n], c [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + s * b[i];
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    loop<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
               static_cast<T>(triad::scalar));
  });
}

}  // namespace parallel_loop

}  // namespace

std::vector<Variant> triad_openacc() {
  return {
      {.name = "async",
       .description = "returns before the loop is done, to measure the cost of an asynchronous launch",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<async::Gang>({{"vector_length", &async::Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(async::launch),
       .adapt = by_name<openacc::adapt_vector_length<async::Gang>>},
      {.name = "data_clauses",
       .description = "the study's earlier form: data clauses on the loop, transfers on every call",
       .memory_space = MemorySpace::host,
       .tunables = tunables<data_clauses::Gang>(
           {{"vector_length", &data_clauses::Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(data_clauses::launch)},
      {.name = "deviceptr",
       .description = "one 16-byte pack per thread, on memory allocated and copied by CUDA",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(deviceptr::launch)},
      {.name = "packed",
       .description = "one 16-byte pack per thread; gang(static:1) distributes iterations round-robin",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(packed::launch),
       .adapt = by_name<packed::adapt>},
      {.name = "parallel_loop",
       .description = "the study's form: parallel loop with present and vector_length",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<parallel_loop::Gang>(
           {{"vector_length", &parallel_loop::Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(parallel_loop::launch),
       .adapt = by_name<openacc::adapt_vector_length<parallel_loop::Gang>>},
  };
}

}  // namespace sextant
