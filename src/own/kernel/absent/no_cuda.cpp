// A build without CUDA.
#include "own/kernel/described_cuda.hpp"

namespace sextant::own {

CudaForm cuda_form(const Description&, const DescribedVariant&) {
  CudaForm form;
  form.launch = [](const Call&) {};  // never called: the variant is unavailable
  form.unavailable = []() -> const char* { return "this build has no CUDA"; };
  return form;
}

std::string arch_to_compile_for() { return ""; }

}  // namespace sextant::own
