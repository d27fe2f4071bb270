#include "report/kernel_figures.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "report/chart_spec.hpp"
#include "report/published.hpp"

namespace sextant::report {
namespace {

struct Named {
  const Context& context;
  const StudyGroup& group;

  Figure figure(const std::string& what, const std::string& caption) const {
    const std::string name = name_of_group(context, group);
    return {id_of_group(context, group) + "-" + what, caption + ": " + name,
            caption + " of " + name + "; a table below holds the numbers."};
  }
};

using Measure = std::function<std::optional<Point>(const StudyRow&)>;

std::optional<Point> point_of(const Interval& interval) {
  if (!interval.samples) return std::nullopt;
  return Point{0, interval.median, interval.low, interval.high};
}

// A figure of values over problem sizes: lines over N, or bars if the problems have names.
class Plot {
 public:
  explicit Plot(const StudyGroup& group) : group_(group) {}

  void add(const std::string& name, const Measure& measure) {
    std::vector<std::optional<Point>> values;
    bool any = false;
    for (const StudyRow* row : group_) {
      values.push_back(measure(*row));
      any = any || values.back().has_value();
    }
    if (any) lines_.emplace_back(name, std::move(values));
  }

  bool empty() const { return lines_.empty(); }

  Spec spec(const Axis& y, Value reference = {}) const {
    const bool sized =
        std::all_of(group_.begin(), group_.end(), [](const StudyRow* row) { return row->plain(); });
    if (lines_.empty()) return "";
    return sized ? as_lines(y, reference) : as_dots(y, reference);
  }

 private:
  Spec as_lines(const Axis& y, Value reference) const {
    std::vector<Line> lines;
    for (const auto& [name, values] : lines_) {
      Line& line = lines.emplace_back(Line{name, {}});
      for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i]) {
          line.points.push_back(*values[i]);
          line.points.back().x = static_cast<double>(group_[i]->n);
        }
    }
    return lines_spec({"N, elements of all arrays", "", true}, y, lines, reference);
  }

  Spec as_dots(const Axis& y, Value reference) const {
    std::vector<std::string> sizes;
    for (const StudyRow* row : group_) sizes.push_back(row->size);
    DotPanel panel;
    for (const auto& [name, values] : lines_) {
      DotSeries& one = panel.series.emplace_back(DotSeries{name, {}});
      for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i]) one.dots.push_back({i, values[i]->y, values[i]->low, values[i]->high, false, ""});
    }
    return dots_spec(y, sizes, 0, reference, {panel});
  }

  const StudyGroup& group_;
  std::vector<std::pair<std::string, std::vector<std::optional<Point>>>> lines_;
};

const Summary* best_of(const StudyRow& row, const std::string& column, bool with_transfers = false) {
  const auto found = row.best_by(with_transfers).find(column);
  return found == row.best_by(with_transfers).end() ? nullptr : found->second;
}

bool is_published(const StudyGroup& group) { return group.front()->type == ElementType::float32; }

void add_published(Plot* plot, const StudyGroup& group,
                   std::optional<double> (*of)(const StudyRow&, const std::string&)) {
  if (!is_published(group) || !has_device_columns(group)) return;
  for (const char* column : {"openacc", "cuda"})
    plot->add(std::string(column) + ", published (RTX 3080)", [&](const StudyRow& row) {
      const std::optional<double> value = of(row, column);
      return value ? std::optional<Point>(Point{0, *value}) : std::nullopt;
    });
}

Spec speedups(const StudyGroup& group, Interval Summary::*ratio, bool with_transfers,
              std::optional<double> (*published)(const StudyRow&, const std::string&)) {
  Plot plot(group);
  std::size_t measured = 0;
  for (const std::string& column : columns_of(group)) {
    plot.add(column, [&](const StudyRow& row) -> std::optional<Point> {
      const Summary* s = best_of(row, column, with_transfers);
      if (!s || !(s->*ratio).samples) return std::nullopt;
      ++measured;
      return point_of(s->*ratio);
    });
  }
  if (!measured) return "";  // published values are shown only together with measured ones
  if (published) add_published(&plot, group, published);
  return plot.spec({"speed-up", "", true}, 1.0);
}

