// Parts on several GPUs that work on each other's memory: how a launch visits them, and how their kernels
// meet. Nobody waits without a bound (patience.cuh).
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <vector>

#include "suite/team.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/patience.cuh"

namespace sextant::peers {

// An address of each part's.
template <typename T>
struct Of {
  T* at[parts::most_of_a_team] = {};
  __host__ __device__ __forceinline__ T* operator[](int part) const { return at[part]; }
};

inline cudaStream_t stream_of_part(const parts::Team& team, int part) {
  return static_cast<cudaStream_t>(team.stream[part]);
}

// action(part, stream) with the part's GPU as the current one.
template <typename Action>
void for_parts(const parts::Team& team, Action action) {
  for (int part = 0; part < team.parts; ++part) {
    cudaSetDevice(team.device[part]);
    action(part, stream_of_part(team, part));
  }
}

// Has the kernel's code on every GPU before it is launched: to load it later may wait for kernels that are
// running, which may wait for it.
template <typename Kernel>
void load_everywhere(const parts::Team& team, Kernel kernel) {
  for_parts(team, [&](int, cudaStream_t) {
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, kernel);
  });
}

// Blocks of a part's kernel, `each` on a multiprocessor, where parts share the current GPU's: they all fit at
// once.
inline int resident_blocks(const parts::Team& team, int each) {
  return std::max(1, multiprocessors() * each / team.sharing);
}

inline constexpr const char* out_of_reach =
    "its GPUs do not reach each other's memory; `sextant doctor` says which do";

// ---- words that another GPU's kernel writes while this one looks

__device__ __forceinline__ unsigned look(const unsigned* flag) {
  unsigned value;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}

// All that this thread has written, or seen of others' writes, comes before.
__device__ __forceinline__ void raise(unsigned* flag, unsigned value) {
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}

// Until the flag has come to `round`; rounds may wrap around.
__device__ __forceinline__ void wait_for(const unsigned* flag, unsigned round, const Patience& patience) {
  for (int peeks = 0; static_cast<int>(look(flag) - round) < 0; ++peeks)
    if (peeks >= patience.peeks) return patience.give_up();
}

// Eight bytes, each half of which bears its round in the same word, which is written and read whole: no flag,
// no fence.
struct alignas(16) Letter {
  unsigned long long low, high;
};

__device__ __forceinline__ void post(Letter* to, uint2 halves, unsigned round) {
  const unsigned long long tag = static_cast<unsigned long long>(round) << 32;
  asm volatile("st.relaxed.sys.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(halves.x | tag),
               "l"(halves.y | tag)
               : "memory");
}

// Who has given up once looks but once at further letters.
__device__ __forceinline__ uint2 wait_for(const Letter* from, unsigned round, Patience& patience) {
  unsigned long long low, high;
  for (int peeks = 0;; ++peeks) {
    asm volatile("ld.relaxed.sys.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(low), "=l"(high)
                 : "l"(from)
                 : "memory");
    if (static_cast<unsigned>(low >> 32) == round && static_cast<unsigned>(high >> 32) == round) break;
    if (peeks >= patience.peeks) {
      patience.give_up();
      patience.peeks = 0;
      break;
    }
  }
  return {static_cast<unsigned>(low), static_cast<unsigned>(high)};
}

// ---- meeting of all parts' kernels of a round

// Flags lie with who waits for them: [from] says that part `from` has begun, [parts + from] that it has
// ended.
struct Meeting {
  Of<unsigned> flags;
  unsigned* blocks_done = nullptr;  // of this part
  int part = 0, parts = 1;
  unsigned round = 0;
  Patience patience;
};

// All threads of all blocks, at least as many in a block as parts: until the kernels of all parts have begun,
// so that what was put on their streams before is done, and seen.
__device__ __forceinline__ void begin_together(const Meeting& m) {
  const int other = static_cast<int>(threadIdx.x);
  if (other < m.parts && other != m.part) {
    if (blockIdx.x == 0) raise(m.flags[other] + m.part, m.round);
    wait_for(m.flags[m.part] + other, m.round, m.patience);
  }
  __syncthreads();
}

// All threads of all blocks, as the last thing: the kernel ends after those of all parts have written what
// they write.
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
  wait_for(m.flags[m.part] + m.parts + other, m.round, m.patience);
}

// Memory of each part's device, freed with its owner.
class PartMemory {
 public:
  explicit PartMemory(const parts::Team& team) : team_(&team) {}
  PartMemory(const PartMemory&) = delete;
  PartMemory& operator=(const PartMemory&) = delete;
  ~PartMemory() {
    for (std::size_t part = 0; part < memory_.size(); ++part)
      team_->memory->release(*team_, static_cast<int>(part), memory_[part]);
  }
  // Zeros; false: there is none.
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

// The host's half: flags, rounds, and whether anybody gave up.
class Meetings {
 public:
  explicit Meetings(const parts::Team& team) : parts_(team.parts), flags_(team) {}

  // Null, or why there is none.
  const char* make(const parts::Team& team) {
    if (!flags_.allocate((2 * parts_ + 2) * static_cast<std::int64_t>(sizeof(unsigned))))
      return "no device memory for flags";
    bool made = true;
    for_parts(team, [&](int, cudaStream_t) {
      gave_up_.push_back(std::make_unique<WaitFlag>());
      made = made && gave_up_.back()->make() == cudaSuccess;
    });
    return made ? nullptr : "no device memory for flags";
  }

  void next_round() { ++round_; }
  unsigned round() const { return round_; }
  // A word on the part's GPU, 0 at first: where launches that are recorded count rounds themselves.
  unsigned* base(int part) const { return flags_.of<unsigned>()[part] + 2 * parts_ + 1; }
  Patience patience(int part) const { return gave_up_[static_cast<std::size_t>(part)]->patience(); }

  Meeting of(int part) const {
    Meeting meeting;
    meeting.flags = flags_.of<unsigned>();
    meeting.blocks_done = meeting.flags[part] + 2 * parts_;
    meeting.part = part;
    meeting.parts = parts_;
    meeting.round = round_;
    meeting.patience = patience(part);
    return meeting;
  }

 private:
  int parts_;
  unsigned round_ = 0;
  PartMemory flags_;
  std::vector<std::unique_ptr<WaitFlag>> gave_up_;
};

}  // namespace sextant::peers
