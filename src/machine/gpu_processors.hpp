// Finds the processor cores close to a GPU, and distributes them over worker processes.
#pragma once

#include <string>
#include <vector>

namespace sextant {

using Core = std::vector<int>;  // processors (hardware threads) of a core, in Linux's numbering

// Returns the usable cores that are close to the GPU with this PCI address ("00000000:17:00.0"). Returns all
// usable cores if the location of the GPU is unknown.
std::vector<Core> cores_near(const std::string& bus_id);

// Gives each worker its cores. `near` has the list of close cores for each worker. Workers with equal lists
// divide the list into contiguous slices of equal size. If there are fewer cores than workers, each gets all
// of them.
std::vector<std::vector<Core>> shared_out(const std::vector<std::vector<Core>>& near);

std::vector<int> processors_of(const std::vector<Core>& cores);

}  // namespace sextant
