// What the variants on cuFFT share: the library, opened when it is first needed, and the kernels around its
// transform. Every dimension is a power of two.
#pragma once

#include <cufft.h>
#include <cufftXt.h>

#include "base/dynamic_library.hpp"
#include "gpu_state.cuh"

namespace sextant::npb_ft {

struct Cufft {
  DynamicLibrary library{{"libcufft.so.12", "libcufft.so.11", "libcufft.so"}, "cuFFT (the CUDA toolkit)"};
  decltype(cufftCreate)* create;
  decltype(cufftDestroy)* destroy;
  decltype(cufftMakePlan3d)* make_plan;
  decltype(cufftSetStream)* set_stream;
  decltype(cufftExecZ2Z)* execute;

  Cufft() {
    library.find("cufftCreate", &create);
    library.find("cufftDestroy", &destroy);
    library.find("cufftMakePlan3d", &make_plan);
    library.find("cufftSetStream", &set_stream);
    library.find("cufftExecZ2Z", &execute);
  }
};

static const Cufft& cufft() {
  static const Cufft functions;
  return functions;
}

struct CufftState {
  GpuFields<double2> fields;
  DeviceMemory<double> decay;
  cufftHandle plan = 0;
  bool planned = false;
  CufftState() = default;
  CufftState(const CufftState&) = delete;
  CufftState& operator=(const CufftState&) = delete;
  ~CufftState() {
    if (planned) cufft().destroy(plan);
  }
  // A handle without a plan, then the plan. False: cuFFT has none for these extents, or no memory for it.
  bool begin() { return planned = cufft().create(&plan) == CUFFT_SUCCESS; }
  bool make_plan(const Call& call) {
    const Extents& e = call.problem.extents;
    std::size_t workspace = 0;
    if (cufft().make_plan(plan, static_cast<int>(e.z), static_cast<int>(e.y), static_cast<int>(e.x),
                          CUFFT_Z2Z, &workspace) == CUFFT_SUCCESS &&
        cufft().set_stream(plan, stream_of(call)) == CUFFT_SUCCESS)
      return true;
    cudaGetLastError();  // a failed allocation must not be found by a later check
    return false;
  }
};
inline constexpr const char* no_cufft_plan = "cuFFT has no plan for these extents, or no memory for it";

__global__ static void fill_start(std::int64_t count, double2* u) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::uint64_t re = npb::random_skip(npb::other_seed, static_cast<std::uint64_t>(2 * i + 1));
  u[i] = {npb::random_value(re), npb::random_value(npb::random_next(re))};
}

__global__ static void add_cufft(Extents e, const double2* w, Complex* sum) {
  add_points<Complex>(
      [=](int j) {
        const double2 value = w[checksum_index(e, j)];
        return Complex{value.x, value.y};
      },
      1.0 / static_cast<double>(e.count()), sum);
}

}  // namespace sextant::npb_ft
