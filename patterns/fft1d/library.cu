// Calls cuFFT, which is loaded at run time. Planning is not timed.
#include <cufft.h>

#include "base/dynamic_library.hpp"
#include "loop.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Cufft {
  DynamicLibrary library{{"libcufft.so.12", "libcufft.so.11", "libcufft.so"}, "cuFFT (the CUDA toolkit)"};
  decltype(cufftDestroy)* destroy;
  decltype(cufftPlan1d)* plan;
  decltype(cufftSetStream)* set_stream;
  decltype(cufftExecC2C)* execute_single;
  decltype(cufftExecZ2Z)* execute_twice;

  Cufft() {
    library.find("cufftDestroy", &destroy);
    library.find("cufftPlan1d", &plan);
    library.find("cufftSetStream", &set_stream);
    library.find("cufftExecC2C", &execute_single);
    library.find("cufftExecZ2Z", &execute_twice);
  }
};

const Cufft& cufft() {
  static const Cufft functions;
  return functions;
}

const char* unavailable() {
  const std::string& problem = cufft().library.problem;
  return problem.empty() ? nullptr : problem.c_str();
}

const char* prepare(const Call& call, void** state) {
  auto* plan = new cufftHandle(0);
  const bool made = cufft().plan(plan, static_cast<int>(fft1d::length_of(call.problem)),
                                 call.problem.type == ElementType::float64 ? CUFFT_Z2Z : CUFFT_C2C,
                                 static_cast<int>(fft1d::batches_of(call.problem))) == CUFFT_SUCCESS;
  if (made && cufft().set_stream(*plan, stream_of(call)) == CUFFT_SUCCESS) {
    *state = plan;
    return nullptr;
  }
  cudaGetLastError();  // clear the error, so that a later check does not report it
  if (made) cufft().destroy(*plan);
  delete plan;
  return "cuFFT could not create a plan for these transforms, or has too little memory for it";
}

void release(void* state) {
  auto* plan = static_cast<cufftHandle*>(state);
  cufft().destroy(*plan);
  delete plan;
}

}  // namespace

std::vector<Variant> fft1d_library_cu() {
  return {{.name = "cufft",
           .description = "cuFFT, one plan for all transforms",
           .memory_space = MemorySpace::cuda,
           .launch = {.float32 =
                          [](const Call& call) {
                            cufft().execute_single(*static_cast<const cufftHandle*>(call.state),
                                                   call.array<cufftComplex>(0), call.array<cufftComplex>(1),
                                                   CUFFT_FORWARD);
                          },
                      .float64 =
                          [](const Call& call) {
                            cufft().execute_twice(*static_cast<const cufftHandle*>(call.state),
                                                  call.array<cufftDoubleComplex>(0),
                                                  call.array<cufftDoubleComplex>(1), CUFFT_FORWARD);
                          }},
           .constraint = [](const Problem& problem, const int*) -> const char* {
             if (fft1d::length_of(problem) < 2) return "cuFFT does not support transforms of one element";
             return problem.extents.x / 2 > INT32_MAX ? "more elements than cuFFT can count in an int"
                                                      : nullptr;
           },
           .prepare = prepare,
           .release = release,
           .unavailable = unavailable}};
}

}  // namespace sextant
