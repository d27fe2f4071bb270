// Reads the data set from its text files.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/csv.hpp"
#include "predict/data_set.hpp"
#include "predict/folds.hpp"
#include "predict/named.hpp"
#include "record/place.hpp"
#include "record/renamed_tunables.hpp"

namespace sextant::predict {
namespace {

using Files = std::map<std::string, std::string>;

CsvTable table_in(const Files& files, const std::string& name) {
  const auto file = files.find(name);
  if (file == files.end()) throw UserError(name + " is missing, so this folder is not a data set.");
  return CsvTable::read(file->second, name);
}

// One line of a table, accessed by column.
struct Line {
  const CsvTable& table;
  std::string name;
  std::size_t row;

  const std::string& text(const char* column) const { return table.text(row, column); }
  double number(const char* column, double missing = 0) const {
    return table.number(row, column).value_or(missing);
  }
  std::int64_t count(const std::string& column) const { return table.count(row, column).value_or(0); }
  std::string where() const { return name + ": line " + std::to_string(row + 2); }
  // Reads a count, which a table may contain as 1e+06.
  std::int64_t whole(const char* column) const {
    const double value = number(column);
    if (!(std::abs(value) < 0x1p62))
      throw UserError(where() + ": `" + text(column) + "` is not a whole number.");
    return std::llround(value);
  }
  double trait(const char* column) const { return number(column, Traits::not_known); }
};

template <typename Read>
void each_line(const Files& files, const std::string& name, const Read& read) {
  const CsvTable table = table_in(files, name);
  for (std::size_t row = 0; row < table.size(); ++row) read(Line{table, name, row});
}

std::map<std::string, std::vector<Ceiling>> ceilings_in(const Files& files) {
  std::map<std::string, std::vector<Ceiling>> all;
  each_line(files, "ceilings.csv", [&](const Line& line) {
    all[line.text("machine")].push_back(
        {line.text("device"), line.text("ceiling"), line.count("footprint"), line.number("value")});
  });
  return all;
}

// The last count in a text such as "33 of 132 multiprocessors"; 0 if the text does not mention them.
double whole_multiprocessors_in(const std::string& partition) {
  const std::size_t end = partition.rfind(" multiprocessors"), before = partition.rfind(' ', end - 1);
  return end == std::string::npos ? 0 : std::atof(partition.c_str() + before);
}

Profile profile_in(const Line& line) {
  Profile profile;
  const std::string& name = line.text("machine");
  profile.machine = name.substr(0, name.rfind('/'));
  profile.processor = line.text("processor");
  profile.sockets = line.number("sockets");
  profile.cores = line.number("cores");
  profile.threads = line.number("openmp_threads");
  profile.l1_cache = line.number("l1_cache");
  profile.l2_cache = line.number("l2_cache");
  profile.last_level_cache = line.number("last_level_cache");
  profile.memory = line.number("memory");
  if (line.text("gpu").empty()) return profile;
  GpuProfile& gpu = profile.gpu.emplace();
  gpu.name = line.text("gpu");
  gpu.multiprocessors = line.number("gpu_multiprocessors");
  gpu.l2_cache = line.number("gpu_l2_cache");
  gpu.memory = line.number("gpu_memory");
  gpu.whole_multiprocessors = whole_multiprocessors_in(line.text("partition"));
  gpu.pcie_generation = line.number("gpu_pcie_generation");
  gpu.pcie_width = line.number("gpu_pcie_width");
  return profile;
}

// Divides a total `all` by the number of items. Prefers the value whose product with `items` is exactly
// `all`.
double an_item(double all, std::int64_t items) {
  if (items <= 0) return 0;
  const auto count = static_cast<double>(items);
  const double near = all / count;
  for (const double one : {near, std::nextafter(near, 0), std::nextafter(near, 2 * near)})
    if (one * count == all) return one;
  return near;
}

Form form_in(const Line& line) {
  Form form;
  form.type = named(all_types, line.text("type"), line.where());
  form.n = line.count("n");
  form.extents = {line.whole("extent_x"), line.whole("extent_y"), line.whole("extent_z")};
  form.work = {.bytes_read = line.whole("bytes_read"),
               .bytes_written = line.whole("bytes_written"),
               .flops = line.whole("flops"),
               .items = line.whole("items"),
               .integer_operations = line.whole("integer_operations")};
  form.arrays_in = line.whole("arrays_in"), form.arrays_out = line.whole("arrays_out");
  form.bytes_in = line.whole("bytes_in"), form.bytes_out = line.whole("bytes_out");
  form.working_set = line.whole("working_set");
  Traits& traits = form.traits;
  traits.loads = line.trait("loads"), traits.stores = line.trait("stores");
  traits.stride_read = line.trait("stride_read"), traits.stride_write = line.trait("stride_write");
  if (!line.text("special_flops").empty())
    traits.special_flops = an_item(line.number("special_flops"), form.work.items);
  traits.reduction = line.trait("reduction"), traits.launches = line.trait("launches");
  traits.depth = line.trait("depth"), traits.divergence = line.trait("divergence");
  return form;
}

DataProblem problem_in(const Line& line) {
  DataProblem problem;
  problem.name = line.text("problem");
  problem.known = {form_in(line), line.text("family")};
  Case& what = problem.what;
  what.kernel = line.text("kernel");
  what.problem_class = line.text("class");
  what.cache = line.text("cache") == "cold" ? CacheMode::cold : CacheMode::warm;
  problem.known.form.cold = what.cache == CacheMode::cold;
  what.problem.n = problem.known.form.n;
  what.problem.type = problem.known.form.type;
  what.problem.extents = problem.known.form.extents;
  for (std::size_t i = 0; i < what.problem.parameters.size(); ++i)
    what.problem.parameters[i] = line.count("parameter_" + std::to_string(i));
  return problem;
}

// Parses "block_size=256 rows=4". Values are integers, as in all kernels of this project.
Tuning tuning_in(const Line& line) {
  const std::string& text = line.text("tuning");
  Tuning tuning;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size()), sign = text.find('=', at);
    int value = 0;
    const auto [stopped, error] = sign < end
                                      ? std::from_chars(text.data() + sign + 1, text.data() + end, value)
                                      : std::from_chars_result{text.data(), std::errc::invalid_argument};
    if (error != std::errc() || stopped != text.data() + end)
      throw UserError(line.where() + ": `" + text + "` is not a tuning, such as block_size=128 threads=4.");
    tuning.emplace_back(text.substr(at, sign - at), value);
    at = end + 1;
  }
  return tuning;
}

