#include "predict/data_set.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <tuple>

#include "analysis/summary/summary.hpp"
#include "predict/data_machines.hpp"
#include "record/keys.hpp"

namespace sextant::predict {
namespace {

// Compares the amounts of work, except integer operations, which older sessions do not contain.
bool same_work(const Work& a, const Work& b) {
  return a.bytes_read == b.bytes_read && a.bytes_written == b.bytes_written && a.flops == b.flops &&
         a.items == b.items;
}

DataRow row_of(const Summary& summary) {
  const Measurement& m = *summary.measurement;
  DataRow row;
  row.what = m.what;
  // A problem split among ranks or devices says nothing about programming models, so it is not ranked.
  row.excluded_from_ranking = summary.excluded_from_ranking || summary.parts > 0;
  row.option = row.excluded_from_ranking ? std::nullopt : option_of(model_of(m.what.variant), m.what.device);
  row.threads = text_of(summary.threads);
  row.timestamp = m.timestamp;
  row.standard_tuning = m.standard_tuning;
  row.status = m.status;
  if (m.status != Status::ok) return row;
  if (m.isolation != Isolation::calls_disturbed)
    row.call = summary.call_time, row.whole = summary.time_with_transfers();
  row.device = summary.device_time;
  row.copy_in = summary.h2d_time;
  row.copy_out = summary.d2h_time;
  if (summary.alloc_time.samples) row.allocation = summary.alloc_time.median;
  return row;
}

// Finds and caches the kernel properties of a data set's problems.
class Problems {
 public:
  Problems(const FormSource& forms, DataSet* data) : forms_(forms), data_(data) {}

  // Index of the problem. If this build does not know it, or if the measured work differs from this build's,
  // returns nothing and adds a line to `left_out`.
  std::optional<std::size_t> find(const Case& what, const std::optional<Work>& measured) {
    const Case problem = problem_case(what);
    const std::string name = name_of_problem(problem);
    const auto found = places_.find(name);
    const auto place = found != places_.end() ? found->second : add(name, problem);
    if (!place) return leave_out(what.kernel + ": this build has no such kernel or problem");
    std::string& named = data_->problems[*place].what.problem_class;
    // A problem may be selected by class name or by size. Keeping the smallest name makes the result
    // independent of the order of the measurements.
    named = std::min(named, problem.problem_class);
    if (measured && !same_work(data_->problems[*place].known.form.work, *measured))
      return leave_out(what.kernel +
                       ": this build counts a different amount of work than the measurement did");
    return place;
  }

  std::nullopt_t leave_out(const std::string& why) {
    auto& all = data_->left_out;
    if (std::find(all.begin(), all.end(), why) == all.end()) all.push_back(why);
    return std::nullopt;
  }

 private:
  std::optional<std::size_t> add(const std::string& name, const Case& problem) {
    std::optional<std::size_t>& place = places_[name];
    if (const auto known = forms_(problem)) {
      place = data_->problems.size();
      data_->problems.push_back({name, problem, *known});
    }
    return place;
  }

  const FormSource& forms_;
  DataSet* data_;
  std::map<std::string, std::optional<std::size_t>> places_;
};

std::optional<Work> measured_work(Status status, const Work& work) {
  return status == Status::ok || status == Status::wrong ? std::optional(work) : std::nullopt;
}

// Keeps the newest row of each case, separately for every machine and number of threads.
class Rows {
 public:
  explicit Rows(DataSet* data) : data_(data) {}

  void add(DataRow row) {
    const auto [place, fresh] = places_.try_emplace(key(row), data_->rows.size());
    if (fresh)
      data_->rows.push_back(std::move(row));
    else if (order(data_->rows[place->second]) < order(row))
      data_->rows[place->second] = std::move(row);
  }

