// Reads the tables that `sextant export` writes, as cases of the data set.
#include <algorithm>
#include <charconv>

#include "base/csv.hpp"
#include "predict/data_set.hpp"
#include "predict/named.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"
#include "record/renamed_tunables.hpp"
#include "record/threads.hpp"

namespace sextant::predict {
namespace {

// Parses "3x5x7"; missing axes are 1.
Extents extents_in(const std::string& text, const std::string& where) {
  Extents extents;
  const char *at = text.data(), *end = at + text.size();
  for (std::int64_t* axis : {&extents.x, &extents.y, &extents.z}) {
    const auto [next, error] = std::from_chars(at, end, *axis);
    if (error != std::errc() || *axis <= 0)
      throw UserError(where + ": `" + text + "` does not give the sizes of a problem's axes, such as 64x64.");
    if (next == end) return extents;
    at = *next == 'x' ? next + 1 : end;
  }
  throw UserError(where + ": `" + text + "` does not give the sizes of a problem's axes, such as 64x64.");
}

Interval exported_interval(const CsvTable& table, std::size_t row, const std::string& name,
                           std::size_t samples) {
  const auto median = table.number(row, name + "_median");
  if (!median) return {};
  return {table.number(row, name + "_low").value_or(*median), *median,
          table.number(row, name + "_high").value_or(*median),
          table.number(row, name + "_min").value_or(*median), samples};
}

std::int64_t count_in(const CsvTable& table, std::size_t row, const std::string& column) {
  return table.has(column) ? table.count(row, column).value_or(0) : 0;
}

class Exported {
 public:
  Exported(const CsvTable& table, const std::string& name, const ParameterSource& parameters)
      : table_(table), name_(name), parameters_(parameters) {}

  ExportedCase at(std::size_t row) const {
    ExportedCase one;
    one.machine = text(row, "machine");
    one.work = {.bytes_read = count_in(table_, row, "bytes_read"),
                .bytes_written = count_in(table_, row, "bytes_written"),
                .flops = count_in(table_, row, "flops"),
                .items = count_in(table_, row, "items"),
                .integer_operations = count_in(table_, row, "integer_operations")};
    one.row.what = case_at(row);
    one.row.option = option_of(model_of(one.row.what.variant), one.row.what.device);
    one.row.threads = text_of(Threads{text(row, "threads"), text(row, "binding")});
    one.row.timestamp = text(row, "timestamp");
    one.row.status = named(all_statuses, text(row, "status"), where(row));
    if (one.row.status == Status::ok) add_times(row, &one.row);
    return one;
  }

 private:
  const std::string& text(std::size_t row, const char* column) const { return table_.text(row, column); }
  std::string where(std::size_t row) const { return name_ + ": line " + std::to_string(row + 2); }

  Case case_at(std::size_t row) const {
    Case what;
    what.kernel = text(row, "kernel");
    what.variant = text(row, "variant");
    what.thread_library = thread_library_by_name(what.variant);
    what.problem_class = text(row, "class");
    what.problem.n = count_in(table_, row, "n");
    what.problem.type = named(all_types, text(row, "type"), where(row));
    what.problem.extents = extents_in(text(row, "extents"), where(row));
    what.device = text(row, "device");
    what.problem.parts = parts_of(what.device);
    what.cache = text(row, "cache") == "cold" ? CacheMode::cold : CacheMode::warm;
    const KernelParameters known = parameters_(what.kernel);
    what.problem.parameters = known.standard;
    for (std::size_t i = 0; i < std::min(known.names.size(), known.standard.size()); ++i)
      if (const std::string column = "parameter." + known.names[i]; table_.has(column))
        what.problem.parameters[i] = table_.count(row, column).value_or(known.standard[i]);
    const std::string prefix = "tuning.";
    for (const std::string& column : table_.columns())
      if (column.starts_with(prefix))
        if (const auto value = table_.count(row, column))
          what.tuning.emplace_back(column.substr(prefix.size()), static_cast<int>(*value));
    rename_tunables(what.kernel, what.variant, &what.tuning);
    return what;
  }

  void add_times(std::size_t row, DataRow* to) const {
    const auto samples = static_cast<std::size_t>(count_in(table_, row, "samples"));
    to->call = exported_interval(table_, row, "call_time", samples);
    to->device = exported_interval(table_, row, "device_time", samples);
    if (is_on_cpu(to->what.device))
      to->whole = to->call;
    else if (const auto whole = table_.number(row, "end_to_end_time"))
      to->whole = {*whole, *whole, *whole, *whole, samples};
    to->copy_in = table_.number(row, "h2d_time");
    to->copy_out = table_.number(row, "d2h_time");
    to->allocation = table_.number(row, "alloc_time");
  }

  const CsvTable& table_;
  const std::string& name_;
  const ParameterSource& parameters_;
};

}  // namespace

std::vector<ExportedCase> read_exported(const std::string& csv, const std::string& name,
                                        const std::string& host, const ParameterSource& parameters) {
  const CsvTable table = CsvTable::read(csv, name);
  const Exported exported(table, name, parameters);
  std::vector<ExportedCase> cases;
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (table.has("fill") && !table.text(row, "fill").empty()) continue;  // other inputs than usual
    cases.push_back(exported.at(row));
    if (!host.empty()) cases.back().machine = host;
  }
  return cases;
}

}  // namespace sextant::predict
