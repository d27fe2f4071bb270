#include "report/kernel_figures.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>

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
            caption + " of " + name + " by size and model; the table beside it holds the numbers."};
  }
};

using Measure = std::function<std::optional<Point>(const StudyRow&)>;

std::optional<Point> point_of(const Interval& interval) {
  if (!interval.samples) return std::nullopt;
  return Point{0, interval.median, interval.low, interval.high};
}

// Over N as lines; named problems without an N as bars.
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

  std::string draw(const Figure& figure, const Axis& y) const {
    const bool sized =
        std::all_of(group_.begin(), group_.end(), [](const StudyRow* row) { return row->plain(); });
    if (lines_.empty()) return "";
    return sized ? as_lines(figure, y) : as_bars(figure, y);
  }

 private:
  std::string as_lines(const Figure& figure, const Axis& y) const {
    std::vector<Line> lines;
    for (const auto& [name, values] : lines_) {
      Line& line = lines.emplace_back(Line{name, {}});
      for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i]) {
          line.points.push_back(*values[i]);
          line.points.back().x = static_cast<double>(group_[i]->n);
        }
    }
    return lines_figure(figure, {"N", "", true}, y, lines);
  }

  std::string as_bars(const Figure& figure, const Axis& y) const {
    std::vector<std::string> sizes;
    for (const StudyRow* row : group_) sizes.push_back(row->size);
    std::vector<Bars> bars;
    for (const auto& [name, values] : lines_) {
      Bars& one = bars.emplace_back(Bars{name, {}});
      for (const auto& value : values) one.values.push_back(value ? Value(value->y) : Value());
    }
    return bars_figure(figure, sizes, false, y, bars);
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
  if (!is_published(group)) return;
  for (const char* column : {"openacc", "cuda"})
    plot->add(std::string(column) + ", published (RTX 3080)", [&](const StudyRow& row) {
      const std::optional<double> value = of(row, column);
      return value ? std::optional<Point>(Point{0, *value}) : std::nullopt;
    });
}

std::string speedups(const Named& named, Interval Summary::*ratio, bool with_transfers, const char* id,
                     const char* caption,
                     std::optional<double> (*published)(const StudyRow&, const std::string&)) {
  Plot plot(named.group);
  std::size_t measured = 0;
  for (const std::string& column : columns_of(named.group)) {
    plot.add(column, [&](const StudyRow& row) -> std::optional<Point> {
      const Summary* s = best_of(row, column, with_transfers);
      if (!s || !(s->*ratio).samples) return std::nullopt;
      ++measured;
      return point_of(s->*ratio);
    });
  }
  if (!measured) return "";  // published figures alone say nothing of this machine
  if (published) add_published(&plot, named.group, published);
  return plot.draw(named.figure(id, caption), {"speed-up", "", true});
}

// GFLOP/s where arithmetic counts, else bandwidth; beside what the ceilings of each device allow.
std::string rates(const Named& named) {
  const StudyGroup& group = named.group;
  std::size_t by_flops = 0, all = 0;
  for (const StudyRow* row : group)
    for (const auto& [column, s] : row->best) {
      ++all;
      if (counts_flops(*s)) ++by_flops;
    }
  // Stencils are counted in FLOP too, as in the study, though memory bounds them.
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
  return plot.draw(named.figure("rate", flops ? "Arithmetic rate" : "Bandwidth"),
                   {flops ? "rate" : "bandwidth", flops ? "FLOP/s" : "B/s", true});
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
  return plot.draw(named.figure("copies", "Time of the copies to and from the device"), {"time", "s", true});
}

// Threads of "16x16": 256; 0 for what is no block.
double threads_of(const std::string& block) {
  double threads = 1;
  const char* place = block.c_str();
  if (block.empty()) return 0;
  while (*place) {
    char* end = nullptr;
    const long extent = std::strtol(place, &end, 10);
    if (end == place || extent <= 0) return 0;
    threads *= static_cast<double>(extent);
    place = *end == 'x' ? end + 1 : end;
    if (*end && *end != 'x') return 0;
  }
  return threads;
}

std::string threads(const Named& named) {
  Plot plot(named.group);
  for (const std::string& column : columns_of(named.group)) {
    if (column != "cuda" && column != "openacc") continue;
    plot.add(column, [&](const StudyRow& row) -> std::optional<Point> {
      const std::optional<BestTuning> best = best_tuning(row, column);
      const double count = best ? threads_of(block_of(*best->summary)) : 0;
      return count > 0 ? std::optional<Point>(Point{0, count}) : std::nullopt;
    });
  }
  return plot.draw(named.figure("threads", "Threads per block of the fastest launch"),
                   {"threads per block", "", true});
}

}  // namespace

std::string kernel_figures(const Context& context, const StudyGroup& group) {
  const Named named{context, group};
  std::string html =
      speedups(named, &Summary::speedup_serial, false, "serial", "Speed-up over serial", published_speedup);
  html += speedups(named, &Summary::speedup_cpu, false, "cpu", "Speed-up over the best CPU version", nullptr);
  const bool device = std::any_of(group.begin(), group.end(), [](const StudyRow* row) {
    return std::any_of(row->best_with_transfers.begin(), row->best_with_transfers.end(),
                       [](const auto& one) { return !one.second->on_host; });
  });
  if (device) {
    html += speedups(named, &Summary::speedup_serial_with_transfers, true, "serial-transfers",
                     "Speed-up over serial with transfers", published_speedup_with_transfers);
    html += speedups(named, &Summary::speedup_cpu_with_transfers, true, "cpu-transfers",
                     "Speed-up over the best CPU version with transfers", nullptr);
  }
  html += rates(named);
  html += copies(named);
  html += threads(named);
  return html.empty() ? "" : "<div class=\"figures\">\n" + html + "</div>\n";
}

}  // namespace sextant::report
