// What a case names, held against the registry, and the data of its problem: the same for one device
// (CaseRunner) and for parts (RankRunner).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/case/workset.hpp"
#include "engine/form/settings.hpp"
#include "engine/form/stage.hpp"
#include "record/measurement.hpp"
#include "suite/variant.hpp"

namespace sextant {

struct CaseSubject {
  const Kernel* kernel = nullptr;
  const Variant* variant = nullptr;
  Problem problem;
  CacheMode cache = CacheMode::warm;
  std::vector<int> tuning;  // a value for each of the variant's tunables
  int threads = 0;          // OpenMP's in each process, if the case says how many
  bool unchecked = false;   // the kernel has no reference
};

// Kernel, variant, problem and cache mode. Returns what keeps the case from being run, or empty.
std::string find_subject(const Case& what, CaseSubject* subject);

// The tuning and the threads of what find_subject found. Returns what keeps the case from being run, or
// empty. `there` is where the threads are, for people: "here".
std::string tune_subject(const Case& what, const char* there, CaseSubject* subject);

// Whether the case is what a run without tunings takes.
bool is_standard(const Case& what, const CaseSubject& subject);

// Of the memory that a problem's arrays leave free: for references and inputs of its audits.
inline constexpr double share_of_references = 0.25;

// Inputs for an audit, and whether its variant has not seen them.
struct AuditFilling {
  Filling number;
  bool is_new;
};

// The data of one problem, which consecutive cases of it share.
struct CaseData {
  // Allocates, fills the inputs, and computes the reference, of which `stage` hears.
  CaseData(const CaseSubject& subject, const Settings& settings, const StageListener& stage);

  bool is_of(const CaseSubject& subject, const Settings& settings) const;

  std::string kernel;
  Problem problem;
  std::int64_t guard_bytes;
  std::uint64_t seed;
  std::unique_ptr<Workset> workset;

  // Inputs for an audit of the variant: such that it has not seen. Where the reference takes long others have
  // them, too; where that is a part of a second, or in a search, the variant gets them again after `audits`
  // of them. Such that nobody has seen where nothing is compared (`compared`), so that there is no reference.
  AuditFilling next_filling(const std::string& variant, bool is_search, bool compared = true);
  // Audits of a case: three, or as many as there are inputs for.
  int audits() const;

 private:
  bool has_long_reference() const;

  std::map<std::string, Filling> audited_;  // by variant, how often
  Filling alone_ = 0;                       // audits on inputs of their own
};

// The median of what was sampled is known worse than three times what was asked for: a warning.
void warn_of_noise(const Settings& settings, Measurement* measurement);

// What was measured of a case that turned out wrong, or failed, is forgotten; its error and tolerance stay.
void forget(Measurement* measurement, Status status, const std::string& reason);

}  // namespace sextant
