#include "engine/case/call_timer.hpp"

#include <algorithm>
#include <cstdio>
#include <random>
#include <utility>

#include "engine/case/case_subject.hpp"
#include "engine/case/check.hpp"
#include "machine/thread_count.hpp"
#include "record/statistics.hpp"

namespace sextant {
namespace {

// Draws at random the sample after which the first audit is made (an audit checks a call on other inputs). It
// is at least the third sample, because slow cases may be stopped after three.
std::size_t drawn_sample(const Settings& settings) {
  constexpr int first = 3;
  std::random_device device;
  return static_cast<std::size_t>(
      std::uniform_int_distribution<int>(first, std::max(first, settings.min_samples))(device));
}

std::function<void()> synchroniser(Device& device) {
  if (device.memory_space() == MemorySpace::host) return {};
  return [&device] { device.synchronise_all(); };
}

}  // namespace

CallTimer::CallTimer(const AuditPlace& place, const Settings& settings, const HostClock& clock, bool cold,
                     StageListener stage)
    : place_(place),
      settings_(settings),
      clock_(clock),
      cold_(cold),
      stage_(std::move(stage)),
      audited_case_(place, clock.clock, [this](bool compared) { return next_filling(compared); }),
      audits_(audited_case_, {place.variant, synchroniser(place.device), clock.clock}, clock.clock),
      compares_next_(std::random_device{}() % 2 == 1) {
  sampling_.execute = [this] {
    place_.variant.launch[place_.call.problem.type](place_.call);
    place_.device.synchronise();
  };
}

// Makes the warm-up calls before the first sample. Sets *expected to the seconds of the fastest call so far,
// because any one call may include a pause in which another program had the processor.
void CallTimer::warm_up(double checked, Measurement* measurement) {
  Clock& clock = clock_.clock;
  const double begin = clock.now();
  sampling_.execute();
  const double once = clock.now() - begin - clock_.cost;
  double least = std::min(checked, once);
  // The check was a sufficient warm-up for calls that are longer than the warm-up time, unless the check was
  // skipped (check_once). The call above then becomes a sample.
  const bool is_warm = least > settings_.warm_seconds;
  if (is_warm && !cold_ && !settings_.check_once) measurement->call_times = {once};
  const int most = is_warm || cold_ ? 0 : 50;
  for (int i = 0; i < most && (i < 2 || clock.now() < begin + settings_.warm_seconds); ++i) {
    const double start = clock.now();
    sampling_.execute();
    least = std::min(least, clock.now() - start);
  }
  *expected = least;
}

void CallTimer::begin_call() {
  if (cold_) place_.device.flush_caches();
  if (state) state->begin();
  if (recorded) recorded->begin();
}

void CallTimer::end_call() {
  if (recorded) recorded->end();
  if (state) state->end();
}

// Returns true if the result of the next sample of a long call is compared with the reference. The first few
// results are compared, and later ones while that costs less than half a call. Otherwise every second result
// is compared, or all if changing the inputs alone costs more than half a call.
bool CallTimer::compares_next() {
  const double most = *expected / 2;
  if (audits_.done() < audits ||
      (audits_.compared() && audits_.had_new_inputs() && audits_.seconds() <= most))
    return true;
  compares_next_ = !compares_next_;
  return compares_next_ || of_new_inputs_ > most;
}

void CallTimer::prepare_long_calls() {
  if (!has_other_fill) return audit_long_calls();
  sampling_.before = [this] { begin_call(); };
  sampling_.after = [this](std::size_t, double) {
    end_call();
    return true;
  };
}

// Makes each sample of a long call an audit: its inputs are fresh, its result is compared, or both.
void CallTimer::audit_long_calls() {
  sampling_.before = [this] {
    end_call();
    stage_(Stage::checking_again);
    audits_.begin(compares_next());
    fresh_.push_back(audits_.had_new_inputs());
    stage_(Stage::sampling);
    begin_call();
  };
  sampling_.after = [this](std::size_t, double seconds) {
    end_call();
    stage_(Stage::checking_again);
    const GivenThreads given(checking_threads);
    found_ = audits_.end(seconds);
    if (!audits_.compared()) of_new_inputs_ = audits_.seconds();
    return found_.passed();
  };
}

// Separates the samples of a long call on fresh inputs from those on seen inputs. If all samples on fresh
// inputs are slower, they become the call times. Returns false if they are so slow that the case is wrong.
bool CallTimer::use_audited(Measurement* measurement) const {
  std::vector<double> fresh, seen;
  // number of samples that were taken before the audits
  const std::size_t before = measurement->call_times.size() - fresh_.size();
  for (std::size_t i = 0; i < fresh_.size(); ++i)
    (fresh_[i] ? fresh : seen).push_back(measurement->call_times[before + i]);
  constexpr std::size_t enough = 3;  // minimum number of samples of each kind
  if (std::min(seen.size(), fresh.size()) < enough) return true;
  const double ratio =
      *std::min_element(fresh.begin(), fresh.end()) / *std::max_element(seen.begin(), seen.end());
  if (!(ratio > FreshCalls::slower)) return true;
  if (ratio > FreshCalls::much_slower) return keeps_answers(ratio, measurement);
  measurement->call_times = std::move(fresh);
  measurement->seen_times = std::move(seen);
  if (state) state->keep_last(fresh_);
  return true;
}

// Makes one audit of a short call right after sample `number`.
void CallTimer::audit_at(std::size_t number, Measurement* measurement) {
  sampling_.after = [this, number, measurement](std::size_t samples, double) {
    if (samples != number) return true;
    end_call();
    if (!audit(1, measurement)) return false;
    put_timed_inputs(place_.device, place_.workset, place_.device_copies);
    stage_(Stage::sampling);
    for (int i = 0; i < 2 && !cold_; ++i) sampling_.execute();
    return true;
  };
}

// Makes audits until `wanted` are done. After the last sample, it continues until it is known whether fresh
// inputs are slower. A search for tunings skips this.
bool CallTimer::audit(int wanted, Measurement* measurement) {
  stage_(Stage::checking_again);
  const GivenThreads given(checking_threads);
  const bool until_known = wanted >= audits && !settings_.check_once;
  if (reserved_ > 0) audits_.as_samples = stage_;
  return passes(audits_.run(wanted, until_known, measurement->call_times), measurement);
}

// Makes audits of a long call whose samples had only the timed inputs: one after a right result, and one
// after poison if calls are not too long. The times of fresh inputs, which are of another kind, are not used.
bool CallTimer::audit_after_long_calls(Measurement* measurement) {
  stage_(Stage::checking_again);
  const GivenThreads given(checking_threads);
  const int wanted = *expected > once_from(settings_) ? 1 : 2;
  while (found_.passed() && audits_.done() < wanted) {
    audits_.begin();
    const double seconds = audited_case_.timed_call();
    found_ = audits_.end(seconds);
  }
  return passes(found_, measurement);
}

// Takes the samples. `once` is the seconds of a call. If recording device activity disturbed the calls, takes
// new samples without recording. Sets `gave_up` if the case was too slow for further samples. Returns false
// if a launch failed or an audit found a wrong result.
bool CallTimer::sample(double once, bool* gave_up, Measurement* measurement) {
  const std::size_t before = measurement->call_times.size(), fresh_before = fresh_.size(),
                    groups_before = state ? state->groups() : 0;
  MedianRule median(settings_, once, clock_.step / sampling_.calls, reserved_);
  EarlyStopRule rule(median, settings_.screen_above);
  sextant::sample(sampling_, clock_.clock, clock_.cost, rule, &measurement->call_times);
  end_call();
  if (measurement->status != Status::ok || !passes(found_, measurement) ||
      !passes(audited_case_.launched(), measurement))
    return false;
  *gave_up = rule.gave_up();
  if (!recorded || !recorded->disturbed()) return true;
  recorded = nullptr;
  fresh_.resize(fresh_before);
  if (state) state->keep_first(groups_before);
  measurement->call_times.resize(before);
  return sample(once, gave_up, measurement);
}

// Makes a second call if the first one was long. The first one may include one-time work, such as starting a
// library or loading code. If the second call is long, too, it becomes a sample. The first becomes a sample
// if it took about as long. Returns false if the audit of the second call failed.
bool CallTimer::call_again(double first, double* second, Measurement* measurement) {
  constexpr double as_long = 1.25;
  stage_(Stage::sampling);
  prepare_long_calls();
  sampling_.before();
  const double start = clock_.clock.now();
  sampling_.execute();
  *second = clock_.clock.now() - start - clock_.cost;
  sampling_.after(1, *second);
  if (!passes(found_, measurement)) return false;
  *expected = *second;
  if (*second <= long_call) {
    sampling_.before = {}, sampling_.after = {};
    fresh_.clear();
    if (state) state->keep_first(0);
    return true;
  }
  if (!cold_ && first <= as_long * *second) measurement->call_times = {first};
  measurement->call_times.push_back(*second);
  return true;
}

// Makes the audits that follow the samples, and uses what audits found. Returns false and discards all times
// if a result was wrong.
bool CallTimer::audit_after_samples(bool is_long, Measurement* measurement) {
  const bool is_audited = is_long && !has_other_fill;  // each sample was an audit
  if (settings_.visit && !is_audited) return true;
  if (is_long && has_other_fill && !audit_after_long_calls(measurement)) return false;
  if (!is_long && !audit(audits, measurement)) return false;
  if (!leaves_nothing(audits_.leaves_work(), measurement)) return false;
  if (!audits_.calls().are_slower())
    measurement->call_times.insert(measurement->call_times.end(), audits_.samples().begin(),
                                   audits_.samples().end());
  return is_audited ? use_audited(measurement) : use_fresh(audits_.calls(), has_other_fill, measurement);
}

// Returns true if the audits that follow the samples replace some of them. Calls must take so long that
// filling the arrays between them makes no difference, less long if caches do not hold the arrays. On a GPU
// it may, because the clock changes meanwhile.
bool CallTimer::audits_are_samples(double once) const {
  constexpr double least = 5e-3, least_without_caches = 1e-3;  // seconds
  return once >= (place_.workset.total_bytes() > most_in_caches ? least_without_caches : least) && !cold_ &&
         !state && !has_other_fill && !settings_.visit && settings_.min_samples > audits;
}

bool CallTimer::time(double checked, Measurement* measurement) {
  double once = checked;
  *expected = checked;
  if (checked > once_from(settings_)) {
    if (!cold_) measurement->call_times = {checked};
    prepare_long_calls();
  } else if (checked > long_call && !call_again(checked, &once, measurement)) {
    return false;
  }
  const bool is_long = once > long_call;
  if (!is_long) {
    stage_(Stage::warming_up);
    warm_up(once, measurement);
    once = *expected;
  }
  stage_(Stage::sampling);
  if (!is_long) {
    if (cold_ || state) sampling_.before = [this] { begin_call(); };
    if (!cold_)  // with cold caches, each sample is a single call
      sampling_.calls =
          calls_per_sample(in_a_row(sampling_.execute, clock_.clock), once, clock_.step, settings_);
    // If filling the inputs takes long, all audits are made after the last sample. The timed inputs then need
    // not be restored.
    reserved_ = audits_are_samples(once) ? audits : 0;
    if (!settings_.check_once && !settings_.visit && reserved_ == 0 && place_.workset.has_short_reference())
      audit_at(drawn_sample(settings_), measurement);
  }
  measurement->calls_per_sample = sampling_.calls;
  measurement->clock_step = clock_.step;
  bool gave_up = false;
  if (!sample(once, &gave_up, measurement)) return false;
  if (gave_up) {
    measurement->effort = Effort::stopped_early;
    return true;
  }
  return audit_after_samples(is_long, measurement);
}

}  // namespace sextant
