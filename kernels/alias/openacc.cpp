#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

// As in the variant `independent`, but copies the arrays on every call, as in the talk "Introduction to
// OpenACC".
namespace data_clauses {

template <typename T>
void loop(std::int64_t n, T* x, T* y) {
#pragma acc kernels copyout(x [0:n], y [0:n])
#pragma acc loop independent
  for (std::int64_t i = 0; i < n; ++i) {
    x[i] = T(1);
    y[i] = x[i];
  }
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<T>(0), call.array<T>(1));
}

}  // namespace data_clauses

// `kernels` on plain pointers. The `independent` clause asserts that iterations are independent.
namespace independent {

template <typename T>
void loop(std::int64_t n, T* x, T* y) {
#pragma acc kernels present(x [0:n], y [0:n])
#pragma acc loop independent
  for (std::int64_t i = 0; i < n; ++i) {
    x[i] = T(1);
    y[i] = x[i];
  }
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<T>(0), call.array<T>(1));
}

}  // namespace independent

namespace parallel_loop {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 256;
};

template <typename T, int vector_length_>
void loop(std::int64_t n, T* x, T* y) {
#pragma acc parallel loop gang vector present(x [0:n], y [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) {
    x[i] = T(1);
    y[i] = x[i];
  }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    loop<T, V>(call.problem.extents.x, call.array<T>(0), call.array<T>(1));
  });
}

}  // namespace parallel_loop

// `kernels` on plain pointers: the compiler cannot exclude that x and y overlap.
namespace plain {

template <typename T>
void loop(std::int64_t n, T* x, T* y) {
  // The counter `i` is declared outside the loop. GCC 12 allocates no device memory for a counter declared in
  // the loop, and the region aborts.
  std::int64_t i;
#pragma acc kernels present(x [0:n], y [0:n])
  for (i = 0; i < n; ++i) {
    x[i] = T(1);
    y[i] = x[i];
  }
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<T>(0), call.array<T>(1));
}

}  // namespace plain

// `kernels` on restrict pointers, which assert that x and y do not overlap.
namespace restrict_pointers {

template <typename T>
void loop(std::int64_t n, T* __restrict x, T* __restrict y) {
  // The counter `i` is declared outside the loop. GCC 12 allocates no device memory for a counter declared in
  // the loop, and the region aborts.
  std::int64_t i;
#pragma acc kernels present(x [0:n], y [0:n])
  for (i = 0; i < n; ++i) {
    x[i] = T(1);
    y[i] = x[i];
  }
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<T>(0), call.array<T>(1));
}

}  // namespace restrict_pointers

}  // namespace

std::vector<Variant> alias_openacc() {
  return {
      {.name = "data_clauses",
       .description = "kernels with loop independent and data clauses; copies the arrays on every call",
       .memory_space = MemorySpace::host,
       .launch = SEXTANT_FLOAT_DOUBLE_INT(data_clauses::launch)},
      {.name = "independent",
       .description = "kernels with loop independent, on plain pointers",
       .memory_space = MemorySpace::openacc,
       .launch = SEXTANT_FLOAT_DOUBLE_INT(independent::launch)},
      {.name = "parallel_loop",
       .description = "parallel loop: the programmer asserts independence; the compiler does not check it",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<parallel_loop::Gang>(
           {{"vector_length", &parallel_loop::Gang::vector_length, parallel_loop::VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(parallel_loop::launch)},
      {.name = "plain",
       .description = "kernels on plain pointers, which might overlap",
       .memory_space = MemorySpace::openacc,
       .launch = SEXTANT_FLOAT_DOUBLE_INT(plain::launch)},
      {.name = "restrict",
       .description = "kernels on restrict pointers, which exclude overlap",
       .memory_space = MemorySpace::openacc,
       .launch = SEXTANT_FLOAT_DOUBLE_INT(restrict_pointers::launch)},
  };
}

}  // namespace sextant
