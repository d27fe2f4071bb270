// Sentences that compare libraries with other variants. They say which is faster by which kind of time, and
// which ran on one core only.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/groups.hpp"

namespace sextant {

// Compares the fastest variant without a library with the fastest library variant of the same device. Returns
// one sentence for each device, which names the kind of time of each ratio: "cuda.tiled against
// library.cublas: ahead from 4096 (1.05x by device time, 1.02x by call time); ahead by device time only at
// 7936 (1.20x by device time, 0.90x by call time)". Sizes at which one of the two is missing are left out.
std::vector<std::string> library_sentences(const StudyGroup& group);

// Returns one sentence for each variant on the CPU that ran on one thread although its session allows more:
// "library.openblas ran on one core of 16 at 7936, 130560".
std::vector<std::string> one_core_sentences(const StudyGroup& group);

// True if the variant ran on one thread although its session allows more.
bool ran_on_one_core(const Summary& summary);

}  // namespace sextant
