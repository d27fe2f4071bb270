// Looks up a case's kernel and variant, and holds the data of its problem. Used for cases on one device
// (CaseRunner) and on several ranks (RankRunner).
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
  InputFill fill = InputFill::uniform;
  std::vector<int> tuning;  // one value for each of the variant's tunables
  int threads = 0;          // number of OpenMP threads per process; 0: the case does not request one
  bool unchecked = false;   // true if the kernel has no reference
};

// Looks up the kernel and variant, and sets problem, cache mode and fill. Returns why the case cannot run, or
// an empty string.
std::string find_subject(const Case& what, CaseSubject* subject);

// Sets tuning and threads; call it after find_subject. Returns why the case cannot run, or an empty string.
// Messages use `there` to say where the threads are, such as "here".
std::string tune_subject(const Case& what, const char* there, CaseSubject* subject);

// Returns true if the case has the default tuning and number of threads.
bool is_standard(const Case& what, const CaseSubject& subject);

// Fraction of the remaining host memory that may hold reference results and inputs of audits.
inline constexpr double share_of_references = 0.25;

// A set of inputs for an audit. It is new if the variant has not processed it before.
struct AuditFilling {
  Filling number;
  bool is_new;
};

// The data of one problem, shared by its consecutive cases.
struct CaseData {
  // Allocates the arrays, fills the inputs and computes the reference. `stage` is called before the reference
  // is computed.
  CaseData(const CaseSubject& subject, const Settings& settings, const StageListener& stage);

  bool is_of(const CaseSubject& subject, const Settings& settings) const;

  std::string kernel;
  Problem problem;
  InputFill fill;
  std::int64_t guard_bytes;
  std::uint64_t seed;
  std::unique_ptr<Workset> workset;

  // Chooses the inputs of an audit. Normally the variant has not processed them before. If the reference
  // takes more than 0.1 s, or in a search for tunings, the inputs repeat after audits() different ones. If
  // the arrays are large, every second audit has the timed inputs.
  // Without a comparison (`compared` is false) no reference is needed, so the inputs are always new.
  // If all fillings have the same inputs, the number is `timed_filling`.
  AuditFilling next_filling(const std::string& variant, bool is_search, bool compared = true);
  // Returns the number of audits of a case. It is three, two if the arrays are large, or fewer if a slow
  // reference cannot be stored for as many sets of inputs.
  int audits() const;

 private:
  AuditFilling next_number(const std::string& variant, bool is_search, bool compared);
  bool has_long_reference() const;
  bool is_large() const;

  std::map<std::string, Filling> audited_;  // number of audits so far, by variant name
  Filling alone_ = 0;                       // number of audits without a comparison
};

// Discards the times of a case that was found wrong or failed. Keeps its error and tolerance.
void forget(Measurement* measurement, Status status, const std::string& reason);

}  // namespace sextant
