// Diagnoses the environment for measuring. Every finding has a remedy. All functions depend only on their
// arguments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

enum class Severity : std::uint8_t {
  ok,
  note,     // a model is disabled, or times will be noisier or less meaningful than necessary
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
  std::string topic;  // machine, cpu, governor, turbo, smt, busy, quota, openmp, gpu0, cuda, …
  Severity severity = Severity::ok;
  std::string text;
  std::string remedy;  // empty if ok
};

// Returns the findings for an environment from read_environment. A missing key means unknown and yields no
// finding.
std::vector<Finding> diagnose(const Environment& environment);

// Makes the finding about the links among GPUs. `measured` describes the links, `slow` lists the pairs that
// are slower than others, "" for none.
Finding links_finding(const std::string& measured, const std::string& slow);

// Names that unmet_requirement accepts: serial, openmp, stdpar, openacc, target, cuda, library and gpu.
std::vector<std::string> requirements();

// Returns why a requirement is not met, or nothing if it is met. A model must be built and have its device.
std::optional<std::string> unmet_requirement(const Environment& environment, const std::string& requirement);

}  // namespace sextant
