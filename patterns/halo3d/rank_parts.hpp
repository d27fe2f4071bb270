// Scatters the array of all subdomains from rank 0 to the other ranks, and gathers it again.
#pragma once

#include <cstring>

#include "cut.hpp"
#include "suite/variant.hpp"

namespace sextant::halo3d {

// Calls action(offset, size, rank) for all ranks but rank 0. The rank's subdomain has `size` bytes and starts
// at byte `offset` of the array of all subdomains.
template <typename Action>
void for_others(const Call& call, const std::vector<Part>& cut, Action action) {
  const auto size = static_cast<std::int64_t>(element_size(call.problem.type));
  for (int other = 1; other < call.parts.ranks->size; ++other) {
    const Part& part = cut[static_cast<std::size_t>(other)];
    action(part.first * size, part.elements(call.problem) * size, other);
  }
}

// Stores this rank's subdomain of `bytes` bytes in `own`. Rank 0 sends the others theirs.
inline void hand_out(const Call& call, const std::vector<Part>& cut, char* own, std::int64_t bytes) {
  parts::Request request;
  if (call.parts.ranks->rank > 0) {
    call.parts.ranks->irecv(own, bytes, 0, &request);
    return call.parts.ranks->waitall(1, &request);
  }
  std::memcpy(own, call.address(0), static_cast<std::size_t>(bytes));
  for_others(call, cut, [&](std::int64_t first, std::int64_t count, int other) {
    call.parts.ranks->isend(call.array<char>(0) + first, count, other, &request);
    call.parts.ranks->waitall(1, &request);
  });
}

inline void collect(const Call& call, const std::vector<Part>& cut, const char* own, std::int64_t bytes) {
  parts::Request request;
  if (call.parts.ranks->rank > 0) {
    call.parts.ranks->isend(own, bytes, 0, &request);
    return call.parts.ranks->waitall(1, &request);
  }
  std::memcpy(call.address(0), own, static_cast<std::size_t>(bytes));
  for_others(call, cut, [&](std::int64_t first, std::int64_t count, int other) {
    call.parts.ranks->irecv(call.array<char>(0) + first, count, other, &request);
    call.parts.ranks->waitall(1, &request);
  });
}

}  // namespace sextant::halo3d
