#include "analysis/study/advice.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/study/amdahl.hpp"
#include "analysis/study/programs.hpp"
#include "record/place.hpp"

namespace sextant {
namespace {

bool on_device(const std::string& column) {
  return column == "openacc" || column == "target" || column == "cuda" || column == "gpu library";
}

const Interval& time_of(const Summary& s, bool with_transfers) {
  return with_transfers ? s.time_with_transfers() : s.call_time;
}

// Returns the fastest column (programming model) on the host or, with `device`, on a device. Returns "" if
// there is none.
std::string fastest(const StudyRow& row, bool device, bool with_transfers) {
  std::string best;
  const auto& columns = row.best_by(with_transfers);
  for (const auto& [column, s] : columns) {
    if (on_device(column) != device) continue;
    if (best.empty() ||
        time_of(*s, with_transfers).median < time_of(*columns.at(best), with_transfers).median)
      best = column;
  }
  return best;
}

Interval gain_of(const StudyRow& row, bool with_transfers) {
  const std::string host = fastest(row, false, with_transfers), device = fastest(row, true, with_transfers);
  if (host.empty() || device.empty()) return {};
  const auto& columns = row.best_by(with_transfers);
  return ratio_of_medians(time_of(*columns.at(host), with_transfers),
                          time_of(*columns.at(device), with_transfers));
}

// Returns the key with the largest count. Among equal counts, returns the first in the map's order.
template <typename Key>
Key most_of(const std::map<Key, std::size_t>& counts) {
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? Key() : most->first;
}

double crossing(const StudyRow& a, double ratio_a, const StudyRow& b, double ratio_b) {
  const double ya = std::log(ratio_a), yb = std::log(ratio_b);
  if (!(ya < 0) || !(yb > 0) || b.n <= a.n) return 0;
  const double xa = std::log(static_cast<double>(a.n)), xb = std::log(static_cast<double>(b.n));
  return std::exp(xa + (xb - xa) * -ya / (yb - ya));
}

Frontier frontier_of(const StudyGroup& group, bool with_transfers) {
  Frontier result;
  std::vector<Interval> gains;
  for (const StudyRow* row : group) {
    const Interval gain = row->plain() ? gain_of(*row, with_transfers) : Interval();
    if (!gain.samples) continue;
    result.group.push_back(row);
    gains.push_back(gain);
  }
  if (gains.empty()) return result;
  std::size_t from = gains.size();
  while (from > 0 && gains[from - 1].low > 1) --from;
  result.gain_at_largest = gains.back().median;
  result.tied = from == gains.size() && gains.back().high >= 1;
  if (from == gains.size()) return result;
  result.from = from;
  if (from > 0)
    result.estimate =
        crossing(*result.group[from - 1], gains[from - 1].median, *result.group[from], gains[from].median);
  std::map<std::string, std::size_t> devices;
  std::vector<double> ratios;
  for (std::size_t i = from; i < gains.size(); ++i) {
    ++devices[fastest(*result.group[i], true, with_transfers)];
    ratios.push_back(gains[i].median);
  }
  result.device = most_of(devices);
  result.gain = spread_of(ratios);
  return result;
}

// Maps N and a column (programming model) to the number of kernels in which this column is fastest at N.
using Leaders = std::map<std::int64_t, std::map<std::string, std::size_t>>;

std::vector<LeadRange> ranges_of(const Leaders& leaders) {
  std::vector<LeadRange> ranges;
  for (const auto& [n, counts] : leaders) {
    const std::string column = most_of(counts);
    if (!ranges.empty() && ranges.back().column == column)
      ranges.back().last = n;
    else
      ranges.push_back({column, n, n});
  }
  return ranges;
}

std::vector<LeadRange> cpu_ranges(const std::vector<Frontier>& all, std::int64_t below, bool with_transfers) {
  Leaders leaders;
  for (const Frontier& one : all)
    for (const StudyRow* row : one.group)
      if (below == 0 || row->n < below) ++leaders[row->n][fastest(*row, false, with_transfers)];
  return ranges_of(leaders);
}

}  // namespace

Spread spread_of(const std::vector<double>& values) {
  Spread result;
  double logs = 0;
  for (const double value : values) {
    if (!(value > 0)) continue;
    result.low = result.count ? std::min(result.low, value) : value;
    result.high = std::max(result.high, value);
    logs += std::log(value);
    ++result.count;
  }
  if (result.count) result.mean = std::exp(logs / static_cast<double>(result.count));
  return result;
}

Frontiers frontiers(const std::vector<StudyRow>& rows, bool with_transfers) {
  Frontiers result;
  std::map<std::int64_t, std::size_t> froms;
  std::map<std::string, std::size_t> devices;
  std::vector<double> estimates, gains, largest;
  for (const StudyGroup& group : study_groups(rows)) {
    Frontier one = frontier_of(group, with_transfers);
    if (one.group.empty()) continue;
    largest.push_back(one.gain_at_largest);
    ++froms[one.from ? one.group[*one.from]->n : 0];
    if (one.from) {
      ++devices[one.device];
      if (one.estimate > 0) estimates.push_back(one.estimate);
      for (std::size_t i = *one.from; i < one.group.size(); ++i)
        gains.push_back(gain_of(*one.group[i], with_transfers).median);
    }
    result.all.push_back(std::move(one));
  }
  result.typical_from = most_of(froms);
  result.device = most_of(devices);
  result.gain = spread_of(gains);
  result.gain_at_largest = spread_of(largest);
  if (!estimates.empty()) result.estimate = median_interval(estimates).median;
  result.cpu = cpu_ranges(result.all, result.typical_from, with_transfers);
  return result;
}

Reuse reuse(const std::vector<StudyRow>& rows) {
  Reuse result;
  std::vector<double> counts;
  std::map<std::int64_t, std::size_t> sizes;
  for (const StudyGroup& group : study_groups(rows)) {
    const Frontier one = frontier_of(group, false);
    if (one.group.empty()) continue;
    const StudyRow& row = *one.group.back();
    std::optional<std::int64_t> least;
    for (const AmdahlCase& each : amdahl_cases({row}, AmdahlBaseline::best_cpu)) {
      if (!on_device(each.column) || !each.transfer_seconds) continue;
      const auto uses = break_even(each.baseline_seconds, each.kernel_seconds, *each.transfer_seconds);
      if (uses && (!least || *uses < *least)) least = uses;
    }
    ++sizes[row.n];
    ++result.kernels;
    if (least)
      counts.push_back(static_cast<double>(*least));
    else
      ++result.never;
  }
  result.n = most_of(sizes);
  if (counts.empty()) return result;
  std::sort(counts.begin(), counts.end());
  result.least = static_cast<std::int64_t>(counts.front());
  result.median = static_cast<std::int64_t>(counts[counts.size() / 2]);
  result.most = static_cast<std::int64_t>(counts.back());
  return result;
}

std::vector<OpenaccOverCuda> openacc_over_cuda(const std::vector<StudyRow>& rows) {
  std::vector<std::string> order;
  std::map<std::string, std::map<std::int64_t, std::vector<double>>> ratios;
  for (const StudyRow& row : rows) {
    const auto openacc = row.best.find("openacc"), cuda = row.best.find("cuda");
    if (!row.plain() || openacc == row.best.end() || cuda == row.best.end()) continue;
    if (!ratios.contains(row.group)) order.push_back(row.group);
    ratios[row.group][row.n].push_back(openacc->second->call_time.median / cuda->second->call_time.median);
  }
  std::vector<OpenaccOverCuda> result;
  for (const std::string& group : order) {
    const auto& sizes = ratios[group];
    OpenaccOverCuda one{group, sizes.rbegin()->first, spread_of(sizes.rbegin()->second), 0};
    for (auto size = sizes.rbegin(); size != sizes.rend() && spread_of(size->second).high <= 1.05; ++size)
      one.close_from = size->first;
    result.push_back(std::move(one));
  }
  return result;
}

Tally tally(const std::vector<StudyRow>& rows, bool with_transfers) {
  Tally result;
  std::map<std::string, std::size_t> leaders;
  for (const StudyGroup& group : study_groups(rows))
    for (const Standing& one : standings(group, with_transfers)) {
      ++result.problems;
      if (!one.contested()) {
        ++result.alone;
        continue;
      }
      ++result.contested;
      if (!one.missing.empty()) ++result.incomparable;
      if (one.tied())
        ++result.ties;
      else
        ++leaders[one.entrants.front().name];
    }
  result.leaders.assign(leaders.begin(), leaders.end());
  std::stable_sort(result.leaders.begin(), result.leaders.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return result;
}

std::vector<LeadRange> leaders_by_size(const std::vector<StudyRow>& rows) {
  Leaders leaders;
  for (const StudyGroup& group : study_groups(rows))
    for (const Standing& one : standings(group, false))
      if (one.contested() && one.row->plain()) ++leaders[one.row->n][one.entrants.front().name];
  return ranges_of(leaders);
}

Certainty certainty(const std::vector<StudyRow>& rows) {
  Certainty result;
  for (const StudyRow& row : rows)
    for (const Summary* s : row.all) {
      const Status status = s->measurement->status;
      if (lacks_device(*s)) {
        ++result.without_gpu;
        continue;
      }
      ++result.cases;
      if (status == Status::wrong) ++result.wrong;
      if (status == Status::impossible) ++result.too_fast;
      if (status == Status::failed || status == Status::timed_out) ++result.failed;
      const double share = s->ok() ? noise(s->call_time) : INFINITY;
      if (s->ok() && s->call_time.samples > 0) ++(std::isfinite(share) ? result.timed : result.few);
      if (!std::isfinite(share)) continue;
      if (share > 0.05) {
        ++result.noisy;
        ++result.noisy_by_column[column_of(*s)];
      }
      if (!result.noisiest || share > result.worst_noise) {
        result.noisiest = s;
        result.worst_noise = share;
      }
    }
  return result;
}

std::size_t Reasons::known() const {
  std::size_t sum = 0;
  for (const auto& [limit, list] : rows) sum += list.size();
  return sum;
}

Reasons reasons(const std::vector<StudyRow>& rows, bool largest) {
  Reasons result;
  std::vector<double> fractions;
  for (const StudyGroup& group : study_groups(rows)) {
    const std::vector<Standing> all = standings(group, false);
    for (std::size_t i = largest && !all.empty() ? all.size() - 1 : 0; i < all.size(); ++i) {
      const Summary& s = all[i].fastest();
      if (!all[i].contested()) continue;
      if (s.ceiling_fraction) fractions.push_back(*s.ceiling_fraction);
      if (s.limit == Limit::unknown) continue;
      result.rows[s.limit].push_back(all[i].row);
      result.on_host = result.on_host && s.on_host;
    }
  }
  if (!fractions.empty()) result.median_fraction = median_interval(fractions).median;
  return result;
}

std::optional<double> launch_cost(const std::vector<StudyRow>& rows, const std::string& model) {
  const Session* newest = nullptr;
  double cost = 0;
  std::set<const Session*> seen;
  for (const StudyRow& row : rows)
    for (const Summary* s : row.all) {
      if (!s->session || !seen.insert(s->session).second) continue;
      for (const Ceiling& ceiling : s->session->ceilings)
        if (ceiling.name == "launch_" + model && ceiling.value > 0 &&
            (!newest || s->session->started > newest->started)) {
          newest = s->session;
          cost = ceiling.value;
        }
    }
  return newest ? std::optional(cost) : std::nullopt;
}

}  // namespace sextant
