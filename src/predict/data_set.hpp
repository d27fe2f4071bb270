// The data set that predictions are trained and judged on: what was measured, beside what can be known without measuring.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "predict/form.hpp"
#include "predict/option.hpp"
#include "predict/profile.hpp"
#include "record/results.hpp"
#include "record/statistics.hpp"

namespace sextant::predict {

// What is said of a kernel on a problem by whoever knows the kernel.
struct KnownForm {
  Form form;
  std::string family;
};
using FormSource = std::function<std::optional<KnownForm>(const Case&)>;  // nothing: it is not known

struct DataMachine {
  std::string name;  // of the host, with its OpenMP threads: "h200/16"
  Profile profile;
};

struct DataProblem {
  std::string name;  // kernel, type, N, shape, parameters, cache: equal for cases that compute the same
  Case what;         // without a variant
  KnownForm known;
};

// One measured case. Times in seconds; an interval of 0 samples: not known.
struct DataRow {
  std::size_t machine = 0, problem = 0;  // places in the data set
  Case what;
  std::optional<Option> option;
  std::string threads, timestamp;
  bool aside = false;                   // answers another question: no kernel's best
  std::optional<bool> standard_tuning;  // the variant's default
  Status status = Status::ok;
  Interval call, device, whole;  // whole: the call on the CPU; allocation, copies and call on a GPU
  std::optional<double> copy_in, copy_out, allocation;
};

struct DataSet {
  std::vector<DataMachine> machines;
  std::vector<DataProblem> problems;
  std::vector<DataRow> rows;          // in an order that does not depend on that of the results
  std::vector<std::string> left_out;  // kernels of which there are rows and no forms, and why; each once
};

// "triad float 1048576 349525", "heat3d_r1 double 1048576 80x80x80 parameters 10,1,0,0", with "cold" where caches were.
std::string name_of_problem(const Case& what);

// Of each case the newest measurement; skipped ones are none. Left out is what `forms` does not know, and what was
// measured when the kernel was another: with other work than the form's.
DataSet data_set_of(const Results& results, const FormSource& forms);

// The sessions and measurements of several files as one.
Results joined(std::vector<Results> files);

// The files of the data set by their names, without its card: cases.csv, problems.csv, machines.csv, folds/*.csv and
// checksums. The same texts for the same measurements, whatever files they came in.
std::map<std::string, std::string> files_of(const DataSet& data);

enum class ColumnClass : std::uint8_t {
  name,     // of kernels, machines and the like: never a feature, as others will have other names
  choice,   // what can be chosen or asked for: option, type, size, tuning
  form,     // of the kernel
  profile,  // of the machine
  outcome,  // what came of measuring: never a feature
};

// The class of a column of cases.csv, problems.csv or machines.csv. Throws UserError for one that there is not.
ColumnClass class_of(const std::string& column);

// Throws UserError naming the first column that is no feature, and why.
void require_features(std::span<const std::string> columns);

}  // namespace sextant::predict
