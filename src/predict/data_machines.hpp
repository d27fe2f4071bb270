// The machines of a data set, by the sessions that measured on them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/data_set.hpp"

namespace sextant::predict {

// The host's name with its OpenMP threads: "h200/16".
std::string machine_name(const Session& session);

// Hardware as the newest of a machine's sessions with the most kinds of ceilings says: one that measured the
// GPU alone says nothing of the processor. Each ceiling the best of all its sessions, with what the first use
// of a library cost there. What a machine did not measure, it has of the one most like it.
std::vector<DataMachine> machines_of(const Results& results);

// The machine of that name, which there is.
std::size_t place_of(const DataSet& data, const std::string& machine);

// A host's machine of so many threads, or, of a case that has none, its machine of most; nothing: no session
// is of it.
std::optional<std::size_t> place_of(const DataSet& data, const std::string& host, const std::string& threads);

}  // namespace sextant::predict
