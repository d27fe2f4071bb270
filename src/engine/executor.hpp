// Runs planned cases, each isolated in a worker process, and hands over every measurement as it ends.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "record/environment.hpp"
#include "record/measurement.hpp"

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
  double timeout = 60;           // seconds a case may take in all
  bool in_process = false;       // no worker: for debuggers and sanitizers
  bool check_only = false;       // verify: no timing
  bool check_once = false;       // a case that this worker found right before is timed without a check
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

struct Progress {
  std::size_t done = 0, total = 0;
  const Case* running = nullptr;
  double elapsed = 0;     // seconds
  double remaining = -1;  // seconds, estimated from what cases cost, < 0 if not known yet
};

struct Callbacks {
  std::function<void(const Measurement&)> measured;  // called in order, as each case ends
  // Calls what hands on several measurements that have waited, so that they may be stored together; may be empty.
  std::function<void(const std::function<void()>&)> together;
  std::function<void(const Progress&)> progress;    // may be empty
  std::function<void(const std::string&)> message;  // engine notes for the user (a worker died, …)
  // Asked between cases and, every tenth of a second, while one runs: true ends the run. The running case
  // gets two more seconds; after that it is killed and not measured.
  std::function<bool()> stop;
  // Why a case is skipped without being begun, or empty; asked when all before it have been handed over. May be empty.
  std::function<std::string(const Case&)> refuse = {};
  // A case spent so many seconds in a stage ("checking", "sampling", …); may be empty.
  std::function<void(const Case&, const std::string& stage, double seconds)> spent;
};

// A worker that has answered, until somebody else wants one (engine/worker_process.hpp).
struct IdleWorker;
std::shared_ptr<IdleWorker> no_worker_yet();

// How a worker is run: the program and its leading arguments, e.g. {"/proc/self/exe", "worker"}.
struct WorkerCommand {
  std::vector<std::string> arguments;
  // Set, one process serves all who ask by this command, one after the other: starting a GPU takes seconds.
  std::shared_ptr<IdleWorker> idle = nullptr;
  // OpenMP has at least so many threads, more than processors if need be, unless the user says how many: for checks, since
  // a loop's division may be right for two threads alone.
  int least_threads = 0;
  // Bound to these processors, if there are any; OpenMP then has `threads` threads unless the user says how many.
  std::vector<int> processors = {};
  int threads = 0;
  // What CUDA_VISIBLE_DEVICES is there, the number or name of one GPU, which is gpu0 there whatever cases call it; empty: as in this
  // process. A driver starts one GPU sooner than all.
  std::string visible_gpu = {};
  // Of problems in parts (engine/rank_command.hpp): what starts their processes, `{}` being their number; empty: whatever
  // is usual here. And the program that is started; empty: the one beside this.
  std::string launcher = {}, rank_program = {};

  // Of the command that starts them: requests and replies are its standard streams; variables beside this process's; those
  // that name a folder for what it keeps while it runs, made for it alone; what OpenMP has in each, unless the user says.
  bool by_streams = false;
  std::vector<std::string> environment = {};
  std::vector<std::string> folder_variables = {};
  int most_threads = 0;
};

// Ends the command's idle worker, if there is one, and what it has of devices.
void end_idle_worker(const WorkerCommand& command);

// With a seed of its own where none is chosen.
Settings with_seed(Settings settings);

void execute(const std::vector<Case>& cases, const Settings& settings, const WorkerCommand& worker,
             const Callbacks& callbacks);

// The other end: reads cases from descriptor `in` and writes measurements to `out` until `in` closes. Also
// serves the requests for ceilings and the environment, so that the parent never touches a device.
// What `loads` names is loaded first (own/load.hpp); where that fails, every answer says why.
struct Load {
  std::string path, code;  // code empty: whatever it is now
  std::string asked = {};  // a line of own::Asked (own/description/asked.hpp); empty: nothing
};
int worker_main(int in, int out, const std::vector<Load>& loads = {});

// Asked of a worker: the machine as it is, for which the worker has so many seconds, and a device's ceilings (quick
// ones take a few seconds). Throw UserError where it ends, or does not answer in time.
Environment ask_environment(const WorkerCommand& worker, double seconds = 300);
// What is wrong with what a worker of this command has loaded, kernel by kernel; empty if nothing is. Throws UserError
// if it cannot be loaded, or if the worker does not survive it.
std::vector<std::string> ask_forms(const WorkerCommand& worker);
std::vector<Ceiling> ask_ceilings(const WorkerCommand& worker, const std::string& device,
                                  CeilingPart part = CeilingPart::all);

// Cases one for each library of offloaded code that the cases on GPUs need.
std::vector<Case> one_for_each_library(const std::vector<Case>& cases);
// Has the command's idle worker, or a new one that stays as such, load the code of these cases. Where it does not come to an
// end, or `stop` says so, the worker is ended, and whoever measures starts another.
void ask_to_load_code(const WorkerCommand& worker, const std::vector<Case>& cases,
                      const std::function<bool()>& stop);

}  // namespace sextant
