#include "analysis/study/verdict.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "base/join.hpp"

namespace sextant {
namespace {

using Names = std::vector<std::string>;

// Returns the kinds of time that decided the ranking at these sizes: "device", "call or device".
std::string kinds_of(const std::vector<const Standing*>& run) {
  std::set<std::string> kinds;
  for (const Standing* one : run)
    if (*one->by) kinds.insert(one->by);
  return join(Names(kinds.begin(), kinds.end()), " or ");
}

// Returns the range of the winner's speed-ups over the best CPU version. Empty if the CPU itself is fastest.
// If variants of one model compete, returns the range of the fastest variant's lead over the second.
std::string gain_text(const std::vector<const Standing*>& run) {
  double low = 0, high = 0;
  const bool variants = run.front()->by_variant;
  for (std::size_t i = 0; i < run.size(); ++i) {
    const Interval& gain = variants ? run[i]->lead : run[i]->over_cpu;
    if (!gain.samples || (!variants && run[i]->fastest().on_host)) return "";
    low = i ? std::min(low, gain.median) : gain.median;
    high = i ? std::max(high, gain.median) : gain.median;
  }
  const std::string from = ratio_text(low), to = ratio_text(high);
  const std::string by = variants ? kinds_of(run) : "";
  return " (" + (from == to ? from : from + " to " + to) + (variants ? " the next" : " the best CPU") +
         (by.empty() ? "" : " by " + by + " time") + ")";
}

// Returns how much the medians of the leaders differ, for sizes without a clear winner.
std::string tie_text(const std::vector<const Standing*>& sizes) {
  double apart = 1;
  bool equal = true;
  for (const Standing* one : sizes) {
    apart = std::max(apart, one->apart);
    equal = equal && one->equal();
  }
  return equal ? "equal"
               : "open, medians" + std::string(sizes.size() > 1 ? " up to " : " ") + ratio_text(apart) +
                     " apart";
}

Names common(const Names& a, const Names& b) {
  Names both;
  for (const std::string& name : a)
    if (std::find(b.begin(), b.end(), name) != b.end()) both.push_back(name);
  return both;
}

// A range of adjacent sizes with the same leaders.
struct Run {
  Names names;
  std::vector<const Standing*> sizes;
};

std::vector<Run> runs_of(const std::vector<const Standing*>& sizes) {
  std::vector<Run> runs;
  for (const Standing* one : sizes) {
    const Names next = one->leaders();
    if (!runs.empty()) {
      // Adjacent sizes with the same single winner form one range. Adjacent sizes without a clear winner form
      // one range as long as all of them share at least two leaders.
      Run& last = runs.back();
      const Names both = common(last.names, next);
      if (last.names.size() == 1 ? next == last.names : both.size() > 1) {
        last.sizes.push_back(one);
        last.names = both;
        continue;
      }
    }
    runs.push_back({next, {one}});
  }
  return runs;
}

std::string place_of(const std::vector<Run>& runs, std::size_t i) {
  const auto size = [&](const Standing* one) { return one->row->size; };
  const Run& run = runs[i];
  if (runs.size() == 1) return run.sizes.size() > 1 ? " at every size" : " at " + size(run.sizes[0]);
  if (i == 0) return " up to " + size(run.sizes.back());
  if (i + 1 == runs.size()) return " from " + size(run.sizes.front());
  return " at " + size(run.sizes.front()) +
         (run.sizes.size() > 1 ? " to " + size(run.sizes.back()) : std::string());
}

// Lists the sizes at which models cannot be compared: "openmp (cuda not measured) at 7936; cuda alone at
// 268435456, 536870912".
std::string apart_text(const std::vector<const Standing*>& sizes) {
  // Pairs of a text and the sizes to which it applies.
  std::vector<std::pair<std::string, std::string>> claims;
  for (const Standing* one : sizes) {
    const std::string text =
        text_of(*one) + (one->contested() ? " (" + join(one->missing, ", ") + " not measured)" : "");
    if (claims.empty() || claims.back().first != text)
      claims.emplace_back(text, one->row->size);
    else
      claims.back().second += ", " + one->row->size;
  }
  std::string all;
  for (const auto& [text, where] : claims) all += (all.empty() ? "" : "; ") + text + " at " + where;
  return all;
}

}  // namespace

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

std::string verdict(const StudyGroup& rows, bool with_transfers, bool gains) {
  const std::vector<Standing> all = standings(rows, with_transfers);
  std::vector<const Standing*> compared, apart;
  for (const Standing& one : all) (one.contested() && one.missing.empty() ? compared : apart).push_back(&one);
  std::string text;
  const std::vector<Run> runs = runs_of(compared);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    text += (i ? ", " : "") + join(runs[i].names, " or ") + place_of(runs, i);
    if (runs[i].names.size() > 1) text += ": " + tie_text(runs[i].sizes);
    if (gains) text += gain_text(runs[i].sizes);
  }
  if (apart.empty()) return text;
  return text + (text.empty() ? "" : "; not comparable: ") + apart_text(apart);
}

}  // namespace sextant
