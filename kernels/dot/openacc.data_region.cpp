// As `parallel_loop`, within the data region of the talk: the products never leave the device.
#include <cstdlib>

#include "loop.hpp"
#include "suite/choices.hpp"

namespace sextant {
namespace {

using Gangs = Choices<66, 132, 264, 528>;

template <typename T>
T dot_product(std::int64_t n, const T* a, const T* b, T* c, int gangs) {
  T sum = 0;
#pragma acc data copyin(a [0:n], b [0:n]) create(c [0:n])
  {
#pragma acc parallel loop gang vector present(a [0:n], b [0:n], c [0:n]) vector_length(256)
    for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] * b[i];
#pragma acc parallel loop gang worker vector present(c [0:n]) num_gangs(gangs) num_workers(32) \
    vector_length(32) reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i) sum += c[i];
  }
  return sum;
}

template <typename T>
void launch(const Call& call) {
  *call.array<T>(2) = dot_product(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                                  static_cast<T*>(call.state), call.tuning[0]);
}

const char* prepare(const Call& call, void** state) {
  *state = std::malloc(static_cast<std::size_t>(call.problem.extents.x) * element_size(call.problem.type));
  return *state ? nullptr : "no host memory for the products";
}

}  // namespace

Variant dot_openacc_data_region() {
  Variant variant;
  variant.description = "the talk's second form: one data region around products and sum";
  variant.home = Home::host;
  variant.tunables = {{"num_gangs", Gangs::list(), 264}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.prepare = prepare;
  variant.release = std::free;
  variant.workspace = [](const Problem& problem, const int*) {
    return problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  };
  return variant;
}

}  // namespace sextant
