#include "host.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  viterbi::decode_all<true>(call, viterbi::a_worker_a_thread(),
                            [](std::int64_t count, const auto& body) { for_each_index(0, count, body); });
}

}  // namespace

std::vector<Variant> viterbi_stdpar() {
  Variant variant = viterbi::host_variant<viterbi::a_worker_a_thread>(
      "std::for_each over workers, which divide the sequences; score and state packed in one "
      "word");
  variant.name = "for_each";
  variant.launch.int32 = launch;
  return {variant};
}

}  // namespace sextant
