// What the environment says about measuring here: each finding with its remedy. Pure functions of the
// environment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

enum class Severity : std::uint8_t {
  ok,
  note,     // a model is off, or times will be noisier or mean less than they could
  problem,  // something is installed and does not work
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

// `environment` as read_environment gives it; keys that are missing are not known and make no finding.
std::vector<Finding> diagnose(const Environment& environment);

// What was measured of the links among GPUs, in words, and which pairs of them are slower than others; "":
// none.
Finding links_finding(const std::string& measured, const std::string& slow);

// What diagnose and unmet_requirement know: serial, openmp, stdpar, openacc, target, cuda, library and gpu.
std::vector<std::string> requirements();

// Why a requirement is not met, or nothing if it is: a model must be built and have its device.
std::optional<std::string> unmet_requirement(const Environment& environment, const std::string& requirement);

}  // namespace sextant
