// The CUDA variants of user kernels that have a description.
#pragma once

#include <string>

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

// Returns the CUDA-specific functions of a variant. `variant` must never be destroyed.
CudaForm cuda_form(const Description& description, const DescribedVariant& variant);
// Returns those of a variant whose function launches kernels itself.
CudaForm launcher_form(const Description& description, const DescribedVariant& variant);

// The data to which the `context` argument of a variant's functions points.
struct CudaContext {
  const Description* description;
  const DescribedVariant* variant;
};

// Return the image for arch_to_compile_for() from the cache, or compile it.
DeviceImage image_of(const CudaContext& context, ElementType type, const int* tuning);
Image launcher_image_of(const CudaContext& context, ElementType type, const int* tuning);
// Compiles the image. Returns an error message, or null. `context` points to a CudaContext.
const char* compile_image(const void* context, const Problem& problem, const int* tuning);

// Returns the architecture of the open GPU ("sm_90"), or that of compile_target() if it is set. Empty if
// there is no GPU.
std::string arch_to_compile_for();

// Returns why no GPU can launch this step, or null. `values` correspond to names_for_steps(variant). Throws
// UserError.
const char* why_no_launch(const DescribedStep& step, const std::vector<std::int64_t>& values);

// Returns why this GPU cannot launch a compiled step, or an empty text. `most_threads` is the largest block
// that the kernel's registers and launch bounds allow on the GPU. The message names the tunables of the
// block.
std::string why_block_too_large(const CudaContext& context, const DescribedStep& step,
                                const std::vector<std::int64_t>& values, int most_threads);

}  // namespace sextant::own
