#include "predict/as_used.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "predict/advice.hpp"

namespace sextant::predict {
namespace {

constexpr double not_measured = 0.1;  // score of a variant that was not measured
constexpr int most_measured = 2;      // cases that the last way measures

std::size_t at(Option option) { return static_cast<std::size_t>(option); }

// The problems of one kernel and type on one machine, in ascending order of size.
struct Series {
  DataSet data;
  std::vector<double> sizes;  // of each problem
};

std::vector<Series> series_of(const DataSet& data) {
  std::map<std::pair<std::size_t, std::string>, std::set<std::tuple<std::int64_t, std::size_t>>> problems;
  for (const DataRow& row : data.rows) {
    const DataProblem& problem = data.problems[row.problem];
    if (problem.known.form.n > 0)
      problems[{row.machine, kernel_in_type(problem.what)}].insert({problem.known.form.n, row.problem});
  }
  std::vector<Series> all;
  for (const auto& [place, own] : problems) {
    Series series;
    series.data.machines = {data.machines[place.first]};
    std::map<std::size_t, std::size_t> places;
    for (const auto& [n, problem] : own) {
      places[problem] = series.data.problems.size();
      series.data.problems.push_back(data.problems[problem]);
      series.sizes.push_back(static_cast<double>(n));
    }
    for (const DataRow& row : data.rows)
      if (const auto found = places.find(row.problem); row.machine == place.first && found != places.end()) {
        series.data.rows.push_back(row);
        series.data.rows.back().machine = 0, series.data.rows.back().problem = found->second;
      }
    all.push_back(std::move(series));
  }
  return all;
}

const Interval& time_of(const DataRow& row, bool resident) { return resident ? row.call : row.whole; }

// True if the row has the time and takes part in the ranking.
bool counts(const DataRow& row, bool resident) {
  return row.option && row.status == Status::ok && time_of(row, resident).samples > 0;
}

// The least time of each option at a problem; 0 if it was not measured.
std::array<double, option_count> times_at(const Series& series, std::size_t problem, bool resident) {
  std::array<double, option_count> times = {};
  for (const DataRow& row : series.data.rows) {
    if (row.problem != problem || !counts(row, resident)) continue;
    double& time = times[at(*row.option)];
    if (time == 0 || time_of(row, resident).median < time) time = time_of(row, resident).median;
  }
  return times;
}

// A question about a problem of a series, of which some rows are known.
struct Ask {
  const AdviceModel* model;
  const Series* series;
  std::size_t problem;
  bool resident;
  double risk;
  const FirstVariant* first_variant;

  Advice answer(const DataSet& known) const {
    const DataProblem& of = series->data.problems[problem];
    Offered offered = {};
    std::array<std::set<std::string>, option_count> variants;
    for (const DataRow& row : series->data.rows)
      if (row.problem == problem && counts(row, true))
        offered[at(*row.option)] = true, variants[at(*row.option)].insert(row.what.variant);
    const Predictor predictor(*model, known.machines[0].profile, known, measured_problems(known));
    Asked asked = {
        .kernel = kernel_in_type(of.what), .problem = of.name, .form = of.known.form, .resident = resident};
    for (const Option option : all_options) asked.variants[at(option)] = variants[at(option)].size();
    const auto& threads = variants[at(Option::openmp)];
    asked.threads_take_turns = std::all_of(threads.begin(), threads.end(), takes_turns);
    return advise(predictor, asked, offered, risk);
  }
  std::string variant(const DataSet& known, Option option) const {
    const Case& what = series->data.problems[problem].what;
    const KnownBest best = known_best(known, hardware_of(known.machines[0].profile), what, option,
                                      learnt_as(option, resident ? Target::call : Target::whole));
    if (best.row) return best.row->what.variant;
    std::string first = (*first_variant)(what, option);
    if (first.empty())  // this build lacks the option
      for (const DataRow& row : series->data.rows)
        if (row.problem == problem && row.option == option &&
            (first.empty() || std::pair(takes_turns(row.what.variant), row.what.variant) <
                                  std::pair(takes_turns(first), first)))
          first = row.what.variant;
    return first;
  }
  // The rows of a variant at the problem, in all tunings.
  std::vector<const DataRow*> rows_of(const std::string& name) const {
    std::vector<const DataRow*> rows;
    for (const DataRow& row : series->data.rows)
      if (row.problem == problem && row.what.variant == name && counts(row, resident)) rows.push_back(&row);
    return rows;
  }
};

DataSet with_rows(const Series& series, const std::function<bool(const DataRow&)>& known) {
  DataSet part = series.data;
  std::erase_if(part.rows, [&](const DataRow& row) { return !known(row); });
  return part;
}

struct Sums {
  AsUsed score;
  double log_fraction = 0, log_line = 0, log_sure = 0;
  std::size_t sure = 0, lines = 0;
  std::vector<double> widths;

