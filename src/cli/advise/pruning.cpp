#include "cli/advise/pruning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/plural.hpp"
#include "cli/advise/questions.hpp"
#include "cli/files/measured_data.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

constexpr const char* compared_with = "serial.baseline";

std::optional<predict::Option> option_of(const Case& one) {
  return predict::option_of(model_of(one.variant), one.device);
}

// Ratios of each option's expected time to the best option's expected time. An unknown ratio is 1.
using Slowness = std::array<double, predict::option_count>;

// Returns the ratios for one prediction. A prediction assumes either that all data are copied or that they
// are already on the device.
Slowness slowness_of(const predict::Prediction& prediction, const predict::Offered& offered) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < predict::option_count; ++i)
    if (offered[i]) best = std::min(best, prediction[i].total.log_time);
  Slowness slowness;
  for (std::size_t i = 0; i < predict::option_count; ++i) {
    const double mine = prediction[i].total.log_time;
    slowness[i] = std::isfinite(mine) && std::isfinite(best) ? std::exp(mine - best) : 1;
  }
  return slowness;
}

// Returns, for each option, the smaller ratio of two predictions: with all copies, and with the data already
// on the device.
Slowness slowness_of(const predict::Predictor& predictor, const Case& problem,
                     const predict::Offered& offered) {
  Slowness all;
  all.fill(1);
  const Kernel* kernel = kernel_of_problem(problem);
  if (!kernel) return all;
  const predict::Asked whole = asked_of(*kernel, problem, {});
  if (!predictor.outside(whole.form).empty()) return all;
  all = slowness_of(predictor.predict(whole), offered);
  const Slowness call =
      slowness_of(predictor.predict(asked_of(*kernel, problem, {.resident = true})), offered);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::min(all[i], call[i]);
  return all;
}

// Returns the ratios for each problem. A problem for which `advise` has no option gets no entry.
std::map<std::string, Slowness> slowness_by_problem(const predict::Predictor& predictor,
                                                    const std::vector<Case>& cases) {
  std::map<std::string, std::pair<Case, predict::Offered>> problems;
  for (const Case& one : cases)
    if (const auto option = option_of(one)) {
      const Case problem = problem_case(one);
      problems.try_emplace(key_of(problem), problem, predict::Offered{})
          .first->second.second[static_cast<std::size_t>(*option)] = true;
    }
  std::map<std::string, Slowness> all;
  for (const auto& [key, problem] : problems)
    all.emplace(key, slowness_of(predictor, problem.first, problem.second));
  return all;
}

// The cases of one kernel and option that were left out, for the note about them.
struct Skipped {
  std::size_t cases = 0;
  double least = std::numeric_limits<double>::infinity();
};

}  // namespace

PromisingCases promising_cases(const predict::Predictor& predictor, const std::vector<Case>& cases) {
  const std::map<std::string, Slowness> slowness = slowness_by_problem(predictor, cases);
  std::map<std::pair<std::string, predict::Option>, Skipped> left_out;
  PromisingCases promising;
  for (const Case& one : cases) {
    const auto option = option_of(one);
    const double times =
        option ? slowness.at(key_of(problem_case(one)))[static_cast<std::size_t>(*option)] : 1;
    if (times <= pruned_from || one.variant == compared_with) {
      promising.cases.push_back(one);
      continue;
    }
    Skipped& out = left_out[{one.kernel, *option}];
    ++out.cases;
    out.least = std::min(out.least, times);
  }
  for (const auto& [which, out] : left_out)
    promising.notes.push_back(fmt::format(
        "--skip-hopeless leaves out {} of {}: the advice model expects at least {:.0f} times the time of the "
        "best option",
        plural(out.cases, predict::name_of(which.second) + std::string(" case")), which.first,
        std::floor(out.least)));
  return promising;
}

}  // namespace sextant
