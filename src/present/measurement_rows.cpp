#include "present/measurement_rows.hpp"

#include <algorithm>

#include "base/join.hpp"
#include "present/cells.hpp"
#include "present/digits.hpp"
#include "present/format.hpp"
#include "record/keys.hpp"
#include "record/lasting.hpp"
#include "record/place.hpp"

namespace sextant {
namespace {

// From this number of operations per byte on, a kernel's rate is shown in FLOP/s instead of bytes/s.
constexpr double compute_bound_intensity = 4;

std::string problem_of(const Case& what) {
  return what.kernel + "|" + name_of(what.problem.type) + "|" +
         (what.problem_class.empty() ? std::to_string(what.problem.n) : what.problem_class) + "|" +
         (what.cache == CacheMode::warm ? "warm" : "cold") + text_of(what.fill, "|");
}

Cell size_cell(const Case& what) {
  Cell cell(what.problem.n);
  return what.problem_class.empty() ? std::move(cell) : std::move(cell).as(what.problem_class);
}

// Returns the text of an uncertainty that is too large for a percentage. Otherwise the text is empty.
std::string doubt_of(const Interval& call) {
  if (call.samples == 0) return {};
  return call.samples < min_interval_samples || !(noise(call) < too_noisy) ? noise_text(call) : "";
}

Cell result_cell(const Measurement& measurement, const Interval& call, const std::string& against,
                 const std::string& warning) {
  const Status status = measurement.status;
  if (status == Status::ok) {
    std::string doubt = doubt_of(call);
    if (call.samples > 0 && call.samples < min_interval_samples) doubt += " only";
    if (!against.empty()) doubt = against + (doubt.empty() ? "" : ", ") + doubt;
    if (!warning.empty()) doubt += (doubt.empty() ? "" : ", ") + warning;
    const bool believed = against.empty() && warning.empty();
    return doubt.empty() ? Cell("ok", Tone::good)
                         : Cell("ok", believed ? Tone::good : Tone::warning).as("ok, " + doubt);
  }
  const Tone tone = status == Status::skipped ? Tone::quiet : Tone::bad;
  return Cell(name_of(status), tone).as(std::string(name_of(status)) + ": " + measurement.reason);
}

Cell noise_cell(const Interval& call) {
  const double share = noise(call);
  if (call.samples == 0) return Cell().as(" ");
  return Cell(share, Tone::quiet).as(uncertainty_text(call));
}

// Returns the time in seconds from which rates are computed: the device time if known, else the call time.
double working_time(const Measurement& measurement) {
  return median_interval(measurement.device_times.empty() ? measurement.call_times : measurement.device_times)
      .median;
}

Cell optional(double value, bool known, Tone tone = Tone::plain) {
  return known ? Cell(value, tone) : Cell();
}

Cell bytes_cell(const std::optional<double>& bytes) { return bytes ? Cell(*bytes) : Cell(); }

// Formats a time in microseconds. The column heading needs a fixed unit, because rows are printed before the
// largest time is known.
Cell microseconds(const Interval& time) {
  return time.samples > 0 ? Cell(time.median).as(format_digits(1e6 * time.median)) : Cell();
}

Cell rate_cell(double rate, const char* unit) { return Cell(rate).as(format_digits(1e-9 * rate) + unit); }

int width(std::size_t columns) { return static_cast<int>(columns); }

}  // namespace

MeasurementRows::MeasurementRows(const std::vector<Case>& cases, Bytes bytes) : bytes_(std::move(bytes)) {
  std::size_t kernel = 0, variant = 0, size = 0, tuning = 0, extents = 0, fill = 0;
  bool gpu = false, in_parts = false;
  for (const Case& one : cases) {
    kernel = std::max(kernel, one.kernel.size());
    variant = std::max(variant, one.variant.size());
    size = std::max(size, std::max(one.problem_class.size(), std::to_string(one.problem.n).size()));
    tuning = std::max(tuning, tuning_text(one.tuning).size());
    extents = std::max(extents, extents_text(one.problem.extents).size());
    gpu = gpu || !is_on_cpu(one.device);
    in_parts = in_parts || parts_together_of(one.device) > 0;
    fill = std::max(fill, text_of(one.fill).size());
  }
  columns_ = {
      {"kernel", "", Unit::text, width(kernel)},
      {"variant", "", Unit::text, width(variant)},
      {"type", "", Unit::text, 6},
      {"n", "N", Unit::count, width(size)},
      {"problem_class", "-"},
      {.name = "extents", .title = "array", .width = width(extents), .spare = 2},
      {.name = "bytes", .title = bytes_ ? "in all" : "-", .unit = Unit::bytes, .width = 8, .spare = 5},
      {"tuning", tuning == 0 ? "-" : "", Unit::text, width(tuning)},
      {"device", in_parts ? "" : "-"},
      {"cache", "-"},
      {"fill", fill == 0 ? "-" : "inputs", Unit::text, std::max(width(fill), 6)},
      {"samples", "-", Unit::count},
      {"call_time_median", "call time, µs", Unit::seconds},
      {"call_time_low", "-", Unit::seconds},
      {"call_time_high", "-", Unit::seconds},
      {.name = "noise", .title = "±", .unit = Unit::percent, .width = 7, .spare = 1},
      {.name = "device_time_median",
       .title = gpu ? "device time, µs" : "-",
       .unit = Unit::seconds,
       .spare = 3},
      {"bandwidth", "-", Unit::bandwidth},
      {"flop_rate", "-", Unit::flop_rate},
      {"item_rate", "-", Unit::number},
      {.name = "", .title = "rate", .unit = Unit::number, .width = 12, .spare = 2},
      {.name = "speedup_serial", .title = "over -O2 loop", .unit = Unit::ratio, .spare = 4},
      {"error", "-", Unit::number},
      {"status", "result", Unit::text},
      {"reason", "-"},
      {"warnings", "-"}};
}

void MeasurementRows::remember(const Measurement& measurement) {
  if (measurement.what.variant != "serial.baseline" || measurement.status != Status::ok) return;
  baselines_[problem_of(measurement.what)] = median_interval(measurement.call_times).median;
}

// Returns the name of the measurement's first warning: the text up to the colon. The warning "fixed data" is
// returned only for one row of each kernel.
std::string MeasurementRows::named_warning(const Measurement& measurement) {
  for (const std::string& warning : measurement.warnings) {
    const std::string name = warning.substr(0, warning.find(':'));
    if (name != "fixed data" || with_fixed_data_.insert(measurement.what.kernel).second) return name;
  }
  return {};
}

std::vector<Cell> MeasurementRows::row(const Measurement& measurement, const std::string& doubt) {
  remember(measurement);
  const Case& what = measurement.what;
  const bool good = measurement.status == Status::ok;
  const Interval call = lasting_interval(measurement.call_times);
  const Interval device = median_interval(measurement.device_times);
  const double time = working_time(measurement);
  const bool timed = good && time > 0;
  const auto bytes = static_cast<double>(measurement.work.bytes_read + measurement.work.bytes_written);
  const auto flops = static_cast<double>(measurement.work.flops);
  const auto items = static_cast<double>(measurement.work.items);
  Cell rate;
  if (timed && flops > compute_bound_intensity * bytes)
    rate = rate_cell(flops / time, " GFLOP/s");
  else if (timed && bytes > 0)
    rate = rate_cell(bytes / time, " GB/s");
  else if (timed && items > 0)
    rate = rate_cell(items / time, " G items/s");
  const auto baseline = baselines_.find(problem_of(what));
  const bool compared = good && baseline != baselines_.end() && call.median > 0;
  const std::string warnings = join(measurement.warnings, "; ");
  return {
      what.kernel,
      what.variant,
      name_of(what.problem.type),
      size_cell(what),
      what.problem_class.empty() ? Cell() : Cell(what.problem_class),
      extents_text(what.problem.extents),
      bytes_cell(bytes_ ? bytes_(what) : std::nullopt),
      tuning_text(what.tuning),
      what.device,
      what.cache == CacheMode::warm ? "warm" : "cold",
      cell_of(what.fill),
      good ? Cell(static_cast<std::int64_t>(call.samples)) : Cell(),
      microseconds(call),
      optional(call.low, call.samples > 0),
      optional(call.high, call.samples > 0),
      noise_cell(call),
      microseconds(device),
      optional(bytes / time, timed && bytes > 0),
      optional(flops / time, timed && flops > 0),
      optional(items / time, timed && items > 0),
      rate,
      optional(compared ? baseline->second / call.median : 0, compared),
      optional(measurement.error, measurement.status == Status::ok || measurement.status == Status::wrong),
      result_cell(measurement, call, doubt, named_warning(measurement)),
      measurement.reason.empty() ? Cell() : Cell(measurement.reason),
      warnings.empty() ? Cell() : Cell(warnings)};
}

}  // namespace sextant
