#include "store/writing.hpp"

#include <limits>

#include "record/json_text.hpp"
#include "record/keys.hpp"
#include "record/threads.hpp"
#include "store/checksum.hpp"

namespace sextant::store {
namespace {

constexpr const char* parts[] = {"tuning",  "transfer", "launch", "phase", "counter",
                                 "warning", "part",     "visit",  "state"};

}  // namespace

std::int64_t Writer::session_of(const Session& session) {
  const std::string machine = machine_of(session);
  Statement find(database_, "SELECT id FROM session WHERE started = ? AND machine = ? AND command = ?");
  find.bind(session.started, machine, session.command);
  if (find.step()) {
    const std::int64_t id = find.integer(0);
    add_kernels(id, session.kernels);
    return id;
  }
  Statement(database_, "INSERT INTO session VALUES (NULL, ?, ?, ?, ?, ?)")
      .bind(session.started, machine, session.command, session.version, checksum(session))
      .run();
  const std::int64_t id = database_.last_row();
  Statement environment(database_, "INSERT INTO environment VALUES (?, ?, ?)");
  for (const auto& [key, value] : session.environment) environment.bind(id, key, value).run();
  add_ceilings(id, session.ceilings);
  add_kernels(id, session.kernels);
  return id;
}

void Writer::add_kernels(std::int64_t session, const KernelDescriptions& kernels) {
  for (const auto& [name, description] : kernels) {
    const std::string text = to_json(description);
    kernel_.bind(session, name, text, checksum(name, text)).run();
  }
}

void Writer::add_ceilings(std::int64_t session, const std::vector<Ceiling>& ceilings) {
  for (const Ceiling& c : ceilings)
    ceiling_.bind(session, c.device, c.name, c.footprint, c.value, checksum(c)).run();
}

void Writer::add_environment(std::int64_t session, const Environment& more, std::uint64_t sum) {
  Statement entry(database_, "INSERT OR REPLACE INTO environment VALUES (?, ?, ?)");
  for (const auto& [key, value] : more) entry.bind(session, key, value).run();
  Statement(database_, "UPDATE session SET checksum = ? WHERE id = ?").bind(sum, session).run();
  environments_.erase(session);
}

const Environment& Writer::environment_of(std::int64_t session) {
  const auto [found, fresh] = environments_.try_emplace(session);
  if (!fresh) return found->second;
  Statement entry(database_, "SELECT key, value FROM environment WHERE session = ?");
  entry.bind(session);
  while (entry.step()) found->second[entry.text(0)] = entry.text(1);
  return found->second;
}

void Writer::add_replacing(std::int64_t session, const Measurement& m) {
  const std::string key = key_of(m.what);
  const std::string threads = text_of(threads_of(environment_of(session), m.what));
  std::vector<std::int64_t> old;
  // The new row takes the id of the row with the same case in this session.
  std::optional<std::int64_t> place;
  equal_cases_.bind(key, session);
  while (equal_cases_.step())
    if (text_of(threads_of(environment_of(equal_cases_.integer(1)), m.what)) == threads) {
      old.push_back(equal_cases_.integer(0));
      if (equal_cases_.integer(1) == session) place = old.back();
    }
  equal_cases_.reset();
  for (const std::int64_t id : old) remove(id);
  insert(session, key, m, place);
}

void Writer::add_missing(std::int64_t session, const Measurement& m) {
  const std::string key = key_of(m.what);
  same_case_.bind(key, session);
  const bool there = same_case_.step();
  same_case_.reset();
  if (!there) insert(session, key, m);
}

void Writer::insert(std::int64_t session, const std::string& key, const Measurement& m,
                    std::optional<std::int64_t> place) {
  const Problem& p = m.what.problem;
  measurement_
      .bind(place, session, key, m.what.kernel, m.what.variant, m.what.problem_class, p.n,
            static_cast<int>(p.type), p.extents.x, p.extents.y, p.extents.z, p.parameters[0], p.parameters[1],
            p.parameters[2], p.parameters[3], m.what.device, static_cast<int>(m.what.cache),
            static_cast<int>(m.status), m.reason, m.error, m.tolerance, m.seed, m.call_times, m.device_times,
            m.alloc_times, m.end_to_end_times, m.work.bytes_read, m.work.bytes_written, m.work.flops,
            m.work.items, m.clock, m.temperature, m.power, m.timestamp, checksum(m), m.standard_tuning,
            m.calls_per_sample, m.clock_step > 0 ? std::optional<double>(m.clock_step) : std::nullopt,
            m.prepare_times, m.first_call, m.work.integer_operations, m.work.bytes_sent, m.compute_times,
            m.exchange_times, m.balance, m.cores, m.nodes,
            m.isolation ? std::optional<int>(static_cast<int>(*m.isolation)) : std::nullopt, m.seen_times,
            m.gap > 0 ? std::optional<double>(m.gap) : std::nullopt, m.gap_times, m.gap_device_times,
            static_cast<int>(m.what.fill), m.energies, m.energy_times,
            m.energies.empty() ? std::nullopt : std::optional<double>(m.energy_window), m.idle_power,
            m.steady_after)
      .run();
  const std::int64_t id = database_.last_row();
  int position = 0;
  for (const auto& [name, value] : m.what.tuning) tuning_.bind(id, position++, name, value.number).run();
  position = 0;
  for (const Transfer& t : m.transfers)
    transfer_.bind(id, position++, t.array, t.to_device, t.method, t.bytes, t.times).run();
  position = 0;
  for (const KernelLaunch& l : m.launches)
    launch_
        .bind(id, position++, l.name, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1], l.block[2],
              l.registers, l.shared_memory, l.occupancy, l.time, l.count)
        .run();
  position = 0;
  for (const Phase& p2 : m.phases) phase_.bind(id, position++, p2.name, p2.times).run();
  position = 0;
  for (const auto& [name, value] : m.counters) counter_.bind(id, position++, name, value).run();
  position = 0;
  for (const Part& p2 : m.each)
    one_part_.bind(id, position++, p2.device, p2.compute, p2.exchange, p2.clock, p2.power).run();
  position = 0;
  for (const Visit& visit : m.visits) visit_.bind(id, position++, visit.process, visit.call_times).run();
  position = 0;
  for (const SampledState& state : m.states) insert_state(id, position++, state);
  position = 0;
  for (const std::string& text : m.warnings) warning_.bind(id, position++, text).run();
}

