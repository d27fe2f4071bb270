// The region profile of one run lists the kernels and copies of each OpenACC construct or CUDA call, with
// counts and times. It joins two records of the run: the host's constructs and the device's activities.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/activity.hpp"
#include "trace/constructs.hpp"

namespace sextant {

// Statistics of `count` durations, in seconds.
struct Durations {
  std::int64_t count = 0;
  double total = 0, longest = 0, shortest = 0;

  void add(double seconds);
  double average() const { return count ? total / static_cast<double>(count) : 0; }
};

struct ProfiledKernel {
  std::string name;
  std::array<int, 3> grid = {}, block = {};
  int registers = 0;  // registers per thread; 0: unknown
  std::int64_t shared_memory = 0;
  Durations device;   // execution times of the kernel on the device
  Durations elapsed;  // from the start of the launch on the host to the end of the kernel
};

struct ProfiledCopies {
  std::int64_t bytes = 0;
  Durations device;
};

// An OpenACC construct of the source, with the totals over all its executions. In code without constructs, it
// is one call of the variant instead.
struct ProfiledRegion {
  // Name of the directive (parallel, kernels, data, update, …); "call" for a variant's call.
  std::string directive;
  std::string function;  // the enclosing function; empty if unknown
  int line = 0;          // line in the source file; 0: unknown
  Durations elapsed;     // host time of all executions; for a data region, only of its entry and exit
  bool computes = false;
  std::vector<ProfiledKernel> kernels;
  // `in`: host to device. `out`: device to host. `within`: copies inside the device, and fills.
  ProfiledCopies in, out, within;
};

struct Profile {
  std::vector<ProfiledRegion> regions;  // in the order of first execution
  bool device_records = false;          // false: the profile comes only from the host's record
};

// Joins the records of host and device, whose times come from one clock. A device activity belongs to the
// innermost construct that ran on the host when the activity was requested. Constructs with the same position
// and directive form one region. Copies for a compute construct's clauses count for that construct. The entry
// and the exit of a data region are paired by nesting.
Profile make_profile(const std::vector<ConstructRecord>& constructs,
                     const std::vector<ActivityRecord>& activities, bool device_records);

// Returns a timeline in the Trace Event Format, which Perfetto and chrome://tracing open. It has one row for
// the host's constructs and one for each stream of the device.
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
std::string make_timeline(const std::vector<ConstructRecord>& constructs,
                          const std::vector<ActivityRecord>& activities);

}  // namespace sextant
