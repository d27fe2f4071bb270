#include "predict/size_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sextant::predict {
namespace {

// Sizes whose amounts differ by less than this factor do not determine a slope.
constexpr double apart = 3;
// Serial code above `long_call` seconds takes at least 2^`least_growth` times as long for twice the work.
constexpr double long_call = 1e-5, least_growth = 0.95;
// Largest standard deviation of a log time: little more is known than the order of magnitude.
constexpr double most_deviation = 2;

// A straight line through two measured sizes: `start` seconds plus `slope` seconds per unit of work.
struct Line {
  double start = 0, slope = 0;
  double slope_noise = 0;  // standard deviation of the slope
};

struct Point {
  double work = 0, seconds = 0, noise = 0;  // `noise` is in seconds
};

Line line_through(const Point& small, const Point& large) {
  const double slope = (large.seconds - small.seconds) / (large.work - small.work);
  const double noise = std::hypot(small.noise, large.noise) / (large.work - small.work);
  if (slope > 0) return {large.seconds - slope * large.work, slope, noise};
  return {std::min(small.seconds, large.seconds), 0, noise};
}

// The line of one measured size, which starts at the modelled launch cost.
Line line_from(double launches, const Point& one) {
  const double start = std::min(launches, one.seconds);
  return {start, (one.seconds - start) / one.work, one.noise / one.work};
}

std::vector<Point> points_of(const Constants& c, const std::vector<TimedSize>& timed, std::size_t amount) {
  std::vector<Point> points;
  for (const TimedSize& one : timed)
    points.push_back(
        {one.size.amounts[amount], one.seconds, one.seconds * std::hypot(one.noise, c.between_sessions)});
  return points;
}

// Indices of the two measured sizes whose line predicts `work`: those around it or, outside of all sizes, the
// two nearest. Both indices are equal if no other size is far enough apart.
std::pair<std::size_t, std::size_t> nearest_pair(const std::vector<Point>& points, double work) {
  const auto close = [&](std::size_t a, std::size_t b) { return points[b].work < apart * points[a].work; };
  std::size_t large = 0;
  while (large + 1 < points.size() && (points[large].work < work || close(0, large))) ++large;
  std::size_t small = large;
  while (small > 0 && close(small, large)) --small;
  return close(small, large) ? std::pair(large, large) : std::pair(small, large);
}

}  // namespace

Amounts amounts_of(const Form& form) {
  const Work& work = form.work;
  return {static_cast<double>(work.flops + work.integer_operations), static_cast<double>(work.items),
          static_cast<double>(std::max(work.bytes_read + work.bytes_written, form.working_set)),
          static_cast<double>(form.n)};
}

ModelledSize modelled_size(const AnalyticModel& analytic, const Form& form, const Profile& profile,
                           Option option, const CallTime& time) {
  return {amounts_of(form), time.launches, time.memory, std::max(time.memory, time.arithmetic),
          analytic.filled_part(form, profile, option)};
}

std::size_t amount_of_growth(const std::vector<TimedSize>& serial) {
  const auto [least, most] =
      std::minmax_element(serial.begin(), serial.end(),
                          [](const TimedSize& a, const TimedSize& b) { return a.seconds < b.seconds; });
  std::size_t best = 0;
  double error = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < Amounts().size(); ++i) {
    const double low = least->size.amounts[i], high = most->size.amounts[i];
    if (!(low > 0)) continue;
    constexpr double alike = 0.1;  // difference of exponents that noise and caches explain
    const double off = std::abs(std::log((most->seconds / least->seconds) / (high / low))) /
                       std::max(std::log(most->seconds / least->seconds), 1e-9);
    if (off < error - alike) best = i, error = off;
  }
  return best;
}

