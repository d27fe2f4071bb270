// The verdict on a case that two programs measured in turns.
#pragma once

#include <vector>

#include "analysis/compare/compare.hpp"

namespace sextant {

// True after so many turns of a side: then the case is judged, and at no other time, since each look is one
// more chance to be wrong.
bool time_to_judge(std::size_t turns, std::size_t most);
inline constexpr std::size_t most_turns = 128;

struct TurnsVerdict {
  Verdict verdict = Verdict::ambiguous;
  Interval ratio;  // of the second side over the first, 95 %; samples 0: too few turns
};

// From the logarithms of the turns' times. Slower or faster: the shift of the rank-sum test is beyond the
// threshold, and its interval of 99.9 % excludes none. Same: its interval of 95 % is within the threshold.
TurnsVerdict judge_turns(const std::vector<double>& base, const std::vector<double>& other, double threshold);

// Where its arrays lie in memory is a process's own, and stays for all its turns. A difference therefore has
// to show in so many pairs of processes: each shift (of the first pair, then of one more each) on the same
// side, their median beyond the threshold. By chance alone one in 32 does so.
inline constexpr std::size_t pairs_of_processes = 6;
bool confirmed(const std::vector<double>& shifts, double threshold);

// So many turns a side each further pair of processes takes, where the first took `first` to tell: half as
// many, for with far fewer noise alone would contradict it; from 8 to 32.
std::size_t confirming_turns(std::size_t first);

// The mean of a turn's fastest quarter of samples: others' work on the processors only ever slows calls down,
// and in some turns most of them. 0 without samples.
double fastest_quarter(std::vector<double> samples);

// The logarithms of a side's times, one a turn: middle means of device times, fastest quarters of call times.
std::vector<double> turn_times(const std::vector<Measurement>& turns, ComparedTime time);

// device if every turn has a device's time that is its kernels', else call; unless one of them is asked for.
ComparedTime turns_time(const std::vector<Measurement>& base, const std::vector<Measurement>& other,
                        ComparedTime asked);

}  // namespace sextant
