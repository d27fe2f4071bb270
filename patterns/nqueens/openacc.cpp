#include "loop.hpp"
#include "packed.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Lengths = Choices<32, 64, 128, 256>;

struct Gang {
  int vector_length = 64;
};

namespace packed {

// The vector length is a template argument because GCC accepts only a constant there.
template <int length>
void count_all(std::int64_t n, nqueens::Set all, int rows, const std::int32_t* columns,
               const std::int32_t* left, const std::int32_t* right, std::int32_t* count) {
#pragma acc parallel loop gang vector vector_length(length) \
    present(columns [0:n], left [0:n], right [0:n], count [0:n])
  for (std::int64_t i = 0; i < n; ++i)
    count[i] = nqueens::ways_packed(all, rows, static_cast<nqueens::Set>(columns[i]),
                                    static_cast<nqueens::Set>(left[i]), static_cast<nqueens::Set>(right[i]));
}

void launch(const Call& call) {
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    count_all<length>(call.problem.extents.x, nqueens::all_of(call.problem), nqueens::rows_left(call.problem),
                      call.array<const std::int32_t>(0), call.array<const std::int32_t>(1),
                      call.array<const std::int32_t>(2), call.array<std::int32_t>(3));
  });
}

}  // namespace packed

namespace thread {

// The vector length is a template argument because GCC accepts only a constant there.
template <int length>
void count_all(std::int64_t n, nqueens::Set all, const std::int32_t* columns, const std::int32_t* left,
               const std::int32_t* right, std::int32_t* count) {
#pragma acc parallel loop gang vector vector_length(length) \
    present(columns [0:n], left [0:n], right [0:n], count [0:n])
  for (std::int64_t i = 0; i < n; ++i)
    count[i] =
        nqueens::ways_by_stack(all, static_cast<nqueens::Set>(columns[i]), static_cast<nqueens::Set>(left[i]),
                               static_cast<nqueens::Set>(right[i]));
}

void launch(const Call& call) {
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    count_all<length>(call.problem.extents.x, nqueens::all_of(call.problem),
                      call.array<const std::int32_t>(0), call.array<const std::int32_t>(1),
                      call.array<const std::int32_t>(2), call.array<std::int32_t>(3));
  });
}

}  // namespace thread

}  // namespace

std::vector<Variant> nqueens_openacc() {
  return {
      {.name = "packed",
       .description = "one board per lane; the queens' columns in one word, so no stack in memory",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}}),
       .launch = {.int32 = packed::launch},
       .constraint = nqueens::refuse_many_rows},
      {.name = "thread",
       .description = "the plain form: one board per lane, with its own stack",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}}),
       .launch = {.int32 = thread::launch}},
  };
}

}  // namespace sextant
