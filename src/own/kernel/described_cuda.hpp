// CUDA variants of described kernels.
#pragma once

#include "own/compile/compile_device.hpp"
#include "own/description/description.hpp"

namespace sextant::own {

struct CudaForm {
  Function<void(const Call&)> launch;
  Function<const char*(const Problem&, const int*)> compile;
  Function<const char*(const Call&, void**)> prepare;
  Function<void(void*)> release;
  Function<const char*()> unavailable;
};

// `variant` lives as long as the process.
CudaForm cuda_form(const Description& description, const DescribedVariant& variant);

// What the functions of one variant are called for.
struct CudaContext {
  const Description* description;
  const DescribedVariant* variant;
};

// Its image for arch_to_compile_for(), compiled unless it is in the cache.
DeviceImage image_of(const CudaContext& context, ElementType type, const int* tuning);
// What is wrong with it, or null; `context` is a CudaContext.
const char* compile_image(const void* context, const Problem& problem, const int* tuning);

// "sm_90": of the GPU that is open, else compile_target()'s; empty: there is none.
std::string arch_to_compile_for();

// Why no GPU could launch the step so, or null; `values` are those of names_for_steps(variant). Throws
// UserError.
const char* why_no_launch(const DescribedStep& step, const std::vector<std::int64_t>& values);

}  // namespace sextant::own
