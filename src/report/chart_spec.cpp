#include "report/chart_spec.hpp"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "report/html.hpp"

namespace sextant::report {
namespace {

using Json = nlohmann::ordered_json;

// Six digits: what a figure can show, in half the bytes.
Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}
Json number(const Value& value) { return value ? number(*value) : Json(nullptr); }

Json axis(const Axis& a) { return {{"name", a.name}, {"unit", a.unit}, {"log", a.log}}; }

bool fits(double value, bool log) { return std::isfinite(value) && (!log || value > 0); }

// No "<" may stand in a script element: it could end it.
std::string json_text(const Json& spec) {
  const std::string text = spec.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string result;
  result.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  return result;
}

std::string html_figure(const Figure& f, const Json& spec) {
  return "<figure class=\"chart\" id=\"" + escape(f.id) + "\" data-chart>\n<figcaption>" + escape(f.caption) +
         "</figcaption>\n<div class=\"canvas\" role=\"img\" aria-label=\"" + escape(f.description) +
         "\"></div>\n<script type=\"application/json\">" + json_text(spec) + "</script>\n</figure>\n";
}

}  // namespace

std::string lines_figure(const Figure& figure, const Axis& x, const Axis& y, const std::vector<Line>& lines) {
  Json series = Json::array();
  for (const Line& line : lines) {
    Json points = Json::array();
    for (const Point& p : line.points) {
      if (!fits(p.x, x.log) || !fits(p.y, y.log)) continue;
      const auto bound = [&](const Value& v) { return v && fits(*v, y.log) ? number(*v) : Json(nullptr); };
      points.push_back(Json::array({number(p.x), number(p.y), bound(p.low), bound(p.high)}));
    }
    if (!points.empty()) series.push_back({{"name", line.name}, {"points", std::move(points)}});
  }
  if (series.empty()) return "";
  return html_figure(figure,
                     {{"kind", "lines"}, {"x", axis(x)}, {"y", axis(y)}, {"series", std::move(series)}});
}

std::string bars_figure(const Figure& figure, const std::vector<std::string>& categories, bool stacked,
                        const Axis& y, const std::vector<Bars>& bars) {
  if (categories.empty()) return "";
  Json series = Json::array();
  for (const Bars& one : bars) {
    Json values = Json::array();
    for (const Value& value : one.values)
      values.push_back(value && fits(*value, y.log) ? number(*value) : Json(nullptr));
    series.push_back({{"name", one.name}, {"values", std::move(values)}});
  }
  return html_figure(figure, {{"kind", "bars"},
                              {"categories", categories},
                              {"stacked", stacked},
                              {"y", axis(y)},
                              {"series", std::move(series)}});
}

std::string heatmap_figure(const Figure& figure, const std::vector<std::string>& x,
                           const std::vector<std::string>& y, const HeatScale& scale,
                           const std::vector<HeatLayer>& layers) {
  Json drawn = Json::array();
  std::size_t cells_drawn = 0;
  for (const HeatLayer& layer : layers) {
    Json cells = Json::array();
    for (const HeatCell& c : layer.cells) {
      if (!fits(c.value, scale.categories.empty() && scale.log)) continue;
      cells.push_back(Json::array({c.x, c.y, number(c.value), c.label, c.detail}));
      ++cells_drawn;
    }
    drawn.push_back({{"name", layer.name}, {"cells", std::move(cells)}});
  }
  if (!cells_drawn) return "";
  const Json how =
      scale.categories.empty()
          ? Json{{"type", "continuous"}, {"name", scale.name}, {"unit", scale.unit}, {"log", scale.log}}
          : Json{{"type", "categorical"}, {"names", scale.categories}};
  return html_figure(figure,
                     {{"kind", "heatmap"}, {"x", x}, {"y", y}, {"scale", how}, {"layers", std::move(drawn)}});
}

std::string roofline_figure(const Figure& figure, const std::vector<Roof>& roofs,
                            const std::vector<RooflineSeries>& series) {
  Json lines = Json::array(), clouds = Json::array();
  for (const Roof& roof : roofs)
    if (fits(roof.value, true))
      lines.push_back({{"name", roof.name}, {roof.bandwidth ? "bandwidth" : "rate", number(roof.value)}});
  for (const RooflineSeries& one : series) {
    Json points = Json::array();
    for (const RooflinePoint& p : one.points)
      if (fits(p.intensity, true) && fits(p.rate, true))
        points.push_back(
            Json::array({number(p.intensity), number(p.rate), p.label, number(p.low), number(p.high)}));
    if (!points.empty()) clouds.push_back({{"name", one.name}, {"points", std::move(points)}});
  }
  if (lines.empty() && clouds.empty()) return "";
  return html_figure(figure,
                     {{"kind", "roofline"}, {"roofs", std::move(lines)}, {"series", std::move(clouds)}});
}

std::string amdahl_figure(const Figure& figure, double share, const std::vector<AmdahlChoice>& choices) {
  Json cases = Json::array();
  for (const AmdahlChoice& c : choices)
    if (fits(c.baseline_seconds, true) && fits(c.kernel_seconds, true) && fits(c.transfer_seconds, false))
      cases.push_back({{"name", c.name},
                       {"baseline_seconds", number(c.baseline_seconds)},
                       {"kernel_seconds", number(c.kernel_seconds)},
                       {"transfer_seconds", number(c.transfer_seconds)}});
  if (cases.empty()) return "";
  return html_figure(figure, {{"kind", "amdahl"}, {"share", share}, {"cases", std::move(cases)}});
}

}  // namespace sextant::report
