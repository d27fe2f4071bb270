#include "tuner/surrogate.hpp"

#include <algorithm>
#include <cmath>

#include "tuner/fast_math.hpp"

namespace sextant::tuner {
namespace {

// Matérn 3/2 covariance at a given squared distance.
inline float covariance(float squared) {
  const float u = std::sqrt(3 * squared);
  return (1 + u) * exp_minus(u);
}

// The capacity for candidates is a multiple of this number, for vectorized loops.
constexpr std::size_t width = 16;

std::size_t rounded(std::size_t count) { return (count + width - 1) / width * width; }

// Solves A x = b for the first `n` unknowns. A is symmetric and positive definite.
template <std::size_t N>
std::array<double, N> solve(std::array<std::array<double, N>, N> a, std::array<double, N> b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const double factor = a[i][i] > 0 ? a[j][i] / a[i][i] : 0;
      for (std::size_t k = i; k < n; ++k) a[j][k] -= factor * a[i][k];
      b[j] -= factor * b[i];
    }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[i][k] * b[k];
    b[i] = a[i][i] > 0 ? b[i] / a[i][i] : 0;
  }
  return b;
}

}  // namespace

std::size_t Surrogate::add(std::span<const float> features, std::span<const float> bases, std::size_t count) {
  const std::size_t first = count_, needed = rounded(count_ + count);
  if (needed > capacity_) {
    const std::size_t grown = std::max(needed, rounded(capacity_ + capacity_ / 2));
    const auto regrow = [&](std::vector<float>* values, std::size_t lines) {
      std::vector<float> wider(lines * grown, 0.0f);
      for (std::size_t i = 0; i < lines; ++i)
        std::copy_n(values->begin() + static_cast<std::ptrdiff_t>(i * capacity_), count_,
                    wider.begin() + static_cast<std::ptrdiff_t>(i * grown));
      *values = std::move(wider);
    };
    regrow(&features_, axes_);
    regrow(&base_values_, bases_);
    for (std::vector<float>& row : rows_) regrow(&row, 1);
    regrow(&explained_, 1);
    for (std::vector<float>& sum : sums_) regrow(&sum, 1);
    work_.assign(grown, 0.0f);
    normals_.resize(grown);
    capacity_ = grown;
  }
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t a = 0; a < axes_; ++a) features_[a * capacity_ + first + c] = features[c * axes_ + a];
    for (std::size_t b = 0; b < bases_; ++b) base_values_[b * capacity_ + first + c] = bases[c * bases_ + b];
  }
  count_ += count;
  for (std::size_t row = 0; row < rows_.size(); ++row) extend(row, first, count_);
  return first;
}

// Computes one observation's whitened covariances with the candidates [from, to), and updates the sums over
// observations.
SEXTANT_WIDE void Surrogate::extend(std::size_t row, std::size_t from, std::size_t to) {
  float* entries = rows_[row].data();
  float* work = work_.data();
  std::fill(work + from, work + to, 0.0f);
  for (std::size_t a = 0; a < axes_; ++a) {
    const float* feature = features_.data() + a * capacity_;
    const float at = feature[observed_[row]], scale = 1 / shape_.lengths[a];
    for (std::size_t c = from; c < to; ++c) {
      const float difference = (feature[c] - at) * scale;
      work[c] += difference * difference;
    }
  }
  for (std::size_t c = from; c < to; ++c) work[c] = covariance(work[c]);
  for (std::size_t i = 0; i < row; ++i) {
    const float factor = factor_[row][i];
    const float* other = rows_[i].data();
    for (std::size_t c = from; c < to; ++c) work[c] -= factor * other[c];
  }
  const float inverse = 1 / factor_[row][row];
  float* explained = explained_.data();
  for (std::size_t c = from; c < to; ++c) {
    entries[c] = work[c] * inverse;
    explained[c] += entries[c] * entries[c];
  }
  for (std::size_t column = 0; column < bases_ + 3; ++column) {
    const float factor = whitened_[row][column];
    float* sum = sums_[column].data();
    if (factor != 0)
      for (std::size_t c = from; c < to; ++c) sum[c] += factor * entries[c];
  }
}

