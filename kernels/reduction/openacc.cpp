#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/warp_partials.hpp"

namespace sextant {
namespace {

namespace bounded_gangs {

using Workers = Choices<8, 16, 32>;

// The choices of num_gangs suit the 132 multiprocessors of an H200. The default is two gangs per
// multiprocessor.
struct Launch {
  int num_gangs = 264, num_workers = 32;
};

// Returns the sum. Every gang adds its partial sum by a compare-and-swap loop on one address, so a large
// number of gangs would slow each other down. Within a gang, vectors of 32 add by shuffles; longer vectors
// would use a lock in shared memory.
template <typename T, int workers>
T sum_up(std::int64_t n, const T* a, int gangs) {
  T sum = 0;
#pragma acc parallel loop gang worker vector present(a[0:n]) num_gangs(gangs) num_workers(workers) \
    vector_length(32) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += a[i];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Launch>();
  Workers::with(shape.num_workers, [&]<int W>() {
    T* sum = call.array<T>(1);
    *sum = sum_up<T, W>(call.problem.extents.x, call.array<const T>(0), shape.num_gangs);
#pragma acc update device(sum [0:1])
  });
}

// Chooses the number of gangs. From 32 Mi elements on, it keeps the default of two gangs per multiprocessor.
// For smaller arrays it is the number closest to each size's best time on an H200.
void adapt(const Problem& problem, Launch& launch) {
  if (problem.n >= (std::int64_t{32} << 20)) return;
  launch.num_gangs = 66;
  const std::int64_t bytes = problem.n * static_cast<std::int64_t>(element_size(problem.type));
  if (bytes <= (std::int64_t{64} << 20)) launch.num_workers = 16;
  if (problem.n >= 32'768 && problem.n < 524'288) launch.num_workers = 8;
}

}  // namespace bounded_gangs

namespace parallel_loop {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 128;
};

template <typename T, int vector_length_>
T sum_up(std::int64_t n, const T* a) {
  T sum = 0;
#pragma acc parallel loop present(a [0:n]) vector_length(vector_length_) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += a[i];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    T* sum = call.array<T>(1);
    *sum = sum_up<T, V>(call.problem.extents.x, call.array<const T>(0));
#pragma acc update device(sum [0:1])
  });
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Gang& gang) {
  if (problem.n >= 32'768) gang.vector_length = 256;
}

}  // namespace parallel_loop

namespace warp_partials {

struct Owner {};

}  // namespace warp_partials

}  // namespace

std::vector<Variant> reduction_openacc() {
  return {
      {.name = "bounded_gangs",
       .description = "gang worker vector loop with a limited number of gangs",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<bounded_gangs::Launch>(
           {{"num_gangs", &bounded_gangs::Launch::num_gangs, {66, 132, 264, 528}},
            {"num_workers", &bounded_gangs::Launch::num_workers, bounded_gangs::Workers::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(bounded_gangs::launch),
       .adapt = by_name<bounded_gangs::adapt>},
      {.name = "parallel_loop",
       .description = "the study's form: parallel loop with present, reduction and vector_length",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<parallel_loop::Gang>(
           {{"vector_length", &parallel_loop::Gang::vector_length, parallel_loop::VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(parallel_loop::launch),
       .adapt = by_name<parallel_loop::adapt>},
      named("warp_partials", openacc::warp_partials_variant<warp_partials::Owner, 1>()),
  };
}

}  // namespace sextant
