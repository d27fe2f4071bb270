// Builds JSON specifications of the report's figures, which a script draws. Units are s, B, B/s, FLOP/s, or
// "" for a ratio. The script adds prefixes such as k or M.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sextant::report {

using Value = std::optional<double>;  // null in JSON if missing or not finite

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
  // `ideal` is a thin line, `model` a dashed line with its intervals as a band. Both have no point markers.
  enum class Role : std::uint8_t { measured, ideal, model } role = Role::measured;
};

// The texts of a figure: its id (unique on the page), its caption, and a description for screen readers.
struct Figure {
  std::string id, caption, description;
};

// JSON text of a drawing; "" if there is nothing to draw.
using Spec = std::string;

// Returns the <figure> element, or "" for an empty specification.
std::string figure_html(const Figure& figure, const Spec& spec);
// Returns one figure that lets the reader choose between several specifications. Omits empty ones.
std::string choice_html(const Figure& figure, const std::vector<std::pair<std::string, Spec>>& choices);

// Draws lines over x, or only points if there are fewer than three values of x. A logarithmic axis omits
// values that are not positive. `reference` adds a horizontal line at this y. From x = `model_from` on, the
// background is hatched and labelled "model".
Spec lines_spec(const Axis& x, const Axis& y, const std::vector<Line>& lines, Value reference = {},
                Value model_from = {});

// One dot of a dot chart. The chart has panels with a logarithmic x axis, one row per name, and one dot per
// row and series.
struct Dot {
  std::size_t row = 0;
  double value = 0;
  Value low = {}, high = {};
  bool tied = false;  // true if tied for the fastest of its row; drawn with a ring
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
// `strong` is the number of rows at the end that are emphasized, such as a mean.
Spec dots_spec(const Axis& x, const std::vector<std::string>& rows, std::size_t strong, Value reference,
               const std::vector<DotPanel>& panels);

struct Bars {
  std::string name;
  std::vector<Value> values;  // one value for each category
};
// Draws bars over categories, with a linear y axis that starts at zero.
Spec bars_spec(const std::vector<std::string>& categories, bool stacked, const Axis& y,
               const std::vector<Bars>& bars);

struct HeatCell {
  std::size_t x = 0, y = 0;
  double value = 0;  // the cell's value, or the index of its category
  std::string label, detail;
  std::vector<std::size_t> ties = {};  // other categories that tie; the cell shows their colours, too
  double strength = 1;                 // strength of the colour, from 0 (pale) to 1 (full)
};
struct HeatLayer {
  std::string name;
  std::vector<HeatCell> cells;
};
struct HeatScale {
  // Names of the categories. If empty, the scale is continuous and has a name and a unit.
  std::vector<std::string> categories;
  std::string name, unit;
  bool log = false;
};
Spec heatmap_spec(const std::vector<std::string>& x, const std::vector<std::string>& y,
                  const HeatScale& scale, const std::vector<HeatLayer>& layers);

struct Roof {
  std::string name;
  double value = 0;        // the limit in bytes/s or FLOP/s
  bool bandwidth = false;  // true for bytes/s, false for FLOP/s
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

// A histogram of the samples of one case, from its shortest to its longest time.
struct Strip {
  std::string name;
  double low = 0, high = 0, median = 0;  // shortest, longest and median time in seconds
  // Number of samples per bin. All bins have the same width in log(time).
  std::vector<std::size_t> counts;
  std::size_t samples = 0;
};
Strip strip_of(const std::string& name, const std::vector<double>& samples);
Spec strips_spec(const std::vector<Strip>& strips);

// A parallel-coordinates figure: one axis per tunable, and one line per tuning, coloured by its time.
struct Parallel {
  std::vector<std::string> axes;             // names of the tunables
  std::vector<std::vector<double>> choices;  // position on each axis, for each line
  std::vector<double> values;                // time relative to the best, for each line
};
Spec parallel_spec(const Parallel& parallel);

}  // namespace sextant::report
