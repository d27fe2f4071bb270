// The region profile: what each construct of an OpenACC program, or each call of a CUDA variant, launched and
// copied, how often and for how long. Made of two records of the same run: the host's constructs and the
// device's activities.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/activity.hpp"
#include "trace/constructs.hpp"

namespace sextant {

// Seconds of what happened `count` times.
struct Durations {
  std::int64_t count = 0;
  double total = 0, longest = 0, shortest = 0;

  void add(double seconds);
  double average() const { return count ? total / static_cast<double>(count) : 0; }
};

struct ProfiledKernel {
  std::string name;
  std::array<int, 3> grid = {}, block = {};
  int registers = 0;  // 0: not known
  std::int64_t shared_memory = 0;
  Durations device;   // what the kernel itself took
  Durations elapsed;  // from the launch's start on the host to the kernel's end
};

struct ProfiledCopies {
  std::int64_t bytes = 0;
  Durations device;
};

// One construct in the code, however often it was reached; or a variant's call, where no construct is.
struct ProfiledRegion {
  std::string directive;  // parallel, kernels, data, update, …; "call" for a variant's call
  std::string function;   // the one it stands in; empty if not known
  int line = 0;           // in the source; 0: not known
  Durations elapsed;      // on the host: reached elapsed.count times. A data region: what its ends took.
  bool computes = false;
  std::vector<ProfiledKernel> kernels;
  ProfiledCopies in, out, within;  // host to device, device to host, device to device and fills
};

struct Profile {
  std::vector<ProfiledRegion> regions;  // in the order in which they were first reached
  bool device_records = false;          // false: only what the host saw
};

// Joins the records, whose times are of one clock. An activity belongs to the innermost construct that was
// running on the host when it was asked for; constructs of one place and directive are one region, and a
// compute construct's own copies are its own. A data region's two ends are paired as they nest.
Profile make_profile(const std::vector<ConstructRecord>& constructs,
                     const std::vector<ActivityRecord>& activities, bool device_records);

// A timeline in the Trace Event Format that Perfetto and chrome://tracing open: one row for the host's
// constructs, one for each stream of the device.
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
std::string make_timeline(const std::vector<ConstructRecord>& constructs,
                          const std::vector<ActivityRecord>& activities);

}  // namespace sextant
