#include "predict/folds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "predict/csv.hpp"

namespace sextant::predict {
namespace {

constexpr double gap = 2;  // sizes nearer than this factor know too much of each other

// The decade of sizes that a problem lies in: 3 of 1000 … 9999.
int decade_of(const DataProblem& problem) {
  return static_cast<int>(std::floor(std::log10(size_of(problem))));
}

std::string decade_name(int decade) { return "1e" + std::to_string(decade); }

// Whether a size is that near to a decade it is not in.
bool beside(double size, int decade) {
  const double low = std::pow(10.0, decade), high = 10 * low;
  return size > low / gap && size < high * gap;
}

std::string type_and_kernel(const DataProblem& problem) {
  return problem.what.kernel + " " + name_of(problem.what.problem.type);
}

// By problem: "even" or "odd", its place among the sizes of its kernel and type.
std::vector<std::string> every_second(const DataSet& data) {
  std::map<std::string, std::set<double>> sizes;
  for (const DataProblem& problem : data.problems) sizes[type_and_kernel(problem)].insert(size_of(problem));
  std::vector<std::string> folds;
  for (const DataProblem& problem : data.problems) {
    const std::set<double>& of_kernel = sizes[type_and_kernel(problem)];
    const auto place = std::distance(of_kernel.begin(), of_kernel.find(size_of(problem)));
    folds.push_back(place % 2 ? "odd" : "even");
  }
  return folds;
}

const std::string& family_of(const DataSet& data, const DataRow& row) {
  return data.problems[row.problem].known.family;
}
std::string hardware_at(const DataSet& data, const DataRow& row) {
  return hardware_of(data.machines[row.machine].profile);
}

// The name that a fold of machines has: of the first of that hardware.
std::string machine_fold(const DataSet& data, const DataRow& row) {
  const std::string hardware = hardware_at(data, row);
  for (const DataMachine& machine : data.machines)
    if (hardware_of(machine.profile) == hardware) return machine.name;
  return data.machines[row.machine].name;
}

}  // namespace

double size_of(const DataProblem& problem) {
  const std::int64_t n = problem.what.problem.n;
  return static_cast<double>(std::max<std::int64_t>(n > 0 ? n : problem.known.form.work.items, 1));
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
  std::string all;
  for (const Split split : all_splits) {
    if (name == name_of(split)) return split;
    all += (all.empty() ? "" : ", ") + std::string(name_of(split));
  }
  throw UserError("there is no split `" + std::string(name) + "`. Splits are " + all + ".");
}

Folds::Folds(const DataSet& data, Split split) : data_(&data), split_(split) {
  const std::vector<std::string> halves = every_second(data);
  for (const DataRow& row : data.rows) {
    const std::string& family = family_of(data, row);
    switch (split) {
      case Split::size_out:
        fold_of_row_.push_back(decade_name(decade_of(data.problems[row.problem])));
        break;
      case Split::size_between:
        fold_of_row_.push_back(halves[row.problem]);
        break;
      case Split::family_out:
        fold_of_row_.push_back(family);
        break;
      case Split::machine_out:
        fold_of_row_.push_back(machine_fold(data, row));
        break;
      case Split::family_machine_out:
        fold_of_row_.push_back(family + " on " + machine_fold(data, row));
        break;
    }
  }
  const std::set<std::string> names(fold_of_row_.begin(), fold_of_row_.end());
  names_.assign(names.begin(), names.end());
}

std::vector<Part> Folds::parts(const std::string& fold) const {
  std::vector<Part> parts;
  std::set<std::string> families, machines;  // of the fold
  for (std::size_t i = 0; i < data_->rows.size(); ++i)
    if (fold_of_row_[i] == fold) {
      families.insert(family_of(*data_, data_->rows[i]));
      machines.insert(hardware_at(*data_, data_->rows[i]));
    }
  for (std::size_t i = 0; i < data_->rows.size(); ++i) {
    const DataRow& row = data_->rows[i];
    Part part = fold_of_row_[i] == fold ? Part::test : Part::train;
    if (part == Part::train && split_ == Split::size_out &&
        beside(size_of(data_->problems[row.problem]), std::stoi(fold.substr(2))))
      part = Part::neither;
    if (part == Part::train && split_ == Split::family_machine_out &&
        (families.contains(family_of(*data_, row)) || machines.contains(hardware_at(*data_, row))))
      part = Part::neither;
    parts.push_back(part);
  }
  return parts;
}

std::string Folds::csv() const {
  std::set<std::vector<std::string>> lines;  // of groups, each once
  std::vector<std::string> heading;
  for (std::size_t i = 0; i < data_->rows.size(); ++i) {
    const DataRow& row = data_->rows[i];
    const std::string &machine = data_->machines[row.machine].name, &family = family_of(*data_, row),
                      &problem = data_->problems[row.problem].name, &fold = fold_of_row_[i];
    switch (split_) {
      case Split::size_out: {
        std::string near;
        for (const std::string& name : names_)
          if (name != fold && beside(size_of(data_->problems[row.problem]), std::stoi(name.substr(2))))
            near += (near.empty() ? "" : " ") + name;
        heading = {"problem", "fold", "not_in_training_of"};
        lines.insert({problem, fold, near});
        break;
      }
      case Split::size_between:
        heading = {"problem", "fold"};
        lines.insert({problem, fold});
        break;
      case Split::family_out:
        heading = {"family", "fold"};
        lines.insert({family, fold});
        break;
      case Split::machine_out:
        heading = {"machine", "hardware", "fold"};
        lines.insert({machine, hardware_at(*data_, row), fold});
        break;
      case Split::family_machine_out:
        heading = {"family", "machine", "fold"};
        lines.insert({family, machine, fold});
        break;
    }
  }
  std::string text = csv_line(heading);
  for (const std::vector<std::string>& line : lines) text += csv_line(line);
  return text;
}

}  // namespace sextant::predict
