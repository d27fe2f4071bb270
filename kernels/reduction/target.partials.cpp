// Teams of one thread leave their sums, which the host adds up: nobody waits for another.
#include "loop.hpp"
#include "toolbox/target/partials.hpp"

namespace sextant {
namespace {

struct Term {
  static constexpr int inputs = 1;
  template <typename T>
  static SEXTANT_INLINE T of(T x, T) {
    return x;
  }
};

template <typename T>
void launch(const Call& call) {
  const T* a = call.array<const T>(0);
  target::sum_by_parts<Term>(call, a, a, call.array<T>(1));
}

}  // namespace

Variant reduction_target_partials() {
  Variant variant = target::parts_variant("teams of one thread, whose sums the host adds up");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