 private:
  // Tunables are sorted by name, as in an exported table.
  static std::string key(const DataRow& row) {
    Case what = row.what;
    std::sort(what.tuning.begin(), what.tuning.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    return std::to_string(row.machine) + '|' + key_of(what) + '|' + row.threads;
  }
  static std::tuple<std::string, double, double> order(const DataRow& row) {
    return {row.timestamp, row.call.median, row.whole.median};
  }

  DataSet* data_;
  std::map<std::string, std::size_t> places_;
};

void add_measured(const Results& results, Problems* problems, DataSet* data, Rows* rows) {
  for (const Summary& summary : summarise(results)) {
    const Measurement& m = *summary.measurement;
    if (!summary.session || m.status == Status::skipped || m.what.fill != InputFill::uniform) continue;
    const auto problem = problems->find(m.what, measured_work(m.status, m.work));
    if (!problem) continue;
    DataRow row = row_of(summary);
    row.problem = *problem;
    row.machine = place_of(*data, machine_name(*summary.session));
    rows->add(std::move(row));
  }
}

// Pairs of kernel and variant that a session excludes from ranking.
std::set<std::pair<std::string, std::string>> excluded_variants(const Results& results) {
  std::set<std::pair<std::string, std::string>> all;
  for (const Session& session : results.sessions)
    for (const auto& [kernel, description] : session.kernels)
      for (const std::string& variant : description.excluded_from_ranking) all.emplace(kernel, variant);
  return all;
}

void add_exported(const std::vector<ExportedCase>& cases, const Results& results, Problems* problems,
                  DataSet* data, Rows* rows) {
  const auto excluded = excluded_variants(results);
  for (const ExportedCase& one : cases) {
    if (one.row.status == Status::skipped) continue;
    const std::string threads = one.row.threads.substr(0, one.row.threads.find(' '));
    const auto machine = place_of(*data, one.machine, threads);
    if (!machine) {
      problems->leave_out(one.machine + (threads.empty() ? "" : "/" + threads) +
                          ": no results file describes this machine");
      continue;
    }
    const auto problem = problems->find(one.row.what, measured_work(one.row.status, one.work));
    if (!problem) continue;
    DataRow row = one.row;
    row.machine = *machine, row.problem = *problem;
    row.excluded_from_ranking = excluded.contains({row.what.kernel, row.what.variant});
    if (row.excluded_from_ranking) row.option.reset();
    rows->add(std::move(row));
  }
}

SearchedPoint point_of(const Search& search, const SearchStep& step) {
  SearchedPoint point;
  point.what = search.space;
  point.what.tuning = step.tuning;
  point.option = option_of(model_of(point.what.variant), point.what.device);
  point.goal = search.goal;
  point.effort = step.effort;
  point.status = step.status;
  if (step.status != Status::ok || !(step.time > 0)) return point;
  point.time = step.time, point.low = step.low, point.high = step.high;
  point.samples = step.samples;
  return point;
}

// Adds each searched point as measured by the newest search. Skips steps whose time a search read from its
// file, because an earlier search measured them.
void add_searched(const Results& results, Problems* problems, DataSet* data) {
  std::map<std::int64_t, const Session*> sessions;
  for (const Session& session : results.sessions) sessions[session.id] = &session;
  std::map<std::string, std::tuple<std::string, std::int64_t, SearchedPoint>> newest;
  for (const Search& search : results.searches) {
    const auto session = sessions.find(search.session);
    const auto problem =
        session == sessions.end() ? std::nullopt : problems->find(search.space, std::nullopt);
    if (!problem || !minimizes_time(search)) continue;
    for (const SearchStep& step : search.steps) {
      if (step.known) continue;
      SearchedPoint point = point_of(search, step);
      point.problem = *problem;
      point.machine = place_of(*data, machine_name(*session->second));
      const std::string key = std::to_string(point.machine) + '|' + key_of(point.what) + '|' + point.goal;
      std::tuple value(session->second->started, point.samples, std::move(point));
      const auto [place, fresh] = newest.try_emplace(key, value);
      if (!fresh && std::tie(std::get<0>(place->second), std::get<1>(place->second)) <
                        std::tie(std::get<0>(value), std::get<1>(value)))
        place->second = std::move(value);
    }
  }
  for (auto& [key, value] : newest) data->searched.push_back(std::move(std::get<2>(value)));
}

// Sorts machines and problems by name, and removes problems without rows.
void put_in_order(DataSet* data) {
  std::map<std::string, std::size_t> used;  // name -> current index
  for (const DataRow& row : data->rows) used[data->problems[row.problem].name] = row.problem;
  for (const SearchedPoint& point : data->searched) used[data->problems[point.problem].name] = point.problem;
  std::vector<DataProblem> problems;
  std::vector<std::size_t> places(data->problems.size());
  for (const auto& [name, place] : used) {
    places[place] = problems.size();
    problems.push_back(std::move(data->problems[place]));
  }
  data->problems = std::move(problems);
  for (DataRow& row : data->rows) row.problem = places[row.problem];
  for (SearchedPoint& point : data->searched) point.problem = places[point.problem];
  const auto by = [](const auto& order) {
    return [&order](const auto& a, const auto& b) { return order(a) < order(b); };
  };
  const auto row_order = [](const DataRow& row) {
    return std::tuple(row.machine, row.problem, key_of(row.what), row.threads, row.timestamp);
  };
  const auto point_order = [](const SearchedPoint& point) {
    return std::tuple(point.machine, point.problem, key_of(point.what), point.goal);
  };
  std::sort(data->rows.begin(), data->rows.end(), by(row_order));
  std::sort(data->searched.begin(), data->searched.end(), by(point_order));
  std::sort(data->left_out.begin(), data->left_out.end());
}

}  // namespace

std::string name_of_problem(const Case& what) {
  const Problem& problem = what.problem;
  std::string name =
      what.kernel + " " + sextant::name_of(problem.type) + " " + std::to_string(problem.n) + " ";
  const Extents& e = problem.extents;
  name += e.y == 1 && e.z == 1 ? std::to_string(e.x) : shape_text(e);
  if (problem.parameters != std::array<std::int64_t, 4>{}) {
    name += " parameters ";
    for (std::size_t i = 0; i < problem.parameters.size(); ++i)
      name += (i > 0 ? "," : "") + std::to_string(problem.parameters[i]);
  }
  return name + (what.cache == CacheMode::cold ? " cold" : "");
}

Results joined(std::vector<Results> files) {
  Results all;
  for (Results& file : files) {
    std::map<std::int64_t, std::int64_t> numbers;
    for (Session& session : file.sessions) {
      const auto id = static_cast<std::int64_t>(all.sessions.size()) + 1;
      numbers[session.id] = id;
      session.id = id;
      all.sessions.push_back(std::move(session));
    }
    for (StoredMeasurement& one : file.measurements) {
      one.session = numbers.at(one.session);
      all.measurements.push_back(std::move(one));
    }
    for (Search& one : file.searches) {
      one.session = numbers.at(one.session);
      all.searches.push_back(std::move(one));
    }
  }
  return all;
}

void append(DataSet other, DataSet* data) {
  const std::size_t machines = data->machines.size(), problems = data->problems.size();
  const auto add = [](auto& own, auto& more) {
    own.insert(own.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  for (DataRow& row : other.rows) row.machine += machines, row.problem += problems;
  for (SearchedPoint& point : other.searched) point.machine += machines, point.problem += problems;
  add(data->machines, other.machines), add(data->problems, other.problems);
  add(data->rows, other.rows), add(data->searched, other.searched);
  data->folds = machines == 0 ? std::move(other.folds) : std::map<std::string, std::string>();
}

DataSet data_set_of(const Results& results, const FormSource& forms,
                    const std::vector<ExportedCase>& exported) {
  DataSet data;
  data.machines = machines_of(results);
  Problems problems(forms, &data);
  Rows rows(&data);
  add_measured(results, &problems, &data, &rows);
  add_exported(exported, results, &problems, &data, &rows);
  add_searched(results, &problems, &data);
  put_in_order(&data);
  return data;
}

}  // namespace sextant::predict
