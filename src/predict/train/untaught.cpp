#include "predict/train/untaught.hpp"

#include <algorithm>
#include <set>

#include "predict/physics.hpp"

namespace sextant::predict {
namespace {

using Places = std::set<std::pair<std::size_t, std::size_t>>;  // pairs of a machine's and a problem's index

Places places_of(const ProblemsByTarget& problems) {
  Places places;
  for (const std::vector<Contest>& of_target : problems)
    for (const Contest& contest : of_target) places.emplace(contest.machine, contest.problem);
  return places;
}

// The reason why a row is in no training table. `why` is empty if the row is in one.
Untaught reason_of(const DataSet& data, const DataRow& row, const Places& chosen) {
  const DataMachine& machine = data.machines[row.machine];
  if (row.status != Status::ok)
    return {"that did not end well", "`sextant show FILE` says why cases did not end well."};
  if (!row.option)
    return {"of variants that advice does not choose between",
            "Advice chooses between serial, openmp, openacc, cuda and library."};
  if (!chosen.contains({row.machine, row.problem}))
    return {"of kernels that were measured on the CPU alone, or on the GPU alone",
            "Where a GPU was measured, a kernel teaches by its times on both."};
  if (!physics(data.problems[row.problem].known.form, machine.profile, *row.option, Target::call))
    return {
        "of " + machine.name + ", a machine without ceilings",
        "`sextant run` without --no-ceilings measures them: the file of such a run on the same hardware, of any kernel, is enough beside."};
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
