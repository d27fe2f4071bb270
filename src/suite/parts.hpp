// A problem that lies in parts: on the devices of a team, or with several processes; and what a variant is given to let
// its parts exchange what they need of each other.
#pragma once

#include <cstdint>

namespace sextant {

// What a launch is to do; its result counts for `all` only. By the difference the engine tells what exchanging costs.
enum class Do : std::uint8_t { all, compute, exchange };

// Devices that one process drives.
struct Team {
  int size = 0;                         // parts
  const int* device = nullptr;          // CUDA's number of each
  void* const* stream = nullptr;        // one a part
  const bool* reaches = nullptr;        // [from * size + to]: peer access is on
  void* const* communicator = nullptr;  // NCCL's, one a part; null where it is not there
};

// A message that is on its way.
using Request = std::intptr_t;

enum class Combine : std::uint8_t { sum, largest };

struct Ranks;

// The calls between processes, by MPI's names. All are for the process's first thread. Messages are contiguous bytes;
// a buffer stays as it is until its request was waited for.
struct Messages {
  void (*isend)(const Ranks& ranks, const void* data, std::int64_t bytes, int to, Request* request);
  void (*irecv)(const Ranks& ranks, void* data, std::int64_t bytes, int from, Request* request);
  void (*waitall)(const Ranks& ranks, int count, Request* requests);
  bool (*testall)(const Ranks& ranks, int count, Request* requests);  // whether all are done
  // The combination of every rank's values, to all of them, in an order that depends on their number alone.
  void (*allreduce)(const Ranks& ranks, double* values, int count, Combine combine);
  // The i-th `bytes` of `from` go to rank i, whose own come to the i-th place of `to`.
  void (*alltoall)(const Ranks& ranks, const void* from, void* to, std::int64_t bytes);
  void (*barrier)(const Ranks& ranks);
};

// Processes that have a part of the problem each, as one of them sees them.
struct Ranks {
  int rank = 0, size = 1;
  int local_rank = 0;            // among those of this machine: the device it takes
  bool device_pointers = false;  // whether messages may lie in a GPU's memory
  const Messages* messages = nullptr;
  void* world = nullptr;  // what the table's functions know

  void isend(const void* data, std::int64_t bytes, int to, Request* request) const {
    messages->isend(*this, data, bytes, to, request);
  }
  void irecv(void* data, std::int64_t bytes, int from, Request* request) const {
    messages->irecv(*this, data, bytes, from, request);
  }
  void waitall(int count, Request* requests) const { messages->waitall(*this, count, requests); }
  bool testall(int count, Request* requests) const { return messages->testall(*this, count, requests); }
  void allreduce(double* values, int count, Combine combine) const {
    messages->allreduce(*this, values, count, combine);
  }
  void alltoall(const void* from, void* to, std::int64_t bytes) const {
    messages->alltoall(*this, from, to, bytes);
  }
  void barrier() const { messages->barrier(*this); }
};

}  // namespace sextant