// Looks up the indices of machines and problems by name.
class Names {
 public:
  explicit Names(const DataSet& data) : data_(data) {
    for (std::size_t i = 0; i < data.machines.size(); ++i) machines_[data.machines[i].name] = i;
    for (std::size_t i = 0; i < data.problems.size(); ++i) problems_[data.problems[i].name] = i;
  }

  // Fills in the indices and the case of a DataRow or SearchedPoint.
  template <typename Row>
  void fill(const Line& line, Row* row) const {
    row->machine = place(machines_, line.text("machine"), line, "machines.csv");
    row->problem = place(problems_, line.text("problem"), line, "problems.csv");
    row->what = data_.problems[row->problem].what;
    row->what.variant = line.text("variant");
    row->what.device = line.text("device");
    row->what.problem.parts = parts_of(row->what.device);
    row->what.tuning = tuning_in(line);
    rename_tunables(row->what.kernel, row->what.variant, &row->what.tuning);
    if (!line.text("option").empty()) row->option = named(all_options, line.text("option"), line.where());
    row->status = named(all_statuses, line.text("status"), line.where());
  }

 private:
  using Places = std::map<std::string, std::size_t>;
  static std::size_t place(const Places& places, const std::string& name, const Line& line,
                           const char* table) {
    const auto found = places.find(name);
    if (found == places.end())
      throw UserError(line.where() + ": `" + name + "` is not in the file " + table + ".");
    return found->second;
  }

  const DataSet& data_;
  Places machines_, problems_;
};

Interval interval_in(const Line& line, const std::string& name, bool has_interval) {
  const auto median = line.table.number(line.row, name);
  if (!median) return {};
  const auto part = [&](const char* suffix) {
    return has_interval ? line.table.number(line.row, name + suffix).value_or(*median) : *median;
  };
  return {part("_low"), *median, part("_high"), part("_low"), 1};
}

std::optional<bool> flag_in(const Line& line, const char* column) {
  const std::string& text = line.text(column);
  return text.empty() ? std::nullopt : std::optional(text == "1");
}

DataRow row_in(const Line& line, const Names& names) {
  DataRow row;
  names.fill(line, &row);
  row.threads = line.text("threads");
  row.timestamp = line.text("measured_at");
  row.excluded_from_ranking = flag_in(line, "aside").value_or(false);
  row.standard_tuning = flag_in(line, "standard_tuning");
  row.call = interval_in(line, "call_time", true);
  row.device = interval_in(line, "device_time", false);
  row.whole = interval_in(line, "whole_time", true);
  const auto samples = static_cast<std::size_t>(line.count("samples"));
  for (Interval* times : {&row.call, &row.device, &row.whole})
    if (times->samples) times->samples = std::max<std::size_t>(samples, 1);
  row.copy_in = line.table.number(line.row, "copy_in_time");
  row.copy_out = line.table.number(line.row, "copy_out_time");
  row.allocation = line.table.number(line.row, "allocation_time");
  return row;
}

SearchedPoint point_in(const Line& line, const Names& names) {
  SearchedPoint point;
  names.fill(line, &point);
  point.goal = line.text("goal");
  point.effort = named(all_efforts, line.text("effort"), line.where());
  point.samples = line.count("samples");
  point.time = line.number("time"), point.low = line.number("time_low");
  point.high = line.number("time_high");
  return point;
}

}  // namespace

DataSet data_set_from(const Files& files) {
  DataSet data;
  std::map<std::string, std::vector<Ceiling>> ceilings = ceilings_in(files);
  each_line(files, "machines.csv", [&](const Line& line) {
    data.machines.push_back({line.text("machine"), profile_in(line)});
    data.machines.back().profile.ceilings = std::move(ceilings[data.machines.back().name]);
    digest(&data.machines.back().profile);
  });
  each_line(files, "problems.csv", [&](const Line& line) { data.problems.push_back(problem_in(line)); });
  const Names names(data);
  each_line(files, "cases.csv", [&](const Line& line) { data.rows.push_back(row_in(line, names)); });
  each_line(files, "searches.csv", [&](const Line& line) { data.searched.push_back(point_in(line, names)); });
  for (const Split split : all_splits) {
    const auto file = files.find(std::string("folds/") + name_of(split) + ".csv");
    if (file != files.end()) data.folds[name_of(split)] = file->second;
  }
  return data;
}

}  // namespace sextant::predict
