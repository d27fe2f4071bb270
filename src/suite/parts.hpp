// The interface of partitioned problems, which are split over several GPUs or processes. Each partition
// ("part") is computed by its own process, or one process computes all of them on its GPUs. This file defines
// what a launch gets to exchange data between the partitions.
#pragma once

#include <cstdint>

#include "suite/function.hpp"

namespace sextant {
struct Call;
}

namespace sextant::parts {

// Which work a launch performs. Only the result of `all` is checked. The engine also times `compute` and
// `exchange`, to separate computation from communication.
enum class Do : std::uint8_t { all, compute, exchange };

// Identifies a message that was sent or requested and has not completed yet.
using Request = std::intptr_t;

enum class Combine : std::uint8_t { sum, largest };

// Communication between processes; names and meanings follow MPI. Only the process's main thread may call
// these functions. Messages are contiguous bytes. A buffer must not change until its request has completed.
struct Messages {
  void (*isend)(const void* data, std::int64_t bytes, int to, Request* request);
  void (*irecv)(void* data, std::int64_t bytes, int from, Request* request);
  void (*waitall)(int count, Request* requests);
  bool (*testall)(int count, Request* requests);  // true if all requests have completed
  // Combines `from` of all ranks element by element into `to` on every rank. The order of combination
  // depends on the number of ranks alone. `to` may equal `from`.
  void (*allreduce)(const double* from, double* to, std::int64_t count, Combine combine);
  // Sends block i of `from` to rank i, and stores the block received from rank i as block i of `to`. Each
  // block has `bytes` bytes.
  void (*alltoall)(const void* from, void* to, std::int64_t bytes);
  void (*barrier)();
};

// The group of processes that compute one problem, seen from one of them.
struct Ranks {
  int rank = 0, size = 1;
  const Messages* messages = nullptr;

  void isend(const void* data, std::int64_t bytes, int to, Request* request) const {
    messages->isend(data, bytes, to, request);
  }
  void irecv(void* data, std::int64_t bytes, int from, Request* request) const {
    messages->irecv(data, bytes, from, request);
  }
  void waitall(int count, Request* requests) const { messages->waitall(count, requests); }
  bool testall(int count, Request* requests) const { return messages->testall(count, requests); }
  void allreduce(double* values, std::int64_t count, Combine combine) const {
    messages->allreduce(values, values, count, combine);
  }
  void allreduce(const double* from, double* to, std::int64_t count, Combine combine) const {
    messages->allreduce(from, to, count, combine);
  }
  void alltoall(const void* from, void* to, std::int64_t bytes) const { messages->alltoall(from, to, bytes); }
  void barrier() const { messages->barrier(); }
};

// Additional arguments of a call of a partitioned problem. `ranks` describes this process, or a
// Team of GPUs (suite/team.hpp). On rank 0 Call::arrays hold the complete arrays, which only scatter and
// gather use. On other ranks they are null.
struct CallInParts {
  const Ranks* ranks = nullptr;
  Do what = Do::all;
};

// The additional members of a variant whose memory space is MemorySpace::partitioned.
struct VariantInParts {
  // Copies the elements of all arrays from the complete arrays to the partitions that own them. It replaces
  // the usual copy to the device. It also copies outputs, which hold poison values. Halos are not filled:
  // each launch must fetch them.
  Function<void(const Call& call)> scatter = {};
  // Collects the out and inout arrays from the partitions into the complete arrays on the host.
  Function<void(const Call& call)> gather = {};
  bool separable = false;  // true if launches respect CallInParts::what
  bool needs_mpi = false;  // true if each partition is a process and the processes exchange messages
};

}  // namespace sextant::parts
