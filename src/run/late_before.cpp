#include "run/late_before.hpp"

#include "base/join.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

// number of time-outs after which larger problems are skipped; the machine may have caused a single one
constexpr std::size_t enough = 2;

std::string key_without_size(Case what) {
  what.problem_class.clear();
  what.problem.n = 0;
  what.problem.extents = {};
  return key_of(what);
}

bool no_larger(const Extents& a, const Extents& b) { return a.x <= b.x && a.y <= b.y && a.z <= b.z; }

std::string size_of(const Case& what) {
  return what.problem_class.empty() ? "N=" + std::to_string(what.problem.n) : what.problem_class;
}

}  // namespace

void LateBefore::add(const Measurement& measurement) {
  if (measurement.status == Status::timed_out)
    late_[key_without_size(measurement.what)].push_back(measurement.what);
}

std::string LateBefore::why_not(const Case& what) const {
  const auto found = late_.empty() ? late_.end() : late_.find(key_without_size(what));
  if (found == late_.end()) return {};
  std::vector<std::string> sizes;
  for (const Case& late : found->second)
    if (no_larger(late.problem.extents, what.problem.extents)) sizes.push_back(size_of(late));
  if (sizes.size() < enough) return {};
  return "not begun: at " + join(sizes, " and ") + " it exceeded the time limit; increase --timeout";
}

}  // namespace sextant
