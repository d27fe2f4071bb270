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
  std::string (*text)(const DataSet&, const DataRow&);
};

std::string text_of(const std::optional<double>& value) { return value ? csv_number(*value) : ""; }
std::string text_of(const Interval& interval, double Interval::*part) {
  return interval.samples ? csv_number(interval.*part) : "";
}
std::string text_of(const std::optional<bool>& value) { return value ? (*value ? "1" : "0") : ""; }

const Case& case_of(const DataRow& row) { return row.what; }

constexpr CaseColumn case_columns[] = {
    {"machine", [](const DataSet& d, const DataRow& r) { return d.machines[r.machine].name; }},
    {"problem", [](const DataSet& d, const DataRow& r) { return d.problems[r.problem].name; }},
    {"option",
     [](const DataSet&, const DataRow& r) { return std::string(r.option ? name_of(*r.option) : ""); }},
    {"model", [](const DataSet&, const DataRow& r) { return model_of(case_of(r).variant); }},
    {"variant", [](const DataSet&, const DataRow& r) { return case_of(r).variant; }},
    {"tuning", [](const DataSet&, const DataRow& r) { return tuning_text(case_of(r).tuning); }},
    {"standard_tuning", [](const DataSet&, const DataRow& r) { return text_of(r.standard_tuning); }},
    {"aside",
     [](const DataSet&, const DataRow& r) { return text_of(std::optional(r.excluded_from_ranking)); }},
    {"device", [](const DataSet&, const DataRow& r) { return case_of(r).device; }},
    {"threads", [](const DataSet&, const DataRow& r) { return r.threads; }},
    {"status", [](const DataSet&, const DataRow& r) { return std::string(sextant::name_of(r.status)); }},
    {"samples", [](const DataSet&, const DataRow& r) { return std::to_string(r.call.samples); }},
    {"call_time", [](const DataSet&, const DataRow& r) { return text_of(r.call, &Interval::median); }},
    {"call_time_low", [](const DataSet&, const DataRow& r) { return text_of(r.call, &Interval::low); }},
    {"call_time_high", [](const DataSet&, const DataRow& r) { return text_of(r.call, &Interval::high); }},
    {"device_time", [](const DataSet&, const DataRow& r) { return text_of(r.device, &Interval::median); }},
    {"copy_in_time", [](const DataSet&, const DataRow& r) { return text_of(r.copy_in); }},
    {"copy_out_time", [](const DataSet&, const DataRow& r) { return text_of(r.copy_out); }},
    {"allocation_time", [](const DataSet&, const DataRow& r) { return text_of(r.allocation); }},
    {"whole_time", [](const DataSet&, const DataRow& r) { return text_of(r.whole, &Interval::median); }},
    {"whole_time_low", [](const DataSet&, const DataRow& r) { return text_of(r.whole, &Interval::low); }},
    {"whole_time_high", [](const DataSet&, const DataRow& r) { return text_of(r.whole, &Interval::high); }},
    {"measured_at", [](const DataSet&, const DataRow& r) { return r.timestamp; }},
};

// The columns of problems.csv and machines.csv that come before the features.
struct Heading {
  const char* name;
};
constexpr Heading problem_heading[] = {{"problem"},     {"kernel"},      {"family"},     {"class"},
                                       {"type"},        {"n"},           {"cache"},      {"parameter_0"},
                                       {"parameter_1"}, {"parameter_2"}, {"parameter_3"}};
constexpr Heading machine_heading[] = {{"machine"}, {"hardware"}, {"partition"}, {"processor"}, {"gpu"}};

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

constexpr Heading search_heading[] = {{"machine"}, {"problem"},  {"option"},   {"variant"}, {"tuning"},
                                      {"device"},  {"goal"},     {"effort"},   {"status"},  {"samples"},
                                      {"time"},    {"time_low"}, {"time_high"}};
constexpr Heading ceiling_heading[] = {{"machine"}, {"device"}, {"ceiling"}, {"footprint"}, {"value"}};

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

}  // namespace sextant::predict
