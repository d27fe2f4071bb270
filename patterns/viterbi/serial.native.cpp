#include "host.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  viterbi::decode_all<false>(call, viterbi::one_worker(), [](std::int64_t, const auto& body) { body(0); });
}

}  // namespace

Variant viterbi_serial_native() {
  Variant variant = viterbi::host_variant<viterbi::one_worker>("the plain loop, -O3 for this processor");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
