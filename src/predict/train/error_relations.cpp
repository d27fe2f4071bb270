#include "predict/train/error_relations.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "predict/folds.hpp"
#include "predict/predictor.hpp"

namespace sextant::predict {
namespace {

constexpr double decade = 2.3;  // difference of log sizes that counts as a decade
// The default correlations count as much as this number of observed families.
constexpr double families_assumed = 8;
constexpr double least = 0.05, most = 0.95;

struct ErrorsAt {
  double log_size;
  std::array<std::optional<double>, option_count> error;
};

// Errors at problems that differ only in size. The key is family, machine, and kernel with type.
using Series = std::map<std::tuple<std::string, std::size_t, std::string>, std::vector<ErrorsAt>>;

Series series_of(const DataSet& data, Target target, const std::vector<Contest>& problems,
                 const AnalyticModel& analytic) {
  Series series;
  for (const Contest& contest : problems) {
    const DataProblem& problem = data.problems[contest.problem];
    const Profile& profile = data.machines[contest.machine].profile;
    ErrorsAt here = {std::log(size_of(problem)), {}};
    for (const Option option : all_options) {
      const Target own = learnt_as(option, target);
      const std::optional<double> modelled = analytic.time(problem.known.form, profile, option, own);
      if (!contest.at(option) || !modelled || !(*modelled > 0)) continue;
      here.error[static_cast<std::size_t>(option)] = std::log(contest.at(option)->median / *modelled);
    }
    series[{problem.known.family, contest.machine, kernel_in_type(problem.what)}].push_back(here);
  }
  return series;
}

// Sums of squares and products of pairs of errors (x, y), to compute a correlation. Each family has the same
// weight.
class Moments {
 public:
  void add(const std::string& family, double x, double y, double known = 0) {
    Sums& own = families_[family];
    own.count += 1, own.xx += x * x, own.yy += y * y, own.xy += x * y, own.known += known;
  }
  // Returns (correlation - `known`) / (1 - `known`), where `known` is the correlation that is expected
  // without data. With few families, the result stays near the default `thought`.
  double correlation(double thought) const {
    Sums all;
    for (const auto& [name, own] : families_) {
      all.count += 1, all.xx += own.xx / own.count, all.yy += own.yy / own.count;
      all.xy += own.xy / own.count, all.known += own.known / own.count;
    }
    const double known = all.known / std::max(all.count, 1.0);
    if (!(all.xx * all.yy > 0) || known >= 1) return thought;
    const double seen = std::clamp((all.xy / std::sqrt(all.xx * all.yy) - known) / (1 - known), least, most);
    return (all.count * seen + families_assumed * thought) / (all.count + families_assumed);
  }

 private:
  struct Sums {
    double count = 0, xx = 0, yy = 0, xy = 0, known = 0;
  };
  std::map<std::string, Sums> families_;
};

double lasting_of(const Series& series, std::size_t option, const Relation& thought) {
  Moments moments;
  for (const auto& [key, problems] : series)
    for (std::size_t i = 0; i < problems.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const auto &x = problems[i].error[option], &y = problems[j].error[option];
        if (x && y && std::abs(problems[i].log_size - problems[j].log_size) >= decade)
          moments.add(std::get<0>(key), *x, *y,
                      size_correlation(problems[i].log_size, problems[j].log_size, thought));
      }
  return moments.correlation(thought.lasting[option]);
}

// Correlation of the errors of two options on the same device, or on different devices if `same_device` is
// false. On a CPU, a correlation of 1 - cores_apart is expected without data (`known`).
double between_options(const DataSet& data, const Series& series, bool same_device, double thought) {
  Moments moments;
  for (const auto& [key, problems] : series) {
    const double cores = data.machines[std::get<1>(key)].profile.threads;
    const double known = same_device && cores > 0 ? 1 - cores_apart(cores) : 0;
    for (const ErrorsAt& at : problems)
      for (std::size_t i = 0; i < option_count; ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (at.error[i] && at.error[j] && (on_gpu(all_options[i]) == on_gpu(all_options[j])) == same_device)
            moments.add(std::get<0>(key), *at.error[i], *at.error[j], on_gpu(all_options[i]) ? 0 : known);
  }
  return moments.correlation(thought);
}

}  // namespace

std::array<Relation, target_count> relations_of(const DataSet& data, const ProblemsByTarget& problems,
                                                const AnalyticModel& analytic) {
  std::array<Relation, target_count> relations;
  for (const Target target : all_targets) {
    const Series series = series_of(data, target, problems[static_cast<std::size_t>(target)], analytic);
    Relation& own = relations[static_cast<std::size_t>(target)];
    const Relation thought;
    for (std::size_t option = 0; option < option_count; ++option)
      own.lasting[option] = lasting_of(series, option, thought);
    own.same_device = between_options(data, series, true, thought.same_device);
    own.other_device = std::min(between_options(data, series, false, thought.other_device), own.same_device);
  }
  return relations;
}

}  // namespace sextant::predict
