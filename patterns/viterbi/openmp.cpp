#include "host.hpp"

namespace sextant {
namespace {

namespace packed {

void launch(const Call& call) {
  viterbi::decode_all<true>(call, viterbi::a_worker_a_thread(), [](std::int64_t count, const auto& body) {
#pragma omp parallel for schedule(static, 1)
    for (std::int64_t worker = 0; worker < count; ++worker) body(worker);
  });
}

Variant form() {
  Variant variant = viterbi::host_variant<viterbi::a_worker_a_thread>(
      "threads over sequences, states in SIMD lanes; score and state packed in one word");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace packed

namespace sequences {

void launch(const Call& call) {
  viterbi::decode_all<false>(call, viterbi::a_worker_a_thread(), [](std::int64_t count, const auto& body) {
#pragma omp parallel for schedule(static, 1)
    for (std::int64_t worker = 0; worker < count; ++worker) body(worker);
  });
}

Variant form() {
  Variant variant =
      viterbi::host_variant<viterbi::a_worker_a_thread>("the plain loop, threads over sequences");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sequences

}  // namespace

std::vector<Variant> viterbi_openmp() {
  return {
      named("packed", packed::form()),
      named("sequences", sequences::form()),
  };
}

}  // namespace sextant
