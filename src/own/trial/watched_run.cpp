#include "own/trial/watched_run.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <new>

#include "own/compile/compile.hpp"
#include "own/kernel/fills.hpp"
#include "own/kernel/host_run.hpp"
#include "suite/element.hpp"

namespace sextant::own {
namespace {

constexpr std::size_t most_arrays = 32;
// Address space of one array. An index of 32 bits does not reach that of another array.
constexpr std::size_t slot_bytes = std::size_t{1} << 36;
// Memory before and behind an array that a run may access, so that too short arrays do not end it.
constexpr std::size_t reach_bytes = std::size_t{1} << 26;
constexpr std::int64_t most_accesses = 20'000'000;
constexpr int most_milliseconds = 400;  // of processor time
constexpr int most_seconds = 5;         // for a run that waits, or on a busy machine

// What a child process writes for its parent. Positions are bytes from the begin of the array.
struct Slot {
  std::int64_t least, end;  // first and one past the last accessed byte; end <= least without an access
  std::int64_t bytes;       // size of the array
};
struct Shared {
  WatchedRun::Ending ending;
  bool has_nan;
  double least, most;  // results that are real numbers
  bool any_results;
  std::int64_t accesses;
  double seconds;
  Slot slots[most_arrays];
};

// State of the child process.
Shared* shared = nullptr;
char* space = nullptr;

char* begin_of(std::size_t slot) { return space + slot * slot_bytes + slot_bytes / 2; }

[[noreturn]] void end_with(WatchedRun::Ending ending) {
  shared->ending = ending;
  _exit(0);
}

// Called by the watched code before an access.
void watch(const void* at, unsigned long bytes, int) {
  const auto distance = static_cast<std::size_t>(static_cast<const char*>(at) - space);
  if (static_cast<const char*>(at) < space || distance >= most_arrays * slot_bytes || bytes == 0) return;
  const std::size_t which = distance / slot_bytes;
  Slot& slot = shared->slots[which];
  const std::int64_t first = static_cast<const char*>(at) - begin_of(which);
  const std::int64_t end = first + static_cast<std::int64_t>(std::min<unsigned long>(bytes, slot_bytes));
  slot.least = std::min(slot.least, first);
  slot.end = std::max(slot.end, end);
  constexpr auto reach = static_cast<std::int64_t>(reach_bytes);
  if (first < -reach || end > slot.bytes + reach) end_with(WatchedRun::Ending::too_far);
  if (++shared->accesses > most_accesses) end_with(WatchedRun::Ending::too_long);
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void limit_time() {
  for (const int one : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGPROF})
    std::signal(one, SIG_DFL);
  const itimerval processor = {{0, 0}, {0, most_milliseconds * 1000}}, wall = {{0, 0}, {most_seconds, 0}};
  setitimer(ITIMER_PROF, &processor, nullptr);
  setitimer(ITIMER_REAL, &wall, nullptr);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO), dup2(nowhere, STDERR_FILENO);
  if (const auto threads = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_num_threads")))
    threads(1);
}

const DescribedVariant& reference_of(const Description& description) {
  for (const DescribedVariant& one : description.variants)
    if (one.name == description.reference->variant) return one;
  return description.reference->function;
}

std::vector<int> tuning_of(const DescribedVariant& variant) {
  std::vector<int> tuning;
  for (const DescribedTunable& one : variant.tunables) tuning.push_back(one.preferred);
  return tuning;
}

RunTypes types_of(const Description& description) {
  const ElementType type = description.types.empty() ? ElementType::float32 : description.types.front();
  const bool in_double = type == ElementType::float32 && !description.reference->in_float;
  return {type, in_double ? ElementType::float64 : type};
}

// Makes the memory of an array accessible, and returns its address.
char* opened(std::size_t slot, std::size_t bytes) {
  char* const begin = begin_of(slot) - reach_bytes;
  const std::size_t page = 4096, all = (2 * reach_bytes + bytes + page - 1) / page * page;
  if (mprotect(begin, all, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  shared->slots[slot] = {std::int64_t{1} << 40, std::int64_t{-1} << 40, static_cast<std::int64_t>(bytes)};
  return begin_of(slot);
}

// Notes the range of the results in an array.
void note_results(ElementType type, const void* data, std::size_t count) {
  with_elements(type, const_cast<void*>(data), [&]<typename T>(const T* elements) {
    if constexpr (is_floating<T>)
      for (std::size_t i = 0; i < count; ++i) {
        const auto one = static_cast<double>(elements[i]);
        shared->has_nan = shared->has_nan || one != one;
        shared->least = shared->any_results ? std::min(shared->least, one) : one;
        shared->most = shared->any_results ? std::max(shared->most, one) : one;
        shared->any_results = true;
      }
  });
}

// Fills the arrays and runs the reference, in the child process.
void run_in_child(const std::string& image, const Description& description,
                  const std::vector<std::int64_t>& values) {
  void* library = dlopen(image.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  const DescribedVariant& variant = reference_of(description);
  const RunTypes types = types_of(description);
  std::vector<std::int64_t> all = values;
  for (const int one : tuning_of(variant)) all.push_back(one);
  HostState state = host_state(description, variant, all, types,
                               reinterpret_cast<HostState::Step>(dlsym(library, "sextant_step")));
  std::vector<std::size_t> counts;
  for (std::size_t i = 0; i < description.arrays.size(); ++i) {
    const DescribedArray& array = description.arrays[i];
    const ElementType type = array.element_type(types.of_t);
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(array.elements(values), 0));
    counts.push_back(count);
    state.arrays[i] = opened(i, count * element_size(type));
    if (array.role == Role::out)
      set_nowhere(type, state.arrays[i], count);
    else
      fill_array(array, description.folder, type, values, i + 1, state.arrays[i]);
  }
  const std::vector<Temporary> temporaries = temporaries_of(variant, types.of_t, all);
  for (std::size_t i = 0; i < temporaries.size(); ++i)
    state.arrays[counts.size() + i] =
        opened(counts.size() + i,
               static_cast<std::size_t>(temporaries[i].elements) * element_size(temporaries[i].type));
  if (const auto prepare = reinterpret_cast<void (*)()>(dlsym(library, "sextant_prepare"))) prepare();
  using Watch = void (*)(const void*, unsigned long, int);
  *static_cast<Watch*>(dlsym(library, "sextant_watch")) = watch;
  shared->ending = WatchedRun::Ending::crashed;
  const double before = processor_seconds();
  run_steps(&state, nullptr);
  shared->seconds = processor_seconds() - before;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (description.arrays[i].role != Role::in)
      note_results(description.arrays[i].element_type(types.of_t), begin_of(i), counts[i]);
  shared->ending = WatchedRun::Ending::returned;
}

// Returns the accesses to an array of structs or numbers of `bytes` bytes.
ArrayAccess access_of(const Slot& slot, std::int64_t bytes) {
  ArrayAccess access;
  access.length = slot.bytes / bytes;
  if (slot.end <= slot.least) return access;
  access.least = slot.least >= 0 ? slot.least / bytes : -((-slot.least + bytes - 1) / bytes);
  access.most = slot.end > 0 ? (slot.end - 1) / bytes : -1;
  return access;
}

std::int64_t bytes_of(const DescribedArray& array, ElementType of_t) {
  return static_cast<std::int64_t>(element_size(array.element_type(of_t))) *
         (array.type ? array.type->members : 1);
}

}  // namespace

struct WatchedReference::Memory {
  Shared* shared = nullptr;
  char* space = nullptr;

  Memory() {
    constexpr int flags = MAP_ANONYMOUS | MAP_NORESERVE;
    void* const one =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    void* const other = mmap(nullptr, most_arrays * slot_bytes, PROT_NONE, MAP_PRIVATE | flags, -1, 0);
    if (one != MAP_FAILED) shared = static_cast<Shared*>(one);
    if (other != MAP_FAILED) space = static_cast<char*>(other);
  }
  ~Memory() {
    if (shared) munmap(shared, sizeof(Shared));
    if (space) munmap(space, most_arrays * slot_bytes);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
};

bool WatchedRun::returned() const {
  return ending == Ending::returned && std::all_of(arrays.begin(), arrays.end(), [](const ArrayAccess& one) {
           return !one.accessed() || one.least >= 0;
         });
}

bool WatchedRun::in_bounds() const {
  return ending == Ending::returned &&
         std::all_of(arrays.begin(), arrays.end(), [](const ArrayAccess& one) { return one.in_bounds(); });
}

WatchedReference::WatchedReference(const Description& description) : memory_(std::make_unique<Memory>()) {
  if (!memory_->shared || !memory_->space) {
    problem_ = "there is no address space for trial runs";
    return;
  }
  const DescribedVariant& variant = reference_of(description);
  const std::vector<int> tuning = tuning_of(variant);
  Instance instance{description, variant, types_of(description).of_t, tuning.data()};
  instance.reference = instance.watched = true;
  const Image image = compile_host(instance);
  image_ = image.path, problem_ = image.problem;
}

WatchedReference::~WatchedReference() = default;

WatchedRun WatchedReference::run(const Description& description, const std::vector<std::int64_t>& values) {
  ++runs_;
  *memory_->shared = {};
  memory_->shared->ending = WatchedRun::Ending::refused;
  const pid_t child = fork();
  if (child == 0) {
    shared = memory_->shared, space = memory_->space;
    limit_time();
    try {
      run_in_child(image_, description, values);
    } catch (...) {  // the ending says how far it came
    }
    _exit(0);
  }
  WatchedRun run;
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return run;
  const Shared& result = *memory_->shared;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  run.ending = signal == SIGPROF || signal == SIGALRM ? WatchedRun::Ending::too_long : result.ending;
  run.accesses = result.accesses, run.seconds = result.seconds, run.has_nan = result.has_nan;
  run.has_signs = result.least < 0 && result.most > 0;
  run.smallest = std::min(std::fabs(result.least), std::fabs(result.most));
  run.largest = std::max(std::fabs(result.least), std::fabs(result.most));
  const ElementType of_t = types_of(description).of_t;
  const std::vector<DescribedArray>& temporaries = reference_of(description).temporaries;
  for (std::size_t i = 0; i < description.arrays.size(); ++i)
    run.arrays.push_back(access_of(result.slots[i], bytes_of(description.arrays[i], of_t)));
  for (std::size_t i = 0; i < temporaries.size(); ++i)
    run.arrays.push_back(
        access_of(result.slots[description.arrays.size() + i], bytes_of(temporaries[i], of_t)));
  return run;
}

}  // namespace sextant::own