// Adds an observation: its row of the Cholesky factor and its whitened values. Most of the row is already
// known from the candidate's whitened covariances.
void Surrogate::add_row(std::size_t row) {
  const std::size_t own = observed_[row];
  std::vector<float> line(row + 1);
  for (std::size_t i = 0; i < row; ++i) line[i] = rows_[i][own];
  line[row] = std::sqrt(std::max(1 + shape_.nugget - explained_[own], 0.5f * shape_.nugget));
  std::array<float, most_bases + 3> column = {1};
  for (std::size_t b = 0; b < bases_; ++b) column[b + 1] = base_values_[b * capacity_ + own];
  column[bases_ + 1] = times_[row];
  column[bases_ + 2] = failed_[row] ? 1 : 0;
  for (std::size_t j = 0; j < bases_ + 3; ++j) column[j] = (column[j] - sums_[j][own]) / line[row];
  factor_.push_back(std::move(line));
  whitened_.push_back(column);
  rows_.emplace_back(capacity_, 0.0f);
}

void Surrogate::observe(std::size_t candidate, float log_time) {
  const bool first = std::find(failed_.begin(), failed_.end(), 0) == failed_.end();
  worst_ = first ? log_time : std::max(worst_, log_time);
  observed_.push_back(candidate);
  times_.push_back(log_time);
  failed_.push_back(0);
  add_row(observed_.size() - 1);
  extend(observed_.size() - 1, 0, count_);
}

void Surrogate::observe_failed(std::size_t candidate) {
  observed_.push_back(candidate);
  times_.push_back(0);
  failed_.push_back(1);
  add_row(observed_.size() - 1);
  extend(observed_.size() - 1, 0, count_);
}

void Surrogate::reshape(const Shape& shape) {
  shape_ = shape;
  factor_.clear();
  whitened_.clear();
  rows_.clear();
  explained_.assign(capacity_, 0.0f);
  for (std::vector<float>& sum : sums_) sum.assign(capacity_, 0.0f);
  for (std::size_t row = 0; row < observed_.size(); ++row) {
    add_row(row);
    extend(row, 0, count_);
  }
}

// Computes the coefficients of the mean and the scale of the covariance, alternately, because each depends on
// the other.
void Surrogate::solve_mean() {
  constexpr std::size_t most = most_bases + 1;
  const std::size_t n = bases_ + 1, time = bases_ + 1, failure = bases_ + 2;
  std::array<std::array<double, most>, most> gram = {};
  std::array<double, most> right = {};
  double square = 0;
  for (const auto& column : whitened_) {
    const double y = static_cast<double>(column[time] + worst_ * column[failure]);
    square += y * y;
    for (std::size_t i = 0; i < n; ++i) {
      right[i] += column[i] * y;
      for (std::size_t j = 0; j < n; ++j) gram[i][j] += column[i] * column[j];
    }
  }
  const auto count = static_cast<double>(std::max<std::size_t>(observed_.size(), 1));
  double scale = scale_ > 0 ? scale_ : 0.1;
  for (int round = 0; round < 3; ++round) {
    auto with_prior = gram;
    auto wanted = right;
    for (std::size_t i = 1; i < n; ++i) {
      const double weight =
          scale / (static_cast<double>(shape_.slope_deviation) * static_cast<double>(shape_.slope_deviation));
      with_prior[i][i] += weight;
      wanted[i] += weight / static_cast<double>(bases_);
    }
    coefficients_ = solve(with_prior, wanted, n);
    for (std::size_t i = 1; i < n; ++i) coefficients_[i] = std::max(coefficients_[i], 0.0);
    // Negative slopes were set to 0, so the constant is fitted again.
    if (bases_ > 0 && gram[0][0] > 0) {
      double rest = right[0];
      for (std::size_t i = 1; i < n; ++i) rest -= gram[0][i] * coefficients_[i];
      coefficients_[0] = rest / gram[0][0];
    }
    double residual = square;
    for (std::size_t i = 0; i < n; ++i) {
      residual -= 2 * coefficients_[i] * right[i];
      for (std::size_t j = 0; j < n; ++j) residual += coefficients_[i] * coefficients_[j] * gram[i][j];
    }
    scale = std::max(residual / count, 1e-8);
    if (bases_ == 0) break;
  }
  scale_ = scale;
}

