// Report section on time: how allocation, copies and kernels add up to the time of device variants.
#include <algorithm>

#include "present/format.hpp"
#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

struct Split {
  const StudyRow* row;
  std::string column;
  const Summary* summary;
  double allocation, in, kernel, out;
  double sum() const { return allocation + in + kernel + out; }
};

// Returns the times of each GPU programming model whose copies were measured. Its fastest variant by call
// time represents the model.
std::vector<Split> splits_of(const StudyGroup& group) {
  std::vector<Split> splits;
  for (const StudyRow* row : group)
    for (const char* column : {"openacc", "target", "cuda", "gpu library"}) {
      const auto found = row->best.find(column);
      if (found == row->best.end()) continue;
      const Summary& s = *found->second;
      if (s.on_host || (!s.h2d_time && !s.d2h_time)) continue;
      splits.push_back({row, column, &s, s.alloc_time.median, s.h2d_time.value_or(0), s.call_time.median,
                        s.d2h_time.value_or(0)});
    }
  return splits;
}

// Draws the fractions of the total time, at the largest size of each group.
std::string figure(const Machine& machine, const std::string& number) {
  std::vector<std::string> categories;
  std::vector<Bars> bars = {{"allocation", {}}, {"copy in", {}}, {"kernel", {}}, {"copy out", {}}};
  for (const StudyGroup& group : machine.groups) {
    const StudyRow* row = group.back();
    for (const Split& split : splits_of({row})) {
      if (!(split.sum() > 0)) continue;
      categories.push_back(short_name_of(*row) + ", " + split.column + ", " + row->size);
      const double parts[] = {split.allocation, split.in, split.kernel, split.out};
      for (std::size_t i = 0; i < bars.size(); ++i) bars[i].values.emplace_back(parts[i] / split.sum());
    }
  }
  return figure_html(
      {"time-largest" + number, "How the time of a whole pass splits at the largest size of each kernel",
       "Stacked bars, one per kernel and model: shares of allocation, copy in, kernel and copy out; the "
       "table below holds the times."},
      bars_spec(categories, true, {"share of the sum", "", false}, bars));
}

std::string time_sentence(const Machine& machine) {
  std::vector<double> shares;
  for (const StudyGroup& group : machine.groups)
    for (const Split& split : splits_of({group.back()}))
      if (split.sum() > 0) shares.push_back((split.in + split.out) / split.sum());
  if (shares.empty()) return "";
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
  return "At the largest sizes the copies are " + format_percent(median_interval(shares).median) +
         " of a pass's parts in the median of " + std::to_string(shares.size()) + " (" +
         format_percent(*least) + " to " + format_percent(*most) + ").";
}

Table table_of(const Context& context, const Machine& machine) {
  Table table;
  table.title =
      "Allocation, copies and kernel" + (context.several() ? ", on " + machine.label : std::string());
  table.keys = 4;
  table.columns = {{"kernel"},
                   {"type"},
                   {"threads"},
                   {"size", "N", Unit::count},
                   {"model"},
                   {"variant"},
                   {"allocation", "allocation", Unit::seconds},
                   {"copy_in", "copy in", Unit::seconds},
                   {"kernel_time", "kernel", Unit::seconds},
                   {"copy_out", "copy out", Unit::seconds},
                   {"share", "kernel's share", Unit::percent},
                   {"pass", "whole pass", Unit::seconds},
                   {"prepare_time", "prepare", Unit::seconds},
                   {"first_use", "first use", Unit::seconds}};
  for (const StudyGroup& group : machine.groups)
    for (const Split& split : splits_of({group.back()})) {
      const Interval& pass = split.summary->end_to_end_time;
      table.rows.push_back(
          {split.row->kernel + (split.row->cache == CacheMode::cold ? " (cold)" : ""),
           name_of(split.row->type), split.row->threads.empty() ? Cell() : Cell(split.row->threads),
           split.row->size, split.column, split.summary->measurement->what.variant, split.allocation,
           split.in, split.kernel, split.out, split.sum() > 0 ? Cell(split.kernel / split.sum()) : Cell(),
           pass.samples ? Cell(pass.median) : Cell(),
           split.summary->prepares() ? Cell(split.summary->prepare_time.median) : Cell(),
           split.summary->prepares() && split.summary->first_use ? Cell(*split.summary->first_use) : Cell()});
    }
  drop_if_empty(&table, "threads");
  table.note =
      "Copies: all arrays one by one, from pageable memory (CUDA) or with OpenACC's update. Kernel: the "
      "call. The whole pass is measured as one, so it is not the sum of the others; it excludes a "
      "variant's preparation (a library's handle, a plan, a graph, a workspace), unless this depends on the "
      "inputs' structure or values. Prepare: the "
      "preparation, if it takes a tenth of a call or more. First use: the first preparation and the "
      "first call, which may include a library's initialisation.";
  return table;
}

}  // namespace

std::string time_section(const Context& context) {
  std::string html = section_open("time", "Where the time goes");
  bool any = false;
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    const Machine& machine = context.machines[i];
    const std::string number = context.several() ? "-m" + std::to_string(i + 1) : "";
    const Table table = table_of(context, machine);
    if (table.rows.empty()) continue;
    any = true;
    html += machine_heading(context, machine) + element("p", time_sentence(machine)) +
            figure(machine, number) + html_table({table, "time-split" + number}) +
            command_html(context, "--by transfers");
  }
  return any ? html + "</section>\n" : "";
}

}  // namespace sextant::report
