#include <cstring>

#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  std::memcpy(call.array<T>(1), call.array<const T>(0),
              static_cast<std::size_t>(call.problem.extents.x) * sizeof(T));
}

}  // namespace

std::vector<Variant> copy_library() {
  return {{.name = "memcpy",
           .description = "memcpy of the C library, single-threaded",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
