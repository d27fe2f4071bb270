#include "engine/concurrent/tuning_search.hpp"

#include <utility>

#include "engine/form/stage.hpp"
#include "engine/form/warnings.hpp"
#include "plan/tunings.hpp"
#include "record/keys.hpp"
#include "record/lasting.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

constexpr std::size_t least_of_search = 4;

bool is_default(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  const Variant* variant = entry ? find_variant(*entry, what.variant) : nullptr;
  return !variant || what.tuning == default_tuning(*variant, what.problem);
}

bool is_disturbed(const Measurement& one) { return one.isolation == Isolation::calls_disturbed; }

}  // namespace

std::span<const Case> tunings_in_front(std::span<const Case> cases) {
  if (cases.empty()) return cases;
  const std::string space = space_key_of(cases.front());
  std::size_t count = 1;
  while (count < cases.size() && space_key_of(cases[count]) == space) ++count;
  return cases.first(count);
}

bool is_search(std::span<const Case> tunings) {
  return tunings.size() >= least_of_search && tunings.front().device != "cpu";
}

TuningSearch::TuningSearch(std::span<const Case> tunings, bool by_device)
    : is_search_(is_search(tunings)), by_device_(by_device) {}

bool TuningSearch::is_brief(const Case& what) const { return is_search_ && !is_default(what); }

std::optional<Measurement> TuningSearch::add(Measurement one) {
  if (!is_search_ || one.status != Status::ok) return one;
  const Times times = times_of(one);
  if (!is_disturbed(one) && !lacks_pass(one)) {
    if (!fastest_whole_ || is_faster(times, *fastest_whole_)) fastest_whole_ = times;
    return one;
  }
  if (held_ && !is_faster(times, times_of(*held_))) return one;
  return std::exchange(held_, std::move(one));
}

const Case* TuningSearch::unfinished() const {
  const bool is_fastest = held_ && (!fastest_whole_ || is_faster(times_of(*held_), *fastest_whole_));
  return is_fastest ? &held_->what : nullptr;
}

Timed TuningSearch::what_it_lacks() const { return is_disturbed(*held_) ? Timed::all : Timed::pass; }

// Adds the second measurement of the fastest tuning to `held_`, the first one. If only the end-to-end pass
// was missing, its times are added, or a warning if it timed out. Otherwise the second measurement replaces
// the first.
void TuningSearch::finish(Measurement again) {
  if (what_it_lacks() == Timed::pass && again.status == Status::ok) {
    held_->end_to_end_times = std::move(again.end_to_end_times);
    held_->prepare_times.insert(held_->prepare_times.end(), again.prepare_times.begin(),
                                again.prepare_times.end());
  } else if (what_it_lacks() == Timed::pass && again.status == Status::timed_out) {
    held_->warnings.insert(held_->warnings.begin(),
                           text_of(Warning::cut_short, name_of(Stage::timing_end_to_end)));
  } else {
    held_ = std::move(again);
  }
}

std::optional<Measurement> TuningSearch::take() { return std::exchange(held_, std::nullopt); }

TuningSearch::Times TuningSearch::times_of(const Measurement& measurement) {
  return {lasting_interval(measurement.call_times).median, median_interval(measurement.device_times).median};
}

bool TuningSearch::is_faster(const Times& one, const Times& other) const {
  const bool tells = by_device_ && one.on_device > 0 && other.on_device > 0;
  return tells ? one.on_device < other.on_device : one.call < other.call;
}

}  // namespace sextant
