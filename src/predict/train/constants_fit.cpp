#include "predict/train/constants_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

namespace sextant::predict {
namespace {

// Errors below this size in log time count by their squares, larger ones by their size.
constexpr double small_error = 1;
// Factors by which a constant moves. The first ones find the order of magnitude.
constexpr double steps[] = {3, 1.6, 2, 1.25, 1.5, 1.1, 1.25, 1.05};
constexpr double widest_step = 4;  // finds the cases that depend on a constant
constexpr double range = 100;      // a constant stays within this factor of its start

double loss_of(double error) { return std::sqrt(error * error + small_error * small_error) - small_error; }

// Keeps at most `most` cases of each family, machine, option and target, evenly spread over their order.
std::vector<FitCase> thinned(const std::vector<FitCase>& cases, std::size_t most) {
  std::map<std::tuple<Option, Target, std::size_t, const Profile*>, std::vector<std::size_t>> series;
  for (std::size_t i = 0; i < cases.size(); ++i)
    series[{cases[i].option, cases[i].target, cases[i].group, cases[i].profile}].push_back(i);
  std::vector<FitCase> some;
  for (const auto& [key, own] : series) {
    const std::size_t count = std::min(own.size(), most);
    for (std::size_t i = 0; i < count; ++i) some.push_back(cases[own[i * own.size() / count]]);
  }
  return some;
}

// Weights that add up to 1. Each option and target has the same weight, and each family in it.
std::vector<double> weights_of(const std::vector<FitCase>& cases) {
  std::map<std::tuple<Option, Target, std::size_t>, double> counts;
  std::map<std::pair<Option, Target>, std::set<std::size_t>> families;
  for (const FitCase& one : cases) {
    ++counts[{one.option, one.target, one.group}];
    families[{one.option, one.target}].insert(one.group);
  }
  std::vector<double> weights;
  for (const FitCase& one : cases)
    weights.push_back(1 / (counts[{one.option, one.target, one.group}] *
                           static_cast<double>(families[{one.option, one.target}].size() * families.size())));
  return weights;
}

class ConstantsFit {
 public:
  ConstantsFit(std::vector<FitCase> cases, double price) : price_(price) {
    for (const FitCase& one : cases)
      if (loss_at(Constants(), one)) cases_.push_back(one);
    weights_ = weights_of(cases_);
    for (const FitCase& one : cases_) losses_.push_back(*loss_at(constants_, one));
    dependent_.resize(constant_lines().size());
  }

  Constants fitted() {
    bool first = true;
    for (const double step : steps) {
      for (std::size_t i = 0; i < constant_lines().size(); ++i) {
        const ConstantKind kind = constant_lines()[i].kind;
        if (kind != ConstantKind::factor && kind != ConstantKind::share) continue;
        if (first || step == steps[2]) find_dependent(i);
        move(i, step);
      }
      first = false;
    }
    return constants_;
  }

 private:
  static std::optional<double> loss_at(const Constants& constants, const FitCase& one) {
    const auto time = AnalyticModel(constants).time(*one.form, *one.profile, one.option, one.target);
    if (!time || !(*time > 0)) return std::nullopt;
    return loss_of(one.log_time - std::log(*time));
  }

  static double start(std::size_t i) { return Constants().*constant_lines()[i].value; }
  double& value(std::size_t i) { return constants_.*constant_lines()[i].value; }

  double price_of(std::size_t i) { return price_ * std::abs(std::log(value(i) / start(i))); }

  // The losses of the cases that depend on the constant.
  std::vector<double> losses_with(std::size_t i) const {
    std::vector<double> losses;
    losses.reserve(dependent_[i].size());
    for (const std::size_t one : dependent_[i])
      losses.push_back(loss_at(constants_, cases_[one]).value_or(losses_[one]));
    return losses;
  }

  void find_dependent(std::size_t i) {
    const double own = value(i);
    std::vector<char> depends(cases_.size(), 0);
    for (const double factor : {1 / widest_step, widest_step}) {
      value(i) = own * factor;
      for (std::size_t one = 0; one < cases_.size(); ++one)
        if (!depends[one]) depends[one] = loss_at(constants_, cases_[one]).value_or(0) != losses_[one];
    }
    value(i) = own;
    dependent_[i].clear();
    for (std::size_t one = 0; one < cases_.size(); ++one)
      if (depends[one]) dependent_[i].push_back(one);
  }

  // Takes another value of the constant if it is better.
  bool try_value(std::size_t i, double other) {
    const ConstantLine& line = constant_lines()[i];
    const double own = value(i), before = price_of(i);
    other = std::clamp(other, start(i) / range, start(i) * range);
    if (line.kind == ConstantKind::share) other = std::min(other, 1.0);
    if (other == own) return false;
    value(i) = other;
    const std::vector<double> losses = losses_with(i);
    double change = price_of(i) - before;
    for (std::size_t at = 0; at < losses.size(); ++at)
      change += weights_[dependent_[i][at]] * (losses[at] - losses_[dependent_[i][at]]);
    if (change >= -1e-9) {
      value(i) = own;
      return false;
    }
    for (std::size_t at = 0; at < losses.size(); ++at) losses_[dependent_[i][at]] = losses[at];
    return true;
  }

  void move(std::size_t i, double step) {
    try_value(i, start(i));
    if (dependent_[i].empty()) return;
    for (const double factor : {step, 1 / step}) {
      bool moved = false;
      while (try_value(i, value(i) * factor)) moved = true;
      if (moved) return;
    }
  }

  double price_;
  Constants constants_;
  std::vector<FitCase> cases_;
  std::vector<double> weights_, losses_;             // by case
  std::vector<std::vector<std::size_t>> dependent_;  // by constant: the cases whose time it changes
};

}  // namespace

Constants fitted_constants(const std::vector<FitCase>& cases, const FitSettings& settings) {
  return ConstantsFit(thinned(cases, settings.most_cases), settings.price).fitted();
}

}  // namespace sextant::predict
