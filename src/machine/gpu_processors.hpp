// Which processors lie next to a GPU, and their division among several workers.
#pragma once

#include <string>
#include <vector>

namespace sextant {

using Core = std::vector<int>;  // its processors, as the system counts them

// The cores next to the GPU at that place of the PCI bus ("00000000:17:00.0") that this process may use; all
// that it may use where the place says nothing.
std::vector<Core> cores_near(const std::string& bus_id);

// Each worker's share of the cores that are near to it: workers with the same cores share them out evenly, in
// a row; where there are fewer cores than workers, each has all of them.
std::vector<std::vector<Core>> shared_out(const std::vector<std::vector<Core>>& near);

std::vector<int> processors_of(const std::vector<Core>& cores);

}  // namespace sextant
