#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/packed.hpp"
#include "toolbox/openacc/vector_length.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 32;
};

// The data clauses copy the arrays between host and device on every call.
namespace data_clauses {

template <typename T, int vector_length_>
void loop(std::int64_t n, const T* a, const T* b, T* c) {
#pragma acc parallel loop copyin(a [0:n], b [0:n]) copyout(c [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    loop<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace data_clauses

namespace packed {

struct Gang {
  int vector_length = 256;
};

struct Add {
  template <typename T>
  static SEXTANT_INLINE T apply(T x, T y, T) {
    return x + y;
  }
};

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    openacc::packed_loop<Add, V, 2>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                                    call.array<T>(2), T{});
  });
}

}  // namespace packed

namespace parallel_loop {

template <typename T, int vector_length_>
void loop(std::int64_t n, const T* a, const T* b, T* c) {
#pragma acc parallel loop present(a [0:n], b [0:n], c [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    loop<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace parallel_loop

}  // namespace

std::vector<Variant> add_openacc() {
  return {
      {.name = "data_clauses",
       .description = "the study's earlier form: data clauses on the loop, transfers on every call",
       .memory_space = MemorySpace::host,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(data_clauses::launch)},
      {.name = "packed",
       .description = "one 16-byte pack per thread; gang(static:1) distributes iterations round-robin",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<packed::Gang>({{"vector_length", &packed::Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(packed::launch)},
      {.name = "parallel_loop",
       .description = "the study's form: parallel loop with present and vector_length",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(parallel_loop::launch),
       .adapt = by_name<openacc::adapt_vector_length<Gang>>},
  };
}

}  // namespace sextant
