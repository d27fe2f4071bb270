// View of `sextant show --by amdahl`: a program's speed-up if one kernel takes a given share of its time.
#include <limits>

#include "analysis/study/amdahl.hpp"
#include "present/format.hpp"
#include "present/views.hpp"

namespace sextant {
namespace {

struct Figures {
  double alone = 0, scaled = 0;
  std::optional<double> with_transfers;
  std::optional<std::int64_t> pays;
};

Figures figures_of(const AmdahlCase& one, double share) {
  Figures f;
  f.alone = amdahl(share, one.speedup());
  f.scaled = gustafson(share, one.speedup());
  if (!one.transfer_seconds) return f;
  f.with_transfers =
      amdahl(share, speedup_with_reuse(one.baseline_seconds, one.kernel_seconds, *one.transfer_seconds, 1));
  f.pays = break_even(one.baseline_seconds, one.kernel_seconds, *one.transfer_seconds);
  return f;
}

Cell pays_cell(const AmdahlCase& one, const Figures& f) {
  if (one.summary->on_host) return "";
  if (!one.transfer_seconds) return {};
  if (!f.pays) return {"never", Tone::bad};
  const Tone tone = *f.pays == 1 ? Tone::good : Tone::plain;
  return Cell(*f.pays, tone).as(*f.pays == 1 ? "at once" : std::to_string(*f.pays) + " runs");
}

}  // namespace

View amdahl_view(const std::vector<StudyRow>& rows, double share) {
  View view;
  Table table;
  table.title = "Speed-up of a program that spends " + format_percent(share) +
                " of its time in the -O2 loop (serial.baseline)";
  table.columns = {{"kernel"},
                   {"size", "N", Unit::count},
                   {"column", "model"},
                   {"speedup", "kernel", Unit::ratio},
                   {"program", "program", Unit::ratio},
                   {"program_with_transfers", "copies each run", Unit::ratio},
                   {"scaled", "scaled", Unit::ratio},
                   {"pays_after", "copies pay after", Unit::count}};
  view.rows.columns = {{"machine"},
                       {"kernel"},
                       {"type"},
                       {"size"},
                       {"cache"},
                       {"threads"},
                       {"column"},
                       {"variant"},
                       {"share"},
                       {"baseline"},
                       {"baseline_seconds"},
                       {"kernel_seconds"},
                       {"transfer_seconds"},
                       {"speedup"},
                       {"program"},
                       {"program_with_transfers"},
                       {"limit"},
                       {"scaled"},
                       {"pays_after"}};
  table.keys = 2;
  bool copies = false;
  for (const AmdahlCase& one : amdahl_cases(rows, AmdahlBaseline::serial)) {
    const Figures f = figures_of(one, share);
    const Cell with = f.with_transfers ? Cell(*f.with_transfers) : Cell();
    table.rows.push_back({short_name_of(*one.row), one.row->size, one.column, one.speedup(), f.alone,
                          one.summary->on_host ? Cell("") : with, f.scaled, pays_cell(one, f)});
    copies = copies || !one.summary->on_host;
    const double limit = amdahl(share, std::numeric_limits<double>::infinity());
    view.rows.rows.push_back(
        {one.row->machine, one.row->kernel, name_of(one.row->type),
         one.row->n && one.row->size == std::to_string(one.row->n) ? Cell(one.row->n) : Cell(one.row->size),
         one.row->cache == CacheMode::cold ? "cold" : "warm",
         one.row->threads.empty() ? Cell() : Cell(one.row->threads), one.column,
         one.summary->measurement->what.variant, share, one.baseline, one.baseline_seconds,
         one.kernel_seconds, one.transfer_seconds ? Cell(*one.transfer_seconds) : Cell(), one.speedup(),
         f.alone, with, limit, f.scaled, f.pays ? Cell(*f.pays) : Cell()});
  }
  table.note =
      "  The share is that of the program with the -O2 loop on one thread; of a program that runs in "
      "parallel\n"
      "  already the kernel's share is smaller. kernel: speed-up over that loop, or over the best CPU "
      "version\n"
      "  where it is missing. program: Amdahl's law, at most " +
      (share < 1 ? format_ratio(amdahl(share, std::numeric_limits<double>::infinity())) : "unbounded") +
      (copies ? "; the next column adds allocation and copies in every run." : ".") +
      " scaled: Gustafson's law; the share is\n  that of the time after." +
      (copies ? " copies pay after: the number of runs on data that stay on the device." : "");
  if (!copies) {
    drop_column(&table, "program_with_transfers");
    drop_column(&table, "pays_after");
  }
  if (!table.rows.empty()) view.texts = {table};
  return view;
}

}  // namespace sextant
