// What `sextant compare --history` prints.
#pragma once

#include <map>
#include <string>

#include "analysis/compare/history.hpp"
#include "present/table.hpp"

namespace sextant {

// The runs, oldest first: number, file, start, revision. `names`: the file of each session.
Table runs_table(const History& history, const std::map<const Session*, std::string>& names);

// A row for each case: its first and last time, its times as bars and its changes; those without a change or
// a result that is no longer right only with `all`.
Table history_table(const History& history, bool all, double threshold);

// Runs and cases, all of them: times in seconds, runs counted from 1 as in the tables.
std::string to_json(const History& history, const std::map<const Session*, std::string>& names);

// One line for a log.
std::string history_line(const History& history);

}  // namespace sextant
