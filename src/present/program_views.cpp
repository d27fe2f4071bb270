// Formats the table of programs, and their results in the report format of the NAS Parallel Benchmarks (NPB).
#include <fmt/format.h>

#include "analysis/study/groups.hpp"
#include "analysis/study/programs.hpp"
#include "present/cells.hpp"
#include "present/format.hpp"
#include "present/views.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

// Formats a rate: "125 Mop/s", "693000 Mop/s". Values from 1000 on are whole numbers, as NPB prints them.
std::string rate_text(const ProgramRate& rate) {
  const double millions = rate.value * 1e-6;
  // A unit that starts with "million" becomes giga for large rates: "743 G items/s".
  if (rate.unit.starts_with("million ") && millions >= 999.5)
    return format_significant(millions * 1e-3) + " G " + rate.unit.substr(8);
  const std::string number =
      millions >= 999.5 ? fmt::format("{:.0f}", millions) : format_significant(millions);
  return number + " " + rate.unit;
}

std::string mean_text(const Repetitions& repetitions) {
  std::string text = format_seconds(repetitions.mean);
  if (repetitions.count > 1)
    text += fmt::format(" ± {:.1f} %",
                        repetitions.mean > 0 ? 100 * repetitions.deviation / repetitions.mean : 0.0);
  return text;
}

Cell verification_cell(const ProgramResult& result) {
  if (!result.verified()) {
    const Status status = result.summary->measurement->status;
    return status == Status::wrong ? Cell("FAILED", Tone::bad) : Cell(name_of(status), Tone::warning);
  }
  if (result.wrong == 0) return Cell("passed");
  return Cell(fmt::format("passed; {} other{} wrong", result.wrong, result.wrong > 1 ? "s" : ""),
              Tone::warning);
}

// Returns a cell with the fraction of the ceiling: the shortest time that the device's measured ceilings
// allow, divided by the measured time.
Cell floor_cell(const Summary& s) { return s.ceiling_fraction ? Cell(*s.ceiling_fraction) : Cell(); }

std::vector<Cell> text_cells(const ProgramResult& result, bool first) {
  const Summary& s = *result.summary;
  const std::string& variant = s.measurement->what.variant;
  std::vector<Cell> cells = {first ? Cell(result.row->size) : Cell(""), result.column,
                             variant.substr(variant.find('.') + 1)};
  if (!result.verified()) {
    cells.insert(cells.end(), {Cell(), Cell(), Cell(), Cell(), Cell(), Cell()});
  } else {
    const std::optional<ProgramRate> rate = program_rate(s, result.repetitions.mean);
    cells.push_back(Cell(s.call_time.median));
    cells.push_back(Cell(result.repetitions.mean).as(mean_text(result.repetitions)));
    cells.push_back(static_cast<std::int64_t>(result.repetitions.count));
    cells.push_back(s.prepares() ? Cell(s.prepare_time.median) : Cell());
    cells.push_back(s.speedup_serial.samples ? Cell(s.speedup_serial.median) : Cell());
    cells.push_back(rate ? Cell(rate->value).as(rate_text(*rate)) : Cell());
  }
  cells.push_back(verification_cell(result));
  return cells;
}

// Returns the cells of one row in the table of all programs. `first` is true for the first row of a problem.
std::vector<Cell> suite_cells(const ProgramResult& result, bool first, bool first_of_program) {
  const Summary& s = *result.summary;
  const std::string& variant = s.measurement->what.variant;
  const bool there = result.verified();
  const std::optional<ProgramRate> rate = program_rate(s, s.call_time.median);
  return {first_of_program ? Cell(result.row->kernel) : Cell(""),
          first ? Cell(result.row->size) : Cell(""),
          result.column,
          variant.substr(variant.find('.') + 1),
          there ? Cell(s.call_time.median) : Cell(),
          rate ? Cell(rate->value).as(rate_text(*rate)) : Cell(),
          verification_cell(result),
          there ? floor_cell(s) : Cell(),
          there && s.speedup_serial.samples ? Cell(s.speedup_serial.median) : Cell(),
          there && s.speedup_cpu.samples ? Cell(s.speedup_cpu.median) : Cell()};
}

