// Functions that the parts of the predictor share.
#pragma once

#include "predict/predictor.hpp"

namespace sextant::predict {

// Half width of a 90 % interval of a normal distribution, in standard deviations.
inline constexpr double ninety_percent = 1.645;

// The time of a measurement, which is at least as uncertain as two measurements of one case differ.
Expected expected_of(const Interval& measured);

// Log of the time a × exp(x) + b × exp(y). The errors of x and y are taken as fully correlated.
Expected sum(double a, const Expected& x, double b, const Expected& y);

}  // namespace sextant::predict
