// Report section with tables and figures of each kernel.
#include <algorithm>

#include "analysis/study/verdict.hpp"
#include "base/join.hpp"
#include "base/plural.hpp"
#include "present/format.hpp"
#include "present/preparation.hpp"
#include "present/rivals.hpp"
#include "present/views.hpp"
#include "report/html.hpp"
#include "report/kernel_figures.hpp"
#include "report/published.hpp"

namespace sextant::report {
namespace {

std::vector<StudyRow> copy_of(const StudyGroup& group) {
  std::vector<StudyRow> rows;
  for (const StudyRow* row : group) rows.push_back(*row);
  return rows;
}

// Removes columns without values, such as "with copies" on a machine without a GPU.
Table without_empty_columns(Table table) {
  for (std::size_t i = table.columns.size(); i-- > 2;) {
    const bool empty = std::all_of(table.rows.begin(), table.rows.end(), [i](const std::vector<Cell>& row) {
      return i >= row.size() || std::holds_alternative<std::monostate>(row[i].value);
    });
    if (!empty) continue;
    table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(i));
    for (std::vector<Cell>& row : table.rows)
      if (i < row.size()) row.erase(row.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return table;
}

std::string tables_of(const View& view, const Context& context, const StudyGroup& group, const char* what,
                      const char* title) {
  std::string html;
  for (const Table& text : view.texts) {
    Table table = without_empty_columns(text);
    table.title = std::string(title) + ": " + name_of_group(context, group);
    table.note.clear();
    html += html_table({table, id_of_group(context, group) + "-" + what});
  }
  return html;
}

Cell measured(const Interval& interval) {
  if (!interval.samples) return {};
  return Cell(interval.median)
      .as(format_ratio(interval.median) + " (" + format_ratio(interval.low) + " to " +
          format_ratio(interval.high) + ")");
}

// Makes a table of the study's published values next to the values of this machine.
std::string published_table(const Context& context, const StudyGroup& group) {
  if (group.front()->type != ElementType::float32 || group.front()->cache == CacheMode::cold ||
      !has_device_columns(group))
    return "";
  Table table;
  table.title = "Published and measured: " + name_of_group(context, group);
  table.columns = {{"size", "N", Unit::count},
                   {"model"},
                   {"published", "published, over -O2 loop", Unit::ratio},
                   {"measured", "here, over -O2 loop", Unit::ratio},
                   {"published_transfers", "published, with transfers", Unit::ratio},
                   {"measured_transfers", "here, with transfers", Unit::ratio},
                   {"published_copies", "published, copies", Unit::seconds},
                   {"measured_copies", "here, copies", Unit::seconds},
                   {"published_block", "published, threads"},
                   {"measured_block", "here, threads"}};
  for (const StudyRow* row : group)
    for (const char* column : {"openacc", "cuda"}) {
      const auto speedup = published_speedup(*row, column);
      const auto whole = published_speedup_with_transfers(*row, column);
      const auto copies = published_transfer_time(column, row->n);
      const bool is_published = speedup || whole || !published_block(*row, column).empty();
      if (!copies || !is_published) continue;  // the study did not publish this size or kernel
      const auto found = row->best.find(column);
      const auto pass = row->best_with_transfers.find(column);
      const Summary* s = found == row->best.end() ? nullptr : found->second;
      const auto best = best_tuning(*row, column);
      std::optional<double> here;
      if (s && (s->h2d_time || s->d2h_time)) here = s->h2d_time.value_or(0) + s->d2h_time.value_or(0);
      table.rows.push_back({row->n, column, speedup ? Cell(*speedup) : Cell(),
                            s ? measured(s->speedup_serial) : Cell(), whole ? Cell(*whole) : Cell(),
                            pass == row->best_with_transfers.end()
                                ? Cell()
                                : measured(pass->second->speedup_serial_with_transfers),
                            *copies, here ? Cell(*here) : Cell(), published_block(*row, column),
                            best ? Cell(block_of(*best->summary)) : Cell()});
    }
  if (table.rows.empty()) return "";
  table.note =
      std::string("Published: ") + published_source +
      "; its copies are of the whole working set both ways, the same for every kernel; the ones here "
      "are of the arrays that the kernel reads and writes.";
  return html_table({without_empty_columns(std::move(table)), id_of_group(context, group) + "-published"});
}

// Lists the threads per block of the fastest launches: "cuda 128 at every N; openacc 128 (7936), 64
// (130560)".
std::string blocks_text(const StudyGroup& group) {
  std::string text;
  for (const char* column : {"openacc", "target", "cuda", "gpu library"}) {
    // Pairs of a block size and the problem sizes for which it is the fastest.
    std::vector<std::pair<std::string, std::string>> blocks;
    for (const StudyRow* row : group) {
      const auto found = row->best.find(column);
      const std::string block = found == row->best.end() ? "" : block_of(*found->second);
      if (block.empty()) continue;
      if (blocks.empty() || blocks.back().first != block)
        blocks.emplace_back(block, row->size);
      else
        blocks.back().second += ", " + row->size;
    }
    if (blocks.empty()) continue;
    text += (text.empty() ? "" : "; ") + std::string(column);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      text += (i ? ", " : " ") + blocks[i].first +
              (blocks.size() > 1 ? " (" + blocks[i].second + ")" : " throughout");
  }
  return text;
}

std::string words(const StudyGroup& group) {
  std::string html;
  for (const bool with_transfers : {false, true}) {
    const std::string text = verdict(group, with_transfers);
    if (text.empty() || (with_transfers && !has_copies(group))) continue;
    html += "<p>Fastest";
    if (has_copies(group)) html += with_transfers ? " with copies" : " without copies";
    html += ": " + escape(text) + ".</p>\n";
  }
  for (const auto& sentences :
       {preparation_sentences(group), library_sentences(group), one_core_sentences(group)})
    for (const std::string& sentence : sentences) html += "<p>" + escape(sentence) + ".</p>\n";
  const std::string sizes = join(sizes_explained(group), "; ");
  if (!sizes.empty()) html += "<p>N, the elements of all arrays: " + escape(sizes) + ".</p>\n";
  if (const std::string blocks = blocks_text(group); !blocks.empty())
    html += "<p>Threads per block, as launched, of the fastest: " + escape(blocks) + ".</p>\n";
  const bool serial = std::any_of(group.begin(), group.end(), [](const StudyRow* row) {
    return !row->best.empty() && row->best.begin()->second->speedup_serial.samples > 0;
  });
  if (!serial)
    html +=
        "<p class=\"warning\">serial.baseline was not measured correctly here: there is no speed-up over "
        "the -O2 loop.</p>\n";
  return html;
}

// Returns the command-line options that select the group: "-k triad --type float".
std::string selection_of(const StudyGroup& group) {
  return "-k " + group.front()->kernel + " --type " + name_of(group.front()->type);
}

std::string block(const Context& context, const StudyGroup& group) {
  const std::string id = id_of_group(context, group);
  const KernelDescription* kernel = group.front()->description;
  const std::string models = join(columns_of(group), ",");
  std::string html = "<details class=\"kernel\" name=\"kernel\" id=\"" + id + "\" data-kernel=\"" +
                     escape(group.front()->kernel) + "\" data-type=\"" + name_of(group.front()->type) +
                     "\" data-models=\"" + escape(models) + "\">\n<summary><h3>" +
                     escape(name_of_group(context, group)) + "</h3>";
  if (kernel && !kernel->formula.empty()) html += " <code>" + escape(kernel->formula) + "</code>";
  html +=
      " <span class=\"quiet\">" + escape(verdict(group, false, false)) + "</span></summary>\n" + words(group);
  html += kernel_figures(context, group);
  const std::vector<StudyRow> rows = copy_of(group);
  html += tables_of(study_view(rows), context, group, "study", "Speed-ups and rates");
  html += command_html(context, selection_of(group) + " --by study");
  html += folded("Published and measured times", published_table(context, group));
  html += folded("Every variant",
                 tables_of(variants_view(rows), context, group, "variants", "Variants at their best tuning") +
                     command_html(context, selection_of(group) + " --by variants"));
  html += kernel_samples(context, group);
  return html + "</details>\n";
}

// Makes a form for filtering the kernels. It uses the syntax of the command-line options.
std::string filters(const Context& context) {
  return "<form class=\"filters\" data-filters data-file=\"" + escape(context.file) +
         "\" role=\"search\" hidden>\n"
         "<label>Kernel <input type=\"search\" name=\"k\" placeholder=\"triad, mat.*\" size=\"14\"></label>\n"
         "<label>Model or variant <input type=\"search\" name=\"v\" placeholder=\"cuda, openmp.simd\" "
         "size=\"16\"></label>\n"
         "<label>Type <select name=\"type\"><option value=\"\">all</option><option>float</option>"
         "<option>double</option><option>int</option></select></label>\n"
         "<label>N <input type=\"search\" name=\"n\" placeholder=\"7936\" size=\"9\"></label>\n"
         "<output class=\"command\"></output>\n</form>\n";
}

}  // namespace

std::string kernels_section(const Context& context) {
  std::string html = section_open("kernels", "Kernels");
  // The page shows the kernels in this order, and each kernel by type and machine.
  std::vector<std::string> names;
  for (const Machine& machine : context.machines)
    for (const StudyGroup& group : machine.groups)
      if (std::find(names.begin(), names.end(), group.front()->kernel) == names.end())
        names.push_back(group.front()->kernel);
  std::string blocks;
  std::size_t count = 0;
  bool has_threads = false;
  for (const std::string& name : names)
    for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32})
      for (const Machine& machine : context.machines)
        for (const StudyGroup& group : machine.groups)
          if (group.front()->kernel == name && group.front()->type == type) {
            blocks += block(context, group);
            ++count;
            has_threads = has_threads || !group.front()->threads.empty();
          }
  if (names.empty()) return html + "<p>No kernel was measured correctly.</p>\n</section>\n";
  html += "<p>" + plural(names.size(), "kernel") +
          (count > names.size() ? " in " + std::to_string(count) + " entries, one for each element type" +
                                      (has_threads ? " and number of threads" : "")
                                : "") +
          ": each opens with its figures and tables, one at a time. Speed-ups are ratios of median call "
          "times; ± is half of their 95 % interval. Rates: each input and each output element once, or the "
          "kernel's FLOP, divided by the time";
  html += !has_device_columns(context)
              ? ".</p>\n"
              : " (of the device, where it is known). With copies: the time of a pass that allocates, copies "
                "in, runs and copies out. Broken lines named published are figures of a thesis that measured "
                "the same kernels on other hardware.</p>\n";
  return html + filters(context) + blocks + "</section>\n";
}

}  // namespace sextant::report
