#include "engine/process/loads.hpp"

#include "own/description/asked.hpp"
#include "own/kernel/load.hpp"

namespace sextant {

void load_all(const std::vector<Load>& loads) {
  for (const Load& one : loads)
    load(one.path, one.code, one.asked.empty() ? own::Asked{} : own::asked_from(one.asked));
}

}  // namespace sextant
