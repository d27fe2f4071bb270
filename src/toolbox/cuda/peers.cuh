// Partitions of a problem on several GPUs that access each other's memory (peer access). A partition is
// called `part` in the code. Every wait on the GPU is bounded (poll_limit.cuh).
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <vector>

#include "suite/team.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/poll_limit.cuh"

namespace sextant::peers {

// One address for each partition.
template <typename T>
struct Of {
  T* at[parts::most_of_a_team] = {};
  __host__ __device__ __forceinline__ T* operator[](int part) const { return at[part]; }
};

inline cudaStream_t stream_of_part(const parts::Team& team, int part) {
  return static_cast<cudaStream_t>(team.stream[part]);
}

// Calls action(part, stream) for each partition, with its GPU as the current device.
template <typename Action>
void for_parts(const parts::Team& team, Action action) {
  for (int part = 0; part < team.parts; ++part) {
    cudaSetDevice(team.device[part]);
    action(part, stream_of_part(team, part));
  }
}

// Loads the kernel's code on every GPU before the first launch. Loading it later can deadlock: it may wait
// for running kernels that wait for this kernel.
template <typename Kernel>
void load_everywhere(const parts::Team& team, Kernel kernel) {
  for_parts(team, [&](int, cudaStream_t) {
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, kernel);
  });
}

// Returns the number of blocks per partition with which the blocks of all partitions on one GPU run at the
// same time. `each`: number of the kernel's blocks that fit on a multiprocessor.
inline int resident_blocks(const parts::Team& team, int each) {
  return std::max(1, multiprocessors() * each / team.sharing);
}

inline constexpr const char* out_of_reach =
    "its GPUs cannot access each other's memory; `sextant doctor` lists the GPUs that can";

// ---- flags that a kernel on one GPU polls, and that a kernel on another GPU writes

__device__ __forceinline__ unsigned look(const unsigned* flag) {
  unsigned value;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}

// Sets the flag with release semantics. A thread that reads `value` by `look` also sees all earlier writes
// that the calling thread has made or seen.
__device__ __forceinline__ void raise(unsigned* flag, unsigned value) {
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}

// Waits until the flag has reached `round`, or until the polling limit. Round numbers may wrap around.
__device__ __forceinline__ void wait_for(const unsigned* flag, unsigned round, const PollLimit& poll_limit) {
  for (int peeks = 0; static_cast<int>(look(flag) - round) < 0; ++peeks)
    if (peeks >= poll_limit.peeks) return poll_limit.give_up();
}

// Eight bytes of data in two words. Each word holds half of the data and the round number, and is accessed
// atomically. A reader that finds the round number also has the data, so no flag or fence is needed.
struct alignas(16) Packet {
  unsigned long long low, high;
};

__device__ __forceinline__ void post(Packet* to, uint2 halves, unsigned round) {
  const unsigned long long tag = static_cast<unsigned long long>(round) << 32;
  asm volatile("st.relaxed.sys.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(halves.x | tag),
               "l"(halves.y | tag)
               : "memory");
}

// Waits for the data of `round`. After it has reached the polling limit once, it polls only once per message.
__device__ __forceinline__ uint2 wait_for(const Packet* from, unsigned round, PollLimit& poll_limit) {
  unsigned long long low, high;
  for (int peeks = 0;; ++peeks) {
    asm volatile("ld.relaxed.sys.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(low), "=l"(high)
                 : "l"(from)
                 : "memory");
    if (static_cast<unsigned>(low >> 32) == round && static_cast<unsigned>(high >> 32) == round) break;
    if (peeks >= poll_limit.peeks) {
      poll_limit.give_up();
      poll_limit.peeks = 0;
      break;
    }
  }
  return {static_cast<unsigned>(low), static_cast<unsigned>(high)};
}

// ---- synchronization of the kernels of all partitions in one round

// Flags by which the kernels of all partitions wait for each other. Each partition polls flags in its own
// memory. Flag [from] is set when the kernel of partition `from` has begun, flag [parts + from] when it has
// ended.
struct Meeting {
  Of<unsigned> flags;
  unsigned* blocks_done = nullptr;  // number of this partition's blocks that are done
  int part = 0, parts = 1;
  unsigned round = 0;
  PollLimit poll_limit;
};

