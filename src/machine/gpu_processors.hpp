// Finds the processors close to a GPU, and distributes them over several worker processes.
#pragma once

#include <string>
#include <vector>

namespace sextant {

using Core = std::vector<int>;  // processors (hardware threads) of a core, in Linux's numbering

// Returns the cores that this process may use and that are close to the GPU with this PCI address
// ("00000000:17:00.0"). Returns all usable cores if the location of the GPU is unknown.
std::vector<Core> cores_near(const std::string& bus_id);

// Distributes the cores in `near`, one list per worker. Workers with the same list divide it into equal
// contiguous slices. If it has fewer cores than workers, each of them gets all cores.
std::vector<std::vector<Core>> shared_out(const std::vector<std::vector<Core>>& near);

std::vector<int> processors_of(const std::vector<Core>& cores);

}  // namespace sextant
