#include "predict/history.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace sextant::predict {
namespace {

double feature_distance(const std::vector<float>& a, const std::vector<float>& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    const double apart =
        std::isnan(a[i]) || std::isnan(b[i]) ? 1 : static_cast<double>(a[i]) - static_cast<double>(b[i]);
    squares += apart * apart;
  }
  return std::sqrt(squares);
}

double of_names(const std::string& a, const std::string& b, const std::vector<float>& features,
                const std::vector<float>& others, double length, double alike) {
  if (features.size() != others.size()) throw std::invalid_argument("cases have different features");
  return a == b ? 1 : alike * std::exp(-feature_distance(features, others) / length);
}

struct Near {
  double correlation;
  std::size_t index;  // index of the measured case
};

// Incremental Cholesky factorization of the cases' covariance matrix; `rows` is the factor L. `place` is L^-1
// times the covariances with the predicted case. `residual` is L^-1 times the cases' residuals.
struct Elimination {
  std::vector<std::vector<double>> rows;
  std::vector<double> place, residual;

  void add(std::vector<double> row, double diagonal, double to_place, double value) {
    const std::size_t own = rows.size();
    for (std::size_t i = 0; i < own; ++i) {
      double left = row[i];
      for (std::size_t k = 0; k < i; ++k) left -= row[k] * rows[i][k];
      row[i] = left / rows[i][i];
      diagonal -= row[i] * row[i];
      to_place -= row[i] * place[i];
      value -= row[i] * residual[i];
    }
    // The case duplicates previous ones and has no noise, so it adds no information.
    if (diagonal < 1e-9) return;
    const double pivot = std::sqrt(diagonal);
    row.push_back(pivot);
    rows.push_back(std::move(row));
    place.push_back(to_place / pivot);
    residual.push_back(value / pivot);
  }
};

}  // namespace

double size_correlation(double log_size, double other, const Relation& relation) {
  const double apart = std::sqrt(3.0) * std::abs(log_size - other) / relation.size_length;
  return (1 + apart) * std::exp(-apart);
}

double work_correlation(double work, double other) {
  return (work * other + (1 - work) * (1 - other)) /
         (std::hypot(work, 1 - work) * std::hypot(other, 1 - other));
}

double cores_apart(double cores) {
  const double free = std::log(std::max(cores, 1.0)) / Relation().deviation;
  return std::min(free * free / 24, 1.0);
}

namespace {

// The factor of the correlation that depends only on the options. For two options on one device, it is
// `same_device` or more. It increases as their independence `apart` decreases.
double option_correlation(const Place& a, const Place& b, const Relation& relation) {
  if (on_gpu(a.option) != on_gpu(b.option)) return relation.other_device;
  const double together = std::sqrt((1 - a.apart) * (1 - b.apart)),
               own = a.option == b.option ? std::sqrt(a.apart * b.apart) : 0;
  return relation.same_device + (1 - relation.same_device) * (together + own);
}

}  // namespace

double correlation(const Place& a, const Place& b, const Relation& relation) {
  const double lasting = relation.lasting[static_cast<std::size_t>(a.option)],
               other = relation.lasting[static_cast<std::size_t>(b.option)];
  const double sizes = std::sqrt(lasting * other) + std::sqrt((1 - lasting) * (1 - other)) *
                                                        size_correlation(a.log_size, b.log_size, relation);
  return option_correlation(a, b, relation) * sizes * work_correlation(a.work, b.work) *
         of_names(a.kernel, b.kernel, a.form, b.form, relation.form_length, relation.alike) *
         of_names(a.machine, b.machine, a.profile, b.profile, relation.profile_length,
                  relation.machines_alike);
}

HistoryCorrection::HistoryCorrection(std::vector<MeasuredResidual> cases, const Relation& relation,
                                     std::size_t most)
    : cases_(std::move(cases)), relation_(relation), most_(most) {
  for (const MeasuredResidual& one : cases_)
    if (!std::isfinite(one.residual) || !(one.noise >= 0) || !std::isfinite(one.noise))
      throw std::invalid_argument("a stored case is not finite");
}

Correction HistoryCorrection::at(const Place& place) const {
  std::vector<Near> near;
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    const double related = correlation(place, cases_[i].place, relation_);
    if (related > 1e-6) near.push_back({related, i});
  }
  const std::size_t count = std::min(near.size(), most_);
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end(),
                    [](const Near& a, const Near& b) {
                      return a.correlation != b.correlation ? a.correlation > b.correlation
                                                            : a.index < b.index;
                    });
  Elimination elimination;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < count; ++i) {
    const MeasuredResidual& one = cases_[near[i].index];
    std::vector<double> row;
    for (const std::size_t other : kept)
      row.push_back(correlation(one.place, cases_[other].place, relation_));
    const double nugget = one.noise / relation_.deviation;
    const std::size_t before = elimination.rows.size();
    elimination.add(std::move(row), 1 + nugget * nugget, near[i].correlation, one.residual);
    if (elimination.rows.size() > before) kept.push_back(near[i].index);
  }
  Correction correction;
  for (std::size_t i = 0; i < elimination.rows.size(); ++i) {
    correction.mean += elimination.place[i] * elimination.residual[i];
    correction.variance -= elimination.place[i] * elimination.place[i];
  }
  correction.variance = std::max(correction.variance, 0.0);
  return correction;
}

}  // namespace sextant::predict
