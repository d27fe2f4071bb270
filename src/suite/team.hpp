// A problem that lies in parts on the devices of one process: what its variants are given to reach them.
#pragma once

#include "suite/variant.hpp"

namespace sextant::parts {

struct Team;

// What is done with a part's memory from the host; done when the call returns. Addresses lead to the part's device.
struct Memory {
  void* (*allocate)(const Team& team, int part, std::int64_t bytes);  // null: there is none
  void (*release)(const Team& team, int part, void* memory);
  void (*write)(const Team& team, int part, void* to, const void* host, std::int64_t bytes);
  void (*read)(const Team& team, int part, void* host, const void* from, std::int64_t bytes);
  void (*fill)(const Team& team, int part, void* to, unsigned char byte, std::int64_t bytes);
};

// Ranks of one process that has all parts: what variants of Home::ranks get as Call::ranks where they run on GPUs. A
// launch puts each part's work on the part's stream, having chosen its device; it is over when all streams are idle.
struct Team : Ranks {
  int parts = 1;
  int sharing = 1;                  // parts on one device, at most: its multiprocessors are theirs together
  const int* device = nullptr;      // CUDA's number, one a part; null: parts are in the host's memory
  void* const* stream = nullptr;    // cudaStream_t, one a part
  const bool* reaches = nullptr;    // [from * parts + to]: code of part `from` may access memory of part `to`
  const Memory* memory = nullptr;

  bool all_reach_all() const {
    for (int i = 0; i < parts * parts; ++i)
      if (!reaches[i]) return false;
    return true;
  }
};

inline const Team& team_of(const Call& call) { return static_cast<const Team&>(*call.ranks); }

}  // namespace sextant::parts
