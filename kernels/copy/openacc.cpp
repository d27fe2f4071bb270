#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/copy.hpp"
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
void loop(std::int64_t n, const T* b, T* c) {
#pragma acc parallel loop copyin(b [0:n]) copyout(c [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) c[i] = b[i];
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    loop<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<T>(1));
  });
}

}  // namespace data_clauses

namespace parallel_loop {

template <typename T, int vector_length_>
void loop(std::int64_t n, const T* b, T* c) {
#pragma acc parallel loop present(b [0:n], c [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) c[i] = b[i];
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    loop<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<T>(1));
  });
}

}  // namespace parallel_loop

}  // namespace

std::vector<Variant> copy_openacc() {
  return {
      {.name = "data_clauses",
       .description = "the study's earlier form: data clauses on the loop, transfers on every call",
       .memory_space = MemorySpace::host,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(data_clauses::launch)},
      named("packed", openacc::packed_copy()),
      {.name = "parallel_loop",
       .description = "the study's form: parallel loop with present and vector_length",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(parallel_loop::launch),
       .adapt = by_name<openacc::adapt_vector_length<Gang>>},
  };
}

}  // namespace sextant