namespace {

// The line of two measured sizes, or of one, and the asked size.
struct Fit {
  Line line;
  Point small, top;  // the measured sizes; equal if there is only one
  ModelledSize at_top, asked;
  double work = 0;  // amount of work of the asked size
};

// Seconds of a larger size than `top` that grow with the work.
double growing_seconds(const Fit& fit) {
  double own = fit.line.slope * fit.work;
  const double of_top = fit.line.slope * fit.top.work;
  if (fit.at_top.memory > 0) {
    // The part of the modelled bandwidth that the code reaches at the measured size: at most all, and at
    // least half unless the measured time shows less.
    const double reached =
        std::min({std::max(of_top / fit.at_top.memory, 0.5), fit.top.seconds / fit.at_top.memory, 1.0});
    own = std::max(own, reached * fit.asked.memory);
  }
  if (fit.at_top.filled < 1) {
    // The measured slope is mostly waiting and too large, the modelled one may lack waits: the mean of both.
    // The measured one alone counts if it explains most of the measured time.
    const double modelled = std::max(fit.asked.work - fit.at_top.work, 0.0),
                 straight = std::max(own - of_top, 0.1 * modelled),
                 grown = 0.5 + 0.5 * std::min(of_top / std::max(2 * fit.line.start, 1e-12), 1.0);
    own = fit.at_top.filled * own +
          (1 - fit.at_top.filled) * (of_top + std::pow(modelled, 1 - grown) * std::pow(straight, grown));
  }
  return own;
}

double seconds_at(const Fit& fit, double least, Option option) {
  if (fit.work <= fit.top.work) {
    const double time = fit.line.start + fit.line.slope * fit.work;
    if (fit.work >= fit.small.work) return time;
    // Below all sizes, nothing is shorter than a launch or than a part of the smallest call.
    return std::max({time, least, fit.small.seconds * fit.work / fit.small.work});
  }
  const double time = fit.line.start + growing_seconds(fit);
  if (option != Option::serial || fit.top.seconds <= long_call) return time;
  return std::max(time, fit.top.seconds * std::pow(fit.work / fit.top.work, least_growth));
}

// Standard deviation of the log of `seconds`: of the nearest measured time, of the slope, of half of what the
// time leaves the line, and of the distance.
double deviation_at(const Constants& c, const Fit& fit, double seconds, Option option) {
  const auto distance_to = [&](const Point& point) {
    return std::abs(std::log(std::max(fit.work, 1.0) / std::max(point.work, 1.0)));
  };
  const Point& near = distance_to(fit.small) < distance_to(fit.top) ? fit.small : fit.top;
  const double straight = std::max(fit.line.start + fit.line.slope * fit.work, 1e-12);
  const double of_slope = fit.line.slope_noise * std::abs(fit.work - fit.top.work) / seconds,
               of_model = std::log(seconds / straight) / 2,
               growth = (on_gpu(option) ? c.per_distance_on_gpu : c.per_distance_on_cpu) * distance_to(near);
  const double squares =
      std::pow(near.noise / near.seconds, 2) + of_slope * of_slope + of_model * of_model + growth * growth;
  return std::min(std::sqrt(squares), most_deviation);
}

}  // namespace

FittedTime time_at(const Constants& c, std::vector<TimedSize> timed, const ModelledSize& asked,
                   std::size_t amount, Option option) {
  std::sort(timed.begin(), timed.end(), [&](const TimedSize& a, const TimedSize& b) {
    return a.size.amounts[amount] < b.size.amounts[amount];
  });
  const std::vector<Point> points = points_of(c, timed, amount);
  const double work = asked.amounts[amount];
  const auto [small, large] = nearest_pair(points, work);
  const Line line = small == large ? line_from(timed[large].size.launches, points[large])
                                   : line_through(points[small], points[large]);
  const Fit fit = {line, points[small], points[large], timed[large].size, asked, work};
  const double seconds = seconds_at(fit, std::min(asked.launches, points.front().seconds), option);
  return {std::log(seconds), deviation_at(c, fit, seconds, option)};
}

}  // namespace sextant::predict
