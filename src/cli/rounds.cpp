#include "cli/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "record/keys.hpp"
#include "record/place.hpp"
#include "record/statistics.hpp"
#include "registry/registry.hpp"
#include "suite/study.hpp"

namespace sextant {
namespace {

constexpr const char* compared_with = "serial.baseline";
constexpr std::int64_t first_until = study_sizes[2], second_until = study_sizes[3];
constexpr double slow_from = 4;  // times the fastest of the model: not measured in the second round
constexpr double longest_call = 1.0, longest_large_call = 0.25;  // seconds, in the second and the third round

std::size_t round_of(const Case& one) {
  if (!one.problem_class.empty()) return 0;
  return one.problem.n <= first_until ? 0 : one.problem.n <= second_until ? 1 : 2;
}

std::string family_of(const Case& one) {
  std::string family = one.kernel + ' ' + name_of(one.problem.type);
  for (const std::int64_t parameter : one.problem.parameters) family += ' ' + std::to_string(parameter);
  return family;
}

bool is_aside(const RegisteredKernel* entry, const std::string& variant) {
  const Variant* found = entry ? find_variant(*entry, variant) : nullptr;
  return found && found->aside;
}

// Libraries of the CPU and of the GPU are two.
bool same_model(const RegisteredKernel* entry, const std::string& one, const std::string& other) {
  if (model_of(one) != model_of(other)) return false;
  const Variant *a = entry ? find_variant(*entry, one) : nullptr,
                *b = entry ? find_variant(*entry, other) : nullptr;
  return !a || !b || a->home == b->home;
}

bool is_first_type(const RegisteredKernel* entry, const Case& one) {
  if (!entry) return true;
  const Variant* variant = find_variant(*entry, one.variant);
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32})
    if (variant && variant->launch[type]) return one.problem.type == type;
  return true;
}

// How much more work a problem is than the same with n elements.
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
  const bool large = round == 2;
  return fmt::format(
      "{}: {} of {} cases are left out: {} or would take more than {:g} s a call; -v measures them",
      large ? "larger N" : fmt::format("N up to {}", second_until), left_out, all,
      large ? "types but the first, and forms that were not the fastest of their model at the size before"
            : fmt::format("forms that took more than {:g} times as long as the fastest of their model at the "
                          "size before",
                          slow_from),
      large ? longest_large_call : longest_call);
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
  if (measurement.status != Status::ok) return;
  const std::vector<double>& times =
      measurement.device_times.empty() ? measurement.call_times : measurement.device_times;
  if (times.empty()) return;
  const Case& what = measurement.what;
  times_[family_of(what)][what.problem.n][what.variant] = median_interval(times).median;
}

void Rounds::plan(const std::vector<Case>& cases, bool whole_suite) {
  rounds_.assign(whole_suite ? 3 : 1, {});
  at_ = 0;
  for (const Case& one : cases) rounds_[whole_suite ? round_of(one) : 0].push_back(one);
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
  const bool large = round == 2, library = model_of(one.variant) == "library",
             baseline = one.variant == compared_with;
  if (round == 0 || (baseline && !large)) return true;
  if (large && (!is_first_type(entry, one) || is_aside(entry, one.variant))) return false;
  std::int64_t n = 0;
  const Times* times = before(one, &n);
  if (!times) return true;
  double best = std::numeric_limits<double>::infinity();
  for (const auto& [variant, seconds] : *times)
    if (same_model(entry, variant, one.variant) && !is_aside(entry, variant)) best = std::min(best, seconds);
  const auto mine = times->find(one.variant);
  if (mine == times->end()) return best == std::numeric_limits<double>::infinity();
  const double expected = mine->second * times_the_work(entry, one, n);
  if (!large) return library || (mine->second <= slow_from * best && expected <= longest_call);
  return (library || baseline || mine->second <= best) && expected <= longest_large_call;
}

std::vector<Case> Rounds::next() {
  note_.clear();
  while (at_ < rounds_.size()) {
    const std::vector<Case> all = std::move(rounds_[at_]);
    rounds_[at_].clear();
    std::vector<Case> worth;
    std::copy_if(all.begin(), all.end(), std::back_inserter(worth),
                 [&](const Case& one) { return rounds_.size() == 1 || is_worth(one, at_); });
    const std::size_t left_out = all.size() - worth.size();
    if (left_out > 0) note_ = note_of(at_, left_out, all.size());
    ++at_;
    if (!worth.empty()) return worth;
  }
  return {};
}

std::size_t Rounds::later() const {
  std::size_t count = 0;
  for (const std::vector<Case>& round : rounds_) count += round.size();
  return count;
}

}  // namespace sextant
