#include "cli/options/tuned.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "cli/files/load.hpp"
#include "record/keys.hpp"
#include "suite/thread_count.hpp"
#include "tuner/winners.hpp"

namespace sextant {
namespace {

constexpr std::string_view word = "tuned=";

// Returns true if the variant allows the tuning for this problem.
bool admits(const Variant& variant, const Case& what, const Tuning& tuning) {
  std::vector<int> values;
  for (const Tunable& tunable : variant.tunables) {
    const auto given = std::find_if(tuning.begin(), tuning.end(),
                                    [&](const auto& one) { return one.first == tunable.name; });
    if (given == tuning.end()) return false;
    if (std::find(tunable.choices.begin(), tunable.choices.end(), given->second) == tunable.choices.end())
      return false;
    values.push_back(given->second);
  }
  return !variant.refusal(what.problem, values.data());
}

// Removes the thread count of a winner that used all threads of its machine. The case then uses all threads
// of this machine.
void leave_all_threads(const Results& results, tuner::Winner* winner) {
  Tuning& tuning = winner->what.tuning;
  if (tuning.empty() || tuning.back().first != thread_count) return;
  const auto session = std::find_if(results.sessions.begin(), results.sessions.end(),
                                    [&](const Session& one) { return one.id == winner->session; });
  if (session != results.sessions.end() &&
      value_of(session->environment, "openmp.threads") == std::to_string(tuning.back().second))
    tuning.pop_back();
}

}  // namespace

std::string take_tuned(SelectionOptions* options) {
  std::string path;
  for (auto text = options->tunings.begin(); text != options->tunings.end();) {
    if (!text->starts_with(word)) {
      ++text;
      continue;
    }
    if (!path.empty()) throw UserError("--tunings names two files of tunings. Give `tuned=FILE` only once.");
    path = text->substr(word.size());
    if (path.empty())
      throw UserError(
          "`tuned=` of --tunings names no file. Write the name of a results file, such as -t "
          "tuned=tuned.sextant.");
    text = options->tunings.erase(text);
  }
  if (!path.empty() && !options->tunings.empty())
    throw UserError("`tuned=FILE` of --tunings sets all tunings. Leave `" + options->tunings.front() +
                    "` out.");
  return path;
}

void use_tuned(const std::string& path, std::vector<Case>* cases, std::vector<std::string>* notes) {
  const Results results = load_results(path);
  std::vector<tuner::Winner> winners = tuner::winners_of(results);
  if (winners.empty())
    throw UserError(path + " holds no tuning results. `sextant tune -o " + path +
                    "` searches for the best tunings.");
  for (tuner::Winner& one : winners) leave_all_threads(results, &one);
  for (Case& one : *cases) {
    const tuner::Winner* winner = tuner::winner_for(winners, one);
    if (!winner && one.tuning.empty()) continue;
    const Variant& variant = *find_variant(*find_kernel(one.kernel), one.variant);
    const std::string name = one.kernel + " " + one.variant;
    std::string note;
    if (!winner)
      note = path + " has no tuning of " + name + ". The default tuning is used";
    else if (!admits(variant, one, winner->what.tuning))
      note = name + " does not take " + tuning_text(winner->what.tuning) +
             " at this size. The default tuning is used";
    else
      one.tuning = winner->what.tuning;
    if (!note.empty() && std::find(notes->begin(), notes->end(), note) == notes->end())
      notes->push_back(note);
  }
}

}  // namespace sextant
