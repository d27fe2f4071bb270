#include "store/loading.hpp"

#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "base/error.hpp"
#include "record/json_text.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"
#include "record/renamed_tunables.hpp"
#include "record/threads.hpp"
#include "store/checksum.hpp"

namespace sextant::store {
namespace {

[[noreturn]] void changed(const Database& database, const std::string& what) {
  database.damaged(what + " was changed after it was stored");
}

// Converts a stored number to an enumerator. Numbers beyond a byte become 255, which is no valid enumerator,
// because a plain cast could wrap them to a valid one.
template <typename Listed>
Listed listed(std::int64_t value) {
  return static_cast<Listed>(value >= 0 && value < 255 ? value : 255);
}

// Upper bounds of stored numbers. 2^50 is the largest size that users can request. Counts of work are below
// 2^60, so that the sum of two fits in 64 bits.
constexpr std::int64_t most_points = std::int64_t{1} << 50, most_work = std::int64_t{1} << 60;

bool is_count(std::int64_t value, std::int64_t most) { return value >= 0 && value <= most; }

bool is_box(const Extents& extents) {
  std::int64_t points = 1;
  for (const std::int64_t extent : {extents.x, extents.y, extents.z})
    if (extent < 0 || __builtin_mul_overflow(points, extent, &points)) return false;
  return points <= most_points;
}

// Returns true if a run could have stored this measurement. It detects manipulated files, which have correct
// checksums.
bool is_possible(const Measurement& m) {
  const Problem& problem = m.what.problem;
  const Work& work = m.work;
  bool possible = problem.type <= ElementType::int32 && m.what.cache <= CacheMode::cold &&
                  m.what.fill <= InputFill::zeros && m.status <= Status::impossible &&
                  m.calls_per_sample > 0 && m.isolation.value_or(Isolation::alone) <= Isolation::not_tried &&
                  is_count(problem.n, most_points) && is_box(problem.extents);
  for (const std::int64_t amount : {work.bytes_read, work.bytes_written, work.flops, work.items,
                                    work.integer_operations, work.bytes_sent})
    possible = possible && is_count(amount, most_work);
  for (const Transfer& transfer : m.transfers) possible = possible && is_count(transfer.bytes, most_work);
  for (const SampledState& state : m.states)
    for (const SampleGroup& group : state.groups)
      possible = possible && group.samples > 0 && group.clock.value_or(1) > 0;
  return possible && m.energies.size() == m.energy_times.size();
}

std::vector<Session> load_sessions(const Database& database) {
  std::vector<Session> sessions;
  std::unordered_map<std::int64_t, std::size_t> index;
  std::vector<std::uint64_t> checksums;
  Statement session(database, "SELECT id, started, command, version, checksum FROM session ORDER BY id");
  while (session.step()) {
    index[session.integer(0)] = sessions.size();
    sessions.push_back({session.integer(0), session.text(1), session.text(2), session.text(3), {}, {}, {}});
    checksums.push_back(static_cast<std::uint64_t>(session.integer(4)));
  }
  Statement environment(database, "SELECT session, key, value FROM environment");
  while (environment.step())
    if (const auto found = index.find(environment.integer(0)); found != index.end())
      sessions[found->second].environment[environment.text(1)] = environment.text(2);
  for (std::size_t i = 0; i < sessions.size(); ++i)
    if (checksum(sessions[i]) != checksums[i]) changed(database, "the session of " + sessions[i].started);

  Statement ceiling(database, "SELECT session, device, name, footprint, value, checksum FROM ceiling");
  while (ceiling.step()) {
    const Ceiling c{ceiling.text(1), ceiling.text(2), ceiling.integer(3), ceiling.real(4)};
    if (checksum(c) != static_cast<std::uint64_t>(ceiling.integer(5)))
      changed(database, "the ceiling " + c.name);
    if (const auto found = index.find(ceiling.integer(0)); found != index.end())
      sessions[found->second].ceilings.push_back(c);
  }
  if (version_of(database) < 3) return sessions;
  Statement kernel(database, "SELECT session, name, description, checksum FROM kernel");
  while (kernel.step()) {
    const std::string name = kernel.text(1), text = kernel.text(2);
    if (checksum(name, text) != static_cast<std::uint64_t>(kernel.integer(3)))
      changed(database, "the description of " + name);
    if (const auto found = index.find(kernel.integer(0)); found != index.end())
      sessions[found->second].kernels[name] = description_from_json(text);
  }
  return sessions;
}

// Reads the searches, each with its steps in order.
std::vector<Search> load_searches(const Database& database) {
  std::vector<Search> searches;
  if (version_of(database) < 4) return searches;
  std::unordered_map<std::int64_t, std::size_t> index;
  Statement search(database, "SELECT id, session, key, description, checksum FROM search ORDER BY id");
  while (search.step()) {
    if (checksum(search.text(2), search.text(3)) != static_cast<std::uint64_t>(search.integer(4)))
      changed(database, "the search " + search.text(2));
    index[search.integer(0)] = searches.size();
    searches.push_back(search_from_json(search.text(3)));
    searches.back().session = search.integer(1);
  }
  Statement step(
      database,
      "SELECT search, tuning, known, effort, status, reason, time, low, high, samples, cost, checksum "
      "FROM search_step ORDER BY search, step");
  while (step.step()) {
    const auto found = index.find(step.integer(0));
    if (found == index.end()) continue;
    const SearchStep one{tuning_from_json(step.text(1)),
                         step.integer(2) != 0,
                         listed<Effort>(step.integer(3)),
                         listed<Status>(step.integer(4)),
                         step.text(5),
                         step.real(6),
                         step.real(7),
                         step.real(8),
                         step.integer(9),
                         step.real(10)};
    if (checksum(one) != static_cast<std::uint64_t>(step.integer(11)))
      changed(database, "a step of the search " + key_of(searches[found->second].space));
    if (one.status > Status::impossible || one.effort > Effort::checked_only)
      database.damaged("a step of the search " + key_of(searches[found->second].space) +
                       " has impossible values");
    searches[found->second].steps.push_back(one);
  }
  return searches;
}

// Completes cases with the descriptions of their kernels, and renames old tunables.
class DescribedCases {
 public:
  explicit DescribedCases(const std::vector<Session>& sessions) {
    for (const Session& one : sessions) sessions_[one.id] = &one.kernels;
  }

