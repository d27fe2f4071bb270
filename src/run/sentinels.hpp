// Measures sentinels: three test cases that show whether the GPUs of a run disturb each other. If they do,
// some stages of measuring must not overlap.
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

// The slowdown of one sentinel on one device: its time while the other devices are busy, divided by its time
// while they are idle. Each interval describes all rounds of the trial. A median of 0 means that there are no
// times.
struct SentinelRatio {
  std::string device, sentinel;  // the sentinel's name is "launch", "memory" or "power"
  Interval call, on_device;
  double seconds = 0;  // seconds of one call while the other devices are idle
  // Device time, or call time if that is unknown, of all rounds while the other devices are idle.
  Interval isolated = {};
};

// Returns the sentinels that this build contains. Their settings for a single short measurement are derived
// from `settings`. Their names are added to `names`.
std::vector<Tried> sentinel_cases(const Settings& settings, std::vector<std::string>* names);

// Computes the ratios from the results of run_side_by_side. `names` contains the sentinel's name for each
// case.
std::vector<SentinelRatio> ratios_of(const std::vector<std::vector<BothWays>>& results,
                                     const std::vector<std::string>& names);

// Combines the ratios of three trials, the first of which has all sentinels. The call ratio of each device
// and sentinel becomes the median of the three, so that a single outlier has no effect.
std::vector<SentinelRatio> middle_of(const std::array<std::vector<SentinelRatio>, 3>& tries);

// Decides which measurements on different GPUs may overlap.
//   - nothing: if the interval of a sentinel's device-time ratio is more than `max_noise` away from 1, or its
//     median more than twice that
//   - long calls: if only the call time of the sentinel "launch" changed. Long calls are those for which this
//     change is less than `max_noise`.
//   - everything otherwise
Concurrency concurrency_by(const std::vector<SentinelRatio>& ratios, double max_noise);
// Returns a text about the ratio that prevents full overlap, or an empty text if nothing does. `reason_of`
// adds how the run then measures.
std::string disturbance_of(const Concurrency& concurrency, const std::vector<SentinelRatio>& ratios,
                           double max_noise);
std::string reason_of(const Concurrency& concurrency, const std::vector<SentinelRatio>& ratios,
                      double max_noise);

// Returns by how much the GPUs differ, with 95 % intervals and one line per GPU but the first one: "gpu1 over
// gpu0: launch (triad) 1.003x (0.991 to 1.012); …". Empty for one GPU.
std::string differences_of(const std::vector<SentinelRatio>& ratios);

// Stores the ratios in a session's environment under names such as "sentinel.start.gpu0.launch.call". `when`
// is "start" or "end".
void record_ratios(const std::vector<SentinelRatio>& ratios, const std::string& when,
                   Environment* environment);
// Returns one line per device, such as "gpu0: launch 1.01x call; memory 1.00x call, 1.00x device; …".
std::string text_of(const std::vector<SentinelRatio>& ratios);

// Measures the sentinels on the GPUs of the worker slots, whose worker processes keep running. Failures are
// reported to `progress`. It takes half a second per GPU, plus the time to compute references. Returns
// nothing if the run was interrupted. `only_calls` measures only the sentinel for call times.
std::optional<std::vector<SentinelRatio>> measure_sentinels(const std::vector<WorkerSlot>& slots,
                                                            const Settings& settings,
                                                            ProgressReporter& progress,
                                                            bool only_calls = false);

}  // namespace sextant
