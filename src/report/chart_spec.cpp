#include "report/chart_spec.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "record/statistics.hpp"
#include "report/html.hpp"

namespace sextant::report {
namespace {

using Json = nlohmann::ordered_json;

// Rounds to four significant digits, which suffice for a figure.
Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return std::strtod(text, nullptr);
}
Json number(const Value& value) { return value ? number(*value) : Json(nullptr); }

Json axis(const Axis& a) { return {{"name", a.name}, {"unit", a.unit}, {"log", a.log}}; }

bool fits(double value, bool log) { return std::isfinite(value) && (!log || value > 0); }

// Escapes every "<" because "</script" would end the script element.
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

// Encodes a histogram with one base-36 digit per bin, proportional to the bin's count. Only an empty bin has
// the digit 0.
std::string heights(const std::vector<std::size_t>& counts) {
  const std::size_t most = *std::max_element(counts.begin(), counts.end());
  std::string text;
  for (const std::size_t count : counts)
    text += "0123456789abcdefghijklmnopqrstuvwxyz"[count ? std::max<std::size_t>(1, 35 * count / most) : 0];
  return text;
}

std::string element_of(const Figure& f, const std::string& spec) {
  return "<figure class=\"chart\" id=\"" + escape(f.id) + "\" data-chart>\n<figcaption>" + escape(f.caption) +
         "</figcaption>\n<div class=\"canvas\" role=\"img\" aria-label=\"" + escape(f.description) +
         "\"></div>\n<script type=\"application/json\">" + spec + "</script>\n</figure>\n";
}

}  // namespace

std::string figure_html(const Figure& figure, const Spec& spec) {
  return spec.empty() ? "" : element_of(figure, spec);
}

std::string choice_html(const Figure& figure, const std::vector<std::pair<std::string, Spec>>& choices) {
  Json names = Json::array();
  std::string specs;
  for (const auto& [name, spec] : choices) {
    if (spec.empty()) continue;
    names.push_back(name);
    specs += (specs.empty() ? "" : ",") + spec;
  }
  if (names.empty()) return "";
  if (names.size() == 1) return element_of(figure, specs);
  return element_of(figure,
                    "{\"kind\":\"choice\",\"names\":" + json_text(names) + ",\"specs\":[" + specs + "]}");
}

Spec lines_spec(const Axis& x, const Axis& y, const std::vector<Line>& lines, Value reference,
                Value model_from) {
  Json series = Json::array();
  for (const Line& line : lines) {
    Json points = Json::array();
    for (const Point& p : line.points) {
      if (!fits(p.x, x.log) || !fits(p.y, y.log)) continue;
      const auto bound = [&](const Value& v) { return v && fits(*v, y.log) ? number(*v) : Json(nullptr); };
      points.push_back(Json::array({number(p.x), number(p.y), bound(p.low), bound(p.high)}));
    }
    if (points.empty()) continue;
    Json one = {{"name", line.name}, {"points", std::move(points)}};
    if (line.role != Line::Role::measured) one["role"] = line.role == Line::Role::ideal ? "ideal" : "model";
    series.push_back(std::move(one));
  }
  if (series.empty()) return "";
  Json spec = {{"kind", "lines"}, {"x", axis(x)}, {"y", axis(y)}};
  if (reference) spec["reference"] = number(reference);
  if (model_from && fits(*model_from, x.log)) spec["model_from"] = number(model_from);
  spec["series"] = std::move(series);
  return json_text(spec);
}

Spec bars_spec(const std::vector<std::string>& categories, bool stacked, const Axis& y,
               const std::vector<Bars>& bars) {
  if (categories.empty()) return "";
  Json series = Json::array();
  for (const Bars& one : bars) {
    Json values = Json::array();
    for (const Value& value : one.values)
      values.push_back(value && fits(*value, y.log) ? number(*value) : Json(nullptr));
    series.push_back({{"name", one.name}, {"values", std::move(values)}});
  }
  return json_text({{"kind", "bars"},
                    {"categories", categories},
                    {"stacked", stacked},
                    {"y", axis(y)},
                    {"series", std::move(series)}});
}

