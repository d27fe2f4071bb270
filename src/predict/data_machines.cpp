#include "predict/data_machines.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace sextant::predict {
namespace {

std::size_t kinds_of_ceilings(const Session& session) {
  std::set<std::pair<std::string, std::string>> kinds;
  for (const Ceiling& ceiling : session.ceilings) kinds.emplace(ceiling.device, ceiling.name);
  return kinds.size();
}

// A machine that measured no ceilings has those of the one with the same hardware that has most.
void lend_ceilings(std::vector<DataMachine>* machines) {
  for (DataMachine& machine : *machines) {
    if (!machine.profile.ceilings.empty()) continue;
    const DataMachine* most = nullptr;
    for (const DataMachine& other : *machines)
      if (hardware_of(other.profile) == hardware_of(machine.profile) &&
          other.profile.ceilings.size() > (most ? most->profile.ceilings.size() : 0))
        most = &other;
    if (!most) continue;
    machine.profile.ceilings = most->profile.ceilings;
    digest(&machine.profile);
  }
}

}  // namespace

std::string machine_name(const Session& session) {
  const std::string threads = value_of(session.environment, "openmp.threads");
  return machine_of(session) + (threads.empty() ? "" : "/" + threads);
}

std::vector<DataMachine> machines_of(const Results& results) {
  std::map<std::string, const Session*> best;
  for (const Session& session : results.sessions) {
    const auto rank = [](const Session& s) { return std::tuple(kinds_of_ceilings(s), s.started, s.command); };
    const Session*& known = best[machine_name(session)];
    if (!known || rank(*known) < rank(session)) known = &session;
  }
  std::vector<DataMachine> machines;
  for (const auto& [name, session] : best) machines.push_back({name, profile_of(*session)});
  lend_ceilings(&machines);
  return machines;
}

std::size_t place_of(const DataSet& data, const std::string& machine) {
  return static_cast<std::size_t>(std::find_if(data.machines.begin(), data.machines.end(),
                                               [&](const DataMachine& m) { return m.name == machine; }) -
                                  data.machines.begin());
}

std::optional<std::size_t> place_of(const DataSet& data, const std::string& host,
                                    const std::string& threads) {
  std::optional<std::size_t> most;
  for (std::size_t i = 0; i < data.machines.size(); ++i) {
    const DataMachine& machine = data.machines[i];
    if (machine.profile.machine != host) continue;
    if (!threads.empty() && machine.name != host + "/" + threads) continue;
    if (!most || machine.profile.threads > data.machines[*most].profile.threads) most = i;
  }
  return most;
}

}  // namespace sextant::predict
