#include <openacc.h>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 64;
};

// The vector length is a template argument, as GCC wants it constant.
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
T* on_device(const Call& call, int index) {
  return static_cast<T*>(acc_deviceptr(call.arrays[index]));
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
  return *state ? nullptr : "no device memory for what elimination leaves";
}

}  // namespace

Variant tridiagonal_openacc_thread() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "the form one writes first: a parallel loop over systems, the plain loop in each";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = workspace;
  variant.prepare = prepare;
  variant.release = [](void* state) { acc_free(state); };
  return variant;
}

}  // namespace sextant
