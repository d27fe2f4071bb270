// The dot product in one region: a partial sum a warp, and the last warp to arrive adds them up. The form of
// ../reduction/openacc.warp_partials.cpp, whose figures stand in docs/openacc.md.
#pragma once

#include <openacc.h>

#include <cstdint>

#include "suite/choices.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::dot {

inline constexpr int lanes = 32;  // a worker: one warp, which adds up by shuffles
inline constexpr int most_partials = 1056 * 32;

// What a launch needs beside its arrays; launches that may overlap need one each.
struct Workspace {
  void* partials = nullptr;  // device memory, one element a worker
  int* arrived = nullptr;    // device memory: workers done; 0 between launches
};

inline void free_workspace(const Workspace& workspace) {
  if (workspace.partials) acc_free(workspace.partials);
  if (workspace.arrived) acc_free(workspace.arrived);
}

// Null members where there is no memory.
inline Workspace make_workspace() {
  Workspace workspace{acc_malloc(most_partials * sizeof(double)), static_cast<int*>(acc_malloc(sizeof(int)))};
  int zero = 0;
  if (workspace.arrived) acc_memcpy_to_device(workspace.arrived, &zero, sizeof zero);
  return workspace;
}

// *sum = the dot product of a and b, on queue `queue` (acc_async_sync: done when the call returns). a and b
// are mapped and 16-byte aligned; sum is device memory. Owner: a type of the calling file's unnamed
// namespace, so that no two files hold the same offloaded instance.
template <typename Owner, int workers, typename T>
void sum_of_products(std::int64_t n, const T* a, const T* b, T* sum, const Workspace& workspace, int gangs,
                     int queue) {
  constexpr int width = openacc::pack_width<T>;
  constexpr int unroll = 2;  // packs of each array that a lane has under way
  constexpr int run = lanes * unroll * width;
  const std::int64_t runs = n / run;
  const int count = gangs * workers;
  T* partials = static_cast<T*>(workspace.partials);
  int* arrived = workspace.arrived;
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
            openacc::load_pack(a + from + u * lanes * width, x[u]);
            openacc::load_pack(b + from + u * lanes * width, y[u]);
          }
          T few = 0;
#pragma GCC unroll 4
          for (int u = 0; u < unroll; ++u)
            for (int k = 0; k < width; ++k) few += x[u][k] * y[u][k];
          mine += few;
        }
        if (worker == count - 1)
          for (std::int64_t i = runs * run + lane; i < n; i += lanes) mine += a[i] * b[i];
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
          T mine = 0;
          for (int k = lane; k < count; k += lanes) mine += partials[k];
          total += mine;
        }
        *sum = total;
        *arrived = 0;
      }
    }
  }
}

}  // namespace sextant::dot
