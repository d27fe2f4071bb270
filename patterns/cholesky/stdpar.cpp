#include "blocks.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  cholesky::factor<T>(
      call, [](std::int64_t begin, std::int64_t end, const auto& body) { for_each_index(begin, end, body); });
}

}  // namespace

std::vector<Variant> cholesky_stdpar() {
  return {{.name = "for_each",
           .description = "blocks of 64 columns; std::for_each over the rows below",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
