// Builds the JSON specifications of figures, which the page's script draws. Units are s, B, B/s, FLOP/s or ""
// (a ratio); the script adds prefixes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sextant::report {

using Value = std::optional<double>;  // nothing or not finite: null in JSON

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
  // ideal: thin line without points. model: dashed line without points, with its intervals as a band. Both
  // roles are drawn as lines even with only two points.
  enum class Role : std::uint8_t { measured, ideal, model } role = Role::measured;
};

// Text of a figure: its id (unique on the page), caption, and a description for readers who cannot see it.
struct Figure {
  std::string id, caption, description;
};

// JSON of a drawing; "" if there is nothing to draw.
using Spec = std::string;

// The <figure> element; "" for an empty specification.
std::string figure_html(const Figure& figure, const Spec& spec);
// One figure in which the reader chooses between several specifications. Empty ones are omitted.
std::string choice_html(const Figure& figure, const std::vector<std::pair<std::string, Spec>>& choices);

// Lines over x. Points outside the range of a logarithmic axis are omitted. With fewer than three values of
// x, only points are drawn. `reference` adds a horizontal line at this y. From x = `model_from` on, the
// background is hatched and labelled "model".
Spec lines_spec(const Axis& x, const Axis& y, const std::vector<Line>& lines, Value reference = {},
                Value model_from = {});

// Dot chart on a logarithmic x axis: one row per name, one point per series, panels side by side.
struct Dot {
  std::size_t row = 0;
  double value = 0;
  Value low = {}, high = {};
  bool tied = false;  // tied for the fastest of its row; drawn with a ring
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
// `strong`: number of last rows that are set apart, such as a mean.
Spec dots_spec(const Axis& x, const std::vector<std::string>& rows, std::size_t strong, Value reference,
               const std::vector<DotPanel>& panels);

struct Bars {
  std::string name;
  std::vector<Value> values;  // one per category
};
// Bar chart with a linear y axis that starts at zero.
Spec bars_spec(const std::vector<std::string>& categories, bool stacked, const Axis& y,
               const std::vector<Bars>& bars);

struct HeatCell {
  std::size_t x = 0, y = 0;
  double value = 0;  // or the index of a category
  std::string label, detail;
  std::vector<std::size_t> ties = {};  // tied categories; the cell shows their colours, too
  double strength = 1;                 // 0: pale, 1: full colour
};
struct HeatLayer {
  std::string name;
  std::vector<HeatCell> cells;
};
struct HeatScale {
  std::vector<std::string> categories;  // empty: a continuous scale, described by the next members
  std::string name, unit;
  bool log = false;
};
Spec heatmap_spec(const std::vector<std::string>& x, const std::vector<std::string>& y,
                  const HeatScale& scale, const std::vector<HeatLayer>& layers);

struct Roof {
  std::string name;
  double value = 0;        // bytes/s or FLOP/s
  bool bandwidth = false;  // true: bytes/s
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

// A histogram of one case's samples, with bins between its shortest and longest time.
struct Strip {
  std::string name;
  double low = 0, high = 0, median = 0;  // seconds
  std::vector<std::size_t> counts;       // per bin; bins have equal width in log(time)
  std::size_t samples = 0;
};
Strip strip_of(const std::string& name, const std::vector<double>& samples);
Spec strips_spec(const std::vector<Strip>& strips);

// Parallel coordinates: one axis per tunable, one line per tuning, coloured by its value.
struct Parallel {
  std::vector<std::string> axes;             // names of the tunables
  std::vector<std::vector<double>> choices;  // [line][axis]
  std::vector<double> values;                // [line]: time over the best time
};
Spec parallel_spec(const Parallel& parallel);

}  // namespace sextant::report
