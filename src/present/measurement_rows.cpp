#include "present/measurement_rows.hpp"

#include <algorithm>

#include "present/format.hpp"
#include "record/keys.hpp"
#include "record/statistics.hpp"

namespace sextant {
namespace {

// From this many operations a byte on, a kernel is told by its FLOP rate rather than its bandwidth.
constexpr double compute_bound_intensity = 4;

std::string problem_of(const Case& what) {
  return what.kernel + "|" + name_of(what.problem.type) + "|" +
         (what.problem_class.empty() ? std::to_string(what.problem.n) : what.problem_class) + "|" +
         (what.cache == CacheMode::warm ? "warm" : "cold");
}

Cell size_cell(const Case& what) {
  Cell cell(what.problem.n);
  return what.problem_class.empty() ? std::move(cell) : std::move(cell).as(what.problem_class);
}

Cell result_cell(const Measurement& measurement) {
  const Status status = measurement.status;
  if (status == Status::ok)  // a warning's first words, up to the colon, name it
    return measurement.warnings.empty() ? Cell("ok", Tone::good)
                                        : Cell("ok", Tone::warning)
                                              .as("ok, " + measurement.warnings.front().substr(
                                                               0, measurement.warnings.front().find(':')));
  const Tone tone = status == Status::skipped ? Tone::quiet : Tone::bad;
  return Cell(name_of(status), tone).as(std::string(name_of(status)) + ": " + measurement.reason);
}

// Seconds that rates are told from: the device's own if known.
double working_time(const Measurement& measurement) {
  return median_interval(measurement.device_times.empty() ? measurement.call_times : measurement.device_times)
      .median;
}

Cell optional(double value, bool known, Tone tone = Tone::plain) {
  return known ? Cell(value, tone) : Cell();
}

int width(std::size_t columns) { return static_cast<int>(columns); }

}  // namespace

MeasurementRows::MeasurementRows(const std::vector<Case>& cases) {
  std::size_t kernel = 0, variant = 0, size = 0, tuning = 0;
  for (const Case& one : cases) {
    kernel = std::max(kernel, one.kernel.size());
    variant = std::max(variant, one.variant.size());
    size = std::max(size, std::max(one.problem_class.size(), std::to_string(one.problem.n).size()));
    tuning = std::max(tuning, tuning_text(one.tuning).size());
  }
  columns_ = {{"kernel", "", Unit::text, width(kernel)},
              {"variant", "", Unit::text, width(variant)},
              {"type", "", Unit::text, 6},
              {"n", "N", Unit::count, width(size)},
              {"problem_class", "-"},
              {"tuning", tuning == 0 ? "-" : "", Unit::text, width(tuning)},
              {"device", "-"},
              {"cache", "-"},
              {"samples", "-", Unit::count},
              {"call_time_median", "call time", Unit::seconds, 9},
              {"call_time_low", "-", Unit::seconds},
              {"call_time_high", "-", Unit::seconds},
              {"noise", "±", Unit::percent, 6},
              {"device_time_median", "device time", Unit::seconds},
              {"bandwidth", "-", Unit::bandwidth},
              {"flop_rate", "-", Unit::flop_rate},
              {"", "rate", Unit::number, 12},
              {"speedup_serial", "over serial", Unit::ratio},
              {"error", "-", Unit::number},
              {"status", "result", Unit::text},
              {"reason", "-"},
              {"warnings", "-"}};
}

void MeasurementRows::remember(const Measurement& measurement) {
  if (measurement.what.variant != "serial.baseline" || measurement.status != Status::ok) return;
  baselines_[problem_of(measurement.what)] = median_interval(measurement.call_times).median;
}

std::vector<Cell> MeasurementRows::row(const Measurement& measurement) {
  remember(measurement);
  const Case& what = measurement.what;
  const bool good = measurement.status == Status::ok;
  const Interval call = median_interval(measurement.call_times);
  const Interval device = median_interval(measurement.device_times);
  const double time = working_time(measurement);
  const bool timed = good && time > 0;
  const auto bytes = static_cast<double>(measurement.work.bytes_read + measurement.work.bytes_written);
  const auto flops = static_cast<double>(measurement.work.flops);
  Cell rate;
  if (timed && flops > compute_bound_intensity * bytes)
    rate = Cell(flops / time).as(format_flop_rate(flops / time));
  else if (timed && bytes > 0)
    rate = Cell(bytes / time).as(format_bandwidth(bytes / time));
  const auto baseline = baselines_.find(problem_of(what));
  const bool compared = good && baseline != baselines_.end() && call.median > 0;
  std::string warnings;
  for (const std::string& warning : measurement.warnings)
    warnings += (warnings.empty() ? "" : "; ") + warning;
  return {
      what.kernel,
      what.variant,
      name_of(what.problem.type),
      size_cell(what),
      what.problem_class.empty() ? Cell() : Cell(what.problem_class),
      tuning_text(what.tuning),
      what.device,
      what.cache == CacheMode::warm ? "warm" : "cold",
      good ? Cell(static_cast<std::int64_t>(call.samples)) : Cell(),
      optional(call.median, call.samples > 0),
      optional(call.low, call.samples > 0),
      optional(call.high, call.samples > 0),
      optional(noise(call), call.samples > 0, Tone::quiet),
      optional(device.median, device.samples > 0),
      optional(bytes / time, timed && bytes > 0),
      optional(flops / time, timed && flops > 0),
      rate,
      optional(compared ? baseline->second / call.median : 0, compared),
      optional(measurement.error, measurement.status == Status::ok || measurement.status == Status::wrong),
      result_cell(measurement),
      measurement.reason.empty() ? Cell() : Cell(measurement.reason),
      warnings.empty() ? Cell() : Cell(warnings)};
}

}  // namespace sextant
