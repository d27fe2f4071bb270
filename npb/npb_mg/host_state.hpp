// What the host's variants keep between launches: the fields of all levels and room for who works at the same
// time.
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

// u and the field that the next u is made in; v; where rows of r on the finest level go (the kernel's array,
// or null); u and r of the coarser levels.
struct HostState {
  Memory u_memory, next_memory, v_memory, r_memory, coarse_u, coarse_r, row_sums, room;
  std::int64_t room_doubles = 0;  // of one worker
};

// Doubles of a state beside `workers` rooms; `fields` of them are as large as the finest grid.
inline std::int64_t state_doubles(std::int64_t n, std::int64_t fields) {
  return fields * cube(n) + 2 * coarser_points(n) + n * n;
}

inline void release_host(void* state) { delete static_cast<HostState*>(state); }

// body(i, worker) for 0 <= i < count on OpenMP's threads, or on one where there are none.
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
