#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

namespace dealt {

using VectorLengths = Choices<32, 64, 128, 256, 512>;  // 1024 would exceed the register file.
using Elements = Choices<1, 2, 4>;

struct Gang {
  int vector_length = 128, elements_per_thread = 1;
};

// A gang copies the elements of `run` consecutive visits. Its thread t handles visits t, t + vector_length, …
// of them. Order maps visits to elements.
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
    // `visit` is built from scalars, because OpenACC would copy a struct to the device at each launch.
    stride::Order visit(1, 1);
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

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Gang& gang) {
  const auto stride = problem.parameters[0];
  if (stride >= 16) return;
  if (problem.n < 524'288)
    gang.vector_length = 256;
  else
    gang.elements_per_thread = stride == 2 && problem.type == ElementType::float32 ? 4 : 2;
}

}  // namespace dealt

namespace lanes {

using VectorLengths = Choices<32, 64, 128, 256>;
using Lanes = Choices<1, 2, 4, 8>;

struct Stretch {
  int lanes = 8, vector_length = 128;
};

// A thread copies `lanes` neighbouring elements in accesses of `width`, and neighbouring threads of a gang
// are one stride apart. Consecutive gangs copy all elements of one chunk of the array before the next chunk.
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
  return problem.parameters[0] % stretch.lanes == 0 ? nullptr : "the stride must be a multiple of `lanes`";
}

// Sets the defaults that were fastest on an H200 with 2^25 floats.
void adapt(const Problem& problem, Stretch& stretch) {
  stretch.lanes = static_cast<int>(std::min<std::int64_t>(problem.parameters[0], 8));
  if (problem.parameters[0] >= 16) stretch.vector_length = 32;
}

Variant form() {
  Variant variant;
  variant.description =
      "neighbouring threads are one stride apart; each copies several neighbouring elements";
  variant.memory_space = MemorySpace::openacc;
  // The variant copies neighbouring elements together, unlike the kernel's order. It is therefore excluded
  // from the ranking.
  variant.excluded_from_ranking = true;
  variant.tunables = tunables<Stretch>({{"lanes", &Stretch::lanes, Lanes::list()},
                                        {"vector_length", &Stretch::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  variant.adapt = by_name<adapt>;
  return variant;
}

}  // namespace lanes

namespace parallel_loop {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 32;
};

template <typename T, int vector_length_>
void copy(std::int64_t n, std::int64_t stride, const T* b, T* c) {
#pragma acc parallel loop present(b [0:n], c [0:n]) vector_length(vector_length_)
  for (std::int64_t j = 0; j < n; ++j) {
    const std::int64_t i = stride::Order(n, stride)(j);
    c[i] = b[i];
  }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    copy<T, V>(call.problem.extents.x, call.problem.parameters[0], call.array<const T>(0), call.array<T>(1));
  });
}

}  // namespace parallel_loop

}  // namespace

std::vector<Variant> stride_openacc() {
  return {
      {.name = "dealt",
       .description = "gangs take consecutive ranges of the kernel's order; several elements per thread",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<dealt::Gang>(
           {{"vector_length", &dealt::Gang::vector_length, dealt::VectorLengths::list()},
            {"elements_per_thread", &dealt::Gang::elements_per_thread, dealt::Elements::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(dealt::launch),
       .adapt = by_name<dealt::adapt>},
      named("lanes", lanes::form()),
      {.name = "parallel_loop",
       .description = "the study's form: parallel loop with present and vector_length",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<parallel_loop::Gang>(
           {{"vector_length", &parallel_loop::Gang::vector_length, parallel_loop::VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(parallel_loop::launch)},
  };
}

}  // namespace sextant
