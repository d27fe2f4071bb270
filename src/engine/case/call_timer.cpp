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

// After which sample the first audit comes: not before it is known that the case gets more than a few.
std::size_t drawn_sample(const Settings& settings) {
  constexpr int first = 3;
  std::random_device device;
  return static_cast<std::size_t>(
      std::uniform_int_distribution<int>(first, std::max(first, settings.min_samples))(device));
}

std::function<void()> settled(Device& device) {
  if (device.memory_space() == MemorySpace::host) return {};
  return [&device] { device.settle(); };
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
      audits_(audited_case_, {place.variant, settled(place.device), clock.clock}, clock.clock),
      compares_next_(std::random_device{}() % 2 == 1) {
  sampling_.execute = [this] {
    place_.variant.launch[place_.call.problem.type](place_.call);
    place_.device.synchronise();
  };
}

// Calls before the first sample. Returns the seconds that a call is expected to take.
double CallTimer::warm_up(double checked, Measurement* measurement) {
  Clock& clock = clock_.clock;
  const double begin = clock.now();
  sampling_.execute();
  const double once = clock.now() - begin - clock_.cost;
  const double shorter = std::min(checked, once);
  double least = shorter;
  // A launch that takes so long is enough: the check's, if it was not spared, and this one is a sample.
  const bool is_warm = shorter > settings_.warm_seconds;
  if (is_warm && !cold_ && !settings_.check_once) measurement->call_times = {once};
  const int most = is_warm || cold_ ? 0 : 50;
  for (int i = 0; i < most && (i < 2 || clock.now() < begin + settings_.warm_seconds); ++i) {
    const double start = clock.now();
    sampling_.execute();
    least = std::min(least, clock.now() - start);
  }
  *expected = least;
  return shorter;
}

void CallTimer::begin_call() {
  if (cold_) place_.device.flush_caches();
  if (recorded) recorded->begin();
}

void CallTimer::end_call() {
  if (recorded) recorded->end();
}

// Whether the next sample of a long call is compared. The first few are, and others as long as an audit costs
// less than half of a call and has new inputs. Else every other one is, so that one has new inputs if those
// cost less.
bool CallTimer::compares_next() {
  const double most = *expected / 2;
  if (audits_.done() < audits ||
      (audits_.compared() && audits_.had_new_inputs() && audits_.seconds() <= most))
    return true;
  compares_next_ = !compares_next_;
  return compares_next_ || of_new_inputs_ > most;
}

// Each sample of a long call is an audit: on new inputs, or compared, or both.
void CallTimer::audit_long_calls() {
  sampling_.before = [this] {
    end_call();
    audits_.begin(compares_next());
    fresh_.push_back(audits_.had_new_inputs());
    begin_call();
  };
  sampling_.after = [this](std::size_t, double seconds) {
    end_call();
    const GivenThreads given(checking_threads);
    found_ = audits_.end(seconds);
    if (!audits_.compared()) of_new_inputs_ = audits_.seconds();
    return found_.passed();
  };
}

// Where all samples of a long call on new inputs are slower than the others, those are on seen inputs. False:
// as time() has it.
bool CallTimer::use_audited(Measurement* measurement) const {
  std::vector<double> fresh, seen;
  const std::size_t before = measurement->call_times.size() - fresh_.size();  // the check's
  for (std::size_t i = 0; i < fresh_.size(); ++i)
    (fresh_[i] ? fresh : seen).push_back(measurement->call_times[before + i]);
  constexpr std::size_t enough = 3;  // of each: fewer can be slow by chance
  if (std::min(seen.size(), fresh.size()) < enough) return true;
  const double ratio =
      *std::min_element(fresh.begin(), fresh.end()) / *std::max_element(seen.begin(), seen.end());
  if (!(ratio > FreshCalls::slower)) return true;
  if (ratio > FreshCalls::much_slower) return keeps_answers(ratio, measurement);
  measurement->call_times = std::move(fresh);
  measurement->seen_times = std::move(seen);
  return true;
}

// Of short calls one audit comes after so many samples.
void CallTimer::audit_at(std::size_t number, Measurement* measurement) {
  sampling_.after = [this, number, measurement](std::size_t samples, double) {
    if (samples != number) return true;
    end_call();
    if (!audit(1, measurement)) return false;
    put_timed_inputs(place_.device, place_.workset, place_.mapped);
    stage_(Stage::sampling);
    for (int i = 0; i < 2 && !cold_; ++i) sampling_.execute();
    return true;
  };
}

// Audits until there are so many; after the last sample, unless it is a search, until it is known whether
// fresh inputs are slower.
bool CallTimer::audit(int wanted, Measurement* measurement) {
  stage_(Stage::checking_again);
  const GivenThreads given(checking_threads);
  const bool until_known = wanted >= audits && !settings_.check_once;
  return passes(audits_.run(wanted, until_known, measurement->call_times), measurement);
}

// False: as time() has it.
bool CallTimer::sample(StoppingRule& rule, Measurement* measurement) {
  const std::size_t before = measurement->call_times.size();
  sextant::sample(sampling_, clock_.clock, clock_.cost, rule, &measurement->call_times);
  end_call();
  if (measurement->status != Status::ok || !passes(found_, measurement) ||
      !passes(audited_case_.launched(), measurement))
    return false;
  if (!recorded || !recorded->disturbed()) return true;
  recorded = nullptr;
  fresh_.clear();
  measurement->call_times.resize(before);
  return sample(rule, measurement);
}

// The second call of a case whose first one was long. That may have been for what is done once: a library
// that starts, or code that is loaded. Else this one is a sample, and the first one, too, if it took no
// longer. False: as time() has it.
bool CallTimer::call_again(double first, double* second, Measurement* measurement) {
  constexpr double as_long = 1.25;
  stage_(Stage::sampling);
  audit_long_calls();
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
    return true;
  }
  if (!cold_ && first <= as_long * *second) measurement->call_times = {first};
  measurement->call_times.push_back(*second);
  return true;
}

