// How cases are measured: samples, time limits, what is checked and what is timed.
#pragma once

#include <cstdint>

namespace sextant {

// What is timed of a case: all that is asked for, all but the pass from end to end, or that pass alone.
enum class Timed : std::uint8_t { all, without_pass, pass };

struct Settings {
  int min_samples = 10;
  int max_samples = 1000;
  bool all_samples = false;      // min_samples of slow cases, too, however long they take
  double max_noise = 0.01;       // half width of the median's 95 % interval over the median: good enough
  double least_seconds = 0.01;   // the interval has to stay within max_noise for so long
  double warm_seconds = 0.01;    // of calls before the first sample, of which there are three at least
  double case_seconds = 0.2;     // sampling time per case after which it stops, noise or not
  double stay_seconds = 0;       // sooner, where visits follow; 0: not
  double timeout = 60;           // seconds a case may take in all
  bool in_process = false;       // no worker: for debuggers and sanitizers
  bool check_only = false;       // verify: no timing
  bool check_once = false;       // a case that this worker found right before is timed without a check
  bool visit = false;            // a short stay at a case that another process audited: one check, then calls
  bool check_fully = false;      // both halves of the check before any timing, however long it takes
  bool transfers = true;         // measure copies, allocation and end-to-end
  Timed timed = Timed::all;      // with transfers
  bool counters = false;         // read hardware counters of what runs on a GPU
  bool offload_on_host = false;  // verify without a GPU: directives fall back to the host
  double give_up_above = 0;      // seconds: a case whose check took longer gets no samples; 0: any is sampled
  double screen_above = 0;  // seconds: a case whose first three samples are all above gets no more; 0: any
  std::uint64_t seed = 0;   // of the input data; 0: fresh for each run
  std::int64_t guard_bytes = 16384;
};

// With a seed of its own where none is chosen.
Settings with_seed(Settings settings);

}  // namespace sextant
