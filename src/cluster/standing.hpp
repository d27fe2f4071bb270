// How far the parts of a sweep are, by their results files; whether all is done is never asked of a queue.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/case.hpp"
#include "record/results.hpp"

namespace sextant::cluster {

struct Standing {
  std::size_t cases = 0;     // that the part has
  std::size_t measured = 0;  // well
  std::size_t bad = 0;       // wrong, failed or timed out
  std::size_t skipped = 0;
  std::size_t missing = 0;  // not there at all
  bool complete() const { return missing == 0; }
};

// `results`: what the part's file holds. What a session dealt to several GPUs counts wherever it was
// measured.
Standing standing_of(const std::vector<Case>& cases, const Results& results);

// "two cores, one H200": the machines' processors and GPUs, each kind once, in the order of the sessions.
std::vector<std::string> kinds_of_machine(const Results& results);

}  // namespace sextant::cluster
