#include <openacc.h>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using Workers = Choices<4, 8, 16, 32>;
constexpr int lanes = 32;  // a worker: one warp, which adds up by shuffles
constexpr int unroll = 4;  // packs that a lane has under way
constexpr int most_partials = 1056 * 32;

struct Workspace {
  void* partials;  // device memory, one element a worker
  int* arrived;    // device memory: workers done; 0 between launches
};

// One launch: each worker leaves its partial sum, and the last to arrive (a native integer atomic says which)
// adds them up. No gang waits for another, and no floating-point number is added atomically.
template <typename T, int workers>
void sum_up(std::int64_t n, const T* a, T* sum, T* partials, int* arrived, int gangs) {
  constexpr int width = openacc::pack_width<T>, run = lanes * unroll * width;
  const std::int64_t runs = n / run;
  const int count = gangs * workers;
#pragma acc parallel present(a [0:n], sum [0:1]) deviceptr(partials, arrived) num_gangs(gangs) \
    num_workers(workers) vector_length(lanes)
  {
#pragma acc loop gang(static : 1) worker
    for (int worker = 0; worker < count; ++worker) {
      T partial = 0;
#pragma acc loop vector reduction(+ : partial)
      for (int lane = 0; lane < lanes; ++lane) {
        T mine = 0;
        for (std::int64_t r = worker; r < runs; r += count) {
          const T* from = a + r * run + lane * width;
          T x[unroll][width];
#pragma GCC unroll 4
          for (int u = 0; u < unroll; ++u) openacc::load_pack(from + u * lanes * width, x[u]);
          T few = 0;
#pragma GCC unroll 4
          for (int u = 0; u < unroll; ++u)
            for (int k = 0; k < width; ++k) few += x[u][k];
          mine += few;
        }
        if (worker == count - 1)
          for (std::int64_t i = runs * run + lane; i < n; i += lanes) mine += a[i];
        partial += mine;
      }
      partials[worker] = partial;
      __sync_synchronize();  // the partial sum is to be seen before the arrival
      int before;
#pragma acc atomic capture
      before = (*arrived)++;
      if (before == count - 1) {
        T total = 0;
#pragma acc loop vector reduction(+ : total)
        for (int lane = 0; lane < lanes; ++lane) {
          T mine[unroll] = {};
          int k = lane;
          for (; k + (unroll - 1) * lanes < count; k += unroll * lanes)
#pragma GCC unroll 4
            for (int u = 0; u < unroll; ++u) mine[u] += partials[k + u * lanes];
          for (; k < count; k += lanes) mine[0] += partials[k];
          total += (mine[0] + mine[1]) + (mine[2] + mine[3]);
        }
        *sum = total;
        *arrived = 0;
      }
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto& workspace = *static_cast<const Workspace*>(call.state);
  Workers::with(call.tuning[1], [&]<int W>() {
    sum_up<T, W>(call.problem.extents.x, call.array<const T>(0), call.array<T>(1),
                 static_cast<T*>(workspace.partials), workspace.arrived, call.tuning[0]);
  });
}

void release(void* state) {
  auto* workspace = static_cast<Workspace*>(state);
  if (workspace->partials) acc_free(workspace->partials);
  if (workspace->arrived) acc_free(workspace->arrived);
  delete workspace;
}

const char* prepare(const Call&, void** state) {
  auto* workspace =
      new Workspace{acc_malloc(most_partials * sizeof(double)), static_cast<int*>(acc_malloc(sizeof(int)))};
  if (!workspace->partials || !workspace->arrived) {
    release(workspace);
    return "no device memory for the partial sums";
  }
  int* arrived = workspace->arrived;
#pragma acc parallel num_gangs(1) deviceptr(arrived)
  *arrived = 0;
  *state = workspace;
  return nullptr;
}

const std::vector<int> gang_counts = {33, 66, 132, 264, 528, 1056};

// As many gangs as have some 250 KB each to read: the arrivals of more cost longer than they save (measured).
void adapt(const Problem& problem, int* tuning) {
  const std::int64_t bytes = problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  tuning[0] = 66;
  for (const int gangs : gang_counts)
    if (gangs > 66 && gangs <= 528 && bytes >= std::int64_t{gangs} * 250000) tuning[0] = gangs;
}

}  // namespace

Variant reduction_openacc_warp_partials() {
  Variant variant;
  variant.description = "a partial sum a warp; the last warp to arrive adds them up; 16-byte packs";
  variant.home = Home::openacc;
  variant.tunables = {{"num_gangs", gang_counts, 528}, {"num_workers", Workers::list(), 8}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.adapt = adapt;
  variant.prepare = prepare;
  variant.release = release;
  return variant;
}

}  // namespace sextant
