#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using VectorLengths = Choices<32, 64, 128, 256>;
using Lanes = Choices<1, 2, 4, 8>;

struct Stretch {
  int lanes = 8, vector_length = 128;
};

// Thread t + 1 of a gang is one stride after thread t, and each has `lanes` neighbouring lanes of the kernel, in accesses of `width`
// elements; gangs go along a stretch of the array, and then to the next.
template <typename T, int lanes, int width, int length>
void walk(std::int64_t n, std::int64_t stride, const T* b, T* c) {
  const std::int64_t groups = stride / lanes, stretches = (n + length * stride - 1) / (length * stride);
  const std::int64_t threads = stretches * groups * length;
  const int gangs = openacc::gangs_for(threads, length);
#pragma acc parallel loop gang(static : 1) vector present(b [0:n], c [0:n]) vector_length(length) \
    num_gangs(gangs)
  for (std::int64_t thread = 0; thread < threads; ++thread) {
    const std::int64_t gang = thread / length, t = thread % length;
    const std::int64_t stretch = gang >> 32 == 0
                                     ? static_cast<std::uint32_t>(gang) / static_cast<std::uint32_t>(groups)
                                     : gang / groups;
    const std::int64_t first = (stretch * length + t) * stride + (gang - stretch * groups) * lanes;
    if (first + lanes <= n) {
      T values[lanes];
#pragma GCC unroll 8
      for (int k = 0; k < lanes; k += width) openacc::load<width>(b + first + k, values + k);
#pragma GCC unroll 8
      for (int k = 0; k < lanes; k += width) openacc::store<width>(c + first + k, values + k);
    } else {
      for (std::int64_t i = first; i < n; ++i) c[i] = b[i];
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto stretch = call.tuned<Stretch>();
  VectorLengths::with(stretch.vector_length, [&]<int length>() {
    Lanes::with(stretch.lanes, [&]<int lanes>() {
      constexpr int width = lanes % openacc::pack_width<T> == 0 ? openacc::pack_width<T> : 1;
      walk<T, lanes, width, length>(call.problem.extents.x, call.problem.parameters[0],
                                    call.array<const T>(0), call.array<T>(1));
    });
  });
}

const char* constraint(const Problem& problem, const Stretch& stretch) {
  return problem.parameters[0] % stretch.lanes == 0 ? nullptr
                                                    : "the stride is no multiple of the lanes a thread walks";
}

// What was fastest on an H200 with 2^25 floats.
void adapt(const Problem& problem, Stretch& stretch) {
  stretch.lanes = static_cast<int>(std::min<std::int64_t>(problem.parameters[0], 8));
  if (problem.parameters[0] >= 16) stretch.vector_length = 32;
}

}  // namespace

Variant stride_openacc_lanes() {
  Variant variant;
  variant.description = "neighbouring threads one stride apart, each with several neighbouring lanes";
  variant.home = Home::openacc;
  variant.aside = true;  // neighbouring lanes follow each other: not the order of the kernel
  variant.tunables = tunables<Stretch>({{"lanes", &Stretch::lanes, Lanes::list()},
                                        {"vector_length", &Stretch::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  variant.adapt = by_name<adapt>;
  return variant;
}

}  // namespace sextant
