#include "predict/data_machines.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "predict/first_uses.hpp"

namespace sextant::predict {
namespace {

std::size_t kinds_of_ceilings(const Session& session) {
  std::set<std::pair<std::string, std::string>> kinds;
  for (const Ceiling& ceiling : session.ceilings) kinds.emplace(ceiling.device, ceiling.name);
  return kinds.size();
}

bool takes_time(const Ceiling& ceiling) {
  return ceiling.name.starts_with("launch") || ceiling.name.ends_with("_time") ||
         ceiling.name.ends_with("_latency");
}

// Keeps the best value of each ceiling over all sessions, because other work on the machine only makes it
// worse.
void keep_the_better(const Ceiling& found, std::vector<Ceiling>* ceilings) {
  for (Ceiling& known : *ceilings) {
    if (known.device != found.device || known.name != found.name || known.footprint != found.footprint)
      continue;
    known.value = takes_time(found) ? std::min(known.value, found.value) : std::max(known.value, found.value);
    return;
  }
  ceilings->push_back(found);
}

bool same_host(const Profile& a, const Profile& b) {
  return a.processor == b.processor && a.sockets == b.sockets && a.cores == b.cores &&
         a.threads == b.threads && a.l1_cache == b.l1_cache && a.l2_cache == b.l2_cache &&
         a.last_level_cache == b.last_level_cache;
}

bool same_link(const Profile& a, const Profile& b) {
  return a.gpu && b.gpu && a.gpu->pcie_generation == b.gpu->pcie_generation &&
         a.gpu->pcie_width == b.gpu->pcie_width;
}

// True for ceilings of copies and allocation, which depend on the PCIe link and the host rather than on the
// GPU.
bool is_of_link(const Ceiling& ceiling) {
  const auto begins = [&](const char* name) { return ceiling.name.starts_with(name); };
  return ceiling.device == "gpu0" &&
         (begins("h2d_") || begins("d2h_") || begins("alloc_") || begins("release_"));
}

// How much hardware two machines have in common, in ascending order.
enum class Likeness { none, host, host_and_link, hardware };

Likeness likeness(const Profile& a, const Profile& b) {
  if (hardware_of(a) == hardware_of(b)) return Likeness::hardware;
  if (!same_host(a, b)) return Likeness::none;
  return same_link(a, b) ? Likeness::host_and_link : Likeness::host;
}

// True if a machine of this likeness may supply the ceiling. The same hardware supplies every ceiling. The
// same host supplies CPU ceilings and, with the same PCIe link, those of copies and allocation.
bool lends(Likeness likeness, const Ceiling& ceiling) {
  if (likeness == Likeness::host_and_link && is_of_link(ceiling)) return true;
  return likeness == Likeness::hardware || (likeness >= Likeness::host && ceiling.device == "cpu");
}

// Fills in missing kinds of ceilings from the most similar machine that may supply them. Of equally similar
// machines, the one with more ceilings comes first.
void lend_ceilings(std::vector<DataMachine>* machines) {
  const std::vector<DataMachine> own = *machines;
  for (DataMachine& machine : *machines) {
    std::vector<const Profile*> lenders;
    for (const DataMachine& other : own) lenders.push_back(&other.profile);
    const auto rank = [&](const Profile* lender) {
      return std::tuple(likeness(*lender, machine.profile), lender->ceilings.size());
    };
    std::stable_sort(lenders.begin(), lenders.end(),
                     [&](const Profile* a, const Profile* b) { return rank(a) > rank(b); });
    std::set<std::pair<std::string, std::string>> known;
    const auto remember = [&] {
      for (const Ceiling& one : machine.profile.ceilings) known.emplace(one.device, one.name);
    };
    remember();
    for (const Profile* lender : lenders) {
      for (const Ceiling& one : lender->ceilings)
        if (lends(likeness(*lender, machine.profile), one) && !known.contains({one.device, one.name}))
          machine.profile.ceilings.push_back(one);
      remember();
    }
    digest(&machine.profile);
  }
}

}  // namespace

std::string machine_name(const Session& session) {
  const std::string threads = value_of(session.environment, "openmp.threads");
  return machine_of(session) + (threads.empty() ? "" : "/" + threads);
}

std::vector<DataMachine> machines_of(const Results& results) {
  std::map<std::string, std::vector<Ceiling>> ceilings;
  for (const Session& session : results.sessions)
    for (const Ceiling& one : session.ceilings) keep_the_better(one, &ceilings[machine_name(session)]);
  std::map<std::string, const Session*> best;
  for (const Session& session : results.sessions) {
    const auto rank = [](const Session& s) { return std::tuple(kinds_of_ceilings(s), s.started, s.command); };
    const Session*& known = best[machine_name(session)];
    if (!known || rank(*known) < rank(session)) known = &session;
  }
  std::vector<DataMachine> machines;
  for (const auto& [name, session] : best) {
    Session with_all = *session;
    with_all.ceilings = ceilings[name];
    machines.push_back({name, profile_of(with_all)});
    add_first_uses(first_uses(results, name), &machines.back().profile);
  }
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
