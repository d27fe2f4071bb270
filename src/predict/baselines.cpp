// Simple selectors that need little or no training. A trained model must choose better than these baselines.
#include <algorithm>
#include <cmath>

#include "predict/analytic_model.hpp"
#include "predict/evaluate.hpp"

namespace sextant::predict {
namespace {

// True if the option was measured at this problem. Selectors must not use the measured time itself.
bool exists(const Contest& contest, Option option) { return contest.at(option).has_value(); }

// The option of least cost among those that exist.
template <typename Cost>
Answer least(const Contest& contest, const Cost& cost) {
  Answer::Values costs;
  for (const Option option : all_options)
    costs[static_cast<std::size_t>(option)] = exists(contest, option) ? cost(option) : Answer::none;
  return least_of(costs);
}

// Chooses `option` even where it was not measured. The choice then counts as a failure.
Selector always(Option option) {
  return {std::string("always ") + name_of(option),
          [option](const DataSet&, Target, const ProblemsByTarget&) -> Choose {
            return [option](const Contest&) {
              Answer answer;
              answer.choice = option;
              answer.cost[static_cast<std::size_t>(option)] = 0;
              return answer;
            };
          }};
}

// Chooses the option with the best mean of log(best time / its time) over the training problems.
Selector best_on_average() {
  return {
      "best on average", [](const DataSet& data, Target target, const ProblemsByTarget& taught) -> Choose {
        const std::vector<Contest> contests = contests_among(data, taught[static_cast<std::size_t>(target)]);
        std::array<double, option_count> loss = {};
        for (const Option option : all_options) {
          double sum = 0;
          for (const Contest& contest : contests) sum -= std::log(contest.fraction(option));
          loss[static_cast<std::size_t>(option)] = sum;
        }
        return [loss](const Contest& contest) {
          return least(contest, [&](Option option) { return loss[static_cast<std::size_t>(option)]; });
        };
      }};
}

// Time by the textbook roofline model: the longer of bytes / bandwidth and FLOP / rate, plus launches and
// copies.
std::optional<double> by_roofline(const Form& form, const Profile& profile, Option option, Target target) {
  if (on_gpu(option) && !profile.gpu) return std::nullopt;
  const bool one_core = option == Option::serial || option == Option::cpu_library;
  const Roofline& ceilings = on_gpu(option) ? profile.on_gpu
                             : one_core     ? profile.one_core
                                            : profile.all_cores;
  const auto bytes = static_cast<double>(form.work.bytes_read + form.work.bytes_written);
  const auto written = static_cast<double>(form.work.bytes_written);
  const auto bandwidth = ceilings.bandwidth(form.working_set, bytes > 0 ? written / bytes : 0);
  const auto rate = ceilings.flop_rate(form.type, false);
  if (!bandwidth || (!rate && form.work.flops > 0)) return std::nullopt;
  double time = std::max(bytes / *bandwidth, rate ? static_cast<double>(form.work.flops) / *rate : 0);
  if (!one_core) {
    const char* model = option == Option::gpu_library ? "cuda" : name_of(option);
    time += ceilings.launch_cost(model).value_or(0) * std::max(form.traits.launches, 1.0);
  }
  if (!on_gpu(option) || target == Target::call) return time;
  const GpuProfile& gpu = *profile.gpu;
  return time + gpu.copy_in.at(form.bytes_in).value_or(0) + gpu.copy_out.at(form.bytes_out).value_or(0);
}

Selector computed(const char* name, const TimeOf& time_of) {
  return {name, [time_of](const DataSet& data, Target target, const ProblemsByTarget&) {
            return choose_by_time(data, target, time_of);
          }};
}

// The kernel's features as a point: log2(1 + value) of each feature, 0 if unknown.
std::vector<double> place_of(const Form& form) {
  std::vector<double> place;
  for (const FormColumn& column : form_columns()) {
    const double value = column.value(form);
    place.push_back(std::isfinite(value) && value > 0 ? std::log2(1 + value) : 0);
  }
  return place;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

Selector nearest_neighbour() {
  return {"nearest neighbour",
          [](const DataSet& data, Target target, const ProblemsByTarget& taught) -> Choose {
            std::vector<std::pair<std::vector<double>, Contest>> known;
            for (const Contest& contest : contests_among(data, taught[static_cast<std::size_t>(target)]))
              known.emplace_back(place_of(data.problems[contest.problem].known.form), contest);
            return [&data, known](const Contest& contest) {
              const std::vector<double> here = place_of(data.problems[contest.problem].known.form);
              const auto nearest =
                  std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
                    return distance(a.first, here) < distance(b.first, here);
                  });
              return least(contest, [&](Option option) { return -nearest->second.fraction(option); });
            };
          }};
}

}  // namespace

Choose choose_by_time(const DataSet& data, Target target, const TimeOf& time_of) {
  return [&data, target, time_of](const Contest& contest) {
    const Form& form = data.problems[contest.problem].known.form;
    const Profile& profile = data.machines[contest.machine].profile;
    Answer answer = least(contest, [&](Option option) {
      const std::optional<double> time = time_of(form, profile, option, target);
      return time ? std::log(*time) : Answer::none;
    });
    answer.costs_are_times = true;
    return answer;
  };
}

std::vector<Selector> baselines(const Constants& constants) {
  return {always(Option::serial),
          always(Option::openmp),
          always(Option::openacc),
          always(Option::cuda),
          best_on_average(),
          nearest_neighbour(),
          computed("roofline", by_roofline),
          computed("physics", [analytic = AnalyticModel(constants)](const Form& form, const Profile& profile,
                                                                    Option option, Target target) {
            return analytic.time(form, profile, option, target);
          })};
}

}  // namespace sextant::predict
