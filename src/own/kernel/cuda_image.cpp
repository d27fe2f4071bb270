// Compiles the images of CUDA variants, which needs no GPU.
#include "base/error.hpp"
#include "base/intern.hpp"
#include "own/kernel/described_cuda.hpp"

namespace sextant::own {

DeviceImage image_of(const CudaContext& context, ElementType type, const int* tuning) {
  const std::string arch = arch_to_compile_for();
  if (arch.empty()) return {"", "there is no GPU to compile for", {}, {}};
  const Instance instance{*context.description, *context.variant, type, tuning};
  return compile_device({&instance, 1}, arch, 1).front();
}

const char* compile_image(const void* context, const Problem& problem, const int* tuning) try {
  const DeviceImage image = image_of(*static_cast<const CudaContext*>(context), problem.type, tuning);
  return image.problem.empty() ? nullptr : intern(image.problem);
} catch (const UserError& error) {
  return intern(error.what());
}

}  // namespace sextant::own
