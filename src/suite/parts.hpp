// A problem that lies in parts, with a process each: what a variant is given to let its parts exchange what
// they need of each other.
#pragma once

#include <cstdint>

#include "suite/function.hpp"

namespace sextant {
struct Call;
}

namespace sextant::parts {

// What a launch is to do; its result counts for `all` only. By the difference the engine tells what
// exchanging costs.
enum class Do : std::uint8_t { all, compute, exchange };

// A message that is on its way.
using Request = std::intptr_t;

enum class Combine : std::uint8_t { sum, largest };

// The calls between processes, by MPI's names. All are for the process's first thread. Messages are
// contiguous bytes; a buffer stays as it is until its request was waited for.
struct Messages {
  void (*isend)(const void* data, std::int64_t bytes, int to, Request* request);
  void (*irecv)(void* data, std::int64_t bytes, int from, Request* request);
  void (*waitall)(int count, Request* requests);
  bool (*testall)(int count, Request* requests);  // whether all are done
  // The combination of every rank's `from`, to all of them, in an order that depends on their number alone;
  // `to` is other memory or the same.
  void (*allreduce)(const double* from, double* to, std::int64_t count, Combine combine);
  // The i-th `bytes` of `from` go to rank i, whose own come to the i-th place of `to`.
  void (*alltoall)(const void* from, void* to, std::int64_t bytes);
  void (*barrier)();
};

// Processes that have a part of the problem each, as one of them sees them.
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

// What a call has of a problem in parts: all parts of one process (suite/team.hpp), or this process's.
// Call::arrays are the first rank's, whole, for scatter and gather alone, and null on all others.
struct CallInParts {
  const Ranks* ranks = nullptr;
  Do what = Do::all;
};

// What a variant of MemorySpace::partitioned has besides.
struct VariantInParts {
  // In place of copies: all arrays' elements go to the parts that own them, outputs, too, which are poisoned;
  // nothing but the owned elements, since halos are a launch's to fetch.
  Function<void(const Call& call)> scatter = {};
  Function<void(const Call& call)> gather = {};  // out and inout arrays of the parts, to the host's
  bool separable = false;                        // a launch heeds CallInParts::what
  bool needs_mpi = false;                        // a process has each part, and messages go between them
};

}  // namespace sextant::parts
