#include "predict/advice.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "predict/analytic_model.hpp"

namespace sextant::predict {
namespace {

std::size_t place(Option option) { return static_cast<std::size_t>(option); }

// The smallest number of calls on the same data from which a GPU option, including its copies, beats the
// fastest CPU option. `once`: the predictions for one call.
std::optional<double> uses_that_pay(const Prediction& once, const Offered& offered) {
  double cpu = std::numeric_limits<double>::infinity(), least = cpu;
  for (const Option option : all_options)
    if (!on_gpu(option) && offered[place(option)] && once[place(option)].basis != Basis::nothing)
      cpu = std::min(cpu, std::exp(once[place(option)].total.log_time));
  for (const Option option : all_options) {
    const OptionTime& one = once[place(option)];
    if (!on_gpu(option) || !offered[place(option)] || one.basis == Basis::nothing) continue;
    const double call = std::exp(one.call.log_time), whole = std::exp(one.total.log_time);
    if (call < cpu) least = std::min(least, std::ceil((whole - call) / (cpu - call)));
  }
  constexpr double never = 1e9;  // more calls than any program makes on the same data
  if (!(least < never) || least <= 1) return std::nullopt;
  return least;
}

std::optional<Option> choice_of(const Predictor& predictor, const Asked& asked, const Offered& offered,
                                double risk) {
  const std::vector<Outlook> outlooks = outlooks_of(predictor.predict(asked), offered);
  const Decision decision = decide(outlooks, risk);
  if (!decision.choice) return std::nullopt;
  return outlooks[*decision.choice].option;
}

void plan_measuring(double risk, Advice* advice) {
  for (const ToMeasure& one : to_measure(advice->outlooks, risk)) {
    advice->to_measure.push_back(advice->outlooks[one.option].option);
    advice->loss_when_measured = one.loss;
  }
  // `to_measure` can be empty although the advice abstains: the expected loss is low, but the model does not
  // know this kernel or machine. The two fastest options are then measured.
  if (advice->to_measure.empty() && advice->choice) {
    advice->to_measure = {*advice->choice};
    if (const auto other = advice->next_best(*advice->choice)) advice->to_measure.push_back(*other);
  }
}

}  // namespace

bool Advice::has(Option option) const {
  return std::any_of(outlooks.begin(), outlooks.end(),
                     [&](const Outlook& one) { return one.option == option; });
}

const Outlook& Advice::outlook(Option option) const {
  for (const Outlook& one : outlooks)
    if (one.option == option) return one;
  throw std::logic_error("an option without a prediction");
}

std::optional<Option> Advice::next_best(Option option) const {
  std::optional<Option> next;
  for (const Outlook& one : outlooks)
    if (one.option != option && (!next || one.log_time < outlook(*next).log_time)) next = one.option;
  return next;
}

Advice advise(const Predictor& predictor, const Asked& asked, const Offered& offered, double risk) {
  Advice advice;
  advice.prediction = predictor.predict(asked);
  advice.outlooks = outlooks_of(advice.prediction, offered);
  advice.decision = decide(advice.outlooks, risk);
  if (!advice.decision.choice) return advice;
  advice.choice = advice.outlooks[*advice.decision.choice].option;
  const Basis basis = advice.prediction[place(*advice.choice)].basis;
  if (basis != Basis::measured) advice.outside = predictor.outside(asked.form);
  if (basis < Basis::nearby && !predictor.knows_machine())
    advice.outside.insert(advice.outside.begin(), "the machine");
  if (basis < Basis::nearby && !has_traits(asked.form) && !counts_operations(asked.form))
    advice.outside.emplace_back("operations, which the description does not count");
  if (basis < Basis::nearby && predictor.has_few_long_items(asked.form, *advice.choice))
    advice.outside.emplace_back("how threads share its few long items");
  if (const std::size_t variants = asked.variants[place(*advice.choice)];
      basis < Basis::nearby && !has_traits(asked.form) && variants > 1)
    advice.outside.push_back("which of its " + std::to_string(variants) + " variants is fast");
  advice.abstains = advice.decision.abstains || !advice.outside.empty() ||
                    !is_ahead(advice.prediction, advice.outlooks, *advice.choice, risk);
  if (advice.abstains) plan_measuring(risk, &advice);
  if (asked.resident) return advice;
  Asked other = asked;
  other.reuse = 1;
  if (asked.reuse == 1 || !on_gpu(*advice.choice))
    advice.pays_from = uses_that_pay(predictor.predict(other), offered);
  other.resident = true;
  advice.resident = choice_of(predictor, other, offered, risk);
  return advice;
}

bool is_ahead(const Prediction& prediction, const std::vector<Outlook>& outlooks, Option option,
              double risk) {
  const auto own = std::find_if(outlooks.begin(), outlooks.end(),
                                [&](const Outlook& one) { return one.option == option; });
  return std::all_of(outlooks.begin(), outlooks.end(), [&](const Outlook& other) {
    const double lead = other.log_time - own->log_time;
    return lead - half_width_between(prediction, option, other.option) >= -std::log1p(risk);
  });
}

Option choice_with(const Advice& advice, const std::array<double, option_count>& more) {
  std::vector<Outlook> outlooks = advice.outlooks;
  for (Outlook& one : outlooks) {
    const double time = std::exp(one.log_time), longer = time + more[place(one.option)];
    one.log_time = std::log(longer);
    one.deviation *= time / longer;
  }
  return outlooks[decide(outlooks, 1).choice.value()].option;
}

std::optional<Bound> bound_of(const AnalyticModel& analytic, const Form& form, const Profile& profile,
                              Option option, double seconds) {
  const std::optional<CallTime> time = analytic.call_time(form, profile, option);
  if (!time) return std::nullopt;
  if (time->launches > seconds / 2) return Bound::launches;
  return time->memory > (seconds - time->launches) / 2 ? Bound::memory : Bound::operations;
}

Gain gain(const Advice& advice, Option option, Option other) {
  const double log = advice.outlook(other).log_time - advice.outlook(option).log_time;
  const double half = half_width_between(advice.prediction, option, other);
  return {std::exp(log - half), std::exp(log), std::exp(log + half)};
}

namespace {

// Pairs: log of a size, and the difference of two options' log times at that size.
using Curve = std::vector<std::pair<double, double>>;

std::optional<double> size_at(const std::vector<double>& changes, bool first) {
  if (changes.empty()) return std::nullopt;
  return std::exp(first ? changes.front() : changes.back());
}

// The crossover at log size `log_n`, from which option `after` is faster than option `before`.
Crossover crossover_of(const std::vector<std::pair<std::int64_t, Advice>>& over_sizes, Option before,
                       Option after, double log_n) {
  Curve early, late;
  for (const auto& [n, advice] : over_sizes) {
    if (!advice.has(before) || !advice.has(after)) continue;
    const double difference = advice.outlook(before).log_time - advice.outlook(after).log_time;
    const double half = half_width_between(advice.prediction, before, after);
    early.emplace_back(std::log(static_cast<double>(n)), difference + half);
    late.emplace_back(std::log(static_cast<double>(n)), difference - half);
  }
  std::vector<double> lows, highs;  // candidates for the lower and the upper end of the interval
  for (const double change : sign_changes(early))
    if (change <= log_n + 1e-9) lows.push_back(change);
  for (const double change : sign_changes(late))
    if (change >= log_n - 1e-9) highs.push_back(change);
  return {before, after, std::exp(log_n), size_at(lows, false), size_at(highs, true)};
}

// Kind of processor that an option uses: 0 for one core, 1 for all cores, 2 for the GPU.
int place_of_work(Option option) { return on_gpu(option) ? 2 : option == Option::serial ? 0 : 1; }

std::optional<Option> fastest(const Advice& advice) {
  const auto least =
      std::min_element(advice.outlooks.begin(), advice.outlooks.end(),
                       [](const Outlook& a, const Outlook& b) { return a.log_time < b.log_time; });
  if (least == advice.outlooks.end()) return std::nullopt;
  return least->option;
}

}  // namespace

std::vector<Crossover> crossovers(const std::vector<std::pair<std::int64_t, Advice>>& over_sizes) {
  std::vector<Crossover> found;
  for (std::size_t i = 1; i < over_sizes.size(); ++i) {
    const auto& [below, small] = over_sizes[i - 1];
    const auto& [above, large] = over_sizes[i];
    const auto before = fastest(small), after = fastest(large);
    if (!before || !after || place_of_work(*before) == place_of_work(*after) || !small.has(*after) ||
        !large.has(*before))
      continue;
    const auto lead = [&](const Advice& advice) {
      return advice.outlook(*before).log_time - advice.outlook(*after).log_time;
    };
    const std::vector<double> change = sign_changes({{std::log(static_cast<double>(below)), lead(small)},
                                                     {std::log(static_cast<double>(above)), lead(large)}});
    if (!change.empty()) found.push_back(crossover_of(over_sizes, *before, *after, change.front()));
  }
  return found;
}

KnownBest known_best(const DataSet& data, const std::string& hardware, const Case& what, Option option,
                     Target target) {
  KnownBest best;
  // Sort key of a case: measured on another machine, distance of log sizes, time. Smaller is better.
  std::tuple<bool, double, double> least;
  for (const DataRow& row : data.rows) {
    const Case& its = data.problems[row.problem].what;
    const Interval& time = target == Target::call ? row.call : row.whole;
    if (row.option != option || row.status != Status::ok || time.samples == 0 || row.excluded_from_ranking ||
        its.kernel != what.kernel || its.problem.type != what.problem.type)
      continue;
    const bool here = hardware_of(data.machines[row.machine].profile) == hardware;
    const bool same = name_of_problem(its) == name_of_problem(what);
    const auto size = [](const Case& one) {
      return std::log(std::max(static_cast<double>(one.problem.n), 1.0));
    };
    const std::tuple rank(!here, same ? 0 : std::abs(size(its) - size(what)) + 1e-9, time.median);
    if (best.row && rank >= least) continue;
    best = {&row, here, same};
    least = rank;
  }
  return best;
}

}  // namespace sextant::predict