void Writer::insert_state(std::int64_t id, int position, const SampledState& state) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> samples, clocks, throttled;
  for (const SampleGroup& group : state.groups) {
    samples.push_back(group.samples);
    clocks.push_back(group.clock.value_or(unknown));
    throttled.push_back(group.throttled ? *group.throttled : unknown);
  }
  state_
      .bind(id, position, state.process, samples, clocks, throttled, state.power, state.temperature,
            state.throttle_reasons)
      .run();
}

void Writer::remove(std::int64_t id) {
  for (const char* part : parts)
    Statement(database_, std::string("DELETE FROM ") + part + " WHERE measurement = ?").bind(id).run();
  Statement(database_, "DELETE FROM measurement WHERE id = ?").bind(id).run();
}

std::int64_t Writer::find_search(std::int64_t session, const std::string& key) {
  search_of_.bind(key, session);
  const std::int64_t id = search_of_.step() ? search_of_.integer(0) : 0;
  search_of_.reset();
  return id;
}

void Writer::insert_search(std::int64_t session, const Search& one) {
  const std::string key = key_of(one.space), text = to_json(one);
  search_.bind(session, key, text, checksum(key, text)).run();
  const std::int64_t id = database_.last_row();
  for (std::size_t i = 0; i < one.steps.size(); ++i) add_step(id, i, one.steps[i]);
}

void Writer::add_replacing(std::int64_t session, const Search& one) {
  if (const std::int64_t id = find_search(session, key_of(one.space))) {
    Statement(database_, "DELETE FROM search_step WHERE search = ?").bind(id).run();
    Statement(database_, "DELETE FROM search WHERE id = ?").bind(id).run();
  }
  insert_search(session, one);
}

void Writer::add_step(std::int64_t id, std::size_t index, const SearchStep& s) {
  search_step_
      .bind(id, static_cast<std::int64_t>(index), to_json(s.tuning), s.known, static_cast<int>(s.effort),
            static_cast<int>(s.status), s.reason, s.time, s.low, s.high, s.samples, s.cost, checksum(s))
      .run();
}

}  // namespace sextant::store
