// The contents of a results file in memory. The store writes it, and the analysis reads it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/description.hpp"
#include "record/environment.hpp"
#include "record/measurement.hpp"
#include "record/search.hpp"

namespace sextant {

// A session is one command that measured cases: when and where it ran, and which software it used. Every
// measurement belongs to one session.
struct Session {
  std::int64_t id = 0;
  std::string started;  // start of the session in ISO 8601, UTC
  std::string command;
  std::string version;  // version of Sextant
  Environment environment;
  std::vector<Ceiling> ceilings;
  KernelDescriptions kernels;  // descriptions of the kernels that the session measured
};

// Returns the name of the session's machine, or an empty text if it is unknown.
inline std::string machine_of(const Session& session) { return value_of(session.environment, "machine"); }

struct StoredMeasurement {
  Measurement measurement;
  std::int64_t session = 0;
};

struct Results {
  std::vector<Session> sessions;
  std::vector<StoredMeasurement> measurements;
  std::vector<Search> searches;
};

}  // namespace sextant
