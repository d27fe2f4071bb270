#include <openacc.h>

#include "loop.hpp"
#include "pieces.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 64;
};

template <typename T>
T* on_device(const Call& call, int index) {
  return static_cast<T*>(acc_deviceptr(call.address(index)));
}

// Partitioned solution in three compute regions, without communication between threads (pieces.hpp).
namespace pieces {

using Lengths = Choices<32, 64, 128>;

template <int length_of_vectors, int width, typename T>
void solve(std::int64_t systems, std::int64_t length, std::int64_t pieces, const T* a, const T* b, const T* c,
           const T* d, T* segments, T* x) {
  constexpr int piece = tridiagonal::piece;
#pragma acc parallel loop gang vector deviceptr(a, b, c, d, segments) vector_length(length_of_vectors)
  for (std::int64_t p = 0; p < systems * pieces; ++p) {
    const std::int64_t row = p % pieces * piece, at = p / pieces * length + row;
    tridiagonal::store_segment(
        tridiagonal::eliminated<width>(a + at, b + at, c + at, d + at, length - row).segment(),
        segments + 6 * p);
  }
#pragma acc parallel loop gang vector deviceptr(segments) vector_length(length_of_vectors)
  for (std::int64_t s = 0; s < systems; ++s) tridiagonal::solve_ends(pieces, segments + 6 * s * pieces);
#pragma acc parallel loop gang vector deviceptr(a, b, c, d, segments, x) vector_length(length_of_vectors)
  for (std::int64_t p = 0; p < systems * pieces; ++p) {
    const std::int64_t row = p % pieces * piece, at = p / pieces * length + row;
    tridiagonal::finish_piece<width>(
        tridiagonal::eliminated<width>(a + at, b + at, c + at, d + at, length - row), row == 0,
        segments + 6 * p + 5, length - row, x + at);
  }
}

template <typename T>
void launch(const Call& call) {
  tridiagonal::with_packs<T>(call.problem, [&]<int width>() {
    Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
      solve<length, width>(tridiagonal::systems_of(call.problem), tridiagonal::length_of(call.problem),
                           tridiagonal::pieces_of(call.problem), on_device<const T>(call, 0),
                           on_device<const T>(call, 1), on_device<const T>(call, 2),
                           on_device<const T>(call, 3), static_cast<T*>(call.state), on_device<T>(call, 4));
    });
  });
}

std::int64_t workspace(const Problem& p, const int*) {
  return 6 * tridiagonal::systems_of(p) * tridiagonal::pieces_of(p) *
         static_cast<std::int64_t>(element_size(p.type));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, nullptr)));
  return *state ? nullptr : "no device memory for the reduced equations";
}

}  // namespace pieces

namespace thread {

// The vector length is a template argument because GCC accepts only a constant there.
template <int length_of_vectors, typename T>
void solve(std::int64_t systems, std::int64_t length, const T* a, const T* b, const T* c, const T* d,
           T* gamma, T* x) {
#pragma acc parallel loop gang vector deviceptr(a, b, c, d, gamma, x) vector_length(length_of_vectors)
  for (std::int64_t s = 0; s < systems; ++s) {
    const std::int64_t first = s * length;
    tridiagonal::solve(length, a + first, b + first, c + first, d + first, gamma + first, x + first);
  }
}

template <typename T>
void launch(const Call& call) {
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    solve<length>(tridiagonal::systems_of(call.problem), tridiagonal::length_of(call.problem),
                  on_device<const T>(call, 0), on_device<const T>(call, 1), on_device<const T>(call, 2),
                  on_device<const T>(call, 3), static_cast<T*>(call.state), on_device<T>(call, 4));
  });
}

std::int64_t workspace(const Problem& p, const int*) {
  return tridiagonal::systems_of(p) * tridiagonal::length_of(p) *
         static_cast<std::int64_t>(element_size(p.type));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, nullptr)));
  return *state ? nullptr : "no device memory for the workspace of elimination";
}

}  // namespace thread

}  // namespace

std::vector<Variant> tridiagonal_openacc() {
  return {
      {.name = "pieces",
       .description =
           "three regions: lanes reduce 16 rows each to two equations, solve these, then solve the "
           "rows",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, pieces::Lengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(pieces::launch),
       .prepare = pieces::prepare,
       .release = [](void* state) { acc_free(state); },
       .workspace = pieces::workspace},
      {.name = "thread",
       .description = "the plain form: a parallel loop over systems, the plain loop in each",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(thread::launch),
       .prepare = thread::prepare,
       .release = [](void* state) { acc_free(state); },
       .workspace = thread::workspace},
  };
}

}  // namespace sextant
