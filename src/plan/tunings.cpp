#include "plan/tunings.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/join.hpp"
#include "base/nearest.hpp"
#include "record/keys.hpp"
#include "record/renamed_tunables.hpp"
#include "suite/thread_count.hpp"

namespace sextant {
namespace {

// Returns true if `key` is `threads` and some selected variant accepts a number of threads without a tunable
// for it. Throws UserError for a value below 1.
bool is_thread_count(const std::string& key, const std::vector<TunedValue>& values,
                     const std::vector<SelectedKernel>& chosen) {
  if (key != thread_count) return false;
  for (const SelectedKernel& one : chosen)
    for (const Variant* variant : one.variants) {
      if (!takes_thread_count(*variant)) continue;
      if (std::any_of(values.begin(), values.end(), [](int value) { return value < 1; }))
        throw UserError("`threads` of --tunings cannot be fewer than 1. Write a number from 1 on.");
      return true;
    }
  return false;
}

std::vector<int> sorted(std::vector<int> values) {
  std::sort(values.begin(), values.end());
  return values;
}

// Combines each tuning with each value of one more tunable.
std::vector<Tuning> combined(const std::vector<Tuning>& tunings, const char* name,
                             const std::vector<int>& values) {
  std::vector<Tuning> longer;
  for (const Tuning& tuning : tunings)
    for (const int value : values) {
      longer.push_back(tuning);
      longer.back().emplace_back(name, value);
    }
  return longer;
}

// Returns the default tuning and all tunings that differ from it in one tunable.
std::vector<Tuning> each_choice(const Variant& variant, const Problem& problem) {
  const Tuning standard = default_tuning(variant, problem);
  std::vector<Tuning> tunings = {standard};
  for (std::size_t i = 0; i < variant.tunables.size(); ++i)
    for (const int choice : variant.tunables[i].choices)
      if (choice != standard[i].second) {
        tunings.push_back(standard);
        tunings.back()[i].second = choice;
      }
  return tunings;
}

bool has_few_tunings(const Variant& variant) {
  constexpr std::size_t few = 64;
  std::size_t all = 1;
  for (const Tunable& tunable : variant.tunables) all = std::min(2 * few, all * tunable.choices.size());
  return all <= few;
}

// Returns all combinations of the requested values. Other tunables keep their default, or take every value if
// `all` is true.
std::vector<Tuning> asked_tunings(const Variant& variant, const Problem& problem, const AskedTunings& asked,
                                  const ChoiceTexts& texts, bool all) {
  const Tuning standard = default_tuning(variant, problem);
  std::vector<Tuning> tunings = {{}};
  for (std::size_t i = 0; i < variant.tunables.size(); ++i) {
    const Tunable& tunable = variant.tunables[i];
    std::vector<int> values = {standard[i].second};
    if (const auto one = asked.find(tunable.name); one != asked.end()) {
      values.clear();
      for (const TunedValue& choice : values_of(variant, tunable, texts))
        if (is_asked(choice, one->second)) values.push_back(choice);
    } else if (all) {
      values = tunable.choices;
    }
    tunings = combined(tunings, tunable.name, values);
  }
  const auto threads = asked.find(thread_count);
  if (threads == asked.end() || !takes_thread_count(variant)) return tunings;
  return combined(tunings, thread_count, sorted({threads->second.begin(), threads->second.end()}));
}

}  // namespace

std::vector<TunedValue> values_of(const Variant& variant, const Tunable& tunable, const ChoiceTexts& texts) {
  Tuning named;
  for (const int choice : tunable.choices) named.emplace_back(tunable.name, choice);
  add_texts(texts, variant.name, &named);
  std::vector<TunedValue> values;
  for (const auto& [name, value] : named) values.push_back(value);
  return values;
}

AskedTunings current_tunings(const AskedTunings& asked, const Case& what) {
  AskedTunings current;
  for (const auto& [name, values] : asked) {
    std::vector<TunedValue>& all = current[current_tunable(what.kernel, what.variant, name)];
    all.insert(all.end(), values.begin(), values.end());
  }
  return current;
}

Tuning default_tuning(const Variant& variant, const Problem& problem) {
  std::vector<int> values;
  for (const Tunable& tunable : variant.tunables) values.push_back(tunable.preferred);
  if (variant.adapt) variant.adapt(problem, values.data());
  Tuning tuning;
  for (std::size_t i = 0; i < values.size(); ++i) tuning.emplace_back(variant.tunables[i].name, values[i]);
  return tuning;
}

void check_tunings(const Selection& selection, const std::vector<SelectedKernel>& chosen) {
  for (const auto& [key, values] : selection.tunings) {
    if (is_thread_count(key, values, chosen)) continue;
    std::vector<std::string> names;
    std::vector<TunedValue> choices;
    const auto add_name = [&](const char* name) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    };
    for (const SelectedKernel& one : chosen)
      for (const Variant* variant : one.variants) {
        if (takes_thread_count(*variant)) add_name(thread_count);
        for (const Tunable& tunable : variant->tunables) {
          add_name(tunable.name);
          if (tunable.name != current_tunable(one.kernel().name, variant->name, key)) continue;
          for (const TunedValue& value : values_of(*variant, tunable, one.entry->texts))
            if (!is_asked(value, choices)) choices.push_back(value);
        }
      }
    if (choices.empty())
      throw UserError(
          "none of the selected variants has a tunable `" + key + "`." + did_you_mean(key, names) +
          (names.empty() ? " They have no tunables. Leave --tunings out."
                         : " Their tunables are " + join(names) + ". `sextant list variants` lists them."));
    std::stable_sort(choices.begin(), choices.end(), [](int a, int b) { return a < b; });
    for (const TunedValue& value : values) {
      if (std::any_of(choices.begin(), choices.end(),
                      [&](const TunedValue& choice) { return is_asked(choice, value); }))
        continue;
      std::vector<std::string> allowed;
      for (const TunedValue& choice : choices) allowed.push_back(value_text(choice));
      throw UserError(key + " cannot be " + value_text(value) + ". Its possible values are " + join(allowed) +
                      ".");
    }
  }
}

std::vector<Tuning> tunings_of(const Variant& variant, const Case& what, bool every,
                               const Selection& selection, const ChoiceTexts& texts) {
  const bool some_asked = !selection.tunings.empty() || selection.all_tunings;
  std::vector<Tuning> tunings;
  if (selection.searched)
    tunings = {default_tuning(variant, what.problem)};
  else if (every && !some_asked && !has_few_tunings(variant))
    tunings = each_choice(variant, what.problem);
  else
    tunings = asked_tunings(variant, what.problem, current_tunings(selection.tunings, what), texts,
                            every || selection.all_tunings);
  for (Tuning& tuning : tunings) add_texts(texts, variant.name, &tuning);
  return tunings;
}

}  // namespace sextant
