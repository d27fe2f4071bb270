// What a results file holds, in memory: what the store keeps and the analysis reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/description.hpp"
#include "record/environment.hpp"
#include "record/measurement.hpp"
#include "record/search.hpp"

namespace sextant {

// One session of measuring: where, with what, by which command. Every measurement belongs to one.
struct Session {
  std::int64_t id = 0;
  std::string started;  // ISO 8601, UTC
  std::string command;
  std::string version;  // of Sextant
  Environment environment;
  std::vector<Ceiling> ceilings;
  KernelDescriptions kernels;  // those it measured
};

// The machine's name, empty where it is not known.
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
