// Computes the sizes of a device function's arguments and compares them with its parameters.
#include "own/compile/compile_device.hpp"

namespace sextant::own {

int argument_size(const DescribedArgument& argument, ElementType type) {
  if (argument.kind == DescribedArgument::Kind::array) return 8;
  const std::string& cast = argument.cast;
  if (cast.empty() || cast == "T")
    return argument.kind == DescribedArgument::Kind::expression && cast.empty()
               ? 8
               : static_cast<int>(element_size(type));
  if (cast == "bool" || cast == "int8_t" || cast == "uint8_t") return 1;
  if (cast == "int16_t" || cast == "uint16_t") return 2;
  return cast == "int" || cast == "unsigned" || cast == "int32_t" || cast == "uint32_t" || cast == "float"
             ? 4
             : 8;
}

std::string why_no_fit(const Instance& instance, const DescribedStep& step, const std::vector<int>& sizes) {
  std::string takes, give, differing;
  bool fits = sizes.size() == step.arguments.size();
  for (const int size : sizes) takes += " " + std::to_string(size);
  for (std::size_t i = 0; i < step.arguments.size(); ++i) {
    const int size = argument_size(step.arguments[i], instance.type);
    give += " " + std::to_string(size);
    if (i >= sizes.size() || sizes[i] == size) continue;
    fits = false;
    if (differing.empty())
      differing = ": " + step.arguments[i].text + " has " + std::to_string(size) +
                  " bytes, the function wants " + std::to_string(sizes[i]) +
                  (sizes[i] == 4 ? ". Write int(" + step.arguments[i].text + ") for an int" : "");
  }
  if (fits) return "";
  const Place place = step.arguments.empty() ? step.function_place : step.arguments[0].place;
  return place.prefix() + step.function + " takes " + std::to_string(sizes.size()) + " parameters of" +
         takes + " bytes, arguments give" + (give.empty() ? " none" : give) + differing;
}

}  // namespace sextant::own
