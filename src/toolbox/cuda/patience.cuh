// A bound on waiting, for kernels whose blocks wait for each other's results without a barrier: where one of
// them does not run, or has died, the others would wait for ever. So who has looked in vain often enough
// gives up: it says so, waits no more and goes on with whatever is there, and the launch ends. Its result is
// void; who launched it asks.
#pragma once

#include <cuda_runtime.h>

#include "toolbox/watched.hpp"

namespace sextant {

inline constexpr int most_peeks = 1 << 22;  // looks, some seconds

// What a kernel is told: how often to look, at least once, and where to say that it gave up.
struct Patience {
  int peeks = most_peeks;
  int* gave_up = nullptr;  // on the device; set to 1

  __device__ __forceinline__ void give_up() const { *static_cast<volatile int*>(gave_up) = 1; }
};

inline constexpr const char* gave_up_waiting =
    "its blocks gave up waiting for each other: one of them did not run, or died";

// The host's half: whether any launch gave up since the flag was made. Lives in a variant's state.
class WaitFlag : public Watched {
 public:
  WaitFlag() = default;
  ~WaitFlag() override { cudaFree(flag_); }

  // On the current device.
  cudaError_t make() {
    const cudaError_t error = cudaMalloc(&flag_, sizeof *flag_);
    return error == cudaSuccess ? cudaMemset(flag_, 0, sizeof *flag_) : error;
  }
  Patience patience() const { return {most_peeks, flag_}; }

  const char* failure() const override {
    int gave_up = 0;
    if (flag_) cudaMemcpy(&gave_up, flag_, sizeof gave_up, cudaMemcpyDeviceToHost);
    return gave_up ? gave_up_waiting : nullptr;
  }

 private:
  int* flag_ = nullptr;
};

}  // namespace sextant
