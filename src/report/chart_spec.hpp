// What the page's script draws: specifications as JSON in <figure> elements. Units: s, B, B/s, FLOP/s or ""
// (a ratio); the script gives them prefixes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sextant::report {

using Value = std::optional<double>;  // nothing, or not finite: null

struct Axis {
  std::string name, unit;
  bool log = false;
};

struct Point {
  double x = 0, y = 0;
  Value low = {}, high = {};
};

struct Line {
  std::string name;
  std::vector<Point> points;
  // ideal: thin, without points; model: dashed, without points, its intervals a band. Both join even two
  // points.
  enum class Role : std::uint8_t { measured, ideal, model } role = Role::measured;
};

// Every figure: its id (unique on the page), caption, and what it shows in a sentence for those who do not
// see it.
struct Figure {
  std::string id, caption, description;
};

// What is drawn, as JSON; "": nothing can be.
using Spec = std::string;

// The figure's element; "" for a specification of nothing.
std::string figure_html(const Figure& figure, const Spec& spec);
// Several under one caption, of which the reader chooses one; those of nothing are left out.
std::string choice_html(const Figure& figure, const std::vector<std::pair<std::string, Spec>>& choices);

// Points whose x or y does not fit a logarithmic axis are left out. Fewer than three x are drawn as points
// alone. Values at `reference` get a line of their own. From `model_from` on the ground is hatched and says
// "model".
Spec lines_spec(const Axis& x, const Axis& y, const std::vector<Line>& lines, Value reference = {},
                Value model_from = {});

// A row a name, a point a series in it, on a logarithmic x; side by side in panels.
struct Dot {
  std::size_t row = 0;
  double value = 0;
  Value low = {}, high = {};
  bool tied = false;  // for the fastest, with others of its row: ringed
  std::string detail;
};
struct DotSeries {
  std::string name;
  std::vector<Dot> dots;
};
struct DotPanel {
  std::string name;
  std::vector<DotSeries> series;
};
// `strong`: so many rows at the end are set off (a mean).
Spec dots_spec(const Axis& x, const std::vector<std::string>& rows, std::size_t strong, Value reference,
               const std::vector<DotPanel>& panels);

struct Bars {
  std::string name;
  std::vector<Value> values;  // one a category
};
// From zero, on a linear axis.
Spec bars_spec(const std::vector<std::string>& categories, bool stacked, const Axis& y,
               const std::vector<Bars>& bars);

struct HeatCell {
  std::size_t x = 0, y = 0;
  double value = 0;  // or the index of a category
  std::string label, detail;
  std::vector<std::size_t> ties = {};  // categories beside `value`: their colours share the cell
  double strength = 1;                 // 0: pale, 1: full colour
};
struct HeatLayer {
  std::string name;
  std::vector<HeatCell> cells;
};
struct HeatScale {
  std::vector<std::string> categories;  // empty: continuous, with the rest
  std::string name, unit;
  bool log = false;
};
Spec heatmap_spec(const std::vector<std::string>& x, const std::vector<std::string>& y,
                  const HeatScale& scale, const std::vector<HeatLayer>& layers);

struct Roof {
  std::string name;
  double value = 0;        // bytes/s or FLOP/s
  bool bandwidth = false;  // which of them
};
struct RooflinePoint {
  double intensity = 0, rate = 0;
  std::string label;
  Value low = {}, high = {};
};
struct RooflineSeries {
  std::string name;
  std::vector<RooflinePoint> points;
};
Spec roofline_spec(const std::vector<Roof>& roofs, const std::vector<RooflineSeries>& series);

struct AmdahlChoice {
  std::string name;
  double baseline_seconds = 0, kernel_seconds = 0, transfer_seconds = 0;
};
Spec amdahl_spec(double share, const std::vector<AmdahlChoice>& choices);

// Samples of cases: one histogram each, over the logarithm of time between its ends.
struct Strip {
  std::string name;
  double low = 0, high = 0, median = 0;  // seconds
  std::vector<std::size_t> counts;       // of bins of equal width in the logarithm
  std::size_t samples = 0;
};
Strip strip_of(const std::string& name, const std::vector<double>& samples);
Spec strips_spec(const std::vector<Strip>& strips);

// Points of several quantities each: an axis a quantity, a line a point, coloured by its value.
struct Parallel {
  std::vector<std::string> axes;             // of the choices
  std::vector<std::vector<double>> choices;  // a line each, one value an axis
  std::vector<double> values;                // a line each: time over the best
};
Spec parallel_spec(const Parallel& parallel);

}  // namespace sextant::report
