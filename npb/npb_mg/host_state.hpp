// State of the host variants of NAS MG: the fields of all levels, and scratch memory for each thread
// ("worker").
#pragma once

#include <algorithm>
#include <memory>

#include "charges.hpp"
#include "suite/variant.hpp"
#include "toolbox/host/memory.hpp"
#include "toolbox/host/threads.hpp"

namespace sextant::npb_mg {
namespace {

using Memory = HostMemory<double>;
inline Memory allocate(std::int64_t count) { return allocate_host<double>(count); }

// The finest level has the fields u, the next u, v and r; the coarser levels have u and r. A variant
// allocates only the fields that it needs.
struct HostState {
  Memory u_memory, next_memory, v_memory, r_memory, coarse_u, coarse_r, row_sums, room;
  std::int64_t room_doubles = 0;  // doubles of scratch memory per worker
};

// Returns the number of doubles without the workers' scratch memory. `fields` fields have the size of the
// finest grid.
inline std::int64_t state_doubles(std::int64_t n, std::int64_t fields) {
  return fields * cube(n) + 2 * coarser_points(n) + n * n;
}

inline void release_host(void* state) { delete static_cast<HostState*>(state); }

// Calls body(i, worker) for 0 <= i < count on OpenMP threads, or on one thread without OpenMP.
struct OnThreads {
  static std::int64_t workers() { return thread_count(); }
  template <typename Body>
  static void run(std::int64_t count, const Body& body) {
#pragma omp parallel if (count > 1)
    {
      const std::int64_t worker = thread_index();
#pragma omp for schedule(static)
      for (std::int64_t i = 0; i < count; ++i) body(i, worker);
    }
  }
};

}  // namespace
}  // namespace sextant::npb_mg
