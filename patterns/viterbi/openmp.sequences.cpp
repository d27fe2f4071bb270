#include "host.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  viterbi::decode_all<false>(call, viterbi::a_worker_a_thread(), [](std::int64_t count, const auto& body) {
#pragma omp parallel for schedule(static, 1)
    for (std::int64_t worker = 0; worker < count; ++worker) body(worker);
  });
}

}  // namespace

Variant viterbi_openmp_sequences() {
  Variant variant =
      viterbi::host_variant<viterbi::a_worker_a_thread>("the plain loop, threads over sequences");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