std::vector<Cell> json_cells(const ProgramResult& result) {
  const StudyRow& row = *result.row;
  const Summary& s = *result.summary;
  const Measurement& m = *s.measurement;
  const std::optional<ProgramRate> rate = program_rate(s, result.repetitions.mean);
  const bool there = result.verified(), ratio = there && s.speedup_serial.samples > 0;
  return {row.machine,
          row.kernel,
          name_of(row.type),
          row.n && row.size == std::to_string(row.n) ? Cell(row.n) : Cell(row.size),
          row.cache == CacheMode::cold ? "cold" : "warm",
          cell_of(row.fill),
          row.threads.empty() ? Cell() : Cell(row.threads),
          result.column,
          m.what.variant,
          tuning_text(m.what.tuning),
          there ? Cell(s.call_time.median) : Cell(),
          there ? Cell(result.repetitions.mean) : Cell(),
          there ? Cell(result.repetitions.deviation) : Cell(),
          static_cast<std::int64_t>(result.repetitions.count),
          there && s.prepare_time.samples ? Cell(s.prepare_time.median) : Cell(),
          there && s.first_use ? Cell(*s.first_use) : Cell(),
          ratio ? Cell(s.speedup_serial.median) : Cell(),
          ratio ? Cell(s.speedup_serial.low) : Cell(),
          ratio ? Cell(s.speedup_serial.high) : Cell(),
          there && s.speedup_cpu.samples ? Cell(s.speedup_cpu.median) : Cell(),
          rate ? Cell(rate->value) : Cell(),
          rate ? Cell("million " + rate->unit) : Cell(),
          there ? floor_cell(s) : Cell(),
          there,
          name_of(m.status),
          m.reason,
          result.wrong};
}

bool same_table(const StudyRow& a, const StudyRow& b) {
  return a.machine == b.machine && a.kernel == b.kernel && a.type == b.type && a.cache == b.cache &&
         a.fill == b.fill && a.threads == b.threads;
}

// Returns one line of NPB's report. The name has 16 columns, and the value ends in column 42.
std::string npb_line(const char* name, const std::string& value) {
  return fmt::format(" {:<16}= {:>24}\n", name, value);
}

std::string npb_size(const ReportLayout& layout, const Measurement& m) {
  const Extents& e = m.what.problem.extents;
  if (layout.size_in_items) return std::to_string(m.work.items);
  if (e.y == 1 && e.z == 1) return std::to_string(e.x);
  return fmt::format("{}x{}x{}", e.x, e.y, e.z);
}

std::int64_t npb_iterations(const ReportLayout& layout, const Measurement& m) {
  const auto& parameters = m.what.problem.parameters;
  const auto index = static_cast<std::size_t>(layout.iterations);
  return layout.iterations >= 0 && index < parameters.size() ? parameters[index] : 0;
}

// Returns the lines of NPB's print_results, with the same names and in the same order. Lines whose values the
// results file lacks are left out. Additional values follow.
std::string npb_report(const ReportLayout& layout, const ProgramResult& result) {
  const Summary& s = *result.summary;
  const Measurement& m = *s.measurement;
  // Rate from the median call time.
  const std::optional<ProgramRate> rate = program_rate(s, s.call_time.median);
  std::string text = fmt::format("\n\n {} Benchmark Completed.\n", layout.name);
  text += npb_line("Class", m.what.problem_class.empty() ? "U" : m.what.problem_class);
  text += npb_line("Size", npb_size(layout, m));
  text += npb_line("Iterations", std::to_string(npb_iterations(layout, m)));
  text += npb_line("Time in seconds", result.verified() ? fmt::format("{:.6f}", s.call_time.median) : "-");
  text += npb_line("Mop/s total", rate ? fmt::format("{:.2f}", rate->value * 1e-6) : "-");
  text += npb_line("Operation type", layout.operation_type);
  text += npb_line("Verification", result.verified()           ? "SUCCESSFUL"
                                   : m.status == Status::wrong ? "UNSUCCESSFUL"
                                                               : "NOT PERFORMED");
  text += npb_line("Version", "sextant " + (s.session ? s.session->version : std::string()));
  text += npb_line("Measured", m.timestamp);
  text += npb_line("Program", m.what.kernel + " " + m.what.variant);
  if (!m.what.tuning.empty()) text += npb_line("Tuning", tuning_text(m.what.tuning));
  text += npb_line("Machine", result.row->machine + " " + m.what.device);
  if (!result.verified()) text += npb_line("Reason", m.reason);
  return text;
}

}  // namespace

