#include "predict/data_set.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "analysis/summary/summary.hpp"
#include "record/keys.hpp"

namespace sextant::predict {
namespace {

std::string machine_name(const Session& session) {
  const std::string threads = value_of(session.environment, "openmp.threads");
  return machine_of(session) + (threads.empty() ? "" : "/" + threads);
}

// Integer operations came later than the others: sessions of before do not have them.
bool same_work(const Work& a, const Work& b) {
  return a.bytes_read == b.bytes_read && a.bytes_written == b.bytes_written && a.flops == b.flops &&
         a.items == b.items;
}

std::size_t kinds_of_ceilings(const Session& session) {
  std::set<std::pair<std::string, std::string>> kinds;
  for (const Ceiling& ceiling : session.ceilings) kinds.emplace(ceiling.device, ceiling.name);
  return kinds.size();
}

// Of each machine's sessions the newest of those with the most kinds of ceilings: one that measured the GPU alone says
// nothing of the processor.
std::vector<DataMachine> machines_of(const Results& results) {
  std::map<std::string, const Session*> best;
  for (const Session& session : results.sessions) {
    const auto rank = [](const Session& s) { return std::tuple(kinds_of_ceilings(s), s.started, s.command); };
    const Session*& known = best[machine_name(session)];
    if (!known || rank(*known) < rank(session)) known = &session;
  }
  std::vector<DataMachine> machines;
  for (const auto& [name, session] : best) machines.push_back({name, profile_of(*session)});
  return machines;
}

DataRow row_of(const Summary& summary) {
  const Measurement& m = *summary.measurement;
  DataRow row;
  row.what = m.what;
  row.aside = summary.aside || summary.ranks > 0;  // problems in parts are no choice between models
  row.option = row.aside ? std::nullopt : option_of(model_of(m.what.variant), m.what.device);
  row.threads = text_of(summary.threads);
  row.timestamp = m.timestamp;
  row.standard_tuning = m.standard_tuning;
  row.status = m.status;
  if (m.status != Status::ok) return row;
  row.call = summary.call_time;
  row.device = summary.device_time;
  row.whole = summary.time_with_transfers();
  row.copy_in = summary.h2d_time;
  row.copy_out = summary.d2h_time;
  if (summary.alloc_time.samples) row.allocation = summary.alloc_time.median;
  return row;
}

// Looks up and keeps the forms of a data set's problems.
class Problems {
 public:
  Problems(const FormSource& forms, DataSet* data) : forms_(forms), data_(data) {}

  // Nothing, and a line in left_out, where the form is not known or another kernel's.
  std::optional<std::size_t> find(const Measurement& m) {
    const Case problem = problem_case(m.what);
    const std::string name = name_of_problem(problem);
    const auto found = places_.find(name);
    const auto place = found != places_.end() ? found->second : add(name, problem);
    if (!place) return leave_out(m.what.kernel + ": this build does not know it at that problem");
    std::string& named = data_->problems[*place].what.problem_class;
    named =
        std::min(named, problem.problem_class);  // asked for by a name and by its size: whichever came first
    const bool measured = m.status == Status::ok || m.status == Status::wrong;
    if (measured && !same_work(data_->problems[*place].known.form.work, m.work))
      return leave_out(m.what.kernel + ": it counted its work otherwise when it was measured");
    return place;
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

  std::nullopt_t leave_out(const std::string& why) {
    auto& all = data_->left_out;
    if (std::find(all.begin(), all.end(), why) == all.end()) all.push_back(why);
    return std::nullopt;
  }

  const FormSource& forms_;
  DataSet* data_;
  std::map<std::string, std::optional<std::size_t>> places_;
};

// By names alone, and problems without rows gone.
void put_in_order(DataSet* data) {
  std::map<std::string, std::size_t> used;  // name -> place as it is
  for (const DataRow& row : data->rows) used[data->problems[row.problem].name] = row.problem;
  std::vector<DataProblem> problems;
  std::vector<std::size_t> places(data->problems.size());
  for (const auto& [name, place] : used) {
    places[place] = problems.size();
    problems.push_back(std::move(data->problems[place]));
  }
  data->problems = std::move(problems);
  for (DataRow& row : data->rows) row.problem = places[row.problem];
  const auto order = [](const DataRow& row) {
    return std::tuple(row.machine, row.problem, key_of(row.what), row.threads, row.timestamp);
  };
  std::sort(data->rows.begin(), data->rows.end(),
            [&](const DataRow& a, const DataRow& b) { return order(a) < order(b); });
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
  }
  return all;
}

DataSet data_set_of(const Results& results, const FormSource& forms) {
  DataSet data;
  data.machines = machines_of(results);
  Problems problems(forms, &data);
  for (const Summary& summary : summarise(results)) {
    if (!summary.current || !summary.session || summary.measurement->status == Status::skipped) continue;
    const auto problem = problems.find(*summary.measurement);
    if (!problem) continue;
    DataRow row = row_of(summary);
    row.problem = *problem;
    const std::string name = machine_name(*summary.session);
    row.machine =
        static_cast<std::size_t>(std::find_if(data.machines.begin(), data.machines.end(),
                                              [&](const DataMachine& m) { return m.name == name; }) -
                                 data.machines.begin());
    data.rows.push_back(std::move(row));
  }
  put_in_order(&data);
  return data;
}

}  // namespace sextant::predict
