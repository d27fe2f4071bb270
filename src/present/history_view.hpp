// Formats the output of `sextant compare --history`.
#pragma once

#include <map>
#include <string>

#include "analysis/compare/history.hpp"
#include "present/table.hpp"

namespace sextant {

// Returns a table of the runs, oldest first: number, file, start, machine and revision. `names`: the file of
// each session.
Table runs_table(const History& history, const std::map<const Session*, std::string>& names);

// Returns a table with one row for each case: first and last time, all times as bars, and the changes.
// Without `all`, only changed or broken cases are shown.
Table history_table(const History& history, bool all, double threshold);

// All runs and cases as JSON. Times are in seconds, and runs are numbered from 1 as in the tables.
std::string to_json(const History& history, const std::map<const Session*, std::string>& names);

// Returns a one-line summary for a log.
std::string history_line(const History& history);

}  // namespace sextant
