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

Image launcher_image_of(const CudaContext& context, ElementType type, const int* tuning) {
  Instance instance{*context.description, *context.variant, type, tuning};
  instance.arch = arch_to_compile_for();
  return instance.arch.empty() ? Image{"", "there is no GPU to compile for"} : compile_host(instance);
}

const char* compile_image(const void* context, const Problem& problem, const int* tuning) try {
  const CudaContext& known = *static_cast<const CudaContext*>(context);
  const std::string problems = known.variant->launcher
                                   ? launcher_image_of(known, problem.type, tuning).problem
                                   : image_of(known, problem.type, tuning).problem;
  return problems.empty() ? nullptr : intern(problems);
} catch (const UserError& error) {
  return intern(error.what());
}

}  // namespace sextant::own
