#include "run/ceilings.hpp"

#include <utility>

#include "engine/process/worker_questions.hpp"
#include "record/place.hpp"

namespace sextant {

std::vector<Ceiling> RunCeilings::measure(const std::set<std::string>& devices, bool leave_bandwidths) {
  std::vector<Ceiling> all;
  for (const std::string& device : devices) {
    progress_.message("measuring the ceilings of " + device + " (its best rates)");
    const bool leaves = leave_bandwidths && gpu_index(device) >= 0;
    if (leaves) left_.push_back(device);
    const std::vector<Ceiling> ceilings =
        ask_ceilings(worker_, device, leaves ? CeilingPart::others : CeilingPart::all);
    file_.add_ceilings(session_, ceilings);
    all.insert(all.end(), ceilings.begin(), ceilings.end());
    timings_.add("measuring the ceilings of " + device);
  }
  return all;
}

void RunCeilings::measure_left() {
  for (const std::string& device : std::exchange(left_, {}))
    for (const Ceiling& ceiling : ask_ceilings(worker_, device, CeilingPart::bandwidth))
      late_.push_back(ceiling);
}

std::vector<Ceiling> RunCeilings::keep_left() {
  std::vector<Ceiling> ceilings = std::exchange(late_, {});
  if (!ceilings.empty()) file_.add_ceilings(session_, ceilings);
  return ceilings;
}

std::vector<Ceiling> RunCeilings::measure_and_keep_left() {
  if (left_.empty()) return {};
  measure_left();
  timings_.add("measuring bandwidths of GPUs");
  return keep_left();
}

}  // namespace sextant
