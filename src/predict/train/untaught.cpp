#include "predict/train/untaught.hpp"

#include <algorithm>
#include <set>

#include "predict/analytic_model.hpp"

namespace sextant::predict {
namespace {

using Places = std::set<std::pair<std::size_t, std::size_t>>;  // pairs of a machine's and a problem's index

Places places_of(const ProblemsByTarget& problems) {
  Places places;
  for (const std::vector<Contest>& of_target : problems)
    for (const Contest& contest : of_target) places.emplace(contest.machine, contest.problem);
  return places;
}

// The reason why a row is not used for training. `why` is empty if it is used.
Untaught reason_of(const DataSet& data, const DataRow& row, const Places& chosen) {
  const AnalyticModel analytic{Constants()};
  const DataMachine& machine = data.machines[row.machine];
  if (row.status != Status::ok)
    return {"without a correct result", "`sextant show FILE` shows the reason of each case."};
  if (!row.option)
    return {"of variants that advice does not consider",
            "Advice chooses between serial, openmp, openacc, cuda and library."};
  if (!chosen.contains({row.machine, row.problem}))
    return {"of kernels that were measured only on the CPU or only on the GPU",
            "On a machine with a GPU, training needs times on both."};
  if (!analytic.time(data.problems[row.problem].known.form, machine.profile, *row.option, Target::call))
    return {"of " + machine.name + ", a machine without ceilings",
            "Measure them: run any kernel on the same hardware with `sextant run` without --no-ceilings, and "
            "add its file."};
  return {};
}

}  // namespace

std::vector<Untaught> untaught(const DataSet& data) {
  const Places chosen = places_of(of_families_with_a_choice(data, measured_problems(data)));
  std::vector<Untaught> all;
  for (const DataRow& row : data.rows) {
    const Untaught reason = reason_of(data, row, chosen);
    if (reason.why.empty()) continue;
    auto same =
        std::find_if(all.begin(), all.end(), [&](const Untaught& one) { return one.why == reason.why; });
    if (same == all.end()) same = all.insert(all.end(), reason);
    ++same->cases;
  }
  return all;
}

}  // namespace sextant::predict