  AsUsed total() {
    const auto mean = [](double sum, std::size_t count) {
      return std::exp(sum / static_cast<double>(count));
    };
    score.fraction = mean(log_fraction, score.problems);
    if (lines > 0) score.line = mean(log_line, lines);
    score.sure = static_cast<double>(sure) / static_cast<double>(score.problems);
    if (sure > 0) score.fraction_when_sure = mean(log_sure, sure);
    std::sort(widths.begin(), widths.end());
    if (!widths.empty()) score.width = std::exp(widths[widths.size() / 2]);
    return score;
  }
};

// Counts the measured times inside the intervals of the answer.
void add_intervals(const Ask& ask, const Advice& advice, Sums* sums) {
  const auto times = times_at(*ask.series, ask.problem, ask.resident);
  const bool integers = ask.series->data.problems[ask.problem].known.form.work.flops == 0;
  for (const Option option : all_options) {
    const OptionTime& said = advice.prediction[at(option)];
    if (!(times[at(option)] > 0) || said.basis == Basis::nothing || said.basis == Basis::measured) continue;
    const bool inside = std::abs(std::log(times[at(option)]) - said.total.log_time) <= said.total.half_width;
    AsUsed& score = sums->score;
    Inside& own = on_gpu(option) ? score.gpu : option == Option::serial ? score.serial : score.threads;
    for (Inside* one : {&score.all, &own, integers ? &score.integers : nullptr})
      if (one) ++one->times, one->inside += inside ? 1 : 0;
    sums->widths.push_back(2 * said.total.half_width);
  }
}

// Adds an answer from the rows that are known.
void add(const Ask& ask, const DataSet& known, const Advice& advice, Sums* sums) {
  if (!advice.choice) return;
  double best = std::numeric_limits<double>::infinity(), own = best;
  for (const double time : times_at(*ask.series, ask.problem, ask.resident))
    if (time > 0) best = std::min(best, time);
  for (const DataRow* row : ask.rows_of(ask.variant(known, *advice.choice)))
    own = std::min(own, time_of(*row, ask.resident).median);
  const double fraction = std::isfinite(own) ? best / own : not_measured;
  ++sums->score.problems;
  sums->log_fraction += std::log(fraction);
  if (!advice.abstains) ++sums->sure, sums->log_sure += std::log(fraction);
  add_intervals(ask, advice, sums);
}

// The score of the option with the least time on the straight line through the probed sizes `small` and
// `small` + 1.
void add_line(const Ask& ask, std::size_t small, Sums* sums) {
  const std::vector<double>& n = ask.series->sizes;
  const auto low = times_at(*ask.series, small, ask.resident),
             high = times_at(*ask.series, small + 1, ask.resident),
             real = times_at(*ask.series, ask.problem, ask.resident);
  double best = std::numeric_limits<double>::infinity(), said = best, chosen = 0;
  for (const Option option : all_options) {
    const std::size_t i = at(option);
    if (!(real[i] > 0)) continue;
    best = std::min(best, real[i]);
    if (!(low[i] > 0) || !(high[i] > 0)) continue;
    const double slope = (high[i] - low[i]) / (n[small + 1] - n[small]);
    const double time = std::max(high[i] + slope * (n[ask.problem] - n[small + 1]), 1e-9);
    if (time < said) said = time, chosen = real[i];
  }
  if (!(chosen > 0)) return;
  ++sums->lines, sums->log_line += std::log(best / chosen);
}

// The rows up to the asked size that a second of probes measures, as `sextant advise` probes by default.
DataSet probed_for_a_second(const Ask& ask) {
  double left = probe_seconds;
  std::set<std::pair<std::size_t, Option>> known;
  for (std::size_t size = 0; size <= ask.problem; ++size) {
    const auto calls = times_at(*ask.series, size, true);
    for (const Option option : all_options) {
      const double seconds = seconds_of_probe(calls[at(Option::serial)], calls[at(option)]);
      if (!(calls[at(option)] > 0) || seconds > (size < 2 ? left : left / 2)) continue;
      left -= seconds;
      known.insert({size, option});
    }
  }
  return with_rows(*ask.series, [&](const DataRow& row) {
    return row.option && known.contains({row.problem, *row.option});
  });
}

// Measures what the advice names, as --measure 2 does.
std::pair<DataSet, Advice> measured_until_sure(const Ask& ask, DataSet known) {
  Advice advice = ask.answer(known);
  for (int i = 0; i < most_measured && advice.abstains; ++i) {
    const auto open = std::find_if(advice.to_measure.begin(), advice.to_measure.end(), [&](Option option) {
      return advice.prediction[at(option)].basis != Basis::measured;
    });
    if (open == advice.to_measure.end()) break;
    for (const DataRow* row : ask.rows_of(ask.variant(known, *open))) known.rows.push_back(*row);
    advice = ask.answer(known);
  }
  return {std::move(known), std::move(advice)};
}

// True if at least two options have the time at the problem, and no GPU option only has that of calls.
bool is_asked(const Series& series, std::size_t problem, bool resident) {
  const auto times = times_at(series, problem, resident), calls = times_at(series, problem, true);
  int options = 0;
  for (const Option option : all_options) {
    options += times[at(option)] > 0 ? 1 : 0;
    if (calls[at(option)] > 0 && !(times[at(option)] > 0)) return false;
  }
  return options > 1;
}

}  // namespace

std::vector<AsUsed> scores_as_used(const ModelOf& model, const DataSet& data, double risk,
                                   const FirstVariant& first_variant) {
  constexpr std::size_t probes = 2;  // pairs of probed sizes
  std::vector<Sums> sums;
  const char* ways[] = {"nothing run", "probed for a second", "sizes 1, 2 probed", "sizes 2, 3 probed",
                        "nothing run, 2 measured"};
  for (const bool resident : {true, false})
    for (const char* way : ways) {
      sums.emplace_back();
      sums.back().score.way = way, sums.back().score.resident = resident;
    }
  for (const Series& series : series_of(data))
    for (const bool resident : {true, false}) {
      Sums* own = &sums[resident ? 0 : std::size(ways)];
      const DataSet nothing = with_rows(series, [](const DataRow&) { return false; });
      for (std::size_t problem = 0; problem < series.sizes.size(); ++problem) {
        if (!is_asked(series, problem, resident)) continue;
        const Ask ask = {
            &model(series.data.problems[problem].what), &series, problem, resident, risk, &first_variant};
        add(ask, nothing, ask.answer(nothing), &own[0]);
        const DataSet default_probe = probed_for_a_second(ask);
        add(ask, default_probe, ask.answer(default_probe), &own[1]);
        for (std::size_t small = 0; small < std::min(probes, problem - std::min<std::size_t>(problem, 1));
             ++small) {
          const DataSet probed = with_rows(
              series, [&](const DataRow& row) { return row.problem == small || row.problem == small + 1; });
          add(ask, probed, ask.answer(probed), &own[2 + small]);
          add_line(ask, small, &own[2 + small]);
        }
        const auto [known, advice] = measured_until_sure(ask, nothing);
        add(ask, known, advice, &own[2 + probes]);
      }
    }
  std::vector<AsUsed> scores;
  for (Sums& one : sums)
    if (one.score.problems > 0) scores.push_back(one.total());
  return scores;
}

}  // namespace sextant::predict
