// Three cases by which a run on several GPUs proves that they do not disturb each other, or finds what has to
// run alone.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/concurrent/exclusive_section.hpp"
#include "engine/concurrent/side_by_side.hpp"
#include "engine/concurrent/work_queue.hpp"
#include "engine/form/settings.hpp"
#include "record/environment.hpp"
#include "record/statistics.hpp"
#include "run/progress.hpp"

namespace sextant {

// A sentinel on a device: times beside busy neighbours over times alone, the median of all rounds; 0 where
// there is none.
struct SentinelRatio {
  std::string device, sentinel;  // "launch", "memory", "power"
  Interval call, on_device;
  double seconds = 0;  // of a call alone
};

// Theirs, as far as this build has them, with what a turn takes of `settings`; their names go to `names`.
std::vector<Tried> sentinel_cases(const Settings& settings, std::vector<std::string>* names);

// What of the results of run_side_by_side is known; `names` by case.
std::vector<SentinelRatio> ratios_of(const std::vector<std::vector<BothWays>>& results,
                                     const std::vector<std::string>& names);

// Of what was tried three times, the first of them with all sentinels: a device's call times of a sentinel
// are those of the try in the middle, so that one by itself, which may scatter, moves nothing.
std::vector<SentinelRatio> middle_of(const std::array<std::vector<SentinelRatio>, 3>& tries);

// What may overlap: nothing where a time on a device moved by more than `max_noise` for certain, or more than
// twice that as it looks; where the call time of "launch" did, calls of which what that moved by is less than
// `max_noise`.
Beside beside_by(const std::vector<SentinelRatio>& ratios, double max_noise);
// The ratio that keeps it from being all; empty if it is. `reason_of`: with what is done.
std::string disturbance_of(const Beside& beside, const std::vector<SentinelRatio>& ratios, double max_noise);
std::string reason_of(const Beside& beside, const std::vector<SentinelRatio>& ratios, double max_noise);

// "sentinel.start.gpu0.launch.call" and so on: as the session keeps them. `when`: "start" or "end".
void record_ratios(const std::vector<SentinelRatio>& ratios, const std::string& when,
                   Environment* environment);
// A line a device: "gpu0: launch 1.01x call; memory 1.00x call, 1.00x device; …".
std::string text_of(const std::vector<SentinelRatio>& ratios);

// Measures them on the lanes' GPUs, with what cannot be measured told to `progress`. Takes half a second a
// GPU, and their references. The lanes' workers stay. Nothing if the run was interrupted. `only_calls`: those
// that tell of calls.
std::optional<std::vector<SentinelRatio>> measure_sentinels(const std::vector<Lane>& lanes,
                                                            const Settings& settings,
                                                            ProgressReporter& progress,
                                                            bool only_calls = false);

}  // namespace sextant
