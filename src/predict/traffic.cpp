#include "predict/traffic.hpp"

#include <algorithm>
#include <cmath>

namespace sextant::predict {
namespace {

constexpr double page = 4096;  // bytes; hardware does not prefetch across pages

// Ratio of moved to requested bytes for elements of `element` bytes at distances of `stride` elements, if
// memory moves at least `least` bytes at a time.
double waste(double stride, double element, double least) {
  return stride > 1 ? std::max(1.0, std::min(stride * element, least) / element) : 1;
}

double steps_of(const Form& form, double stride) {
  return static_cast<double>(form.working_set) / element_bytes(form) / std::max(stride, 1.0);
}

// Average size in bytes of one of the arrays if the access is strided; otherwise 0.
double strided_bytes(double stride, std::int64_t bytes, std::int64_t arrays) {
  return stride > 1 && arrays > 0 ? static_cast<double>(bytes) / static_cast<double>(arrays) : 0;
}

}  // namespace

double element_bytes(const Form& form) { return static_cast<double>(element_size(form.type)); }

double passes(const Form& form) { return std::max(form.traits.launches, 1.0); }

bool at_random(const Constants& c, const Form& form, double stride) {
  return steps_of(form, stride) < c.fewest_steps;
}

double footprint_of(const Form& form) {
  const auto moved = static_cast<double>(std::max(form.work.bytes_read, form.work.bytes_written));
  return std::max(static_cast<double>(form.working_set), moved / passes(form));
}

Traffic traffic(const Form& form, double least, double cache) {
  const Traits& traits = form.traits;
  double read = static_cast<double>(form.work.bytes_read),
         written = static_cast<double>(form.work.bytes_written);
  const auto all = static_cast<double>(form.working_set);
  // `read` and `written` are the bytes of one pass, which may touch only a part of the arrays. Several passes
  // together touch at least all arrays once per pass.
  const double more =
      passes(form) > 1 ? std::max(1.0, passes(form) * all / std::max(read + written, 1.0)) : 1;
  read *= more, written *= more;
  if (strided_bytes(traits.stride_read, form.bytes_in, form.arrays_in) +
          strided_bytes(traits.stride_write, form.bytes_out, form.arrays_out) >
      cache) {
    read *= waste(traits.stride_read, element_bytes(form), least);
    written *= waste(traits.stride_write, element_bytes(form), least);
  }
  const double bytes = read + written;
  return {bytes, bytes > 0 ? written / bytes : 0};
}

double line_of_sweeps(const Constants& c, const Form& form) {
  const Traits& traits = form.traits;
  const double apart = traits.stride_read * element_bytes(form);
  const bool sweeps = traits.stride_read == traits.stride_write && !at_random(c, form, traits.stride_read);
  return sweeps && apart >= 2 * cpu_line && apart <= page ? 2 * cpu_line : cpu_line;
}

Walk walk(const Constants& c, const Form& form, double stride, double l2_cache, double cores) {
  const double element = element_bytes(form);
  if (stride * element <= cpu_line || at_random(c, form, stride)) return {};
  double sets = l2_cache;
  for (double lines = stride * element / cpu_line; lines >= 2 && std::fmod(lines, 2) == 0; lines /= 2)
    sets /= 2;
  const Walk stays = {steps_of(form, stride) * cpu_line, std::clamp(stride / cores, 1.0, cpu_line / element)};
  return stays.lines < sets ? stays : Walk{};
}

}  // namespace sextant::predict