SEXTANT_WIDE std::span<const Normal> Surrogate::predict() {
  solve_mean();
  const std::size_t time = bases_ + 1, failure = bases_ + 2;
  const auto c0 = static_cast<float>(coefficients_[0]), worst = static_cast<float>(worst_),
             scale = static_cast<float>(scale_);
  const float* s0 = sums_[0].data();
  const float* st = sums_[time].data();
  const float* sf = sums_[failure].data();
  float* mean = work_.data();
  for (std::size_t c = 0; c < count_; ++c) mean[c] = c0 * (1 - s0[c]) + st[c] + worst * sf[c];
  for (std::size_t b = 0; b < bases_; ++b) {
    const auto slope = static_cast<float>(coefficients_[b + 1]);
    const float* base = base_values_.data() + b * capacity_;
    const float* sum = sums_[b + 1].data();
    for (std::size_t c = 0; c < count_; ++c) mean[c] += slope * (base[c] - sum[c]);
  }
  const double ones = [&] {
    double sum = 0;
    for (const auto& column : whitened_) sum += column[0] * column[0];
    return sum;
  }();
  const float constant = ones > 0 ? static_cast<float>(1 / ones) : 1.0f;
  const float* explained = explained_.data();
  for (std::size_t c = 0; c < count_; ++c) {
    const float left = 1 - s0[c];
    const float variance = std::max(1 - explained[c], 1e-6f) + left * left * constant;
    normals_[c] = {mean[c], std::sqrt(variance * scale)};
  }
  return {normals_.data(), count_};
}

SEXTANT_WIDE double Surrogate::log_likelihood(const Shape& shape) const {
  const std::size_t n = observed_.size();
  std::vector<float> lower(n * n, 0.0f);  // lower triangle, stored column by column
  for (std::size_t a = 0; a < axes_; ++a) {
    const float* feature = features_.data() + a * capacity_;
    std::vector<float> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = feature[observed_[i]] / shape.lengths[a];
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = j; i < n; ++i) lower[j * n + i] += (x[i] - x[j]) * (x[i] - x[j]);
  }
  std::vector<float> one(n, 1.0f), value(n);
  for (std::size_t i = 0; i < n; ++i) {
    value[i] = failed_[i] ? worst_ : times_[i];
    for (std::size_t b = 0; b < bases_; ++b)
      value[i] -= static_cast<float>(coefficients_[b + 1]) * base_values_[b * capacity_ + observed_[i]];
  }
  double determinant = 0, ones = 0, mixed = 0, values = 0;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) lower[j * n + i] = covariance(lower[j * n + i]);
    lower[j * n + j] += shape.nugget;
  }
  for (std::size_t j = 0; j < n; ++j) {
    float* column = lower.data() + j * n;
    const float pivot = std::sqrt(std::max(column[j], 0.5f * shape.nugget));
    determinant += std::log(static_cast<double>(pivot));
    for (std::size_t i = j; i < n; ++i) column[i] /= pivot;
    const float u = one[j] / pivot, v = value[j] / pivot;
    for (std::size_t i = j + 1; i < n; ++i) one[i] -= u * column[i];
    for (std::size_t i = j + 1; i < n; ++i) value[i] -= v * column[i];
    ones += static_cast<double>(u) * static_cast<double>(u);
    mixed += static_cast<double>(u) * static_cast<double>(v);
    values += static_cast<double>(v) * static_cast<double>(v);
    for (std::size_t k = j + 1; k < n; ++k) {
      float* other = lower.data() + k * n;
      const float factor = column[k];
      for (std::size_t i = k; i < n; ++i) other[i] -= factor * column[i];
    }
  }
  const double residual = std::max(values - mixed * mixed / ones, 1e-12);
  return -determinant - 0.5 * static_cast<double>(n) * std::log(residual / static_cast<double>(n));
}

}  // namespace sextant::tuner
