#include "cli/list/features.hpp"

#include <cmath>
#include <cstdio>
#include <set>
#include <string>

#include "own/kernel/load.hpp"
#include "predict/form.hpp"
#include "present/format.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

using predict::FormColumn;

struct FormRow {
  const RegisteredKernel* entry;
  Problem problem;
  std::string problem_class;
};

constexpr std::int64_t listed_size = std::int64_t{1} << 20;

// Returns a problem with N = 1 Mi, or the first problem class, in every type that the selection allows.
std::vector<FormRow> standard_problems(Selection selection) {
  selection.names_only = true;
  std::vector<FormRow> rows;
  for (const SelectedKernel& one : resolve(selection).kernels) {
    const Kernel& kernel = one.kernel();
    for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32}) {
      const auto& asked = selection.types;
      if (!kernel.has(type) || (!asked.empty() && std::find(asked.begin(), asked.end(), type) == asked.end()))
        continue;
      FormRow row = {one.entry, {listed_size, type, {}, kernel.standard_parameters()}, ""};
      if (kernel.extents) {
        row.problem.extents = kernel.extents(listed_size);
      } else if (!kernel.classes.empty()) {
        row.problem = kernel.classes.front().problem;
        row.problem.type = type;
        row.problem_class = kernel.classes.front().name;
      } else {
        continue;
      }
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<FormRow> asked_problems(const Selection& selection) {
  std::vector<FormRow> rows;
  std::set<std::string> seen;
  std::vector<std::string> notes;
  for (const auto& [entry, variant, what] : resolve(selection, &notes).cases)
    if (seen.insert(key_of(problem_case(what))).second)
      rows.push_back({entry, what.problem, what.problem_class});
  for (const std::string& note : notes) std::fprintf(stderr, "%s\n", note.c_str());
  return rows;
}

// Returns true for the columns that fit on a terminal. JSON has all columns.
bool is_short(const std::string& name) {
  for (const char* shown : {"items", "bytes_read", "bytes_written", "flops", "intensity", "loads", "stores",
                            "stride_read", "stride_write", "launches", "depth"})
    if (name == shown) return true;
  return false;
}

Unit unit_of(const FormColumn& column) {
  return column.unit == std::string("bytes") ? Unit::bytes : Unit::number;
}

Cell known_cell(double value) { return std::isnan(value) ? Cell() : Cell(value); }

}  // namespace

Table forms_table(const SelectionOptions& options) {
  Selection selection = options.load_and_parse();
  if (selection.kernels.empty() && selection.suites.empty() && loaded().empty()) selection.kernels = {".*"};
  Table table;
  table.columns = {{"kernel"}, {"family", "-"}, {"type"}, {"n", "N", Unit::count}, {"problem", "-"}};
  int spare = 0;
  for (const FormColumn& column : predict::form_columns())
    table.columns.push_back({.name = column.name,
                             .title = is_short(column.name) ? "" : "-",
                             .unit = unit_of(column),
                             .spare = is_short(column.name) ? ++spare : 0});
  for (const FormRow& row :
       selection.asks_for_problems() ? asked_problems(selection) : standard_problems(selection)) {
    const Kernel& kernel = row.entry->kernel;
    const predict::Form form = predict::form_of(kernel, row.problem);
    std::vector<Cell> cells = {kernel.name, kernel.family.empty() ? kernel.group : kernel.family,
                               name_of(row.problem.type), row.problem.n > 0 ? Cell(row.problem.n) : Cell(),
                               row.problem_class.empty() ? Cell() : Cell(row.problem_class)};
    for (const FormColumn& column : predict::form_columns()) cells.push_back(known_cell(column.value(form)));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table profile_table(const predict::Profile& profile) {
  Table table;
  table.title = predict::hardware_of(profile);
  table.columns = {{"feature"}, {"value", "", Unit::number}, {"unit", "-"}};
  for (const predict::ProfileColumn& column : predict::profile_columns(profile)) {
    const std::string unit = column.unit;
    Cell value = known_cell(column.value);
    if (!std::isnan(column.value))
      value.shown = unit == "s"         ? format_seconds(column.value)
                    : unit == "bytes"   ? format_bytes(column.value)
                    : unit == "bytes/s" ? format_bandwidth(column.value)
                    : unit == "FLOP/s"  ? format_flop_rate(column.value)
                                        : std::to_string(static_cast<std::int64_t>(column.value));
    table.rows.push_back({column.name, value, unit});
  }
  return table;
}

}  // namespace sextant
