#include "predict/option.hpp"

#include <algorithm>
#include <iterator>

namespace sextant::predict {

std::optional<Option> option_of(std::string_view model, std::string_view device) {
  const bool gpu = device.starts_with("gpu");
  if (model == "library") return gpu ? Option::gpu_library : Option::cpu_library;
  for (const Option option : {Option::serial, Option::openmp, Option::openacc, Option::cuda})
    if (model == name_of(option) && gpu == on_gpu(option)) return option;
  return std::nullopt;
}

bool takes_turns(std::string_view variant) {
  constexpr std::string_view words[] = {"atomic", "atomics", "critical", "lock", "locks", "mutex"};
  while (!variant.empty()) {
    const std::size_t end = std::min(variant.find_first_of("._"), variant.size());
    if (std::find(std::begin(words), std::end(words), variant.substr(0, end)) != std::end(words)) return true;
    variant.remove_prefix(std::min(end + 1, variant.size()));
  }
  return false;
}

}  // namespace sextant::predict
