// Finds the function on the host that computes the same as a launcher.
#include <algorithm>
#include <optional>

#include "own/description/array_type.hpp"
#include "own/draft/function_fit.hpp"
#include "own/draft/launchers.hpp"
#include "own/draft/returned_results.hpp"
#include "own/draft/same_parameters.hpp"

namespace sextant::own {
namespace {

constexpr const char* stream_type = "CUstream_st";

bool launches_a_kernel(const Signature& one, const std::vector<Signature>& functions) {
  return std::any_of(functions.begin(), functions.end(), [&](const Signature& kernel) {
    return kernel.kernel && std::any_of(kernel.calls.begin(), kernel.calls.end(),
                                        [&](const CallSite& site) { return site.caller == one.body; });
  });
}

bool is_launcher(const Signature& one, const std::vector<Signature>& functions) {
  if (one.kernel || !one.launches || one.copies || !one.unfit.empty() || !one.templates.empty()) return false;
  Signature without_streams = one;
  without_streams.launches = false;
  std::erase_if(without_streams.parameters, [](const Parameter& p) { return p.type == stream_type; });
  const std::string why = why_unfit(without_streams);
  const bool refers = std::any_of(one.parameters.begin(), one.parameters.end(),
                                  [](const Parameter& p) { return p.element && p.written; });
  return (why.empty() || why == writes_nothing) && !refers && launches_a_kernel(one, functions);
}

bool is_host(const Signature& one) {
  if (one.kernel || one.launches) return false;
  const std::string why = why_unfit(one);
  return why.empty() || (why == writes_nothing && returns_a_number(one));
}

bool same_kind(const Parameter& a, const Parameter& b) {
  if (a.pointer || b.pointer) return a.pointer == b.pointer && a.type == b.type;
  return whole_casts().contains(a.type) == whole_casts().contains(b.type);
}

// How kernels use an array that a launcher is given.
struct KernelUse {
  bool written = false, read = false;
  bool known = false;    // true if the launcher passes it to a kernel
  bool swapped = false;  // true if it does so in a loop that swaps arrays
};

KernelUse use_of(const Signature& launcher, const Parameter& array, const std::vector<Signature>& functions) {
  KernelUse use;
  for (const Signature& kernel : functions)
    for (const CallSite& site : kernel.calls)
      for (std::size_t i = 0; kernel.kernel && site.caller == launcher.body && i < site.passed.size() &&
                              i < kernel.parameters.size();
           ++i)
        if (site.passed[i] == array.name)
          use.written = use.written || kernel.parameters[i].written,
          use.read = use.read || kernel.parameters[i].read, use.known = true,
          use.swapped = use.swapped || site.swapped.first > 0;
  return use;
}

class Matching {
 public:
  Matching(const Signature& launcher, const Signature& host, const std::vector<Signature>& functions)
      : functions_(functions) {
    pair_.launcher = &launcher, pair_.host = &host;
    pair_.counterparts.assign(launcher.parameters.size(), LauncherPair::none);
  }

  // Returns the pair, or nothing if some result of the host function has no counterpart.
  std::optional<LauncherPair> pair() {
    match_names();
    const bool by_name = has_results();
    const bool related = stem_of(pair_.launcher->name) == stem_of(pair_.host->name);
    if (related && (!by_name || misses_an_array(false))) match_order();
    if (related) match_rest();
    match_returned();
    if ((!related && (!by_name || repeats())) || !has_results() || misses_an_array(related)) return {};
    return pair_;
  }
  std::size_t matched() const {
    return static_cast<std::size_t>(std::count_if(pair_.counterparts.begin(), pair_.counterparts.end(),
                                                  [](int one) { return one >= 0; }));
  }

 private:
  const std::vector<Parameter>& own() const { return pair_.launcher->parameters; }
  const std::vector<Parameter>& hosts() const { return pair_.host->parameters; }
  bool is_free(std::size_t parameter) const {
    return pair_.counterparts[parameter] == LauncherPair::none && own()[parameter].type != stream_type;
  }
  bool has(std::size_t host) const { return pair_.has(static_cast<int>(host)); }

  // Returns true if the parameters have the same kind, and both functions write the array or neither does.
  bool fits(std::size_t parameter, std::size_t host) const {
    if (own()[parameter].on_host && hosts()[host].written) return false;
    const KernelUse used = use(parameter);
    const bool same =
        !used.known || used.swapped || own()[parameter].element || used.written == hosts()[host].written;
    return same_kind(own()[parameter], hosts()[host]) && (!own()[parameter].pointer || same);
  }

  void match_names() {
    for (std::size_t i = 0; i < own().size(); ++i)
      for (std::size_t k = 0; k < hosts().size(); ++k)
        if (is_free(i) && !has(k) && fits(i, k) &&
            without_mark(own()[i].name) == without_mark(hosts()[k].name))
          pair_.counterparts[i] = static_cast<int>(k);
  }

