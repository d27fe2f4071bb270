#include "engine/case/audits.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "engine/case/case_subject.hpp"
#include "engine/case/check.hpp"
#include "record/statistics.hpp"

namespace sextant {
namespace {

// Maximum number of extra calls that train the CPU's branch predictors before a call on known inputs is
// timed. Predictors hold too little to learn the data of a call that takes longer than `longest_learning`.
constexpr int most_learning = 8;
constexpr double longest_learning = 0.5e-3;  // most seconds that these calls take together

// References of up to this many seconds may precede calls that are so short that a reference delays them.
constexpr double shortest_reference = 0.3e-3;

// Returns the 90th percentile of the samples.
double slow_of(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  if (sorted.empty()) return 0;
  std::sort(sorted.begin(), sorted.end());
  return sorted[(sorted.size() - 1) * 9 / 10];
}

}  // namespace

void FreshCalls::add(double fresh, double second, double seen, double usual_ratio) {
  ratios_.push_back(seen > 0 ? fresh / seen : 1);
  second_ratios_.push_back(second > 0 ? fresh / second : 1);
  if (!(ratios_.back() > usual_ratio && fresh - seen > least_difference)) add_usual();
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
  std::snprintf(text, sizeof text, "right, but %.3g times slower on fresh inputs: it caches results", ratio);
  forget(measurement, Status::wrong, text);
  return false;
}

bool use_fresh(const FreshCalls& calls, bool has_other_fill, Measurement* measurement) {
  if (!calls.are_slower()) return true;
  if (const double ratio = calls.ratio_of_second(); ratio > FreshCalls::much_slower)
    return keeps_answers(ratio, measurement);
  if (has_other_fill) return true;
  measurement->seen_times = std::move(measurement->call_times);
  measurement->call_times = calls.times(median_interval(measurement->seen_times).median);
  measurement->calls_per_sample = 1;
  return true;
}

bool passes(const Audited& audited, Measurement* measurement) {
  if (!audited.passed()) forget(measurement, audited.status, audited.reason);
  return audited.passed();
}

bool leaves_nothing(bool leaves_work, Measurement* measurement) {
  if (leaves_work)
    forget(measurement, Status::wrong, "right, but its work continues after the call has returned");
  return !leaves_work;
}

// If the arrays fit into the caches, the calls on fresh and on seen inputs must begin with the same cache
// contents, although the former often follow a computation of the reference. So a short reference is computed
// before every call; otherwise the outputs are read. The inputs are written last. A call on the same inputs
// again follows the same copies as the first one, because work on the host before a call on a GPU delays it.
bool copy_inputs(const AuditPlace& place, const AuditInputs& inputs, const NextFilling& next,
                 bool* restored) {
  Workset& workset = place.workset;
  DeviceCopies& copies = place.device_copies;
  const AuditFilling filling = inputs.again ? AuditFilling{workset.filling(), false} : next(inputs.compares);
  *restored = (!inputs.again || *restored) && copies.restore_inputs(filling.number);
  if (!*restored) workset.refill(filling.number);
  if (inputs.compares) workset.compute_reference();
  if (place.device.memory_space() == MemorySpace::host && workset.total_bytes() <= most_in_caches) {
    if (inputs.compares && workset.reference_seconds() <= shortest_reference)
      workset.compute_reference_again();
    else
      workset.read_outputs();
    workset.refill(filling.number);
  }
  if (!*restored) {
    copies.copy_inputs_in();
    copies.keep_inputs();
  }
  if (inputs.poisons) {
    poison(place.device, workset, copies);
    // If all input sets are the same, the previous outputs would pass as right, so change them.
  } else if (workset.has_fixed_data()) {
    copies.copy_out(DeviceCopies::Which::outputs);
    workset.alter_outputs();
    copies.copy_outputs_in();
  }
  return filling.is_new;
}

double AuditedOnDevice::timed_call() {
  const ClosedGuards closed(place_.workset);
  const double start = clock_.now();
  place_.variant.launch[place_.call.problem.type](place_.call);
  place_.device.synchronise();
  return clock_.now() - start;
}

Audited AuditedOnDevice::compare(bool with_inputs) {
  Audited audited = launched();
  if (!audited.passed()) return audited;
  Deviation worst;
  audited.reason = place_.device_copies.compare(&worst, with_inputs);
  if (!audited.reason.empty()) audited.status = Status::wrong;
  return audited;
}

Audited AuditedOnDevice::launched() {
  const std::string failure = failure_of_launches();
  return {failure.empty() ? Status::ok : Status::failed, failure};
}

void Audits::begin(bool compares) {
  const double began = clock_.now();
  compares_ = compares;
  poisons_ = done_ % 2 == 1;
  had_new_ = of_.bring({.compares = compares, .poisons = poisons_});
  seconds_ = clock_.now() - began;
}

Audited Audits::end(double seconds) {
  const double began = clock_.now();
  ++done_;
  if (compares_) of_.take_outputs();
  leftover_.look(seconds);
  // Comparing the inputs, too, in every second audit is enough, because each audit fills them again.
  Audited audited = compares_ ? of_.compare(poisons_) : of_.launched();
  if (audited.status == Status::wrong)
    audited.reason = std::string("right when first checked, wrong ") +
                     (had_new_ ? "on fresh inputs: " : "when called again: ") + audited.reason;
  seconds_ += clock_.now() - began;
  return audited;
}

Audited Audits::run(int wanted, bool until_known, std::span<const double> samples) {
  const double seen = median_interval(samples).median,
               limit = of_.learns() ? FreshCalls::slower : FreshCalls::slower_on_gpu,
               usual = std::max(limit * seen, slow_of(samples));
  const auto goes_on = [&] {
    return done_ < wanted ||
           (until_known && calls_.may_be_slower(wanted < 3 || !of_.learns() ? 1 : 2) && !calls_.are_enough());
  };
  Audited audited;
  while (audited.passed() && goes_on()) audited = audit(seen, usual, done_ < wanted);
  while (audited.passed() && until_known && leftover_.needs_calls()) leftover_.look(of_.timed_call());
  return audited;
}

// Times a call on fresh inputs. If it took longer than usual, times it again on the same inputs, and once
// more after the branch predictors have learnt them, if they can. A device has no branch predictors, and its
// second call follows the same transfers as the first, so that both begin with the same clock and caches.
Audited Audits::audit(double seen, double usual, bool is_wanted) {
  const bool compares = is_wanted || of_.compares_soon();
  const bool learns = of_.learns() && seen < longest_learning;
  if (learns && calls_.may_be_slower()) learn(seen);
  begin(compares);
  const double fresh = first_call(is_wanted);
  const Audited audited = end(fresh);
  if (!audited.passed() || !had_new_ || !calls_.may_be_slower()) return audited;
  if (fresh <= usual) {
    calls_.add_usual();
    return audited;
  }
  const auto again = [&] {
    of_.bring({.again = true, .compares = compares, .poisons = poisons_});
    return of_.timed_call();
  };
  const double second = again();
  leftover_.look(second);
  double last = second;
  if (learns) {
    learn(fresh);
    last = again();
  }
  calls_.add(fresh, second, last, seen > 0 ? usual / seen : FreshCalls::slower);
  return audited;
}

// Returns the seconds of an audit's first call.
double Audits::first_call(bool is_wanted) {
  if (!as_samples || !is_wanted) return of_.timed_call();
  as_samples(Stage::sampling);
  samples_.push_back(of_.timed_call());
  as_samples(Stage::checking_again);
  return samples_.back();
}

// Makes a few calls on the current inputs to train the branch predictors. Each takes about `each` seconds.
void Audits::learn(double each) {
  double learnt = 0;
  for (int i = 0; i < most_learning && learnt + each < longest_learning; ++i) learnt += of_.timed_call();
}

}  // namespace sextant
