#include "run/class_times.hpp"

#include <fmt/format.h>

#include <optional>

#include "present/format.hpp"
#include "record/statistics.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

std::string series_of(const Case& what) {
  return fmt::format("{} {} {} {}", what.kernel, what.variant, name_of(what.problem.type), what.device);
}

// Returns the floating-point operations of one call, or its bytes if it has no operations.
double class_work_of(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  if (!entry || !entry->kernel.work) return 0;
  const Work work = entry->kernel.work(what.problem);
  const auto operations = static_cast<double>(work.flops) + static_cast<double>(work.integer_operations);
  return operations > 0 ? operations : static_cast<double>(work.bytes_read + work.bytes_written);
}

// Returns the position of the case's named problem (such as NAS class S) in its kernel's list. Returns
// nothing if it is not in the list: explicit extents or parameters also give a problem a name.
std::optional<std::size_t> find_class(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  if (!entry) return std::nullopt;
  for (std::size_t i = 0; i < entry->kernel.classes.size(); ++i)
    if (entry->kernel.classes[i].name == what.problem_class) return i;
  return std::nullopt;
}

// Largest ratio of operations between two problems for which the smaller one predicts the time of the larger
// one. Beyond it, launch overhead and waiting dominate the smaller problem's time.
constexpr double most_times = 1000;

}  // namespace

std::size_t class_index(const Case& what) { return find_class(what).value_or(0); }

void ClassTimes::add(const Measurement& measurement) {
  const Case& what = measurement.what;
  const std::optional<std::size_t> index = find_class(what);
  if (!index) return;
  const bool done = measurement.status == Status::ok && !measurement.call_times.empty();
  if (!done && measurement.status != Status::timed_out) return;
  const Took took{what, done ? median_interval(measurement.call_times).median : -1};
  const auto [known, added] = took_[series_of(what)].try_emplace(*index, took);
  Took& best = known->second;
  if (done && (best.seconds < 0 || took.seconds < best.seconds)) best = took;
}

std::string ClassTimes::why_too_long(const Case& what, double limit) const {
  const auto form = took_.find(series_of(what));
  if (what.problem_class.empty() || form == took_.end()) return {};
  const auto& smaller = form->second;
  for (auto at = smaller.lower_bound(class_index(what)); at != smaller.begin();) {
    --at;
    const Took& took = at->second;
    const double less = class_work_of(took.what), times = less > 0 ? class_work_of(what) / less : 0;
    if (times < 1) continue;  // no smaller problem: the list of named problems is not always in order of size
    if (took.seconds < 0)
      return fmt::format("not begun, because the smaller class {} did not end within {} (--timeout)",
                         took.what.problem_class, format_duration(limit));
    if (times > most_times || took.seconds * times <= limit) return {};
    return fmt::format(
        "not begun, because class {} took {:.3g} s, this class has {:.3g} times as many operations, and the "
        "limit is {} (--timeout)",
        took.what.problem_class, took.seconds, times, format_duration(limit));
  }
  return {};
}

}  // namespace sextant
