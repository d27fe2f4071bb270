#include "run/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/case/sampling.hpp"
#include "engine/form/unmeasured.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"
#include "record/statistics.hpp"
#include "registry/registry.hpp"
#include "suite/presentation.hpp"

namespace sextant {
namespace {

constexpr const char* compared_with = "serial.baseline";

// Limits of one round of a run over a whole suite. Variants beyond the limits are left out of the round.
struct Limits {
  std::int64_t until;  // largest N of the round
  // Largest ratio of a variant's time to that of the fastest variant of the same model, at the next smaller
  // size. A variant above it is left out.
  double slow_on_cpu, slow_on_gpu;
  double call;  // longest expected call in seconds
};
constexpr double any = std::numeric_limits<double>::infinity();
constexpr Limits limits[] = {{study_sizes[1], any, any, any},
                             {study_sizes[2], any, 3, 1.0},
                             {study_sizes[3], 2, 3, 1.0},
                             {std::numeric_limits<std::int64_t>::max(), 1.1, 1.1, 0.25}};
constexpr std::size_t last_round = std::size(limits) - 1;
constexpr double longest_preparation = 2;  // longest preparation in seconds, in all rounds but the first

std::size_t round_of(const Case& one) {
  std::size_t round = 0;
  while (one.problem_class.empty() && one.problem.n > limits[round].until) ++round;
  return round;
}

std::string family_of(const Case& one) {
  std::string family = one.kernel + ' ' + name_of(one.problem.type);
  for (const std::int64_t parameter : one.problem.parameters) family += ' ' + std::to_string(parameter);
  return family;
}

bool is_excluded_from_ranking(const RegisteredKernel* entry, const std::string& variant) {
  const Variant* found = entry ? find_variant(*entry, variant) : nullptr;
  return found && found->excluded_from_ranking;
}

// Returns true if both variants belong to the same programming model. Libraries for the CPU and libraries for
// the GPU count as two models.
bool same_model(const RegisteredKernel* entry, const std::string& one, const std::string& other) {
  if (model_of(one) != model_of(other)) return false;
  const Variant *a = entry ? find_variant(*entry, one) : nullptr,
                *b = entry ? find_variant(*entry, other) : nullptr;
  return !a || !b || a->memory_space == b->memory_space;
}

bool is_first_type(const RegisteredKernel* entry, const Case& one) {
  if (!entry) return true;
  const Variant* variant = find_variant(*entry, one.variant);
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32})
    if (variant && variant->launch[type]) return one.problem.type == type;
  return true;
}

// Returns the ratio of the problem's work to the work of the same problem with n elements.
double times_the_work(const RegisteredKernel* entry, const Case& one, std::int64_t n) {
  const double longer = static_cast<double>(one.problem.n) / static_cast<double>(n);
  if (!entry || !entry->kernel.work || !entry->kernel.extents) return longer;
  Problem smaller = one.problem;
  smaller.n = n;
  smaller.extents = entry->kernel.extents(n);
  const double flops = static_cast<double>(entry->kernel.work(smaller).flops);
  return flops > 0 ? std::max(longer, static_cast<double>(entry->kernel.work(one.problem).flops) / flops)
                   : longer;
}

std::string note_of(std::size_t round, std::size_t left_out, std::size_t all) {
  const Limits& limit = limits[round];
  const auto slower = [](double times) {
    return fmt::format("took more than {:g} times as long as the fastest of their model at the previous size",
                       times);
  };
  std::string forms = limit.slow_on_cpu == any ? "variants that on a GPU " + slower(limit.slow_on_gpu)
                                               : fmt::format("variants that {} (on a GPU {:g} times)",
                                                             slower(limit.slow_on_cpu), limit.slow_on_gpu);
  if (round == last_round)
    forms =
        "all types except the first, serial variants except serial.baseline, and variants that took over "
        "10% longer than the fastest of their model at the previous size (except those for large arrays)";
  return fmt::format(
      "{}: {} of {} cases are left out. They are {}, or would take more than {:g} s per call or {:g} s to "
      "prepare. Measure them with -v",
      round == last_round ? "larger N" : fmt::format("N up to {}", limit.until), left_out, all, forms,
      limit.call, longest_preparation);
}

}  // namespace

bool is_whole_suite(const Selection& selection) {
  return !selection.suites.empty() && selection.suites != std::vector<std::string>{"study"} &&
         selection.variants.empty() && !selection.asks_for_problems() && selection.parameters.empty() &&
         selection.tunings.empty() && !selection.all_tunings && !selection.small_problems;
}

std::vector<Case> without_models_asked_for(const std::vector<Case>& cases) {
  std::vector<Case> rest;
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(rest), [](const Case& one) {
    const std::string model = model_of(one.variant);
    return model != "stdpar" && model != "target";
  });
  return rest;
}

