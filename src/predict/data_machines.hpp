// The machines of a data set, from the sessions that measured on them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/data_set.hpp"

namespace sextant::predict {

// Host name with the number of OpenMP threads: "h200/16".
std::string machine_name(const Session& session);

// Describes each machine once. The hardware description comes from the session with the most kinds of
// ceilings; of several such sessions, from the newest. Each ceiling is the best of all sessions. Missing
// ceilings come from the most similar machine. The profile includes the costs of first library calls.
std::vector<DataMachine> machines_of(const Results& results);

// Index of the machine with this name, which must exist.
std::size_t place_of(const DataSet& data, const std::string& machine);

// Index of the machine with this host name and number of threads; if `threads` is empty, the one with the
// most threads. Nothing if there is no such machine.
std::optional<std::size_t> place_of(const DataSet& data, const std::string& host, const std::string& threads);

}  // namespace sextant::predict
