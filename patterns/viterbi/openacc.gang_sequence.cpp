#include "openacc_gangs.hpp"

namespace sextant {

Variant viterbi_openacc_gang_sequence() {
  Variant variant = viterbi::openacc::by_gangs<true>();
  variant.description = "a sequence a gang, a state a lane; score and state in one word";
  return variant;
}

}  // namespace sextant
