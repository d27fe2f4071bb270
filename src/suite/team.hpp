// A partitioned problem on several GPUs of one process: the data that such variants get as Call::parts
// (MemorySpace::partitioned).
#pragma once

#include "suite/variant.hpp"

namespace sextant::parts {

inline constexpr int most_of_a_team = 16;  // the largest number of parts

struct Team;

// Operations on a part's device memory, called on the host. Each call completes before it returns.
struct Memory {
  void* (*allocate)(const Team& team, int part, std::int64_t bytes);  // null if there is not enough memory
  void (*release)(const Team& team, int part, void* memory);
  void (*write)(const Team& team, int part, void* to, const void* host, std::int64_t bytes);
  void (*read)(const Team& team, int part, void* host, const void* from, std::int64_t bytes);
  void (*fill)(const Team& team, int part, void* to, unsigned char byte, std::int64_t bytes);
};

// One process that owns all parts and is therefore the only rank. A launch selects each part's device in turn
// and enqueues the part's work on its stream. The launch is complete when all streams are idle.
struct Team : Ranks {
  int parts = 1;
  int sharing = 1;                // number of parts that share one device and its multiprocessors
  const int* device = nullptr;    // CUDA device number per part; null: the parts are in host memory
  void* const* stream = nullptr;  // cudaStream_t per part
  bool reaches_all = true;        // every part's kernels can access every part's memory (peer access)
  const Memory* memory = nullptr;
};

inline const Team& team_of(const Call& call) { return static_cast<const Team&>(*call.parts.ranks); }

}  // namespace sextant::parts
