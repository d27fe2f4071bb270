#include "cli/tune/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/files/load.hpp"
#include "cli/files/output.hpp"
#include "predict/data_folder.hpp"
#include "present/format.hpp"
#include "present/search_view.hpp"
#include "present/table.hpp"
#include "record/keys.hpp"
#include "store/results_file.hpp"
#include "suite/thread_count.hpp"
#include "tuner/file_text.hpp"
#include "tuner/replay.hpp"

namespace sextant {
namespace {

using tuner::RecordedSpace;

// A recorded tuning space, and the index of its file.
struct Replayed {
  std::size_t file;
  RecordedSpace recorded;
};

struct Result {
  std::string space, strategy;
  std::size_t points = 0, failed = 0, priors = 0, runs = 0;
  std::vector<tuner::Score> scores;  // One score for each number of evaluations.
  double microseconds = 0;           // Processor time that the strategy takes per evaluation.
};

std::vector<std::size_t> marks_of(std::size_t budget) {
  std::vector<std::size_t> marks;
  for (const std::size_t mark : {25u, 50u, 100u, 200u})
    if (mark <= budget) marks.push_back(mark);
  if (marks.empty() || marks.back() != budget) marks.push_back(budget);
  return marks;
}

// Returns the parameters without trailing zeros.
std::vector<std::int64_t> given_parameters(const Problem& problem) {
  std::vector<std::int64_t> given(problem.parameters.begin(), problem.parameters.end());
  while (!given.empty() && given.back() == 0) given.pop_back();
  return given;
}

// Returns the name of the file. It is followed by the objective if the objective is not a time.
std::string words_of_file(const RecordedSpace& space) {
  const tuner::RecordedObjective& objective = space.objective;
  if (objective.is_time) return space.name;
  return fmt::format("{}, {} {}", space.name, objective.maximised ? "largest" : "smallest", objective.name);
}

// Returns a name such as "matmul cuda.register_tile float 9437184 1773x1773 on gpu0". It contains further
// properties that distinguish the space from others.
std::string words_of(const RecordedSpace& space) {
  if (!space.what) return words_of_file(space);
  const Problem& problem = space.what->problem;
  std::string words = space_text(*space.what);
  if (space.what->problem_class.empty() && problem.extents.y * problem.extents.z > 1)
    words += " " + shape_text(problem.extents);
  if (const auto given = given_parameters(problem); !given.empty())
    words += fmt::format(" parameters {}", fmt::join(given, ","));
  if (space.what->cache == CacheMode::cold) words += " cold";
  if (space.space.axes().back().name == thread_count) words += " with threads";
  return words + " on " + space.what->device + (space.machine.empty() ? "" : " of " + space.machine);
}

// Reads the spaces that have at least one valid point. Throws UserError for a file that has none.
std::vector<Replayed> read_all(const std::vector<std::string>& files) {
  std::vector<Replayed> all;
  for (std::size_t file = 0; file < files.size(); ++file) {
    const std::size_t before = all.size();
    for (RecordedSpace& one : recorded_in(files[file]))
      if (one.usable() > 0)
        all.push_back({file, std::move(one)});
      else if (!is_data_set_folder(files[file]))  // A data set also contains failures.
        std::fprintf(stderr, "%s is left out, because all its recorded tunings failed\n",
                     words_of(one).c_str());
    if (all.size() == before)
      throw UserError(files[file] +
                      ": all recorded tunings failed, so a search cannot find a best one. `sextant show " +
                      files[file] + "` says why if it is a results file.");
  }
  return all;
}

// Returns "kernel|variant|" for a space that this program has measured. Returns an empty text for files of
// other tuners.
std::string code_of_space(const std::string& space) {
  const std::size_t kernel = space.find('|'), variant = space.find('|', kernel + 1);
  return variant == std::string::npos ? "" : space.substr(0, variant + 1);
}

// Returns true if a replay of the space `own` must not learn from `other`. That is the case if `other`
// belongs to different code. In a data set, it is also the case if `other` is the same space, measured on any
// machine.
bool tells_nothing(const RecordedSpace& other, const RecordedSpace& own, bool of_data_set) {
  const std::string code = code_of_space(own.name);
  if (code.empty() || code_of_space(other.name).empty()) return false;
  return code != code_of_space(other.name) || (of_data_set && other.name.starts_with(own.name + "|"));
}

// Returns the prior from the other files, or from the files that the user named. The file that contains the
// space is never used.
tuner::Prior prior_for(const Replayed& one, const std::vector<Replayed>& all, const ReplayOptions& options,
                       const std::vector<Replayed>& given) {
  std::vector<const RecordedSpace*> others;
  if (options.priors == std::vector<std::string>{"others"}) {
    for (const Replayed& other : all)
      if (other.file != one.file) others.push_back(&other.recorded);
  }
  std::error_code error;
  for (const Replayed& other : given)
    if (!std::filesystem::equivalent(options.priors[other.file], options.files[one.file], error) &&
        !tells_nothing(other.recorded, one.recorded, is_data_set_folder(options.priors[other.file])))
      others.push_back(&other.recorded);
  return tuner::prior_of(one.recorded.space, others);
}

Result result_of(const Replayed& one, const std::string& strategy, const tuner::Prior& prior,
                 const ReplayOptions& options, std::vector<tuner::Trajectory>* runs) {
  const RecordedSpace& recorded = one.recorded;
  Result result{words_of(recorded),
                strategy,
                recorded.space.size(),
                recorded.space.size() - recorded.usable(),
                prior.sources.size(),
                options.seeds,
                {},
                0};
  double seconds = 0, evaluations = 0;
  for (std::size_t i = 0; i < options.seeds; ++i) {
    runs->push_back(tuner::replay(recorded, strategy, &prior, options.seed + i, options.budget));
    seconds += runs->back().seconds;
    evaluations += static_cast<double>(runs->back().points.size());
  }
  for (const std::size_t mark : marks_of(options.budget))
    result.scores.push_back(tuner::score_of(recorded, *runs, mark));
  result.microseconds = 1e6 * seconds / std::max(1.0, evaluations);
  return result;
}

std::string scores_text(const tuner::Score& score) {
  return fmt::format("{:.3f} {:.3f} {:.3f}", score.mean, score.percentile_10, score.worst);
}

// Returns one row per space and strategy, and the means of each strategy over all spaces.
Table as_text(const std::vector<Result>& results, const ReplayOptions& options) {
  Table table;
  table.columns = {{"space"}, {"points", "", Unit::count}, {"failed", "", Unit::count}, {"strategy"}};
  const std::vector<std::size_t> marks = marks_of(options.budget);
  for (const std::size_t mark : marks) table.columns.push_back({fmt::format("after {}", mark)});
  table.columns.push_back({"own time"});
  const auto own_time = [](double microseconds) { return format_seconds(1e-6 * microseconds); };
  for (const Result& one : results) {
    std::vector<Cell> row = {one.space, static_cast<std::int64_t>(one.points),
                             static_cast<std::int64_t>(one.failed), one.strategy};
    for (const tuner::Score& score : one.scores) row.emplace_back(scores_text(score));
    row.emplace_back(own_time(one.microseconds));
    table.rows.push_back(std::move(row));
  }
  for (const std::string& strategy : options.strategies) {
    std::vector<tuner::Score> means(marks.size());
    double count = 0, microseconds = 0;
    for (const Result& one : results) {
      if (one.strategy != strategy) continue;
      ++count;
      microseconds += one.microseconds;
      for (std::size_t i = 0; i < marks.size(); ++i) {
        means[i].mean += one.scores[i].mean;
        means[i].percentile_10 += one.scores[i].percentile_10;
        means[i].worst += one.scores[i].worst;
      }
    }
    if (count < 2) continue;
    std::vector<Cell> row = {fmt::format("mean of {}", count), {}, {}, strategy};
    for (const tuner::Score& sum : means)
      row.emplace_back(scores_text({sum.mean / count, sum.percentile_10 / count, sum.worst / count}));
    row.emplace_back(own_time(microseconds / count));
    table.rows.push_back(std::move(row));
  }
  table.note = fmt::format(
      "Fractions of the optimum after these numbers of evaluations: mean, 10th percentile, worst of {} {} "
      "each; own time: time of the strategy per evaluation.",
      options.seeds, options.seeds == 1 ? "search" : "searches");
  return table;
}

Table as_rows(const std::vector<Result>& results, const ReplayOptions& options) {
  Table table;
  table.columns = {{"space"},       {"points"}, {"failed"},        {"strategy"}, {"priors"},       {"runs"},
                   {"evaluations"}, {"mean"},   {"percentile_10"}, {"worst"},    {"strategy_time"}};
  const std::vector<std::size_t> marks = marks_of(options.budget);
  for (const Result& one : results)
    for (std::size_t i = 0; i < marks.size(); ++i)
      table.rows.push_back({one.space, static_cast<std::int64_t>(one.points),
                            static_cast<std::int64_t>(one.failed), one.strategy,
                            static_cast<std::int64_t>(one.priors), static_cast<std::int64_t>(one.runs),
                            static_cast<std::int64_t>(marks[i]), one.scores[i].mean,
                            one.scores[i].percentile_10, one.scores[i].worst, 1e-6 * one.microseconds});
  return table;
}

}  // namespace

std::vector<RecordedSpace> recorded_in(const std::string& path) {
  if (is_data_set_folder(path)) return tuner::recorded_spaces(predict::results_of(data_set_in(path)));
  if (is_results_file(path)) {
    std::vector<RecordedSpace> spaces = tuner::recorded_spaces(load_results(path));
    if (spaces.empty())
      throw UserError(path +
                      " holds only one tuning of each variant and size, and a search needs at least two. "
                      "`sextant run -t all -o " +
                      path + "` measures all tunings.");
    return spaces;
  }
  try {
    std::vector<RecordedSpace> one;
    one.push_back(
        tuner::read_recorded(tuner::text_of_file(path), std::filesystem::path(path).filename().string()));
    return one;
  } catch (const UserError& error) {
    throw UserError(
        as_sentence(error.what()) +
        std::string(" --replay reads results files of `sextant run -k KERNEL -t all -o FILE`, T4 results, "
                    "results of KTT, caches of Kernel Tuner and Sextant's compact format."));
  }
}

ExitCode replay_tuning(const ReplayOptions& options) {
  const std::vector<Replayed> all = read_all(options.files);
  const bool named =
      !options.priors.empty() && options.priors.front() != "others" && options.priors.front() != "none";
  const std::vector<Replayed> given = named ? read_all(options.priors) : std::vector<Replayed>();
  if (!options.trajectory.empty() && (all.size() > 1 || options.strategies.size() > 1))
    throw UserError(
        "--trajectory needs exactly one recorded search and one strategy, because its output lines name "
        "neither. Name one file and one --strategy.");
  std::vector<Result> results;
  for (const Replayed& one : all) {
    const tuner::Prior prior = prior_for(one, all, options, given);
    // A data set may lack related spaces, so an empty prior is no error for it.
    const bool of_data_set = named && is_data_set_folder(options.priors.front());
    if (named && prior.empty() && !of_data_set)
      throw UserError("no file of --prior has the tunables of " + words_of(one.recorded) +
                      " and one of its tunings. Name a file of the same kernel, or leave --prior out.");
    for (const std::string& strategy : options.strategies) {
      std::vector<tuner::Trajectory> runs;
      results.push_back(result_of(one, strategy, prior, options, &runs));
      if (!options.trajectory.empty())
        write_output(tuner::trajectories(one.recorded, runs), options.trajectory);
    }
  }
  print(options.json ? as_rows(results, options) : as_text(results, options), options.json, 0);
  return ExitCode::ok;
}

}  // namespace sextant
