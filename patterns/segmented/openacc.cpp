#include "loop.hpp"
#include "packs.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using Workers = Choices<4, 8, 16>;
constexpr int lanes = 32;

namespace gang_vector {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument because GCC accepts only a constant there.
template <typename T, int length>
void sum_segments(std::int64_t m, std::int64_t n, const std::int32_t* o, const T* a, T* y) {
#pragma acc parallel loop gang vector present(o [0:m + 1], a [0:n], y [0:m]) vector_length(length)
  for (std::int64_t j = 0; j < m; ++j) {
    T sum = 0;
    for (std::int64_t i = o[j]; i < o[j + 1]; ++i) sum += a[i];
    y[j] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    sum_segments<T, length>(call.problem.extents.x, segmented::elements_of(call.problem),
                            call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace gang_vector

// One segment per warp. The lanes of the warp divide its elements.
namespace gang_worker {

struct Gang {
  int num_workers = 8;
};

template <typename T, int workers>
void sum_segments(std::int64_t m, std::int64_t n, int gangs, const std::int32_t* o, const T* a, T* y) {
#pragma acc parallel loop gang(static : 1) worker present(o [0:m + 1], a [0:n], y [0:m]) num_gangs(gangs) \
    num_workers(workers) vector_length(lanes)
  for (std::int64_t j = 0; j < m; ++j) {
    const std::int64_t begin = o[j], end = o[j + 1];
    T sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (std::int64_t i = begin; i < end; ++i) sum += a[i];
    y[j] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  Workers::with(call.tuned<Gang>().num_workers, [&]<int workers>() {
    const std::int64_t m = call.problem.extents.x;
    sum_segments<T, workers>(m, segmented::elements_of(call.problem), openacc::gangs_for(m, workers),
                             call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace gang_worker

// Each warp processes 32 segments. First each lane adds up one segment, if it is short, by aligned 16-byte
// packs that cover the segment. Then all lanes together add up the long segments, one after the other.
namespace packs {

struct Gang {
  // max_elements_per_lane: largest number of elements of a short segment
  int num_workers = 8, max_elements_per_lane = 64;
};

template <typename T, int workers>
void sum_segments(std::int64_t m, std::int64_t n, int gangs, int most, const std::int32_t* o, const T* a,
                  T* y) {
  const std::int64_t groups = (m + lanes - 1) / lanes;
#pragma acc parallel loop gang(static : 1) worker present(o [0:m + 1], a [0:n], y [0:m]) num_gangs(gangs) \
    num_workers(workers) vector_length(lanes)
  for (std::int64_t group = 0; group < groups; ++group) {
    const std::int64_t first = group * lanes, last = first + lanes < m ? first + lanes : m;
    int longest = 0;
#pragma acc loop vector reduction(max : longest)
    for (std::int64_t j = first; j < last; ++j) {
      const int begin = o[j], end = o[j + 1], length = end - begin;
      longest = longest > length ? longest : length;
      if (length <= most) y[j] = segmented::sum_of_packs(static_cast<int>(n), begin, end, a);
    }
    if (longest > most) {
      for (std::int64_t j = first; j < last; ++j) {
        const std::int64_t begin = o[j], end = o[j + 1];
        if (end - begin > most) {
          T sum = 0;
#pragma acc loop vector reduction(+ : sum)
          for (int lane = 0; lane < lanes; ++lane) sum += segmented::sum_of_lane<lanes>(begin, end, lane, a);
          y[j] = sum;
        }
      }
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Gang>();
  Workers::with(shape.num_workers, [&]<int workers>() {
    const std::int64_t m = call.problem.extents.x;
    const int gangs = openacc::gangs_for((m + lanes - 1) / lanes, workers);
    sum_segments<T, workers>(m, segmented::elements_of(call.problem), gangs, shape.max_elements_per_lane,
                             call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace packs

}  // namespace

std::vector<Variant> segmented_openacc() {
  return {
      {.name = "gang_vector",
       .description = "the plain form: a parallel loop over segments, one per lane",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<gang_vector::Gang>(
           {{"vector_length", &gang_vector::Gang::vector_length, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(gang_vector::launch)},
      {.name = "gang_worker",
       .description =
           "one segment per warp: a gang worker loop over segments, with a vector reduction in each",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<gang_worker::Gang>({{"num_workers", &gang_worker::Gang::num_workers, Workers::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(gang_worker::launch)},
      {.name = "packs",
       .description = "one short segment per lane or one long segment per warp, both by 16-byte packs",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<packs::Gang>(
           {{"num_workers", &packs::Gang::num_workers, Workers::list()},
            {"max_elements_per_lane", &packs::Gang::max_elements_per_lane, {8, 16, 32, 64, 128, 256}}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(packs::launch)},
  };
}

}  // namespace sextant