View programs_view(const std::vector<StudyRow>& rows) {
  View view;
  view.rows.columns = {{"machine"},   {"kernel"},    {"type"},        {"size"},         {"cache"},
                       {"fill"},      {"threads"},   {"column"},      {"variant"},      {"tuning"},
                       {"median"},    {"mean"},      {"deviation"},   {"repetitions"},  {"prepare_time"},
                       {"first_use"}, {"speedup"},   {"speedup_low"}, {"speedup_high"}, {"speedup_cpu"},
                       {"rate"},      {"rate_unit"}, {"of_floor"},    {"verified"},     {"status"},
                       {"reason"},    {"wrong"}};
  const StudyRow* last = nullptr;
  const std::vector<ProgramResult> results = program_results(rows);
  for (const ProgramResult& result : results) {
    if (!last || !same_table(*last, *result.row)) {
      Table& table = view.texts.emplace_back();
      table.title = title_of(*result.row);
      table.columns = {{"size", "problem"},
                       {"column", "model"},
                       {"variant"},
                       {"median", "", Unit::seconds},
                       {"mean", "mean ± deviation", Unit::seconds},
                       {"repetitions", "runs", Unit::count},
                       {"prepare_time", "prepare", Unit::seconds},
                       {"speedup", "over -O2 loop", Unit::ratio},
                       {"rate"},
                       {"verification"}};
    }
    view.texts.back().rows.push_back(text_cells(result, last != result.row));
    view.rows.rows.push_back(json_cells(result));
    last = result.row;
  }
  for (Table& table : view.texts) hide_empty_columns(&table);
  return view;
}

View suite_view(const std::vector<StudyRow>& rows) {
  View view = programs_view(rows);
  view.texts.clear();
  const StudyRow* last = nullptr;
  const std::vector<ProgramResult> results = program_results(rows);
  for (const ProgramResult& result : results) {
    const StudyRow& row = *result.row;
    const bool new_table = !last || last->machine != row.machine || last->cache != row.cache ||
                           last->fill != row.fill || last->threads != row.threads;
    if (new_table) {
      Table& table = view.texts.emplace_back();
      table.title = "programs" + conditions_of(row) + ", on " + row.machine;
      table.columns = {{"kernel", "program"},
                       {"size", "problem"},
                       {"column", "model"},
                       {"variant"},
                       {"median", "time", Unit::seconds},
                       {"rate"},
                       {"verification"},
                       {"of_floor", "of floor", Unit::percent},
                       {"speedup", "over -O2 loop", Unit::ratio},
                       {"speedup_cpu", "over best CPU", Unit::ratio}};
    }
    const bool new_program = new_table || last->kernel != row.kernel || last->type != row.type;
    view.texts.back().rows.push_back(suite_cells(result, last != &row, new_program));
    last = &row;
  }
  for (Table& table : view.texts) hide_empty_columns(&table);
  return view;
}

std::string npb_reports(const std::vector<StudyRow>& rows) {
  std::string text;
  for (const ProgramResult& result : program_results(rows))
    if (const KernelDescription* kernel = result.row->description; kernel && kernel->report)
      text += npb_report(*kernel->report, result);
  return text;
}

}  // namespace sextant