bool CallTimer::time(double checked, Measurement* measurement) {
  double once = checked;
  *expected = checked;
  if (checked > once_from(settings_)) {
    if (!cold_) measurement->call_times = {checked};
    audit_long_calls();
  } else if (checked > long_call && !call_again(checked, &once, measurement)) {
    return false;
  }
  const bool is_long = once > long_call;
  if (!is_long) {
    stage_(Stage::warming_up);
    once = warm_up(once, measurement);
  }
  stage_(Stage::sampling);
  if (!is_long) {
    if (cold_)  // there is no row of calls
      sampling_.before = [this] { begin_call(); };
    else
      sampling_.calls =
          calls_per_sample(in_a_row(sampling_.execute, clock_.clock), once, clock_.step, settings_);
    // Where making inputs takes long all audits come after the last sample: the timed inputs need not be put
    // back then.
    if (!settings_.check_once && !settings_.visit && place_.workset.has_short_reference())
      audit_at(drawn_sample(settings_), measurement);
  }
  measurement->calls_per_sample = sampling_.calls;
  measurement->clock_step = clock_.step;
  MedianRule median(settings_, once, clock_.step / sampling_.calls);
  ScreeningRule rule(median, settings_.screen_above);
  if (!sample(rule, measurement)) return false;
  if (rule.gave_up()) {
    measurement->effort = Effort::screened;
    return true;
  }
  if (settings_.visit && !is_long) return true;
  if (is_long) return leaves_nothing(audits_.leaves_work(), measurement) && use_audited(measurement);
  return audit(audits, measurement) && leaves_nothing(audits_.leaves_work(), measurement) &&
         use_fresh(audits_.calls(), measurement);
}

}  // namespace sextant
