// Teams of one thread leave their sums, which the host adds up: nobody waits for another.
#include "loop.hpp"
#include "toolbox/target/partials.hpp"

namespace sextant {
namespace {

struct Term {
  static constexpr int inputs = 2;
  template <typename T>
  static SEXTANT_INLINE T of(T x, T y) {
    return x * y;
  }
};

template <typename T>
void launch(const Call& call) {
  const T* a = call.array<const T>(0);
  target::sum_by_parts<Term>(call, a, call.array<const T>(1), call.array<T>(2));
}

}  // namespace

Variant dot_target_partials() {
  Variant variant = target::parts_variant("teams of one thread, whose sums the host adds up");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
