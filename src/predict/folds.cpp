#include "predict/folds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "base/csv.hpp"
#include "base/error.hpp"
#include "base/join.hpp"
#include "predict/csv.hpp"

namespace sextant::predict {
namespace {

constexpr double gap = 2;  // sizes closer than this factor reveal each other's times

// Decade of a problem's size: 3 for 1000 to 9999.
int decade_of(const DataProblem& problem) {
  return static_cast<int>(std::floor(std::log10(size_of(problem))));
}

std::string decade_name(int decade) { return "1e" + std::to_string(decade); }

// True if the size is in the decade or within the factor `gap` of it.
bool is_near(double size, int decade) {
  const double low = std::pow(10.0, decade), high = 10 * low;
  return size > low / gap && size < high * gap;
}

std::string type_and_kernel(const DataProblem& problem) {
  return problem.what.kernel + " " + name_of(problem.what.problem.type);
}

// For each problem: "even" or "odd", by the rank of its size among all sizes of its kernel and type.
std::vector<std::string> every_second(const DataSet& data) {
  std::vector<std::string> folds;
  for (const std::size_t place : places_among_sizes(data)) folds.push_back(place % 2 ? "odd" : "even");
  return folds;
}

const std::string& family_of(const DataSet& data, const DataRow& row) {
  return data.problems[row.problem].known.family;
}
std::string hardware_at(const DataSet& data, const DataRow& row) {
  return whole_hardware_of(data.machines[row.machine].profile);
}

// The columns that identify a group of rows in the split's CSV file.
std::vector<std::string> group_columns(Split split) {
  switch (split) {
    case Split::size_out:
    case Split::size_between:
      return {"problem"};
    case Split::family_out:
      return {"family"};
    case Split::machine_out:
      return {"machine"};
    case Split::family_machine_out:
      return {"family", "machine"};
  }
  return {};
}

std::string group_text(const DataSet& data, const DataRow& row, const std::string& column) {
  if (column == "problem") return data.problems[row.problem].name;
  if (column == "family") return family_of(data, row);
  return column == "machine" ? data.machines[row.machine].name : hardware_at(data, row);
}

// Name of the fold that holds out a machine: the name of the first machine with the same hardware.
std::string machine_fold(const DataSet& data, const DataRow& row) {
  const std::string hardware = hardware_at(data, row);
  for (const DataMachine& machine : data.machines)
    if (whole_hardware_of(machine.profile) == hardware) return machine.name;
  return data.machines[row.machine].name;
}

}  // namespace

double size_of(const DataProblem& problem) {
  const std::int64_t n = problem.what.problem.n;
  return static_cast<double>(std::max<std::int64_t>(n > 0 ? n : problem.known.form.work.items, 1));
}

std::vector<std::size_t> places_among_sizes(const DataSet& data) {
  std::map<std::string, std::set<double>> sizes;
  for (const DataProblem& problem : data.problems) sizes[type_and_kernel(problem)].insert(size_of(problem));
  std::vector<std::size_t> places;
  for (const DataProblem& problem : data.problems) {
    const std::set<double>& of_kernel = sizes[type_and_kernel(problem)];
    places.push_back(
        static_cast<std::size_t>(std::distance(of_kernel.begin(), of_kernel.find(size_of(problem)))));
  }
  return places;
}

const char* name_of(Split split) {
  switch (split) {
    case Split::size_out:
      return "size-out";
    case Split::size_between:
      return "size-between";
    case Split::family_out:
      return "kernel-out";
    case Split::machine_out:
      return "machine-out";
    case Split::family_machine_out:
      return "kernel-machine-out";
  }
  return "?";
}

Split split_of(std::string_view name) {
  for (const Split split : all_splits)
    if (name == name_of(split)) return split;
  throw UserError("there is no split of training and test data `" + std::string(name) + "`. The splits are " +
                  join(all_splits, ", ", [](Split split) { return name_of(split); }) + ".");
}

Folds::Folds(const DataSet& data, Split split) : data_(&data), split_(split) {
  const auto file = data.folds.find(name_of(split));
  if (file == data.folds.end())
    make();
  else
    adding_step(
        "Correct this file, or create the data set again with `sextant export FILE… --format data-set -o "
        "FOLDER`.",
        [&] { read(file->second, std::string("folds/") + name_of(split) + ".csv"); });
  const std::set<std::string> names(fold_of_row_.begin(), fold_of_row_.end());
  names_.assign(names.begin(), names.end());
}

void Folds::make() {
  const std::vector<std::string> halves = every_second(*data_);
  std::set<int> decades;
  for (const DataRow& row : data_->rows) decades.insert(decade_of(data_->problems[row.problem]));
  for (const DataRow& row : data_->rows) {
    const DataProblem& problem = data_->problems[row.problem];
    const std::string& family = family_of(*data_, row);
    std::set<std::string>& near = near_of_row_.emplace_back();
    switch (split_) {
      case Split::size_out:
        fold_of_row_.push_back(decade_name(decade_of(problem)));
        for (const int decade : decades)
          if (decade != decade_of(problem) && is_near(size_of(problem), decade))
            near.insert(decade_name(decade));
        break;
      case Split::size_between:
        fold_of_row_.push_back(halves[row.problem]);
        break;
      case Split::family_out:
        fold_of_row_.push_back(family);
        break;
      case Split::machine_out:
        fold_of_row_.push_back(machine_fold(*data_, row));
        break;
      case Split::family_machine_out:
        fold_of_row_.push_back(family + " on " + machine_fold(*data_, row));
        break;
    }
  }
}

void Folds::read(const std::string& csv, const std::string& name) {
  const CsvTable table = CsvTable::read(csv, name);
  const std::vector<std::string> columns = group_columns(split_);
  std::map<std::vector<std::string>, std::size_t> lines;
  for (std::size_t line = 0; line < table.size(); ++line) {
    std::vector<std::string> group;
    for (const std::string& column : columns) group.push_back(table.text(line, column));
    if (!lines.emplace(group, line).second)
      throw UserError(name + ": `" + group.front() +
                      "` is in two lines, but each group of cases must belong to exactly one fold.");
  }
  for (const DataRow& row : data_->rows) {
    std::vector<std::string> group;
    for (const std::string& column : columns) group.push_back(group_text(*data_, row, column));
    const auto line = lines.find(group);
    if (line == lines.end())
      throw UserError(name + ": `" + group.front() +
                      "` is missing: the file needs a line for each group of cases.");
    fold_of_row_.push_back(table.text(line->second, "fold"));
    std::set<std::string>& near = near_of_row_.emplace_back();
    if (split_ != Split::size_out) continue;
    std::istringstream texts(table.text(line->second, "not_in_training_of"));
    for (std::string fold; texts >> fold;) near.insert(fold);
  }
}

std::vector<Part> Folds::parts(const std::string& fold) const {
  std::vector<Part> parts;
  std::set<std::string> families, machines;  // families and machines that the fold holds out
  for (std::size_t i = 0; i < data_->rows.size(); ++i)
    if (fold_of_row_[i] == fold) {
      families.insert(family_of(*data_, data_->rows[i]));
      machines.insert(hardware_at(*data_, data_->rows[i]));
    }
  for (std::size_t i = 0; i < data_->rows.size(); ++i) {
    const DataRow& row = data_->rows[i];
    Part part = fold_of_row_[i] == fold ? Part::test : Part::train;
    if (part == Part::train && near_of_row_[i].contains(fold)) part = Part::neither;
    if (part == Part::train && split_ == Split::family_machine_out &&
        (families.contains(family_of(*data_, row)) || machines.contains(hardware_at(*data_, row))))
      part = Part::neither;
    parts.push_back(part);
  }
  return parts;
}

std::string Folds::csv() const {
  std::vector<std::string> heading = group_columns(split_);
  if (split_ == Split::machine_out) heading.emplace_back("hardware");
  const std::vector<std::string> columns = heading;
  heading.emplace_back("fold");
  if (split_ == Split::size_out) heading.emplace_back("not_in_training_of");
  std::set<std::vector<std::string>> lines;  // each line assigns one group to its fold
  for (std::size_t i = 0; i < data_->rows.size(); ++i) {
    std::vector<std::string> line;
    for (const std::string& column : columns) line.push_back(group_text(*data_, data_->rows[i], column));
    line.push_back(fold_of_row_[i]);
    if (split_ == Split::size_out) line.push_back(join(near_of_row_[i], " "));
    lines.insert(std::move(line));
  }
  std::string text = csv_line(heading);
  for (const std::vector<std::string>& line : lines) text += csv_line(line);
  return text;
}

}  // namespace sextant::predict
