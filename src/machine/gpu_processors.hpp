// The processors close to a GPU, and their distribution over several workers.
#pragma once

#include <string>
#include <vector>

namespace sextant {

using Core = std::vector<int>;  // a core's processors, in Linux's numbering

// Returns the cores close to the GPU at a PCI address ("00000000:17:00.0") that this process may use. Returns
// all usable cores if the address gives no location.
std::vector<Core> cores_near(const std::string& bus_id);

// Distributes the cores in `near`, one list per worker. Workers with the same list divide it into equal
// contiguous slices. If it has fewer cores than workers, each of them gets all cores.
std::vector<std::vector<Core>> shared_out(const std::vector<std::vector<Core>>& near);

std::vector<int> processors_of(const std::vector<Core>& cores);

}  // namespace sextant
