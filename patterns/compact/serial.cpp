#include "keep.hpp"
#include "loop.hpp"
#include "suite/compilation.hpp"
#include "suite/variant.hpp"

namespace sextant {
namespace {

namespace branchless {

template <typename T>
void launch(const Call& call) {
  *call.array<std::int32_t>(2) = static_cast<std::int32_t>(compact::keep_all<T, compact::keep_branchless<T>>(
      call.problem.extents.x, call.array<const T>(0), call.array<T>(1)));
}

}  // namespace branchless

namespace compress {

template <typename T>
void launch(const Call& call) {
  *call.array<std::int32_t>(2) = static_cast<std::int32_t>(compact::keep_all<T, compact::keep<T>>(
      call.problem.extents.x, call.array<const T>(0), call.array<T>(1)));
}

Variant form() {
  Variant variant;
  variant.description = "AVX-512 compress instructions, which move the kept elements of a vector together";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
#if !defined(__AVX512F__)
  variant.unavailable = [] {
    return "this processor, or the one that Sextant was built for, has no AVX-512";
  };
#endif
  return variant;
}

}  // namespace compress

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(compact)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(compact::loop)},
      {.name = "branchless",
       .description =
           "writes every element, but advances the output index only for kept ones: no branches to predict",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(branchless::launch)},
      named("compress", compress::form()),
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(compact::loop)},
  });
}

}  // namespace sextant
