// Sums and dot products in one OpenACC region. Each worker is one warp and stores a partial sum. An atomic
// counter identifies the last worker to arrive, which adds the partial sums. Measurements are in
// docs/reference/openacc.md.
#pragma once

#include <openacc.h>

#include <cstdint>

#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::openacc {

inline constexpr int lanes = 32;  // number of lanes of a warp

// Device memory that a launch uses. Launches that may overlap need one object each.
struct PartialSums {
  void* partials = nullptr;  // one partial sum per worker
  int* arrived = nullptr;    // number of workers that are done; 0 between launches

  bool complete() const { return partials && arrived; }
};

// Allocates memory for launches of at most `workers` workers in all gangs together. An allocation may fail,
// so check complete().
inline PartialSums make_partial_sums(int workers) {
  PartialSums sums;
  sums.partials = acc_malloc(static_cast<std::size_t>(workers) * sizeof(double));
  sums.arrived = static_cast<int*>(acc_malloc(sizeof(int)));
  int none = 0;
  if (sums.arrived) acc_memcpy_to_device(sums.arrived, &none, sizeof none);
  return sums;
}

inline void free_partial_sums(const PartialSums& sums) {
  if (sums.partials) acc_free(sums.partials);
  if (sums.arrived) acc_free(sums.arrived);
}

// Computes *sum as the dot product of a and b, or as the sum of a if `factors` is 1 (pass a for b). Runs on
// queue `queue`; with acc_async_sync it is complete on return. a and b must have device copies and be aligned
// to 16 bytes; sum is device memory. Owner is a type in the unnamed namespace of the calling file, so that no
// two files contain the same offloaded function.
template <typename Owner, int factors, int workers, typename T>
void sum_of_products(std::int64_t n, const T* a, const T* b, T* sum, const PartialSums& sums, int gangs,
                     int queue) {
  constexpr int width = pack_width<T>;
  constexpr int unroll = 4 / factors;  // number of packs of each array that a lane loads ahead
  constexpr int run = lanes * unroll * width;
  constexpr int chains = 4;  // number of independent partial sums per lane of the last worker
  const std::int64_t runs = n / run;
  const int count = gangs * workers;
  T* partials = static_cast<T*>(sums.partials);
  int* arrived = sums.arrived;
#pragma acc parallel present(a [0:n], b [0:n]) deviceptr(sum, partials, arrived) num_gangs(gangs) \
    num_workers(workers) vector_length(lanes) async(queue)
  {
#pragma acc loop gang(static : 1) worker
    for (int worker = 0; worker < count; ++worker) {
      T partial = 0;
#pragma acc loop vector reduction(+ : partial)
      for (int lane = 0; lane < lanes; ++lane) {
        T mine = 0;
        for (std::int64_t r = worker; r < runs; r += count) {
          const std::int64_t from = r * run + lane * width;
          T x[unroll][width], y[unroll][width];
#pragma GCC unroll 4
          for (int u = 0; u < unroll; ++u) {
            load_pack(a + from + u * lanes * width, x[u]);
            if constexpr (factors == 2) load_pack(b + from + u * lanes * width, y[u]);
          }
          T few = 0;
#pragma GCC unroll 4
          for (int u = 0; u < unroll; ++u)
            for (int k = 0; k < width; ++k) few += factors == 2 ? x[u][k] * y[u][k] : x[u][k];
          mine += few;
        }
        if (worker == count - 1)
          for (std::int64_t i = runs * run + lane; i < n; i += lanes)
            mine += factors == 2 ? a[i] * b[i] : a[i];
        partial += mine;
      }
      partials[worker] = partial;
      __sync_synchronize();  // makes the partial sum visible before the arrival
      int before;
#pragma acc atomic capture
      before = (*arrived)++;
      if (before == count - 1) {
        T total = 0;
#pragma acc loop vector reduction(+ : total)
        for (int lane = 0; lane < lanes; ++lane) {
          T mine[chains] = {};
          int k = lane;
          for (; k + (chains - 1) * lanes < count; k += chains * lanes)
#pragma GCC unroll 4
            for (int u = 0; u < chains; ++u) mine[u] += partials[k + u * lanes];
          for (; k < count; k += lanes) mine[0] += partials[k];
          total += (mine[0] + mine[1]) + (mine[2] + mine[3]);
        }
        *sum = total;
        *arrived = 0;
      }
    }
  }
}

// ---- the variant: stores the result in the array after the inputs

using WorkerCounts = Choices<4, 8, 16, 32>;

// Gang counts for an H200 with 132 multiprocessors: from a quarter of a gang to eight per multiprocessor.
struct Warps {
  int num_gangs = 528, num_workers = 8;
};

template <typename Owner, int factors, typename T>
void launch_warp_partials(const Call& call) {
  const auto warps = call.tuned<Warps>();
  T* sum = static_cast<T*>(acc_deviceptr(call.address(factors)));
  WorkerCounts::with(warps.num_workers, [&]<int W>() {
    sum_of_products<Owner, factors, W>(
        call.problem.extents.x, call.array<const T>(0), call.array<const T>(factors - 1), sum,
        *static_cast<const PartialSums*>(call.state), warps.num_gangs, acc_async_sync);
  });
}

inline void release_warp_partials(void* state) {
  auto* sums = static_cast<PartialSums*>(state);
  free_partial_sums(*sums);
  delete sums;
}

inline const char* prepare_warp_partials(const Call& call, void** state) {
  const auto warps = call.tuned<Warps>();
  auto* sums = new PartialSums(make_partial_sums(warps.num_gangs * warps.num_workers));
  if (!sums->complete()) {
    release_warp_partials(sums);
    return "no device memory for the partial sums";
  }
  *state = sums;
  return nullptr;
}

// Chooses the gang count so that each gang reads about 250 KB. With more gangs, the atomic arrivals cost more
// than they save (measured on an H200).
template <int factors>
void adapt_gangs(const Problem& problem, Warps& warps) {
  const std::int64_t bytes =
      factors * problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  warps.num_gangs = 66;
  for (const int gangs : {132, 264, 528})
    if (bytes >= std::int64_t{gangs} * 250'000) warps.num_gangs = gangs;
  if (factors == 1 && bytes < (std::int64_t{8} << 20)) warps.num_workers = 4;
}

template <typename Owner, int factors>
Variant warp_partials_variant() {
  Variant variant;
  variant.description = "one partial sum per warp, added by the last warp to arrive; 16-byte loads";
  variant.memory_space = MemorySpace::openacc;
  variant.tunables = tunables<Warps>({{"num_gangs", &Warps::num_gangs, {33, 66, 132, 264, 528, 1056}},
                                      {"num_workers", &Warps::num_workers, WorkerCounts::list()}});
  variant.launch = {.float32 = launch_warp_partials<Owner, factors, float>,
                    .float64 = launch_warp_partials<Owner, factors, double>};
  variant.adapt = by_name<adapt_gangs<factors>>;
  variant.prepare = prepare_warp_partials;
  variant.release = release_warp_partials;
  return variant;
}

}  // namespace sextant::openacc
