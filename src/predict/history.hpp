// The history correction: estimates the error of a prediction from the errors at similar measured cases.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "predict/option.hpp"

namespace sextant::predict {

// The properties of a case by which it is compared with others.
struct Place {
  Option option = Option::serial;
  std::string kernel;  // equal names mean the same code
  // Features of the kernel, except its sizes, each scaled by its spread. NaN: unknown.
  std::vector<float> form;
  double log_size = 0;         // natural logarithm of N
  std::string machine;         // equal names mean the same machine
  std::vector<float> profile;  // scaled features of the machine; NaN: unknown
  double work = 1;             // fraction of the time that is not launches or waits
  // Independence of the errors of two options on this device, 0 to 1: cores_apart on a CPU, 1 on a GPU.
  double apart = 1;
};

struct MeasuredResidual {
  Place place;
  double residual = 0;
  double noise = 0;  // standard deviation of the measured log time
};

// Parameters of the correlation of two residuals. A residual is the log of measured time over predicted time.
// The correlation is the product of these factors, each of which is 1 for equal values:
// - sizes: `lasting` + (1 - `lasting`) × Matérn 3/2 of the log size difference over `size_length`. `lasting`
//   is the fraction of an error that is equal at all sizes. For two different options, it is the geometric
//   mean of both values.
// - work: cosine between the vectors (work fraction, launch fraction) of both cases;
// - options: `same_device` for two options both on the CPU or both on the GPU, and more if `apart` is low;
//   `other_device` for a CPU option and a GPU option;
// - kernels: `alike` × exp(-distance of forms / form_length) for different kernels;
// - machines: `machines_alike` × exp(-distance of profiles / profile_length) for different machines.
// Distances are Euclidean over the features. A feature that is known in only one case counts as a distance
// of 1.
struct Relation {
  double size_length = 2.5, form_length = 2, profile_length = 2;
  double same_device = 0.5, other_device = 0.5, alike = 0.5, machines_alike = 0.8;
  // One value for each option (programming model and device).
  std::array<double, option_count> lasting = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
  double deviation = 0.7;  // standard deviation of the log time's error without the correction
};

// Matérn 3/2 correlation over log sizes, for the part of the error that depends on the size.
double size_correlation(double log_size, double other, const Relation& relation);

// Correlation of two cases whose work takes these fractions of their times.
double work_correlation(double work, double other);

// Independence of the errors of two CPU options, from 0 to 1. Their speed-up lies between 1 and `cores`, so
// its log has a variance of (log cores)² / 12. Two errors with correlation s differ with a variance of 2 (1 -
// s) deviation². Equating both variances gives the result 1 - s.
double cores_apart(double cores);

double correlation(const Place& a, const Place& b, const Relation& relation);

struct Correction {
  double mean = 0;      // correction in log time, to be added to the prediction
  double variance = 1;  // fraction of the variance that remains after the correction
};

// Gaussian process over the residuals of measured cases. It uses only the `most` cases that correlate most
// with the predicted one. Without related cases, the correction has mean 0 and variance 1. Throws
// std::invalid_argument for a residual or noise that is not finite, a negative noise, or feature lists of
// different lengths.
class HistoryCorrection {
 public:
  static constexpr std::size_t most_cases = 64;

  explicit HistoryCorrection(std::vector<MeasuredResidual> cases, const Relation& relation = {},
                             std::size_t most = most_cases);
  Correction at(const Place& place) const;
  std::size_t size() const { return cases_.size(); }

 private:
  std::vector<MeasuredResidual> cases_;
  Relation relation_;
  std::size_t most_;
};

}  // namespace sextant::predict
