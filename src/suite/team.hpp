// A problem that lies in parts on the GPUs of one process: what variants of MemorySpace::partitioned get as
// Call::parts where they run on GPUs.
#pragma once

#include "suite/variant.hpp"

namespace sextant::parts {

inline constexpr int most_of_a_team = 16;  // parts

struct Team;

// What is done with a part's memory from the host; done when the call returns. Addresses lead to the part's
// device.
struct Memory {
  void* (*allocate)(const Team& team, int part, std::int64_t bytes);  // null: there is none
  void (*release)(const Team& team, int part, void* memory);
  void (*write)(const Team& team, int part, void* to, const void* host, std::int64_t bytes);
  void (*read)(const Team& team, int part, void* host, const void* from, std::int64_t bytes);
  void (*fill)(const Team& team, int part, void* to, unsigned char byte, std::int64_t bytes);
};

// One process that has all parts, and is therefore the only rank. A launch chooses each part's device in turn
// and puts the part's work on the part's stream; it is over when all streams are idle.
struct Team : Ranks {
  int parts = 1;
  int sharing = 1;                // parts on one device: its multiprocessors are theirs together
  const int* device = nullptr;    // CUDA's number, one a part; null: parts are in the host's memory
  void* const* stream = nullptr;  // cudaStream_t, one a part
  bool reaches_all = true;        // code of every part may access every part's memory
  const Memory* memory = nullptr;
};

inline const Team& team_of(const Call& call) { return static_cast<const Team&>(*call.parts.ranks); }

}  // namespace sextant::parts
