#include "predict/option.hpp"

namespace sextant::predict {

std::optional<Option> option_of(std::string_view model, std::string_view device) {
  const bool gpu = device.starts_with("gpu");
  if (model == "library") return gpu ? Option::gpu_library : Option::cpu_library;
  for (const Option option : {Option::serial, Option::openmp, Option::openacc, Option::cuda})
    if (model == name_of(option) && gpu == on_gpu(option)) return option;
  return std::nullopt;
}

}  // namespace sextant::predict
