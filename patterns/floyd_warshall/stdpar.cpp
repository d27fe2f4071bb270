#include "blocks.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  floyd_warshall::blocked<T>(call,
                             [](std::int64_t count, const auto& body) { for_each_index(0, count, body); });
}

}  // namespace

std::vector<Variant> floyd_warshall_stdpar() {
  Variant variant =
      floyd_warshall::blocked_variant("blocks of 64 vertices; std::for_each over bands of rows");
  variant.name = "for_each";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return {variant};
}

}  // namespace sextant
