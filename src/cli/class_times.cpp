#include "cli/class_times.hpp"

#include <fmt/format.h>

#include "present/format.hpp"
#include "record/statistics.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

std::string series_of(const Case& what) {
  return fmt::format("{} {} {} {}", what.kernel, what.variant, name_of(what.problem.type), what.device);
}

// Operations of a call, or bytes where there are none.
double class_work_of(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  if (!entry || !entry->kernel.work) return 0;
  const Work work = entry->kernel.work(what.problem);
  const auto operations = static_cast<double>(work.flops) + static_cast<double>(work.integer_operations);
  return operations > 0 ? operations : static_cast<double>(work.bytes_read + work.bytes_written);
}

}  // namespace

std::size_t class_index(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  std::size_t index = 0;
  if (what.problem_class.empty() || !entry) return index;
  for (const NamedProblem& one : entry->kernel.classes) {
    if (one.name == what.problem_class) return index;
    ++index;
  }
  return 0;
}

void ClassTimes::add(const Measurement& measurement) {
  const Case& what = measurement.what;
  if (what.problem_class.empty()) return;
  const bool done = measurement.status == Status::ok && !measurement.call_times.empty();
  if (!done && measurement.status != Status::timed_out) return;
  took_[series_of(what)].insert_or_assign(
      class_index(what), Took{what, done ? median_interval(measurement.call_times).median : -1});
}

std::string ClassTimes::why_too_long(const Case& what, double limit) const {
  const auto form = took_.find(series_of(what));
  if (what.problem_class.empty() || form == took_.end()) return {};
  const auto& smaller = form->second;
  for (auto at = smaller.lower_bound(class_index(what)); at != smaller.begin();) {
    --at;
    const Took& took = at->second;
    if (took.seconds < 0)
      return fmt::format("not begun: class {} was not done within {} (--timeout)", took.what.problem_class,
                         format_duration(limit));
    const double less = class_work_of(took.what), times = less > 0 ? class_work_of(what) / less : 0;
    if (took.seconds * times <= limit) return {};
    return fmt::format(
        "not begun: class {} took {:.3g} s, this has {:.3g} times its operations, and a case has {} (--timeout)",
        took.what.problem_class, took.seconds, times, format_duration(limit));
  }
  return {};
}

}  // namespace sextant
