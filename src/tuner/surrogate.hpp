// A Gaussian process on log time over a pool of candidates, updated in place: an observation adds one row to
// the Cholesky factor and one to each candidate's column, and changes its mean and variance; nothing is
// solved anew.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace sextant::tuner {

struct Normal {
  float mean = 0, deviation = 0;
};

// The covariance is Matérn 3/2 of the distance over features divided by `lengths`, plus `nugget` on the
// diagonal, times a scale that the data give. The mean is a constant plus slopes times the bases, by
// generalised least squares; the slopes have the prior N(1 / bases, slope_deviation^2).
struct Shape {
  std::vector<float> lengths;
  float nugget = 1e-3f;
  float slope_deviation = 0.5f;
};

class Surrogate {
 public:
  static constexpr std::size_t most_bases = 6;

  // `axes` features and `bases` values a candidate.
  Surrogate(std::size_t axes, std::size_t bases) : axes_(axes), bases_(bases) {}

  // Features and bases of the candidates, `axes` and `bases` values each. Returns the first's number.
  std::size_t add(std::span<const float> features, std::span<const float> bases, std::size_t count);
  std::size_t candidates() const { return count_; }
  std::size_t observations() const { return observed_.size(); }

  // The log time at a candidate; a failed one stands for the worst time seen, now or later.
  void observe(std::size_t candidate, float log_time);
  void observe_failed(std::size_t candidate);

  // Takes another shape: everything is computed again.
  void reshape(const Shape& shape);
  const Shape& shape() const { return shape_; }
  // Of the observations under a shape, the scale maximised out; up to a constant. Candidates play no part.
  double log_likelihood(const Shape& shape) const;

  // Mean and deviation at all candidates; valid until the next call.
  std::span<const Normal> predict();
  double slope(std::size_t basis) const { return coefficients_[basis + 1]; }

 private:
  struct Columns;  // whitened columns: constant, bases, times, failures

  void add_row(std::size_t observation);
  void extend(std::size_t row, std::size_t from, std::size_t to);
  void solve_mean();

  std::size_t axes_, bases_, count_ = 0, capacity_ = 0;
  Shape shape_;
  std::vector<float> features_, base_values_;  // [axis or basis][capacity]
  std::vector<std::size_t> observed_;          // candidate of each observation
  std::vector<float> times_;                   // its log time; 0 where it failed
  std::vector<char> failed_;
  float worst_ = 0;

  std::vector<std::vector<float>> factor_;                   // Cholesky rows, diagonal last
  std::vector<std::array<float, most_bases + 3>> whitened_;  // by observation: constant, bases, time, failure
  std::vector<std::vector<float>> rows_;                     // [observation][capacity]
  std::vector<float> explained_;                             // [capacity]: sum of squares of the column
  std::array<std::vector<float>, most_bases + 3> sums_;      // [capacity]: column times whitened column
  std::array<double, most_bases + 1> coefficients_ = {};
  double scale_ = 0;
  std::vector<float> work_;
  std::vector<Normal> normals_;
};

}  // namespace sextant::tuner
