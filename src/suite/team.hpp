// A group of GPUs of one process that compute the partitions ("parts") of one problem. Variants get it in
// Call::parts (MemorySpace::partitioned).
#pragma once

#include "suite/variant.hpp"

namespace sextant::parts {

inline constexpr int most_of_a_team = 16;  // largest number of partitions of one problem

struct Team;

// Functions that allocate and copy a partition's device memory. The host calls them. Each completes before it
// returns.
struct Memory {
  void* (*allocate)(const Team& team, int part, std::int64_t bytes);  // null if out of memory
  void (*release)(const Team& team, int part, void* memory);
  void (*write)(const Team& team, int part, void* to, const void* host, std::int64_t bytes);
  void (*read)(const Team& team, int part, void* host, const void* from, std::int64_t bytes);
  void (*fill)(const Team& team, int part, void* to, unsigned char byte, std::int64_t bytes);
};

// A process that owns all partitions and is therefore the only rank. A launch selects the device of each
// partition in turn and enqueues the partition's work on its stream. The launch is complete when all streams
// are idle.
struct Team : Ranks {
  int parts = 1;
  int sharing = 1;  // partitions per device
  // CUDA device number of each partition; null if the partitions are in host memory
  const int* device = nullptr;
  void* const* stream = nullptr;  // cudaStream_t of each partition
  // true if kernels of every partition can access all other partitions' memory (peer access)
  bool reaches_all = true;
  const Memory* memory = nullptr;
};

inline const Team& team_of(const Call& call) { return static_cast<const Team&>(*call.parts.ranks); }

}  // namespace sextant::parts
