#include "run/timings.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "present/table.hpp"

namespace sextant {
namespace {

// Seconds of a stage: of cases on the CPU and on GPUs, then of visits on the CPU and on GPUs.
using StageSeconds = std::array<double, 4>;

// Returns the seconds of each stage, longest first.
std::vector<std::pair<std::string, StageSeconds>> stages_of(const StageTimes& cases,
                                                            const StageTimes& visits) {
  std::map<std::string, StageSeconds> sums;
  for (const auto& [stage, seconds] : cases) std::copy(seconds.begin(), seconds.end(), sums[stage].begin());
  for (const auto& [stage, seconds] : visits)
    std::copy(seconds.begin(), seconds.end(), sums[stage].begin() + 2);
  std::vector<std::pair<std::string, StageSeconds>> stages(sums.begin(), sums.end());
  const auto all = [](const auto& stage) {
    return std::accumulate(stage.second.begin(), stage.second.end(), 0.0);
  };
  std::stable_sort(stages.begin(), stages.end(),
                   [&](const auto& a, const auto& b) { return all(a) > all(b); });
  return stages;
}

}  // namespace

void Timings::add(const std::string& what) {
  const double time = now();
  add(what, time - last_);
  last_ = time;
}

void Timings::add(const std::string& what, double seconds) { others_.emplace_back(what, seconds); }

std::string Timings::text() const {
  Table table;
  table.title = "Where the time went";
  table.columns = {{"stage"},
                   {"cpu", "cases on the CPU", Unit::seconds},
                   {"gpu", "on GPUs", Unit::seconds},
                   {"cpu_visits", "visits on the CPU", Unit::seconds},
                   {"gpu_visits", "on GPUs", Unit::seconds},
                   {"all", "", Unit::seconds},
                   {"share", "", Unit::percent}};
  const double total = now() - began_;
  double known = 0;
  for (const auto& [stage, seconds] : others_) {
    table.rows.push_back({stage, {}, {}, {}, {}, seconds, seconds / total});
    known += seconds;
  }
  for (const auto& [stage, seconds] : stages_of(cases, visits)) {
    const double all = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    std::vector<Cell> row = {stage};
    for (const double one : seconds) row.push_back(one > 0 ? Cell(one) : Cell());
    row.insert(row.end(), {all, all / total});
    table.rows.push_back(std::move(row));
    known += all;
  }
  // cases that ran concurrently may take more seconds in total than have passed
  if (total > known)
    table.rows.push_back({"storing and printing", {}, {}, {}, {}, total - known, (total - known) / total});
  table.rows.push_back({"in all", {}, {}, {}, {}, total, 1.0});
  return to_text(table, false);
}

}  // namespace sextant
