// The interface for problems that are partitioned over several GPUs or processes. Either each partition
// ("part") has its own process, or one process computes all of them on its GPUs. A launch exchanges data
// between the partitions through this interface.
#pragma once

#include <cstdint>

#include "suite/function.hpp"

namespace sextant {
struct Call;
}

namespace sextant::parts {

// The work that a launch does. The engine times `compute` and `exchange` to separate computation from
// communication. Only the result of `all` is checked.
enum class Do : std::uint8_t { all, compute, exchange };

// A message that was started and has not completed yet.
using Request = std::intptr_t;

enum class Combine : std::uint8_t { sum, largest };

// Communication between processes. Names and meanings follow MPI. Only the main thread may call these
// functions. Do not change a buffer until its request has completed.
struct Messages {
  void (*isend)(const void* data, std::int64_t bytes, int to, Request* request);
  void (*irecv)(void* data, std::int64_t bytes, int from, Request* request);
  void (*waitall)(int count, Request* requests);
  bool (*testall)(int count, Request* requests);  // true if all requests have completed
  // Combines `from` of all ranks element by element into `to` on every rank. The order depends only on the
  // number of ranks. `to` may equal `from`.
  void (*allreduce)(const double* from, double* to, std::int64_t count, Combine combine);
  // Sends block i of `from` to rank i, and stores the block from rank i as block i of `to`. Each block has
  // `bytes` bytes.
  void (*alltoall)(const void* from, void* to, std::int64_t bytes);
  void (*barrier)();
};

// The processes that compute one problem, as seen from one of them.
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

// Additional arguments of a call for a partitioned problem. `ranks` is this process, or a Team of GPUs
// (suite/team.hpp). On rank 0, Call::arrays are the complete arrays, which only scatter and gather use. On
// other ranks they are null.
struct CallInParts {
  const Ranks* ranks = nullptr;
  Do what = Do::all;
};

// Additional members of a variant that partitions its problem (MemorySpace::partitioned).
struct VariantInParts {
  // Copies all arrays, including outputs with poison values, from the complete arrays to the partitions. It
  // does not fill halos: each launch must fetch them.
  Function<void(const Call& call)> scatter = {};
  // Copies the out and inout arrays from the partitions back to the complete arrays.
  Function<void(const Call& call)> gather = {};
  bool separable = false;  // true if launches obey CallInParts::what
  bool needs_mpi = false;  // true if each partition is an MPI process
};

}  // namespace sextant::parts
