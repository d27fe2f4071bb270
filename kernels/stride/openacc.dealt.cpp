#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using VectorLengths = Choices<32, 64, 128, 256, 512>;  // 1024 would want more registers than there are
using Elements = Choices<1, 2, 4>;

struct Gang {
  int vector_length = 128, elements_per_thread = 1;
};

// Thread j of a gang visits its j-th, (j + vector_length)-th, … element, in the kernel's order.
template <typename T, int vector_length_, int elements>
void copy(std::int64_t n, std::int64_t stride, const T* b, T* c) {
  constexpr std::int64_t run = std::int64_t{vector_length_} * elements;
  const std::int64_t threads = (n + run - 1) / run * vector_length_;
  const int gangs = openacc::gangs_for(threads, vector_length_);
  const stride::Order order(n, stride);
  const std::int64_t shorter = order.shorter, longer = order.longer, split = order.split;
#pragma acc parallel loop gang(static : 1) vector present(b [0:n], c [0:n]) vector_length(vector_length_) \
    num_gangs(gangs)
  for (std::int64_t thread = 0; thread < threads; ++thread) {
    stride::Order visit(1, 1);  // made of scalars: the device copies a struct anew for each launch
    visit.stride = stride;
    visit.shorter = shorter;
    visit.longer = longer;
    visit.split = split;
    const std::int64_t first = thread / vector_length_ * run + thread % vector_length_;
    std::int64_t at[elements];
    T values[elements];
#pragma GCC unroll 4
    for (int k = 0; k < elements; ++k) {
      const std::int64_t j = first + k * vector_length_;
      at[k] = visit(j < n ? j : n - 1);
      values[k] = b[at[k]];
    }
#pragma GCC unroll 4
    for (int k = 0; k < elements; ++k) c[at[k]] = values[k];
  }
}

template <typename T>
void launch(const Call& call) {
  const auto gang = call.tuned<Gang>();
  VectorLengths::with(gang.vector_length, [&]<int V>() {
    Elements::with(gang.elements_per_thread, [&]<int E>() {
      copy<T, V, E>(call.problem.extents.x, call.problem.parameters[0], call.array<const T>(0),
                    call.array<T>(1));
    });
  });
}

// What lost least on an H200 at the study's sizes.
void adapt(const Problem& problem, Gang& gang) {
  const auto stride = problem.parameters[0];
  if (stride >= 16) return;
  if (problem.n < 524'288)
    gang.vector_length = 256;
  else
    gang.elements_per_thread = stride == 2 && problem.type == ElementType::float32 ? 4 : 2;
}

}  // namespace

Variant stride_openacc_dealt() {
  Variant variant;
  variant.description = "iterations dealt out in turn, several elements a thread";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()},
                                     {"elements_per_thread", &Gang::elements_per_thread, Elements::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