// Waits until the kernels of all partitions have begun. Earlier work on their streams is then complete and
// visible. All threads of all blocks must call it. A block must have at least one thread per partition.
__device__ __forceinline__ void begin_together(const Meeting& m) {
  const int other = static_cast<int>(threadIdx.x);
  if (other < m.parts && other != m.part) {
    if (blockIdx.x == 0) raise(m.flags[other] + m.part, m.round);
    wait_for(m.flags[m.part] + other, m.round, m.poll_limit);
  }
  __syncthreads();
}

// Ends the kernel only after the kernels of all partitions have written their results. All threads of all
// blocks must call it last.
__device__ __forceinline__ void end_together(const Meeting& m) {
  __shared__ bool is_last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    is_last = atomicAdd(m.blocks_done, 1u) + 1 == gridDim.x;
    if (is_last) *m.blocks_done = 0;
    __threadfence_system();
  }
  __syncthreads();
  const int other = static_cast<int>(threadIdx.x);
  if (!is_last || other >= m.parts || other == m.part) return;
  raise(m.flags[other] + m.parts + m.part, m.round);
  wait_for(m.flags[m.part] + m.parts + other, m.round, m.poll_limit);
}

// A block of device memory for each partition, freed in the destructor.
class PartMemory {
 public:
  explicit PartMemory(const parts::Team& team) : team_(&team) {}
  PartMemory(const PartMemory&) = delete;
  PartMemory& operator=(const PartMemory&) = delete;
  ~PartMemory() {
    for (std::size_t part = 0; part < memory_.size(); ++part)
      team_->memory->release(*team_, static_cast<int>(part), memory_[part]);
  }
  // Allocates zero-filled memory; returns false if there is not enough.
  bool allocate(std::int64_t bytes) {
    for (int part = 0; part < team_->parts; ++part) {
      void* memory = team_->memory->allocate(*team_, part, bytes);
      if (!memory) return false;
      memory_.push_back(memory);
      team_->memory->fill(*team_, part, memory, 0, bytes);
    }
    return true;
  }
  template <typename T>
  Of<T> of() const {
    Of<T> all;
    for (std::size_t part = 0; part < memory_.size(); ++part) all.at[part] = static_cast<T*>(memory_[part]);
    return all;
  }

 private:
  const parts::Team* team_;
  std::vector<void*> memory_;
};

// Host side: holds the flags and the round number. Reports whether any kernel reached its polling limit.
class Meetings {
 public:
  explicit Meetings(const parts::Team& team) : parts_(team.parts), flags_(team) {}

  // Allocates the flags. Returns null, or the reason of the failure.
  const char* make(const parts::Team& team) {
    if (!flags_.allocate((2 * parts_ + 2) * static_cast<std::int64_t>(sizeof(unsigned))))
      return "no device memory for synchronization flags";
    bool made = true;
    for_parts(team, [&](int, cudaStream_t) {
      gave_up_.push_back(std::make_unique<WaitFlag>());
      made = made && gave_up_.back()->make() == cudaSuccess;
    });
    return made ? nullptr : "no device memory for synchronization flags";
  }

  void next_round() { ++round_; }
  unsigned round() const { return round_; }
  // Returns the address of a word on the partition's GPU, initially 0, in which recorded launches count
  // rounds.
  unsigned* base(int part) const { return flags_.of<unsigned>()[part] + 2 * parts_ + 1; }
  PollLimit poll_limit(int part) const { return gave_up_[static_cast<std::size_t>(part)]->poll_limit(); }

  Meeting of(int part) const {
    Meeting meeting;
    meeting.flags = flags_.of<unsigned>();
    meeting.blocks_done = meeting.flags[part] + 2 * parts_;
    meeting.part = part;
    meeting.parts = parts_;
    meeting.round = round_;
    meeting.poll_limit = poll_limit(part);
    return meeting;
  }

 private:
  int parts_;
  unsigned round_ = 0;
  PartMemory flags_;
  std::vector<std::unique_ptr<WaitFlag>> gave_up_;
};

}  // namespace sextant::peers
