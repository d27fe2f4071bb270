#include <cstdio>

#include "suite/registry.hpp"

int main() {
  for (const sextant::RegisteredKernel& entry : sextant::registry())
    for (const sextant::Variant& variant : entry.variants)
      std::printf("%s %s\n", entry.kernel.name.c_str(), variant.name.c_str());
}