  void add_library(std::int64_t session, Case* what) const {
    what->thread_library = thread_library_by_name(what->variant);
    const KernelDescription* known = description(session, *what);
    if (!known) return;
    const auto library = known->thread_libraries.find(what->variant);
    if (library != known->thread_libraries.end()) what->thread_library = library->second;
  }

  void name(std::int64_t session, const Case& what, Tuning* tuning) const {
    rename_tunables(what.kernel, what.variant, tuning);
    // Tables store a choice as a number; the kernel's description has its text.
    if (const KernelDescription* known = description(session, what))
      add_texts(known->texts, what.variant, tuning);
  }

 private:
  const KernelDescription* description(std::int64_t session, const Case& what) const {
    const auto known = sessions_.find(session);
    if (known == sessions_.end()) return nullptr;
    const auto kernel = known->second->find(what.kernel);
    return kernel == known->second->end() ? nullptr : &kernel->second;
  }

  std::unordered_map<std::int64_t, const KernelDescriptions*> sessions_;
};

void add_described(Results* results) {
  const DescribedCases described(results->sessions);
  for (StoredMeasurement& one : results->measurements) {
    described.add_library(one.session, &one.measurement.what);
    described.name(one.session, one.measurement.what, &one.measurement.what.tuning);
  }
  for (Search& search : results->searches) {
    described.add_library(search.session, &search.space);
    described.name(search.session, search.space, &search.space.tuning);
    described.name(search.session, search.space, &search.standard);
    for (SearchStep& step : search.steps) described.name(search.session, search.space, &step.tuning);
    for (Finalist& one : search.finalists) described.name(search.session, search.space, &one.tuning);
  }
}

int to_int(std::int64_t value) { return static_cast<int>(value); }

Measurement read_measurement(const Statement& row) {
  Measurement m;
  m.what.kernel = row.text(2);
  m.what.variant = row.text(3);
  m.what.problem_class = row.text(4);
  m.what.problem.n = row.integer(5);
  m.what.problem.type = listed<ElementType>(row.integer(6));
  m.what.problem.extents = {row.integer(7), row.integer(8), row.integer(9)};
  for (int i = 0; i < 4; ++i) m.what.problem.parameters[static_cast<std::size_t>(i)] = row.integer(10 + i);
  m.what.device = row.text(14);
  m.what.cache = listed<CacheMode>(row.integer(15));
  m.status = listed<Status>(row.integer(16));
  m.reason = row.text(17);
  m.error = row.real(18);
  m.tolerance = row.real(19);
  m.seed = static_cast<std::uint64_t>(row.integer(20));
  m.call_times = row.doubles(21);
  m.device_times = row.doubles(22);
  m.alloc_times = row.doubles(23);
  m.end_to_end_times = row.doubles(24);
  m.what.problem.parts = parts_of(m.what.device);
  m.work = {row.integer(25), row.integer(26), row.integer(27), row.integer(28)};
  m.clock = row.optional_real(29);
  m.temperature = row.optional_real(30);
  m.power = row.optional_real(31);
  m.timestamp = row.text(32);
  m.standard_tuning = row.optional_bool(34);
  m.calls_per_sample = to_int(row.integer(35));
  m.clock_step = row.optional_real(36).value_or(0);
  m.prepare_times = row.doubles(37);
  m.first_call = row.optional_real(38);
  m.work.integer_operations = row.integer(39);
  m.work.bytes_sent = row.integer(40);
  m.compute_times = row.doubles(41);
  m.exchange_times = row.doubles(42);
  m.balance = row.optional_real(43);
  m.cores = row.optional_real(44);
  m.nodes = row.optional_int(45);
  if (const std::optional<int> isolation = row.optional_int(46)) m.isolation = listed<Isolation>(*isolation);
  m.seen_times = row.doubles(47);
  m.gap = row.optional_real(48).value_or(0);
  m.gap_times = row.doubles(49);
  m.gap_device_times = row.doubles(50);
  m.what.fill = listed<InputFill>(row.integer(51));
  m.energies = row.doubles(52);
  m.energy_times = row.doubles(53);
  m.energy_window = row.optional_real(54).value_or(0);
  m.idle_power = row.optional_real(55);
  m.steady_after = row.optional_real(56);
  return m;
}

// Rows of the table `measurement`. `index` maps a row's id to its position in results->measurements.
// `checksums` has the stored checksum for each position.
struct Rows {
  std::unordered_map<std::int64_t, std::size_t> index;
  std::vector<std::uint64_t> checksums;
};

Rows load_rows(const Database& database, Results* results) {
  const std::int64_t version = version_of(database);
  Statement row(
      database,
      "SELECT id, session, kernel, variant, problem_class, n, type, extent_x, extent_y, extent_z, "
      "parameter_0, parameter_1, parameter_2, parameter_3, device, cache, status, reason, error, tolerance, "
      "seed, call_times, device_times, alloc_times, end_to_end_times, bytes_read, bytes_written, flops, "
      "items, clock, temperature, power, timestamp, checksum, " +
          std::string(version < 3
                          ? "NULL, 1, NULL, NULL, NULL"
                          : "standard_tuning, calls_per_sample, clock_step, prepare_times, first_call") +
          (version < 5 ? ", 0" : ", integer_operations") +
          (version < 6 ? ", 0, NULL, NULL, NULL, NULL"
                       : ", bytes_sent, compute_times, exchange_times, balance, cores") +
          (version < 7 ? ", NULL" : ", nodes") + (version < 8 ? ", NULL" : ", isolation") +
          (version < 9 ? ", NULL" : ", seen_times") +
          (version < 11 ? ", NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL"
                        : ", gap, gap_times, gap_device_times, fill, energies, energy_times, energy_window, "
                          "idle_power, steady_after") +
          " FROM measurement ORDER BY id");
  Rows rows;
  while (row.step()) {
    rows.index[row.integer(0)] = results->measurements.size();
    results->measurements.push_back({read_measurement(row), row.integer(1)});
    rows.checksums.push_back(static_cast<std::uint64_t>(row.integer(33)));
  }
  return rows;
}

KernelLaunch read_launch(const Statement& s) {
  return {s.text(1),
          {to_int(s.integer(2)), to_int(s.integer(3)), to_int(s.integer(4))},
          {to_int(s.integer(5)), to_int(s.integer(6)), to_int(s.integer(7))},
          to_int(s.integer(8)),
          s.integer(9),
          s.real(10),
          s.real(11),
          s.integer(12)};
}

SampledState read_state(const Statement& s) {
  SampledState state;
  state.process = to_int(s.integer(1));
  const std::vector<double> samples = s.doubles(2), clocks = s.doubles(3), throttled = s.doubles(4);
  if (samples.size() != clocks.size() || samples.size() != throttled.size())
    throw UserError("a measurement has groups of samples without their state");
  for (std::size_t i = 0; i < samples.size(); ++i) {
    SampleGroup group;
    group.samples = samples[i] >= 1 && samples[i] <= 1e9 ? static_cast<int>(samples[i]) : 0;
    if (!std::isnan(clocks[i])) group.clock = clocks[i];
    if (!std::isnan(throttled[i])) group.throttled = throttled[i] != 0;
    state.groups.push_back(group);
  }
  state.power = s.optional_real(5);
  state.temperature = s.optional_real(6);
  state.throttle_reasons = s.text(7);
  return state;
}

// Reads the other tables. Adds each row to its measurement, in the stored order.
void load_parts(const Database& database, const Rows& rows, Results* results) {
  // Files of version 1 lack the number of launches and the counters.
  const bool first_version = version_of(database) == 1;
  const auto read_parts = [&](const std::string& table, const std::string& columns, auto&& read) {
    Statement part(database,
                   "SELECT measurement, " + columns + " FROM " + table + " ORDER BY measurement, position");
    while (part.step())
      if (const auto found = rows.index.find(part.integer(0)); found != rows.index.end())
        read(results->measurements[found->second].measurement, part);
  };
  read_parts("tuning", "name, value", [](Measurement& m, const Statement& s) {
    m.what.tuning.emplace_back(s.text(1), to_int(s.integer(2)));
  });
  read_parts("transfer", "array, to_device, method, bytes, times", [](Measurement& m, const Statement& s) {
    m.transfers.push_back({s.text(1), s.integer(2) != 0, s.text(3), s.integer(4), s.doubles(5)});
  });
  read_parts("launch",
             "name, grid_x, grid_y, grid_z, block_x, block_y, block_z, registers, shared_memory, occupancy, "
             "time, " +
                 std::string(first_version ? "1" : "count"),
             [](Measurement& m, const Statement& s) { m.launches.push_back(read_launch(s)); });
  read_parts("phase", "name, times", [](Measurement& m, const Statement& s) {
    m.phases.push_back({s.text(1), s.doubles(2)});
  });
  if (!first_version)
    read_parts("counter", "name, value",
               [](Measurement& m, const Statement& s) { m.counters.emplace_back(s.text(1), s.real(2)); });
  if (version_of(database) >= 8)
    read_parts("part", "device, compute, exchange, clock, power", [](Measurement& m, const Statement& s) {
      m.each.push_back(
          {s.text(1), s.optional_real(2), s.optional_real(3), s.optional_real(4), s.optional_real(5)});
    });
  if (version_of(database) >= 10)
    read_parts("visit", "process, call_times", [](Measurement& m, const Statement& s) {
      m.visits.push_back({to_int(s.integer(1)), s.doubles(2)});
    });
  if (version_of(database) >= 11)
    read_parts("state", "process, samples, clocks, throttled, power, temperature, throttle_reasons",
               [](Measurement& m, const Statement& s) { m.states.push_back(read_state(s)); });
  read_parts("warning", "text", [](Measurement& m, const Statement& s) { m.warnings.push_back(s.text(1)); });
}

// Throws UserError if a measurement does not match its checksum, or if no run can have stored it.
void require_unchanged(const Database& database, const Rows& rows, const Results& results) {
  for (std::size_t i = 0; i < rows.checksums.size(); ++i) {
    const Measurement& m = results.measurements[i].measurement;
    const std::string name = "a measurement of " + m.what.kernel + " " + m.what.variant;
    if (checksum(m) != rows.checksums[i]) changed(database, name);
    if (!is_possible(m)) database.damaged(name + " has impossible values");
  }
}

// Throws UserError if a measurement or a search refers to a missing session.
void require_sessions(const Database& database, const Results& results) {
  std::unordered_set<std::int64_t> sessions;
  for (const Session& session : results.sessions) sessions.insert(session.id);
  for (const StoredMeasurement& stored : results.measurements)
    if (!sessions.contains(stored.session)) database.damaged("a measurement belongs to no run");
  for (const Search& search : results.searches)
    if (!sessions.contains(search.session)) database.damaged("a search belongs to no run");
}

}  // namespace

Results load(const Database& database) try {
  Results results;
  results.sessions = load_sessions(database);
  const Rows rows = load_rows(database, &results);
  load_parts(database, rows, &results);
  require_unchanged(database, rows, results);
  results.searches = load_searches(database);
  require_sessions(database, results);
  add_described(&results);
  return results;
} catch (const UserError& error) {  // adds the file's name to errors of its JSON texts
  const std::string why = error.what();
  if (why.starts_with(database.path())) throw;
  database.damaged(why);
}

}  // namespace sextant::store
