#include "analysis/study/findings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace sextant {
namespace {

std::string ratio_text(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text,
                ratio >= 99.5   ? "%.0fx"
                : ratio >= 9.95 ? "%.1fx"
                : ratio >= 0.1  ? "%.2fx"
                                : "%.2gx",
                ratio);
  return text;
}

std::string percent(double share) {
  if (share < 0.01) return "less than 1 %";
  char text[32];
  std::snprintf(text, sizeof text, "%.0f %%", 100 * share);
  return text;
}

std::string count(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::string problem_of(const StudyRow& row) {
  return row.kernel + " (" + name_of(row.type) + ", " +
         (row.plain()                               ? "N = "
          : row.size.find('x') != std::string::npos ? ""
                                                    : "class ") +
         row.size + (row.cache == CacheMode::cold ? ", cold caches" : "") + ")";
}

bool on_device(const std::string& column) {
  return column == "openacc" || column == "cuda" || column == "gpu library";
}

// "cuda at 40 and openmp at 24"
std::string tally(const std::map<std::string, std::size_t>& wins) {
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [column, number] : wins) order.emplace_back(number, column);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (std::size_t i = 0; i < order.size(); ++i)
    text += (i == 0                  ? ""
             : i + 1 == order.size() ? " and "
                                     : ", ") +
            order[i].second + " at " + std::to_string(order[i].first);
  return text;
}

struct Wins {
  std::map<std::string, std::size_t> by_column;
  std::size_t problems = 0, ties = 0, contested = 0;
};

Wins count_wins(const std::vector<StudyRow>& rows, bool with_transfers) {
  Wins wins;
  for (const StudyRow& row : rows)
    if (const auto first = winner(row, with_transfers)) {
      ++wins.problems;
      if (row.best_by(with_transfers).size() > 1) ++wins.contested;
      if (first->ties.empty())
        ++wins.by_column[first->column];
      else
        ++wins.ties;
    }
  return wins;
}

std::string wins_sentence(const std::vector<StudyRow>& rows) {
  const Wins wins = count_wins(rows, false);
  if (!wins.contested) {
    const std::string model = wins.by_column.size() == 1 ? wins.by_column.begin()->first : "one model";
    return "Each problem was measured in " + model + " alone: nothing is compared here.";
  }
  std::string text = "By the call alone, of " + count(wins.problems, "problem") + " the fastest is " +
                     (wins.by_column.empty() ? "never clear" : tally(wins.by_column));
  if (wins.ties)
    text += "; " + std::to_string(wins.ties) + (wins.ties == 1 ? " is a tie" : " are ties") + " within noise";
  return text + ".";
}

std::string transfers_sentence(const std::vector<StudyRow>& rows) {
  std::size_t alone = 0, whole = 0, asked = 0;
  for (const StudyRow& row : rows) {
    const auto first = winner(row, false), with = winner(row, true);
    if (!first || !with) continue;
    const bool device = std::any_of(row.best_with_transfers.begin(), row.best_with_transfers.end(),
                                    [](const auto& one) { return on_device(one.first); });
    const bool host =
        std::any_of(row.best.begin(), row.best.end(), [](const auto& one) { return !on_device(one.first); });
    if (!device || !host) continue;
    ++asked;
    if (on_device(first->column)) ++alone;
    if (on_device(with->column)) ++whole;
  }
  if (!asked) return "";
  return "A model of the GPU is fastest at " + std::to_string(alone) + " of " + count(asked, "problem") +
         " by the call alone, and at " + std::to_string(whole) + (alone == whole ? ", too, when" : " when") +
         " allocation and copies are counted.";
}

std::string gain_sentence(const std::vector<StudyRow>& rows) {
  const StudyRow* where = nullptr;
  const Summary* best = nullptr;
  bool over_cpu = true;
  for (const bool cpu : {true, false}) {
    for (const StudyRow& row : rows)
      for (const auto& [column, s] : row.best) {
        const Interval& ratio = cpu ? s->speedup_cpu : s->speedup_serial;
        if (!ratio.samples || (cpu && s->on_host)) continue;
        if (!best || ratio.median > (cpu ? best->speedup_cpu : best->speedup_serial).median) {
          best = s;
          where = &row;
        }
      }
    over_cpu = cpu;
    if (best) break;  // without a device: over plain serial
  }
  if (!best || best->measurement->what.variant == "serial.baseline") return "";
  const Interval& ratio = over_cpu ? best->speedup_cpu : best->speedup_serial;
  std::string text =
      std::string("The largest speed-up over ") + (over_cpu ? "the best CPU version" : "plain serial") +
      " is " + ratio_text(ratio.median) + " (" + ratio_text(ratio.low) + " to " + ratio_text(ratio.high) +
      "), of " + best->measurement->what.variant + " at " + problem_of(*where);
  const Interval& whole = best->speedup_cpu_with_transfers;
  if (over_cpu && whole.samples) text += "; with transfers it is " + ratio_text(whole.median);
  return text + ".";
}

std::string ceiling_sentence(const std::vector<StudyRow>& rows) {
  std::vector<double> shares;
  const Summary* lowest = nullptr;
  const StudyRow* where = nullptr;
  for (const StudyRow& row : rows) {
    const auto first = winner(row, false);
    if (!first || !first->summary->ceiling_fraction) continue;
    shares.push_back(*first->summary->ceiling_fraction);
    if (!lowest || shares.back() < *lowest->ceiling_fraction) {
      lowest = first->summary;
      where = &row;
    }
  }
  if (shares.empty()) return "";
  return "The fastest versions reach " + percent(median_interval(shares).median) +
         " of what their device's measured ceilings allow in the median of " +
         count(shares.size(), "problem") + "; the farthest from it is " + lowest->measurement->what.variant +
         " at " + problem_of(*where) + " with " + percent(*lowest->ceiling_fraction) + ".";
}

}  // namespace

std::string missing_baseline(const std::vector<StudyRow>& rows) {
  std::size_t without = 0, measured = 0;
  for (const StudyRow& row : rows) {
    if (row.best.empty()) continue;
    ++measured;
    if (!row.best.begin()->second->speedup_serial.samples) ++without;
  }
  if (!without) return "";
  return (without == measured ? "No problem has"
                              : count(without, "problem") + " of " + std::to_string(measured) + " have no") +
         std::string(without == measured ? " a" : "") +
         " correct measurement of serial.baseline: speed-ups over serial are missing there, what is left is "
         "compared with the best CPU version, if any.";
}

std::vector<std::string> findings(const std::vector<StudyRow>& rows) {
  const bool any =
      std::any_of(rows.begin(), rows.end(), [](const StudyRow& row) { return !row.best.empty(); });
  if (!any)
    return {rows.empty() ? "Nothing has been measured yet."
                         : "Nothing was measured correctly: every case was skipped, failed or was wrong."};
  std::vector<std::string> sentences;
  const std::string transfers = transfers_sentence(rows);
  for (const auto& sentence : {wins_sentence(rows) + (transfers.empty() ? "" : " " + transfers),
                               gain_sentence(rows), ceiling_sentence(rows)})
    if (!sentence.empty()) sentences.push_back(sentence);
  return sentences;
}

}  // namespace sextant
