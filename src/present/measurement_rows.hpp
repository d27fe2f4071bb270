// Measurements as the rows of run's table.
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
  // Bytes of all arrays of a case; nothing where it is not known.
  using Bytes = std::function<std::optional<double>(const Case&)>;
  // The columns are as wide as the cases need.
  explicit MeasurementRows(const std::vector<Case>& cases, Bytes bytes = {});

  const std::vector<Column>& columns() const { return columns_; }
  // A baseline that was measured before, for the speed-ups of what follows.
  void remember(const Measurement& measurement);
  // The measurement's row; remembers it if it is a baseline. `doubt`: what speaks against its time, empty:
  // nothing.
  std::vector<Cell> row(const Measurement& measurement, const std::string& doubt = "");

 private:
  std::string named_warning(const Measurement& measurement);

  std::vector<Column> columns_;
  Bytes bytes_;
  std::map<std::string, double> baselines_;  // call time in seconds by problem
  std::set<std::string> with_fixed_data_;    // kernels of which a row says so
};

}  // namespace sextant
