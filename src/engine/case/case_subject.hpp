// Resolves a case against the registry and holds the data of its problem, both for one device (CaseRunner)
// and for ranks (RankRunner).
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
  std::vector<int> tuning;  // One value for each of the variant's tunables.
  int threads = 0;          // OpenMP threads per process; 0: the case does not say.
  bool unchecked = false;   // The kernel has no reference.
};

// Finds the kernel, variant, problem and cache mode. Returns why the case cannot run, or an empty string.
std::string find_subject(const Case& what, CaseSubject* subject);

// Fills in tuning and threads after find_subject. Returns why the case cannot run, or an empty string.
// `there` says in messages where the threads are, e.g. "here".
std::string tune_subject(const Case& what, const char* there, CaseSubject* subject);

// True if the case has the default tuning and number of threads.
bool is_standard(const Case& what, const CaseSubject& subject);

// Fraction of the memory left by a problem's arrays that references and inputs of audits may use.
inline constexpr double share_of_references = 0.25;

// The inputs of an audit, and whether its variant has not seen them.
struct AuditFilling {
  Filling number;
  bool is_new;
};

// The data of one problem, shared by its consecutive cases.
struct CaseData {
  // Allocates the arrays, fills the inputs and computes the reference. `stage` is called before the
  // reference.
  CaseData(const CaseSubject& subject, const Settings& settings, const StageListener& stage);

  bool is_of(const CaseSubject& subject, const Settings& settings) const;

  std::string kernel;
  Problem problem;
  std::int64_t guard_bytes;
  std::uint64_t seed;
  std::unique_ptr<Workset> workset;

  // Chooses inputs for an audit that the variant has not seen. If the reference takes more than 2 ms, all
  // variants get the same inputs. If it takes more than 0.1 s, or in a search, a variant gets inputs again
  // after audits() of them. Without a comparison (`compared` is false) no reference is needed, so the inputs
  // are always new.
  AuditFilling next_filling(const std::string& variant, bool is_search, bool compared = true);
  // Number of audits of a case: three, or fewer if a long reference cannot be kept for so many inputs.
  int audits() const;

 private:
  bool has_long_reference() const;

  std::map<std::string, Filling> audited_;  // number of audits so far, by variant
  Filling alone_ = 0;                       // audits on inputs that no other audit uses
};

// Adds a warning if the median's noise exceeds three times max_noise.
void warn_of_noise(const Settings& settings, Measurement* measurement);

// Discards the times of a case that turned out wrong or failed. Keeps its error and tolerance.
void forget(Measurement* measurement, Status status, const std::string& reason);

}  // namespace sextant
