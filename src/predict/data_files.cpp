// Writes the data set as CSV text and checksums.
#include <algorithm>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "predict/csv.hpp"
#include "predict/data_set.hpp"
#include "predict/folds.hpp"
#include "predict/sha256.hpp"
#include "record/keys.hpp"

namespace sextant::predict {
namespace {

// A column of cases.csv.
struct CaseColumn {
  const char* name;
  ColumnClass kind;
  std::string (*text)(const DataSet&, const DataRow&);
};

std::string text_of(const std::optional<double>& value) { return value ? csv_number(*value) : ""; }
std::string text_of(const Interval& interval, double Interval::*part) {
  return interval.samples ? csv_number(interval.*part) : "";
}
std::string text_of(const std::optional<bool>& value) { return value ? (*value ? "1" : "0") : ""; }

const Case& case_of(const DataRow& row) { return row.what; }

constexpr CaseColumn case_columns[] = {
    {"machine", ColumnClass::name,
     [](const DataSet& d, const DataRow& r) { return d.machines[r.machine].name; }},
    {"problem", ColumnClass::name,
     [](const DataSet& d, const DataRow& r) { return d.problems[r.problem].name; }},
    {"option", ColumnClass::choice,
     [](const DataSet&, const DataRow& r) { return std::string(r.option ? name_of(*r.option) : ""); }},
    {"model", ColumnClass::choice,
     [](const DataSet&, const DataRow& r) { return model_of(case_of(r).variant); }},
    {"variant", ColumnClass::name, [](const DataSet&, const DataRow& r) { return case_of(r).variant; }},
    {"tuning", ColumnClass::choice,
     [](const DataSet&, const DataRow& r) { return tuning_text(case_of(r).tuning); }},
    {"standard_tuning", ColumnClass::choice,
     [](const DataSet&, const DataRow& r) { return text_of(r.standard_tuning); }},
    {"aside", ColumnClass::choice,
     [](const DataSet&, const DataRow& r) { return text_of(std::optional(r.excluded_from_ranking)); }},
    {"device", ColumnClass::choice, [](const DataSet&, const DataRow& r) { return case_of(r).device; }},
    {"threads", ColumnClass::choice, [](const DataSet&, const DataRow& r) { return r.threads; }},
    {"status", ColumnClass::outcome,
     [](const DataSet&, const DataRow& r) { return std::string(sextant::name_of(r.status)); }},
    {"samples", ColumnClass::outcome,
     [](const DataSet&, const DataRow& r) { return std::to_string(r.call.samples); }},
    {"call_time", ColumnClass::outcome,
     [](const DataSet&, const DataRow& r) { return text_of(r.call, &Interval::median); }},
    {"call_time_low", ColumnClass::outcome,
     [](const DataSet&, const DataRow& r) { return text_of(r.call, &Interval::low); }},
    {"call_time_high", ColumnClass::outcome,
     [](const DataSet&, const DataRow& r) { return text_of(r.call, &Interval::high); }},
    {"device_time", ColumnClass::outcome,
     [](const DataSet&, const DataRow& r) { return text_of(r.device, &Interval::median); }},
    {"copy_in_time", ColumnClass::outcome,
     [](const DataSet&, const DataRow& r) { return text_of(r.copy_in); }},
    {"copy_out_time", ColumnClass::outcome,
     [](const DataSet&, const DataRow& r) { return text_of(r.copy_out); }},
    {"allocation_time", ColumnClass::outcome,
     [](const DataSet&, const DataRow& r) { return text_of(r.allocation); }},
    {"whole_time", ColumnClass::outcome,
     [](const DataSet&, const DataRow& r) { return text_of(r.whole, &Interval::median); }},
    {"whole_time_low", ColumnClass::outcome,
     [](const DataSet&, const DataRow& r) { return text_of(r.whole, &Interval::low); }},
    {"whole_time_high", ColumnClass::outcome,
     [](const DataSet&, const DataRow& r) { return text_of(r.whole, &Interval::high); }},
    {"measured_at", ColumnClass::outcome, [](const DataSet&, const DataRow& r) { return r.timestamp; }},
};

// The columns of problems.csv and machines.csv that come before the features.
struct Heading {
  const char* name;
  ColumnClass kind;
};
constexpr Heading problem_heading[] = {
    {"problem", ColumnClass::name},       {"kernel", ColumnClass::name},
    {"family", ColumnClass::name},        {"class", ColumnClass::name},
    {"type", ColumnClass::choice},        {"n", ColumnClass::choice},
    {"cache", ColumnClass::choice},       {"parameter_0", ColumnClass::choice},
    {"parameter_1", ColumnClass::choice}, {"parameter_2", ColumnClass::choice},
    {"parameter_3", ColumnClass::choice}};
constexpr Heading machine_heading[] = {{"machine", ColumnClass::name},
                                       {"hardware", ColumnClass::name},
                                       {"partition", ColumnClass::name},
                                       {"processor", ColumnClass::name},
                                       {"gpu", ColumnClass::name}};

std::string cases_csv(const DataSet& data) {
  std::vector<std::string> cells;
  for (const CaseColumn& column : case_columns) cells.emplace_back(column.name);
  std::string text = csv_line(cells);
  for (const DataRow& row : data.rows) {
    cells.clear();
    for (const CaseColumn& column : case_columns) cells.push_back(column.text(data, row));
    text += csv_line(cells);
  }
  return text;
}

constexpr Heading search_heading[] = {
    {"machine", ColumnClass::name},     {"problem", ColumnClass::name},   {"option", ColumnClass::choice},
    {"variant", ColumnClass::name},     {"tuning", ColumnClass::choice},  {"device", ColumnClass::choice},
    {"goal", ColumnClass::choice},      {"effort", ColumnClass::outcome}, {"status", ColumnClass::outcome},
    {"samples", ColumnClass::outcome},  {"time", ColumnClass::outcome},   {"time_low", ColumnClass::outcome},
    {"time_high", ColumnClass::outcome}};
constexpr Heading ceiling_heading[] = {{"machine", ColumnClass::name},
                                       {"device", ColumnClass::choice},
                                       {"ceiling", ColumnClass::name},
                                       {"footprint", ColumnClass::profile},
                                       {"value", ColumnClass::profile}};

template <typename Columns>
std::string heading_line(const Columns& columns) {
  std::vector<std::string> cells;
  for (const Heading& column : columns) cells.emplace_back(column.name);
  return csv_line(cells);
}

std::string searches_csv(const DataSet& data) {
  std::string text = heading_line(search_heading);
  const auto seconds = [](double value) { return value > 0 ? csv_number(value) : ""; };
  for (const SearchedPoint& point : data.searched)
    text += csv_line(std::vector<std::string>{
        data.machines[point.machine].name, data.problems[point.problem].name,
        point.option ? name_of(*point.option) : "", point.what.variant, tuning_text(point.what.tuning),
        point.what.device, point.goal, sextant::name_of(point.effort), sextant::name_of(point.status),
        std::to_string(point.samples), seconds(point.time), seconds(point.low), seconds(point.high)});
  return text;
}

std::string ceilings_csv(const DataSet& data) {
  std::string text = heading_line(ceiling_heading);
  for (const DataMachine& machine : data.machines) {
    std::set<std::vector<std::string>> lines;
    for (const Ceiling& one : machine.profile.ceilings)
      lines.insert(
          {machine.name, one.device, one.name, std::to_string(one.footprint), csv_number(one.value)});
    for (const std::vector<std::string>& line : lines) text += csv_line(line);
  }
  return text;
}

std::string problems_csv(const DataSet& data) {
  std::vector<std::string> cells;
  for (const Heading& column : problem_heading) cells.emplace_back(column.name);
  for (const FormColumn& column : form_columns()) cells.emplace_back(column.name);
  std::string text = csv_line(cells);
  for (const DataProblem& one : data.problems) {
    const Problem& problem = one.what.problem;
    cells = {one.name,
             one.what.kernel,
             one.known.family,
             one.what.problem_class,
             sextant::name_of(problem.type),
             problem.n > 0 ? std::to_string(problem.n) : "",
             one.what.cache == CacheMode::warm ? "warm" : "cold"};
    for (const std::int64_t parameter : problem.parameters) cells.push_back(std::to_string(parameter));
    for (const FormColumn& column : form_columns()) cells.push_back(csv_number(column.value(one.known.form)));
    text += csv_line(cells);
  }
  return text;
}

std::string machines_csv(const DataSet& data) {
  std::vector<std::string> cells;
  for (const Heading& column : machine_heading) cells.emplace_back(column.name);
  for (const ProfileColumn& column : profile_columns(Profile())) cells.push_back(column.name);
  std::string text = csv_line(cells);
  for (const DataMachine& machine : data.machines) {
    const Profile& profile = machine.profile;
    cells = {machine.name, hardware_of(profile), partition_of(profile), profile.processor,
             profile.gpu ? profile.gpu->name : ""};
    for (const ProfileColumn& column : profile_columns(profile)) cells.push_back(csv_number(column.value));
    text += csv_line(cells);
  }
  return text;
}

template <typename Columns>
std::optional<ColumnClass> class_in(const Columns& columns, const std::string& name) {
  for (const auto& column : columns)
    if (name == column.name) return column.kind;
  return std::nullopt;
}

// The class of a column that is neither a kernel feature nor a machine feature. Nothing if it is not found.
std::optional<ColumnClass> class_in_headings(const std::string& name) {
  for (const auto& kind :
       {class_in(case_columns, name), class_in(problem_heading, name), class_in(machine_heading, name),
        class_in(search_heading, name), class_in(ceiling_heading, name)})
    if (kind) return kind;
  return std::nullopt;
}

}  // namespace

std::map<std::string, std::string> files_of(const DataSet& data) {
  std::map<std::string, std::string> files = {{"cases.csv", cases_csv(data)},
                                              {"ceilings.csv", ceilings_csv(data)},
                                              {"machines.csv", machines_csv(data)},
                                              {"problems.csv", problems_csv(data)},
                                              {"searches.csv", searches_csv(data)}};
  for (const Split split : all_splits)
    files[std::string("folds/") + name_of(split) + ".csv"] = Folds(data, split).csv();
  std::string checksums;
  for (const auto& [name, text] : files) checksums += sha256(text) + "  " + name + "\n";
  files["checksums"] = checksums;
  return files;
}

ColumnClass class_of(const std::string& column) {
  if (const auto kind = class_in_headings(column)) return *kind;
  for (const FormColumn& one : form_columns())
    if (column == one.name) return ColumnClass::form;
  for (const ProfileColumn& one : profile_columns(Profile()))
    if (column == one.name) return ColumnClass::profile;
  throw UserError("the data set has no column `" + column + "`.");
}

void require_features(std::span<const std::string> names, const std::string& where) {
  for (const std::string& name : names) {
    const std::optional<ColumnClass> kind = class_in_headings(name);
    if (kind == ColumnClass::outcome)
      throw UserError(
          where + ": `" + name +
          "` cannot be a feature (an input of the model), because it is a result of the measurement.");
    if (kind == ColumnClass::name)
      throw UserError(where + ": `" + name +
                      "` cannot be a feature (an input of the model), because it is a name and new cases "
                      "have other names.");
  }
}

}  // namespace sextant::predict
