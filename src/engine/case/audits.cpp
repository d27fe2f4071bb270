#include "engine/case/audits.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "engine/case/case_subject.hpp"
#include "engine/case/check.hpp"
#include "record/statistics.hpp"

namespace sextant {
namespace {

// Calls on the same inputs before one of them stands for a call on seen inputs: branches are predicted from then on. A GPU predicts none.
constexpr int most_learning = 8;
constexpr double longest_learning = 0.5e-3;  // seconds of them

// Bytes of a problem's arrays that may all lie in a processor's caches.
constexpr std::size_t most_in_caches = std::size_t{32} << 20;

}  // namespace

void FreshCalls::add(double fresh, double second, double seen) {
  ratios_.push_back(seen > 0 ? fresh / seen : 1);
  second_ratios_.push_back(second > 0 ? fresh / second : 1);
  if (!(ratios_.back() > slower)) add_usual();
}

double FreshCalls::ratio() const { return median_interval(ratios_).median; }
double FreshCalls::ratio_of_second() const { return median_interval(second_ratios_).median; }

std::vector<double> FreshCalls::times(double seen) const {
  std::vector<double> times;
  for (const double ratio : ratios_) times.push_back(seen * ratio);
  return times;
}

bool keeps_answers(double ratio, Measurement* measurement) {
  char text[96];
  std::snprintf(text, sizeof text, "right, but %.3g times slower on fresh inputs: it keeps answers", ratio);
  forget(measurement, Status::wrong, text);
  return false;
}

bool use_fresh(const FreshCalls& calls, Measurement* measurement) {
  if (!calls.are_slower()) return true;
  if (const double ratio = calls.ratio_of_second(); ratio > FreshCalls::much_slower)
    return keeps_answers(ratio, measurement);
  measurement->seen_times = std::move(measurement->call_times);
  measurement->call_times = calls.times(median_interval(measurement->seen_times).median);
  measurement->calls_per_sample = 1;
  return true;
}

// In every other audit outputs stay what the last call left: right for its inputs, wrong for others. Where all inputs
// are the same they are altered.
void Audits::prepare_outputs() {
  if (poisons_) return poison(place_.device, place_.workset, place_.mapped);
  if (!place_.workset.has_fixed_data()) return;
  place_.mapped.copy_out(Mapped::Which::outputs);
  place_.workset.alter_outputs();
  place_.mapped.copy_outputs_in();
}

// Inputs, their reference, and outputs. A reference takes memory and displaces what caches hold: where that may matter it is
// computed once more, and the inputs come after it, so that all calls begin in the same state.
void Audits::bring(Filling filling, bool compares) {
  Workset& workset = place_.workset;
  workset.refill(filling);
  if (compares) workset.compute_reference();
  if (workset.total_bytes() <= most_in_caches) {
    if (compares && workset.has_short_reference()) workset.compute_reference_again();
    workset.refill(filling);
  }
  place_.mapped.copy_inputs_in();
  prepare_outputs();
}

void Audits::begin(bool compares) {
  const double began = clock_.now();
  poisons_ = done_ % 2 == 1;
  bring(next_(compares), compares);
  seconds_ = clock_.now() - began;
}

std::string Audits::end(double seconds, bool compares) {
  const double began = clock_.now();
  ++done_;
  if (compares && place_.device.memory_space() == MemorySpace::host) place_.workset.keep_outputs();
  leftover_.look(seconds);
  std::string reason = failure_of_launches();
  if (reason.empty() && compares) reason = compare(place_.workset, place_.mapped);
  seconds_ += clock_.now() - began;
  return reason;
}

double Audits::timed_call() {
  const ClosedGuards closed(place_.workset);
  const double start = clock_.now();
  place_.variant.launch[place_.call.problem.type](place_.call);
  place_.device.synchronise();
  return clock_.now() - start;
}

std::string Audits::audit(double seen, bool compares) {
  if (calls_.may_be_slower()) learn(seen);
  begin(compares);
  const double fresh = timed_call();
  const std::string reason = end(fresh, compares);
  if (!reason.empty() || !calls_.may_be_slower()) return reason;
  if (fresh <= FreshCalls::slower * seen) {
    calls_.add_usual();
    return {};
  }
  const auto again = [&] {
    bring(place_.workset.filling(), compares);
    return timed_call();
  };
  const double second = again();
  learn(fresh);
  calls_.add(fresh, second, again());
  return {};
}

// A few calls, each of about so many seconds, on the inputs that are there.
void Audits::learn(double each) {
  if (place_.device.memory_space() != MemorySpace::host) return;
  double learnt = 0;
  for (int i = 0; i < most_learning && learnt + each < longest_learning; ++i) learnt += timed_call();
}

}  // namespace sextant
