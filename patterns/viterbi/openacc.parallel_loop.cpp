#include "openacc_gangs.hpp"

namespace sextant {

Variant viterbi_openacc_parallel_loop() {
  Variant variant = viterbi::openacc::by_gangs<false>();
  variant.description = "the form one writes first: a sequence a gang, a state a lane";
  return variant;
}

}  // namespace sextant
