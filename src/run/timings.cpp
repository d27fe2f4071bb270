#include "run/timings.hpp"

#include <algorithm>

#include "present/table.hpp"

namespace sextant {

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
                   {"all", "", Unit::seconds},
                   {"share", "", Unit::percent}};
  const double total = now() - began_;
  double known = 0;
  const auto add = [&](const std::string& stage, Cell cpu, Cell gpu, double all) {
    table.rows.push_back({stage, std::move(cpu), std::move(gpu), all, all / total});
    known += all;
  };
  for (const auto& [what, seconds] : others_) add(what, {}, {}, seconds);
  std::vector<std::pair<std::string, std::array<double, 2>>> stages(cases.begin(), cases.end());
  std::stable_sort(stages.begin(), stages.end(), [](const auto& a, const auto& b) {
    return a.second[0] + a.second[1] > b.second[0] + b.second[1];
  });
  for (const auto& [stage, seconds] : stages)
    add(stage, seconds[0] > 0 ? Cell(seconds[0]) : Cell(), seconds[1] > 0 ? Cell(seconds[1]) : Cell(),
        seconds[0] + seconds[1]);
  // cases that ran concurrently may take more seconds in total than have passed
  if (total > known) add("storing and printing", {}, {}, total - known);
  table.rows.push_back({"in all", {}, {}, total, 1.0});
  return to_text(table, false);
}

}  // namespace sextant