  // Matches all parameters by their order, if they have the same kinds.
  void match_order() {
    std::vector<std::size_t> given;
    for (std::size_t i = 0; i < own().size(); ++i)
      if (own()[i].type != stream_type) given.push_back(i);
    if (given.size() != hosts().size()) return;
    for (std::size_t k = 0; k < given.size(); ++k)
      if (!fits(given[k], k)) return;
    for (std::size_t k = 0; k < given.size(); ++k) pair_.counterparts[given[k]] = static_cast<int>(k);
  }

  // Matches a parameter with the only other one of its kind. Arrays that the host function also reads may be
  // temporary.
  void match_rest() {
    for (std::size_t k = 0; k < hosts().size(); ++k) {
      if (has(k) || (hosts()[k].written && hosts()[k].read)) continue;
      std::vector<std::size_t> all;
      for (std::size_t i = 0; i < own().size(); ++i)
        if (is_free(i) && fits(i, k)) all.push_back(i);
      const auto others = std::count_if(hosts().begin(), hosts().end(), [&](const Parameter& other) {
        return !has(static_cast<std::size_t>(&other - hosts().data())) && same_kind(other, hosts()[k]) &&
               other.written == hosts()[k].written;
      });
      if (all.size() == 1 && others == 1) pair_.counterparts[all[0]] = static_cast<int>(k);
    }
  }

  // Finds the array that gets the number which the host function returns.
  void match_returned() {
    if (!array_type_named(pair_.host->returns)) return;
    std::vector<std::size_t> written, only_written;
    for (std::size_t i = 0; i < own().size(); ++i) {
      if (!is_free(i) || !own()[i].pointer || own()[i].type != pair_.host->returns || !use(i).written)
        continue;
      written.push_back(i);
      if (!use(i).read) only_written.push_back(i);
    }
    const std::vector<std::size_t>& found = written.size() == 1 ? written : only_written;
    if (found.size() == 1)
      pair_.counterparts[found[0]] = LauncherPair::result;
    else
      pair_.both_return = pair_.launcher->returns == pair_.host->returns;
  }

  // Returns true if a loop of the launcher launches kernels. A host function of another name may be one
  // round.
  bool repeats() const {
    return std::any_of(functions_.begin(), functions_.end(), [&](const Signature& kernel) {
      return std::any_of(kernel.calls.begin(), kernel.calls.end(), [&](const CallSite& site) {
        return kernel.kernel && site.caller == pair_.launcher->body && site.loop > 0;
      });
    });
  }

  KernelUse use(std::size_t parameter) const { return use_of(*pair_.launcher, own()[parameter], functions_); }

  bool has_results() const {
    bool any = pair_.both_return || pair_.has(LauncherPair::result);
    for (std::size_t k = 0; k < hosts().size(); ++k) any = any || (hosts()[k].written && has(k));
    return any;
  }

  // Returns true if the launcher lacks an array of the host function that is no temporary array. Arrays that
  // the host function writes may be temporary.
  bool misses_an_array(bool may_be_temporary) const {
    for (std::size_t k = 0; k < hosts().size(); ++k)
      if (hosts()[k].pointer && !has(k) && !(may_be_temporary && hosts()[k].written)) return true;
    return false;
  }

  const std::vector<Signature>& functions_;
  LauncherPair pair_;
};

bool has_same_results(const LauncherPair& a, const LauncherPair& b) {
  for (std::size_t k = 0; k < a.host->parameters.size(); ++k)
    if (a.host->parameters[k].written && a.has(static_cast<int>(k)) != b.has(static_cast<int>(k)))
      return false;
  const auto gives = [](const LauncherPair& one) { return one.both_return || one.has(LauncherPair::result); };
  return a.host == b.host && gives(a) == gives(b);
}

}  // namespace

bool LauncherPair::has(int counterpart) const {
  return std::find(counterparts.begin(), counterparts.end(), counterpart) != counterparts.end();
}

std::vector<LauncherPair> launcher_pairs(const std::vector<Signature>& functions) {
  std::vector<LauncherPair> pairs;
  for (const Signature& launcher : functions) {
    if (!is_launcher(launcher, functions)) continue;
    std::optional<LauncherPair> best;
    std::size_t most = 0;
    for (const Signature& host : functions) {
      if (!is_host(host)) continue;
      Matching matching(launcher, host, functions);
      const std::optional<LauncherPair> pair = matching.pair();
      const bool related = stem_of(launcher.name) == stem_of(host.name);
      const std::size_t matched = matching.matched() + (related ? 100 : 0);
      if (pair && matched > most) best = pair, most = matched;
    }
    if (best && (pairs.empty() || has_same_results(pairs.front(), *best))) pairs.push_back(*best);
  }
  return pairs;
}

}  // namespace sextant::own