// Draws the rates with the ceilings of each device. The unit is FLOP/s if arithmetic limits most results,
// else B/s.
std::string rates(const Named& named) {
  const StudyGroup& group = named.group;
  std::size_t by_flops = 0, all = 0;
  for (const StudyRow* row : group)
    for (const auto& [column, s] : row->best) {
      ++all;
      if (counts_flops(*s)) ++by_flops;
    }
  // Stencils are shown in FLOP/s, as in the published study, although memory limits them.
  const bool flops = 2 * by_flops > all || group.front()->group == "stencil";
  const auto rate_of = [flops](const Summary& s) { return flops ? s.flop_rate : s.bandwidth; };
  Plot plot(group);
  for (const std::string& column : columns_of(group))
    plot.add(column, [&](const StudyRow& row) -> std::optional<Point> {
      const Summary* s = best_of(row, column);
      const std::optional<double> rate = s ? rate_of(*s) : std::nullopt;
      if (!rate) return std::nullopt;
      const Interval& time = s->work_time();
      Point point{0, *rate};
      if (time.low > 0) point.high = *rate * time.median / time.low;
      if (time.high > 0) point.low = *rate * time.median / time.high;
      return point;
    });
  for (const bool host : {true, false})
    plot.add(host ? "ceiling of the CPU" : "ceiling of the GPU",
             [&](const StudyRow& row) -> std::optional<Point> {
               for (const auto& [column, s] : row.best) {
                 const std::optional<double> rate = rate_of(*s);
                 if (s->on_host == host && rate && s->ceiling_fraction && *s->ceiling_fraction > 0)
                   return Point{0, *rate / *s->ceiling_fraction};
               }
               return std::nullopt;
             });
  return figure_html(named.figure("rate", flops ? "Arithmetic rate" : "Bandwidth"),
                     plot.spec({flops ? "rate" : "bandwidth", flops ? "FLOP/s" : "B/s", true}));
}

std::string copies(const Named& named) {
  Plot plot(named.group);
  const auto time = [&](const std::string& name, const char* column, std::optional<double> Summary::*member) {
    plot.add(name, [=](const StudyRow& row) -> std::optional<Point> {
      const Summary* s = best_of(row, column);
      return s && s->*member ? std::optional<Point>(Point{0, *(s->*member)}) : std::nullopt;
    });
  };
  time("CUDA, in", "cuda", &Summary::h2d_time);
  time("CUDA, out", "cuda", &Summary::d2h_time);
  time("CUDA, pinned, in", "cuda", &Summary::h2d_pinned_time);
  time("CUDA, pinned, out", "cuda", &Summary::d2h_pinned_time);
  time("OpenACC, in", "openacc", &Summary::h2d_time);
  time("OpenACC, out", "openacc", &Summary::d2h_time);
  return figure_html(named.figure("copies", "Time of the copies to and from the device"),
                     plot.spec({"time", "s", true}));
}

// Returns the correct variants of a row, fastest first, each with its best tuning.
std::vector<const Summary*> by_call(const StudyRow& row) {
  std::map<std::string, const Summary*> variants;
  for (const Summary* s : row.all) {
    if (!s->ok() || !s->call_time.samples) continue;
    const Summary*& fastest = variants[s->measurement->what.variant];
    if (!fastest || s->call_time.median < fastest->call_time.median) fastest = s;
  }
  std::vector<const Summary*> list;
  for (const auto& [name, s] : variants) list.push_back(s);
  std::stable_sort(list.begin(), list.end(), [](const Summary* a, const Summary* b) {
    return a->call_time.median < b->call_time.median;
  });
  return list;
}

// Draws histograms of the samples of every variant, for each size.
std::string distributions(const Named& named) {
  std::vector<std::pair<std::string, Spec>> choices;
  for (const StudyRow* row : named.group) {
    std::vector<Strip> strips;
    for (const Summary* s : by_call(*row))
      strips.push_back(strip_of(s->measurement->what.variant, s->measurement->call_times));
    choices.emplace_back(row->size, strips_spec(strips));
  }
  return choice_html(named.figure("samples", "Samples of the call, every variant"), choices);
}

}  // namespace

std::string kernel_figures(const Context& context, const StudyGroup& group) {
  const Named named{context, group};
  const std::string html =
      choice_html(
          named.figure("speedup", "Speed-up"),
          {{"over the -O2 loop", speedups(group, &Summary::speedup_serial, false, published_speedup)},
           {"over the best CPU", speedups(group, &Summary::speedup_cpu, false, nullptr)},
           {"over the -O2 loop, with copies", has_copies(group)
                                                  ? speedups(group, &Summary::speedup_serial_with_transfers,
                                                             true, published_speedup_with_transfers)
                                                  : ""},
           {"over the best CPU, with copies",
            has_copies(group) ? speedups(group, &Summary::speedup_cpu_with_transfers, true, nullptr) : ""}}) +
      rates(named) + copies(named);
  return html.empty() ? "" : "<div class=\"figures\">\n" + html + "</div>\n";
}

std::string kernel_samples(const Context& context, const StudyGroup& group) {
  return folded("Samples", distributions({context, group}));
}

}  // namespace sextant::report
