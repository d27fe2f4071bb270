// The data set: one row a measurement, with fixed names of columns, as CSV or as one JSON object a line.
#pragma once

#include <string>
#include <vector>

#include "analysis/summary/summary.hpp"

namespace sextant {

// The columns in their order: those of the command-line document, then more; `tuning.<key>`,
// `phase.<name>` and `parameter.<name>` are one column each for every key that occurs. Numbers have all
// digits that give back the same double. A cell is empty (null in JSON) where nothing is known. Infinite
// errors (of NaN outputs) are written inf, in JSON "inf".
std::string to_csv(
    const std::vector<Summary>& summaries);  // a heading, then a row a line; quoted as in RFC 4180
std::string to_ndjson(const std::vector<Summary>& summaries);  // the same as an object a line

}  // namespace sextant
