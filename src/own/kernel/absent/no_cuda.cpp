// Replaces described_cuda.cpp in a build without CUDA. CUDA variants can then be compiled if nvcc or NVRTC is
// installed, but never run.
#include <deque>

#include "own/kernel/described_cuda.hpp"

namespace sextant::own {

CudaForm cuda_form(const Description& description, const DescribedVariant& variant) {
  static std::deque<CudaContext> contexts;
  CudaForm form;
  form.launch = [](const Call&) {};  // never called, because the variant is unavailable
  form.compile = {compile_image, &contexts.emplace_back(CudaContext{&description, &variant})};
  form.unavailable = []() -> const char* { return "this build has no CUDA"; };
  return form;
}

CudaForm launcher_form(const Description& description, const DescribedVariant& variant) {
  return cuda_form(description, variant);
}

std::string arch_to_compile_for() { return compile_target().arch; }

}  // namespace sextant::own