void Rounds::add(const Measurement& measurement) {
  if (begun_ || measurement.status == Status::ok) class_times_.add(measurement);
  if (measurement.status != Status::ok) return;
  const std::vector<double>& times =
      measurement.device_times.empty() ? measurement.call_times : measurement.device_times;
  if (times.empty()) return;
  // the first preparation may include loading a library, so the shortest one counts
  const auto preparation =
      std::min_element(measurement.prepare_times.begin(), measurement.prepare_times.end());
  const Case& what = measurement.what;
  times_[family_of(what)][what.problem.n][what.variant] = {
      median_interval(times).median, preparation == measurement.prepare_times.end() ? 0 : *preparation};
}

void Rounds::plan(const std::vector<Case>& cases, bool whole_suite, double timeout) {
  whole_suite_ = whole_suite;
  timeout_ = timeout;
  std::map<std::pair<std::size_t, std::size_t>, Round> rounds;
  for (const Case& one : cases) {
    const std::size_t of_size = whole_suite ? round_of(one) : 0;
    Round& round = rounds[{of_size, class_index(one)}];
    round.of_size = of_size;
    round.cases.push_back(one);
  }
  rounds_.clear();
  for (auto& [key, round] : rounds) rounds_.push_back(std::move(round));
  at_ = 0;
  begun_ = false;
}

const Rounds::Times* Rounds::before(const Case& one, std::int64_t* n) const {
  const auto family = times_.find(family_of(one));
  if (family == times_.end()) return nullptr;
  auto above = family->second.lower_bound(one.problem.n);
  if (above == family->second.begin()) return nullptr;
  --above;
  *n = above->first;
  return &above->second;
}

bool Rounds::is_worth(const Case& one, std::size_t round) const {
  const RegisteredKernel* entry = find_kernel(one.kernel);
  const bool largest = round == last_round, library = model_of(one.variant) == "library",
             baseline = one.variant == compared_with;
  if (round == 0 || (baseline && !largest)) return true;
  if (largest && (!is_first_type(entry, one) || is_excluded_from_ranking(entry, one.variant) ||
                  (model_of(one.variant) == "serial" && !baseline)))
    return false;
  std::int64_t n = 0;
  const Times* times = before(one, &n);
  if (!times) return true;
  const double longer = static_cast<double>(one.problem.n) / static_cast<double>(n);
  const auto is_prepared_soon = [&](const Took& took) {
    return took.preparation * longer <= longest_preparation;
  };
  double best = any;
  for (const auto& [variant, took] : *times)
    if (same_model(entry, variant, one.variant) && !is_excluded_from_ranking(entry, variant) &&
        is_prepared_soon(took))
      best = std::min(best, took.call);
  const auto mine = times->find(one.variant);
  if (mine == times->end()) return best == any;
  const Limits& limit = limits[round];
  const bool is_short = mine->second.call * times_the_work(entry, one, n) <= limit.call;
  if (library || baseline) return is_short || !largest;
  const Variant* variant = entry ? find_variant(*entry, one.variant) : nullptr;
  const double slow = variant && variant->for_large_arrays ? any
                      : one.device == "cpu"                ? limit.slow_on_cpu
                                                           : limit.slow_on_gpu;
  return is_short && is_prepared_soon(mine->second) && mine->second.call <= best * slow;
}

std::vector<Case> Rounds::next() {
  note_.clear();
  begun_ = true;
  while (at_ < rounds_.size()) {
    const Round round = std::move(rounds_[at_]);
    rounds_[at_++] = {};
    std::vector<Case> worth;
    std::size_t too_long = 0;
    for (const Case& one : round.cases) {
      if (whole_suite_ && !is_worth(one, round.of_size)) continue;
      if (const std::string why = class_times_.why_too_long(one, timeout_); !why.empty()) {
        add_not_begun(one, why);
        ++too_long;
      } else {
        worth.push_back(one);
      }
    }
    const std::size_t left_out = round.cases.size() - worth.size() - too_long;
    if (left_out > 0) note_ = note_of(round.of_size, left_out, round.cases.size());
    if (too_long > 0)
      note_ += fmt::format(
          "{}class {}: {} of {} cases are not begun, because the times of smaller classes show that they "
          "would exceed the time limit (--timeout)",
          note_.empty() ? "" : "\n", round.cases.front().problem_class, too_long, round.cases.size());
    if (!worth.empty()) return worth;
  }
  return {};
}

void Rounds::add_not_begun(const Case& what, const std::string& why) {
  Measurement measurement;
  measurement.what = what;
  measurement.status = Status::timed_out;
  measurement.reason = why;
  measurement.timestamp = timestamp_now();
  class_times_.add(measurement);
  not_begun_.push_back(std::move(measurement));
}

std::vector<Measurement> Rounds::not_begun() { return std::exchange(not_begun_, {}); }

std::size_t Rounds::later() const {
  std::size_t count = 0;
  for (const Round& round : rounds_) count += round.cases.size();
  return count;
}

}  // namespace sextant
