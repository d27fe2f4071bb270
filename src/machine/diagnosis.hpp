// Diagnoses whether the environment is suitable for measuring, and suggests a remedy for every problem. All
// functions depend only on their arguments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

enum class Severity : std::uint8_t {
  ok,
  note,     // a programming model is unavailable, or times will be noisier than necessary
  problem,  // an installed component does not work
};

constexpr const char* name_of(Severity severity) {
  switch (severity) {
    case Severity::ok:
      return "ok";
    case Severity::note:
      return "note";
    case Severity::problem:
      return "problem";
  }
  return "?";
}

struct Finding {
  // The subject: machine, cpu, governor, turbo, smt, busy, quota, openmp, gpu0, cuda, …
  std::string topic;
  Severity severity = Severity::ok;
  std::string text;
  std::string remedy;  // what the user can do about it; empty if all is well
};

// Returns the findings for an environment from read_environment. A missing key gives no finding.
std::vector<Finding> diagnose(const Environment& environment);

// Makes the finding about the links among GPUs. `measured` describes the measured links. `slow` lists the
// pairs of GPUs with a slower link than the others, or is "".
Finding links_finding(const std::string& measured, const std::string& slow);

// Names that unmet_requirement accepts: serial, openmp, stdpar, openacc, target, cuda, library and gpu.
std::vector<std::string> requirements();

// Returns the reason why a requirement is not met, or nothing if it is met. A programming model counts as met
// if the build includes it and its device is present.
std::optional<std::string> unmet_requirement(const Environment& environment, const std::string& requirement);

}  // namespace sextant
