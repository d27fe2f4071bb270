// What the page's script draws: specifications as JSON in <figure> elements. Units: s, B, B/s, FLOP/s or ""
// (a ratio); the script gives them prefixes.
#pragma once

#include <optional>
#include <string>
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
};

// Every figure: its id (unique on the page), caption, and what it shows in a sentence for those who do not
// see it.
struct Figure {
  std::string id, caption, description;
};

// Points whose x or y does not fit a logarithmic axis are left out; without any point: no figure, "".
std::string lines_figure(const Figure& figure, const Axis& x, const Axis& y, const std::vector<Line>& lines);

struct Bars {
  std::string name;
  std::vector<Value> values;  // one a category
};
std::string bars_figure(const Figure& figure, const std::vector<std::string>& categories, bool stacked,
                        const Axis& y, const std::vector<Bars>& bars);

struct HeatCell {
  std::size_t x = 0, y = 0;
  double value = 0;  // or the index of a category
  std::string label, detail;
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
std::string heatmap_figure(const Figure& figure, const std::vector<std::string>& x,
                           const std::vector<std::string>& y, const HeatScale& scale,
                           const std::vector<HeatLayer>& layers);

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
std::string roofline_figure(const Figure& figure, const std::vector<Roof>& roofs,
                            const std::vector<RooflineSeries>& series);

struct AmdahlChoice {
  std::string name;
  double baseline_seconds = 0, kernel_seconds = 0, transfer_seconds = 0;
};
std::string amdahl_figure(const Figure& figure, double share, const std::vector<AmdahlChoice>& choices);

}  // namespace sextant::report
