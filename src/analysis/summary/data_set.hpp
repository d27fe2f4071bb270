// Exports measurements with fixed column names, one row each, as CSV or as one JSON object per line.
#pragma once

#include <string>
#include <vector>

#include "analysis/summary/summary.hpp"

namespace sextant {

// Writes the columns of the command-line table, then further ones. Every key of a tuning, phase or parameter
// has its own column: `tuning.<key>`, `phase.<name>`, `parameter.<name>`. Numbers have enough digits to
// restore the same double. A cell without a value is empty (CSV) or null (JSON). Infinite errors (from NaN
// outputs) are written as inf, in JSON as "inf".
//
// to_csv writes a header line, then one line per row, quoted as in RFC 4180. to_ndjson writes the same rows
// with one JSON object per line.
std::string to_csv(const std::vector<Summary>& summaries);
std::string to_ndjson(const std::vector<Summary>& summaries);

}  // namespace sextant
