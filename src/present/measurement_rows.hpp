// Formats measurements as rows of the table that `sextant run` prints.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "present/table.hpp"
#include "record/measurement.hpp"

namespace sextant {

class MeasurementRows {
 public:
  // Returns the total bytes of a case's arrays; nothing if unknown.
  using Bytes = std::function<std::optional<double>(const Case&)>;
  // Chooses column widths that are sufficient for all these cases.
  explicit MeasurementRows(const std::vector<Case>& cases, Bytes bytes = {});

  const std::vector<Column>& columns() const { return columns_; }
  // Stores a baseline's time for the speed-ups of later rows.
  void remember(const Measurement& measurement);
  // Formats a measurement as a row. If it is a baseline, stores its time for later rows. `doubt` is a reason
  // to distrust the time, which the row shows. It may be empty.
  std::vector<Cell> row(const Measurement& measurement, const std::string& doubt = "");

 private:
  std::string named_warning(const Measurement& measurement);

  std::vector<Column> columns_;
  Bytes bytes_;
  std::map<std::string, double> baselines_;  // maps a problem to its baseline's call time in seconds
  std::set<std::string> with_fixed_data_;    // kernels whose "fixed data" warning was shown
};

}  // namespace sextant
