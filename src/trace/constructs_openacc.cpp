#include <acc_prof.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <cstring>
#include <mutex>

#include "trace/constructs.hpp"

namespace sextant {
namespace {

using Kind = ConstructRecord::Kind;

// Static data, because the callbacks take no user argument.
struct Recording {
  std::mutex mutex;
  double (*clock)() = nullptr;
  std::vector<ConstructRecord> records;
  std::vector<std::size_t> open;  // indices of unfinished records, innermost last
};

Recording& recording() {
  static Recording& state = *new Recording;  // never destroyed, because of callbacks at exit
  return state;
}

constexpr struct {
  acc_event_t start, end;
  Kind kind;
} recorded[] = {
    {acc_ev_compute_construct_start, acc_ev_compute_construct_end, Kind::compute},
    {acc_ev_enter_data_start, acc_ev_enter_data_end, Kind::enter_data},
    {acc_ev_exit_data_start, acc_ev_exit_data_end, Kind::exit_data},
    {acc_ev_update_start, acc_ev_update_end, Kind::update},
    {acc_ev_enqueue_launch_start, acc_ev_enqueue_launch_end, Kind::launch},
    {acc_ev_wait_start, acc_ev_wait_end, Kind::wait},
};

const char* name_of(acc_construct_t construct) {
  switch (construct) {
    case acc_construct_parallel:
      return "parallel";
    case acc_construct_kernels:
      return "kernels";
    case acc_construct_serial:
      return "serial";
    case acc_construct_data:
      return "data";
    case acc_construct_enter_data:
      return "enter data";
    case acc_construct_exit_data:
      return "exit data";
    case acc_construct_update:
      return "update";
    case acc_construct_wait:
      return "wait";
    case acc_construct_host_data:
      return "host_data";
    case acc_construct_runtime_api:
      return "run-time call";
    default:
      return "construct";
  }
}

// Returns the code address of the directive: the first return address on the stack outside the OpenACC
// library. Returns 0 if there is none.
std::uint64_t find_site() {
  void* frames[16];
  const int count = backtrace(frames, 16);
  bool in_runtime = false;
  for (int i = 0; i < count; ++i) {
    Dl_info info;
    const bool runtime = dladdr(frames[i], &info) && info.dli_fname && std::strstr(info.dli_fname, "libgomp");
    if (in_runtime && !runtime) return reinterpret_cast<std::uintptr_t>(frames[i]);
    in_runtime = runtime;
  }
  return 0;
}

void begin(Kind kind, const acc_event_info* event) {
  Recording& state = recording();
  ConstructRecord record{};
  record.kind = kind;
  record.directive = name_of(event->other_event.parent_construct);
  record.site = find_site();
  if (kind == Kind::launch) {
    if (event->launch_event.kernel_name) record.function = event->launch_event.kernel_name;
    record.shape = {static_cast<int>(event->launch_event.num_gangs),
                    static_cast<int>(event->launch_event.num_workers),
                    static_cast<int>(event->launch_event.vector_length)};
  }
  const std::lock_guard lock(state.mutex);
  state.open.push_back(state.records.size());
  state.records.push_back(record);
  state.records.back().start = state.clock();
}

void end(Kind kind) {
  Recording& state = recording();
  const std::lock_guard lock(state.mutex);
  const double now = state.clock();
  if (state.open.empty() || state.records[state.open.back()].kind != kind)
    return;  // the construct began before the recording
  state.records[state.open.back()].end = now;
  state.open.pop_back();
}

void note(acc_prof_info* info, acc_event_info* event, acc_api_info*) {
  for (const auto& pair : recorded) {
    if (info->event_type == pair.start) return begin(pair.kind, event);
    if (info->event_type == pair.end) return end(pair.kind);
  }
}

}  // namespace

void start_constructs(double (*clock)()) {
  Recording& state = recording();
  {
    const std::lock_guard lock(state.mutex);
    state.clock = clock;
    state.records.clear();
    state.open.clear();
  }
  void* frame = nullptr;
  // the first call of backtrace loads a library, which would disturb measured times
  backtrace(&frame, 1);
  for (const auto& pair : recorded) {
    acc_prof_register(pair.start, note, acc_reg);
    acc_prof_register(pair.end, note, acc_reg);
  }
}

std::vector<ConstructRecord> stop_constructs() {
  for (const auto& pair : recorded) {
    acc_prof_unregister(pair.start, note, acc_reg);
    acc_prof_unregister(pair.end, note, acc_reg);
  }
  Recording& state = recording();
  const std::lock_guard lock(state.mutex);
  std::vector<ConstructRecord> records = std::move(state.records);
  state.records.clear();
  return records;
}

}  // namespace sextant
