// Measures sentinels: three cases that show whether GPUs of a run disturb each other, and which stages must
// then run alone.
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

// The slowdown of one sentinel on one device: times with busy neighbours over times alone, median of all
// rounds. A median of 0 means that there are no times.
struct SentinelRatio {
  std::string device, sentinel;  // "launch", "memory", "power"
  Interval call, on_device;
  double seconds = 0;  // Seconds of a call alone.
};

// Returns the sentinels that this build contains, with the settings of a turn derived from `settings`. Their
// names are added to `names`.
std::vector<Tried> sentinel_cases(const Settings& settings, std::vector<std::string>* names);

// Computes the ratios from the results of run_side_by_side. `names` is indexed by case.
std::vector<SentinelRatio> ratios_of(const std::vector<std::vector<BothWays>>& results,
                                     const std::vector<std::string>& names);

// Combines three trials, the first of which has all sentinels. The call ratio of each device and sentinel is
// the median of the three, so that a single outlier has no effect.
std::vector<SentinelRatio> middle_of(const std::array<std::vector<SentinelRatio>, 3>& tries);

// Decides which measurements may overlap.
// Nothing may overlap if a device time changed by more than `max_noise` with certainty, or by more than twice
// that in the median. If only the call time of "launch" changed, long calls may overlap: those for which the
// change is less than `max_noise`.
Beside beside_by(const std::vector<SentinelRatio>& ratios, double max_noise);
// Returns the ratio that prevents full overlap as text, or an empty text if nothing does. `reason_of` adds
// how the run then measures.
std::string disturbance_of(const Beside& beside, const std::vector<SentinelRatio>& ratios, double max_noise);
std::string reason_of(const Beside& beside, const std::vector<SentinelRatio>& ratios, double max_noise);

// Stores the ratios in a session's environment as "sentinel.start.gpu0.launch.call" and so on. `when` is
// "start" or "end".
void record_ratios(const std::vector<SentinelRatio>& ratios, const std::string& when,
                   Environment* environment);
// Returns one line per device: "gpu0: launch 1.01x call; memory 1.00x call, 1.00x device; …".
std::string text_of(const std::vector<SentinelRatio>& ratios);

// Measures the sentinels on the GPUs of the worker slots, whose workers keep running. Failures are reported
// to `progress`. It takes half a second per GPU, plus the references. Returns nothing if the run was
// interrupted. `only_calls` measures only the sentinel for call times.
std::optional<std::vector<SentinelRatio>> measure_sentinels(const std::vector<Lane>& lanes,
                                                            const Settings& settings,
                                                            ProgressReporter& progress,
                                                            bool only_calls = false);

}  // namespace sextant
