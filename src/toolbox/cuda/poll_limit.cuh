// Limits polling in kernels whose blocks wait for each other. If one block does not run, the others would
// wait forever. A thread that reaches the limit therefore sets a flag and goes on, so that the launch ends.
// The result is then invalid, and the caller must check the flag.
#pragma once

#include <cuda_runtime.h>

#include "toolbox/watched.hpp"

namespace sextant {

inline constexpr int most_peeks = 1 << 22;  // limit on the number of polls, which take a few seconds

// The maximum number of polls (at least 1), and the flag that a kernel sets when it reaches this limit.
struct PollLimit {
  int peeks = most_peeks;
  int* gave_up = nullptr;  // flag in device memory, which is set to 1

  __device__ __forceinline__ void give_up() const { *static_cast<volatile int*>(gave_up) = 1; }
};

inline constexpr const char* gave_up_waiting =
    "its blocks stopped waiting for each other: one of them did not run, or failed";

// Host side: holds the flag, and reports whether any launch since `make` has reached the limit.
class WaitFlag : public Watched {
 public:
  WaitFlag() = default;
  ~WaitFlag() override { cudaFree(flag_); }

  // Allocates the flag on the current device.
  cudaError_t make() {
    const cudaError_t error = cudaMalloc(&flag_, sizeof *flag_);
    return error == cudaSuccess ? cudaMemset(flag_, 0, sizeof *flag_) : error;
  }
  PollLimit poll_limit() const { return {most_peeks, flag_}; }

  const char* failure() const override {
    int gave_up = 0;
    if (flag_) cudaMemcpy(&gave_up, flag_, sizeof gave_up, cudaMemcpyDeviceToHost);
    return gave_up ? gave_up_waiting : nullptr;
  }

 private:
  int* flag_ = nullptr;
};

}  // namespace sextant
