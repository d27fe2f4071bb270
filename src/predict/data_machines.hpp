// Machines of a data set, from the sessions that measured on them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/data_set.hpp"

namespace sextant::predict {

// Host name with the number of OpenMP threads: "h200/16".
std::string machine_name(const Session& session);

// Describes each machine once. The hardware comes from the session with the most kinds of ceilings, or from
// the newest of several such sessions. A session that measured only the GPU does not describe the processor.
// Each ceiling is the best of all sessions. The profile includes the costs of first library calls. Missing
// ceilings come from the most similar machine.
std::vector<DataMachine> machines_of(const Results& results);

// Index of the machine with this name, which must exist.
std::size_t place_of(const DataSet& data, const std::string& machine);

// Index of the machine with this host name and number of threads. If `threads` is empty, the one with the
// most threads. Nothing if no session describes it.
std::optional<std::size_t> place_of(const DataSet& data, const std::string& host, const std::string& threads);

}  // namespace sextant::predict
