#include "analysis/study/crossover.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "analysis/summary/time_of.hpp"

namespace sextant {
namespace {

struct Point {
  const StudyRow* row;
  Interval ratio;  // speed-up over the reference; above 1: faster
  bool faster() const { return ratio.low > 1; }
};

// True for the CPU models that are compared with serial code.
bool threaded(const std::string& column) { return column == "openmp" || column == "stdpar"; }

const Summary* fastest(const StudyRow& row, std::initializer_list<const char*> columns, bool with_transfers) {
  const TimeOf time_of = with_transfers ? whole_of : call_of;
  const auto& all = row.best_by(with_transfers);
  const Summary* best = nullptr;
  for (const char* column : columns)
    if (const auto found = all.find(column); found != all.end()) keep_faster(*found->second, time_of, &best);
  return best;
}

// Returns the sizes at which both the column (programming model) and its reference were measured.
std::vector<Point> points_of(const StudyGroup& group, const std::string& column, bool with_transfers) {
  std::vector<Point> points;
  for (const StudyRow* row : group) {
    const auto found = row->best_by(with_transfers).find(column);
    const Summary* other = threaded(column)
                               ? fastest(*row, {"serial"}, with_transfers)
                               : fastest(*row, {"serial", "openmp", "stdpar", "cpu library"}, with_transfers);
    if (found == row->best_by(with_transfers).end() || !other) continue;
    const Summary& s = *found->second;
    const TimeOf time_of = with_transfers ? whole_of : call_of;
    const Interval ratio = ratio_of_medians(time_of(*other), time_of(s));
    if (ratio.samples) points.push_back({row, ratio});
  }
  return points;
}

double between(const Point& a, const Point& b) {
  if (!a.row->plain() || !b.row->plain() || b.row->n <= a.row->n) return 0;
  const double ya = std::log(a.ratio.median), yb = std::log(b.ratio.median);
  if (ya * yb > 0 || ya == yb) return 0;
  const double xa = std::log(static_cast<double>(a.row->n)), xb = std::log(static_cast<double>(b.row->n));
  return std::exp(xa + (xb - xa) * -ya / (yb - ya));
}

// Returns the N at which the ratio of the medians passes 1. Returns 0 if it never passes 1, or passes it
// several times.
double median_crossing(const std::vector<Point>& points) {
  double crossing = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (const double one = between(points[i - 1], points[i]); one > 0) {
      if (crossing > 0) return 0;
      crossing = one;
    }
  return crossing;
}

Crossover crossover_of(const std::string& column, const std::vector<Point>& points) {
  Crossover result;
  result.column = column;
  result.against = threaded(column) ? "serial" : "the best CPU version";
  result.sizes = points.size();
  std::size_t changes = 0, change = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].faster()) ++result.wins;
    if (points[i].ratio.median > 1.001) ++result.median_wins;
    if (i && points[i].faster() != points[i - 1].faster()) {
      ++changes;
      change = i;
    }
  }
  using Kind = Crossover::Kind;
  result.from = points.front().row->size;
  result.to = points.back().row->size;
  if (changes == 0) {
    result.kind = result.wins ? Kind::always : Kind::never;
  } else if (changes == 1) {
    result.kind = points.back().faster() ? Kind::between : Kind::until;
    result.from = points[change - 1].row->size;
    result.to = points[change].row->size;
    result.estimate = median_crossing(points);
  } else {
    result.kind = Kind::mixed;
  }
  return result;
}

// Rounds to two significant digits, because an interpolation is not more precise.
std::string rounded(double n) {
  const double step = std::pow(10, std::floor(std::log10(n)) - 1);
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", std::round(n / step) * step);
  return text;
}

}  // namespace

std::vector<Crossover> crossovers(const StudyGroup& group, bool with_transfers) {
  std::vector<Crossover> result;
  for (const char* column : {"openmp", "stdpar", "openacc", "target", "cuda", "gpu library"}) {
    if (with_transfers && threaded(column)) continue;  // the CPU needs no transfers
    const std::vector<Point> points = points_of(group, column, with_transfers);
    if (!points.empty()) result.push_back(crossover_of(column, points));
  }
  return result;
}

std::string sentence_of(const Crossover& c) {
  const std::string is_faster = c.column + " is faster than " + c.against;
  const bool one = c.sizes == 1;
  const std::string of_sizes = " of " + std::to_string(c.sizes) + " sizes";
  switch (c.kind) {
    case Crossover::Kind::always:
      return is_faster + (one ? " at " + c.to : " at every size");
    case Crossover::Kind::never:
      return c.column + " is not faster than " + c.against + (one ? " at " + c.to : " at any size") +
             (c.median_wins == 0 ? ""
              : one              ? ", though its median time is shorter"
                    : ", though its median time is shorter at " + std::to_string(c.median_wins) + of_sizes);
    case Crossover::Kind::between:
      return is_faster + " from " + c.to + " on, but not at " + c.from +
             (c.estimate > 0 ? "; by medians, from about " + rounded(c.estimate) : "");
    case Crossover::Kind::until:
      return is_faster + " up to " + c.from + ", but not from " + c.to + " on" +
             (c.estimate > 0 ? "; by medians, up to about " + rounded(c.estimate) : "");
    case Crossover::Kind::mixed:
      return is_faster + " at " + std::to_string(c.wins) + of_sizes + " between " + c.from + " and " + c.to +
             (c.median_wins > c.wins ? ", by medians at " + std::to_string(c.median_wins) : "");
  }
  return "";
}

}  // namespace sextant
