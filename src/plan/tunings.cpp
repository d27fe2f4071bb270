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

// Whether `key` is the threads of a variant that has them beside its tunables; refuses what no number of threads is.
bool is_thread_count(const std::string& key, const std::vector<TunedValue>& values,
                     const std::vector<SelectedKernel>& chosen) {
  if (key != thread_count) return false;
  for (const SelectedKernel& one : chosen)
    for (const Variant* variant : one.variants) {
      if (!takes_thread_count(*variant)) continue;
      if (std::any_of(values.begin(), values.end(), [](int value) { return value < 1; }))
        throw UserError("threads cannot be fewer than 1.");
      return true;
    }
  return false;
}

std::vector<int> sorted(std::vector<int> values) {
  std::sort(values.begin(), values.end());
  return values;
}

// Each of the tunings with each of the values of one more tunable.
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

// The standard tuning, and each other choice of each tunable with the others as they are there.
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
    for (const SelectedKernel& one : chosen)
      for (const Variant* variant : one.variants)
        for (const Tunable& tunable : variant->tunables) {
          if (std::find(names.begin(), names.end(), tunable.name) == names.end())
            names.push_back(tunable.name);
          if (tunable.name != current_tunable(one.kernel().name, variant->name, key)) continue;
          for (const TunedValue& value : values_of(*variant, tunable, one.entry->texts))
            if (!is_asked(value, choices)) choices.push_back(value);
        }
    if (choices.empty())
      throw UserError(
          "none of the selected variants has a tunable `" + key + "`." + did_you_mean(key, names) +
          (names.empty() ? " They have no tunables at all."
                         : " Theirs are " + join(names) + "; `sextant list variants` lists them."));
    std::stable_sort(choices.begin(), choices.end(), [](int a, int b) { return a < b; });
    for (const TunedValue& value : values) {
      if (std::any_of(choices.begin(), choices.end(),
                      [&](const TunedValue& choice) { return is_asked(choice, value); }))
        continue;
      std::vector<std::string> allowed;
      for (const TunedValue& choice : choices) allowed.push_back(value_text(choice));
      throw UserError(key + " cannot be " + value_text(value) + ". Its choices are " + join(allowed) + ".");
    }
  }
}

std::vector<Tuning> tunings_of(const Variant& variant, const Problem& problem, const Selection& selection,
                               const ChoiceTexts& texts, bool all) {
  const Tuning standard = default_tuning(variant, problem);
  std::vector<Tuning> tunings = {{}};
  for (std::size_t i = 0; i < variant.tunables.size(); ++i) {
    const Tunable& tunable = variant.tunables[i];
    std::vector<int> values = {standard[i].second};
    const auto asked = selection.tunings.find(tunable.name);
    if (asked != selection.tunings.end()) {
      values.clear();
      for (const TunedValue& choice : values_of(variant, tunable, texts))
        if (is_asked(choice, asked->second)) values.push_back(choice);
    } else if (all || selection.all_tunings) {
      values = tunable.choices;
    }
    tunings = combined(tunings, tunable.name, values);
  }
  const auto threads = selection.tunings.find(thread_count);
  if (threads == selection.tunings.end() || !takes_thread_count(variant)) return tunings;
  return combined(tunings, thread_count, sorted({threads->second.begin(), threads->second.end()}));
}

std::vector<Tuning> tunings_to_check(const Variant& variant, const Problem& problem,
                                     const Selection& selection, const ChoiceTexts& texts) {
  constexpr std::size_t few = 64;
  std::size_t all = 1;
  for (const Tunable& tunable : variant.tunables) all = std::min(2 * few, all * tunable.choices.size());
  const bool asked = !selection.tunings.empty() || selection.all_tunings;
  return asked || all <= few ? tunings_of(variant, problem, selection, texts, true)
                             : each_choice(variant, problem);
}

}  // namespace sextant
