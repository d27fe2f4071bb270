// Whether devices disturb each other: the same cases on each of them, while the others do nothing and while they do the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/dealing.hpp"

namespace sextant {

// A case on one of the devices, which `alone.what` names; empty where the run was stopped before.
struct BothWays {
  std::optional<Measurement> alone, beside;
};

// Case by case: on one device after the other, then on all at the same time. A list a device, in the order of `devices`, with
// an entry a case.
std::vector<std::vector<BothWays>> run_side_by_side(const std::vector<Case>& cases,
                                                    const std::vector<std::string>& devices,
                                                    const MakeExecutor& make, const Callbacks& callbacks);

// The same in worker processes.
std::vector<std::vector<BothWays>> run_side_by_side(const std::vector<Case>& cases, const Settings& settings,
                                                    const std::vector<Lane>& lanes,
                                                    const Callbacks& callbacks);

}  // namespace sextant
