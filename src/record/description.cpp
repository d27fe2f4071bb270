#include "record/description.hpp"

#include <algorithm>

namespace sextant {

std::string array_types(const KernelDescription& description, ElementType type) {
  std::string text;
  for (const KernelDescription::Array& array : description.arrays) {
    if (array.type.empty()) return {};
    text += (text.empty() ? "" : " ") + array.name + ":" + (array.type == "T" ? name_of(type) : array.type);
  }
  return text;
}

}  // namespace sextant
