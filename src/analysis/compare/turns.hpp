// Judges a case that two programs measured alternately, in A-B-B-A pairs. A turn is one measurement by one
// program.
#pragma once

#include <vector>

#include "analysis/compare/compare.hpp"

namespace sextant {

// True if the case is tested after this many turns a side. Testing at few fixed points limits the error
// probability, because each test is another chance for a wrong verdict.
bool time_to_judge(std::size_t turns, std::size_t most);
inline constexpr std::size_t most_turns = 128;

struct TurnsVerdict {
  Verdict verdict = Verdict::ambiguous;
  Interval ratio;  // second side over first, 95 %; 0 samples: too few turns
};

// Judges by the logarithms of the turns' times. Slower or faster: the median shift exceeds the threshold, and
// its 99.9 % interval excludes zero. Same: the 95 % interval of the shift lies within the threshold.
TurnsVerdict judge_turns(const std::vector<double>& base, const std::vector<double>& other, double threshold);

// Confirms a difference with several pairs of processes, because array placement stays fixed for the life of
// a process. `shifts` has one value for each pair. All must have the same sign, and their median must exceed
// the threshold. Without a difference, 1 in 32 passes the sign condition.
inline constexpr std::size_t pairs_of_processes = 6;
bool confirmed(const std::vector<double>& shifts, double threshold);

// Turns a side for each further pair of processes: half of the `first` turns that decided the first pair,
// limited to 8 to 32. With far fewer turns, noise alone would contradict the first pair.
std::size_t confirming_turns(std::size_t first);

// The mean of the fastest quarter of a turn's samples; 0 without samples. Other programs on the processor
// only slow calls down, and in some turns most calls.
double fastest_quarter(std::vector<double> samples);

// The logarithms of a side's times, one for each turn: middle means of device times, or fastest quarters of
// call times.
std::vector<double> turn_times(const std::vector<Measurement>& turns, ComparedTime time);

// The requested time. For `steadiest`: device if every turn has device times that kernels dominate (see
// copies_itself), else call.
ComparedTime turns_time(const std::vector<Measurement>& base, const std::vector<Measurement>& other,
                        ComparedTime asked);

}  // namespace sextant