Spec heatmap_spec(const std::vector<std::string>& x, const std::vector<std::string>& y,
                  const HeatScale& scale, const std::vector<HeatLayer>& layers) {
  Json drawn = Json::array();
  std::size_t cells_drawn = 0;
  for (const HeatLayer& layer : layers) {
    Json cells = Json::array();
    for (const HeatCell& c : layer.cells) {
      if (!fits(c.value, scale.categories.empty() && scale.log)) continue;
      Json cell = Json::array({c.x, c.y, number(c.value), c.label, c.detail});
      if (!scale.categories.empty()) {
        cell.push_back(c.ties);
        cell.push_back(number(c.strength));
      }
      cells.push_back(std::move(cell));
      ++cells_drawn;
    }
    drawn.push_back({{"name", layer.name}, {"cells", std::move(cells)}});
  }
  if (!cells_drawn) return "";
  const Json how =
      scale.categories.empty()
          ? Json{{"type", "continuous"}, {"name", scale.name}, {"unit", scale.unit}, {"log", scale.log}}
          : Json{{"type", "categorical"}, {"names", scale.categories}};
  return json_text({{"kind", "heatmap"}, {"x", x}, {"y", y}, {"scale", how}, {"layers", std::move(drawn)}});
}

Spec roofline_spec(const std::vector<Roof>& roofs, const std::vector<RooflineSeries>& series) {
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
  return json_text({{"kind", "roofline"}, {"roofs", std::move(lines)}, {"series", std::move(clouds)}});
}

Spec amdahl_spec(double share, const std::vector<AmdahlChoice>& choices) {
  Json cases = Json::array();
  for (const AmdahlChoice& c : choices)
    if (fits(c.baseline_seconds, true) && fits(c.kernel_seconds, true) && fits(c.transfer_seconds, false))
      cases.push_back({{"name", c.name},
                       {"baseline_seconds", number(c.baseline_seconds)},
                       {"kernel_seconds", number(c.kernel_seconds)},
                       {"transfer_seconds", number(c.transfer_seconds)}});
  if (cases.empty()) return "";
  return json_text({{"kind", "amdahl"}, {"share", share}, {"cases", std::move(cases)}});
}

Spec dots_spec(const Axis& x, const std::vector<std::string>& rows, std::size_t strong, Value reference,
               const std::vector<DotPanel>& panels) {
  Json drawn = Json::array();
  std::size_t dots = 0;
  for (const DotPanel& panel : panels) {
    Json series = Json::array();
    for (const DotSeries& one : panel.series) {
      Json list = Json::array();
      for (const Dot& d : one.dots) {
        if (d.row >= rows.size() || !fits(d.value, x.log)) continue;
        list.push_back(
            Json::array({d.row, number(d.value), number(d.low), number(d.high), d.tied ? 1 : 0, d.detail}));
        ++dots;
      }
      if (!list.empty()) series.push_back({{"name", one.name}, {"dots", std::move(list)}});
    }
    drawn.push_back({{"name", panel.name}, {"series", std::move(series)}});
  }
  if (!dots) return "";
  return json_text({{"kind", "dots"},
                    {"x", axis(x)},
                    {"names", rows},
                    {"strong", strong},
                    {"reference", number(reference)},
                    {"panels", std::move(drawn)}});
}

Strip strip_of(const std::string& name, const std::vector<double>& samples) {
  constexpr std::size_t bins = 30;
  Strip strip{name, 0, 0, 0, {}, samples.size()};
  if (samples.empty()) return strip;
  const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
  strip.low = *low;
  strip.high = *high;
  strip.median = median_interval(samples).median;
  if (!(strip.low > 0) || !std::isfinite(strip.high)) return strip;
  strip.counts.assign(strip.high > strip.low ? bins : 1, 0);
  const double width = std::log(strip.high / strip.low) / static_cast<double>(strip.counts.size());
  for (const double sample : samples) {
    const double place = width > 0 ? std::log(sample / strip.low) / width : 0;
    ++strip.counts[std::min(static_cast<std::size_t>(place), strip.counts.size() - 1)];
  }
  return strip;
}

Spec strips_spec(const std::vector<Strip>& strips) {
  Json list = Json::array();
  for (const Strip& one : strips)
    if (!one.counts.empty())
      list.push_back(Json::array({one.name, number(one.low), number(one.high), number(one.median),
                                  one.samples, heights(one.counts)}));
  if (list.empty()) return "";
  return json_text({{"kind", "strips"}, {"strips", std::move(list)}});
}

Spec parallel_spec(const Parallel& parallel) {
  Json lines = Json::array();
  for (std::size_t i = 0; i < parallel.choices.size(); ++i) {
    Json line = Json::array({number(parallel.values[i])});
    for (const double choice : parallel.choices[i]) line.push_back(number(choice));
    lines.push_back(std::move(line));
  }
  if (lines.empty()) return "";
  return json_text({{"kind", "parallel"}, {"axes", parallel.axes}, {"lines", std::move(lines)}});
}

}  // namespace sextant::report
