#include "host.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  viterbi::decode_all<false>(call, viterbi::one_worker(), [](std::int64_t, const auto& body) { body(0); });
}

namespace baseline {

Variant form() {
  Variant variant = viterbi::host_variant<viterbi::one_worker>("the plain loop, -O2");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace baseline

namespace native {

Variant form() {
  Variant variant = viterbi::host_variant<viterbi::one_worker>("the plain loop, -O3 for this processor");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace native

namespace packed {

void launch(const Call& call) {
  viterbi::decode_all<true>(call, viterbi::one_worker(), [](std::int64_t, const auto& body) { body(0); });
}

Variant form() {
  Variant variant =
      viterbi::host_variant<viterbi::one_worker>("states in SIMD lanes; score and state packed in one word");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace packed

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(viterbi)() {
  return compiled_here({
      named("baseline", baseline::form()),
      named("native", native::form()),
      named("packed", packed::form()),
  });
}

}  // namespace sextant
