// Judges a case that two programs measured alternately, in pairs of the form A-B-B-A. A turn is one
// measurement by one program.
#pragma once

#include <vector>

#include "analysis/compare/compare.hpp"

namespace sextant {

// True if the case is tested after `turns` turns of each program. Tests happen at only a few fixed numbers of
// turns, because each test is another chance for a wrong verdict.
bool time_to_judge(std::size_t turns, std::size_t most);
inline constexpr std::size_t most_turns = 128;

struct TurnsVerdict {
  Verdict verdict = Verdict::open;
  Interval ratio;  // time of the second side over the first, with its 95 % interval; 0 samples: too few turns
};

// Compares the logarithms of the turns' times. The verdict is slower or faster if the median shift exceeds
// the threshold and its 99.9 % interval excludes zero. The verdict is equal if the 95 % interval of the shift
// lies within the threshold.
TurnsVerdict judge_turns(const std::vector<double>& base, const std::vector<double>& other, double threshold);

// True if several pairs of processes confirm a difference. One pair is not enough, because array placement
// stays fixed for the life of a process. `shifts` has the log time ratio of each pair. All must have the same
// sign, and their median must exceed the threshold. Without a real difference, all signs agree by chance in 1
// of 32 tests.
inline constexpr std::size_t pairs_of_processes = 6;
bool confirmed(const std::vector<double>& shifts, double threshold);

// Returns the number of turns of each program in every further pair of processes. It is half of the `first`
// turns that decided the first pair, but at least 8 and at most 32. With far fewer turns, noise alone could
// contradict the first pair.
std::size_t confirming_turns(std::size_t first);

// Returns the mean of the fastest quarter of a turn's samples, or 0 without samples. Slow samples are
// ignored, because other programs on the processor slow down some calls. In some turns they slow down most
// calls.
double fastest_quarter(std::vector<double> samples);

// Returns the logarithm of each turn's time: the middle mean of its device times, or the fastest quarter of
// its call times.
std::vector<double> turn_times(const std::vector<Measurement>& turns, ComparedTime time);

// Returns the kind of time by which turns are compared, which is `asked` unless that is `steadiest`. For
// `steadiest`, it is the device time if every turn has device times that kernels dominate (see
// copies_itself). Otherwise it is the call time.
ComparedTime turns_time(const std::vector<Measurement>& base, const std::vector<Measurement>& other,
                        ComparedTime asked);

}  // namespace sextant
