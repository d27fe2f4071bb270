#include "own/trial/instructions.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <map>
#include <mutex>
#include <sstream>

#include "base/error.hpp"
#include "own/compile/cache.hpp"
#include "own/compile/compile.hpp"
#include "own/description/sizes.hpp"
#include "own/kernel/described_kernel.hpp"
#include "own/kernel/fills.hpp"
#include "own/kernel/host_run.hpp"
#include "suite/element.hpp"

namespace sextant::own {
namespace {

// A step takes up to ten microseconds, so both sizes together take a few tenths of a second.
// The last attempt may take seconds.
constexpr std::int64_t few_steps = 16'000, more_steps = 120'000, most_steps = 300'000;
constexpr std::int64_t first_n = 256, least_n = 16, most_n = 1 << 16;
constexpr int most_seconds = 5;

const DescribedVariant* serial_variant(const Description& description) {
  for (const DescribedVariant& one : description.variants)
    if (one.model == Model::serial) return &one;
  return nullptr;
}

void limit_child() {
  const itimerval wall = {{0, 0}, {most_seconds, 0}};
  setitimer(ITIMER_REAL, &wall, nullptr);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO), dup2(nowhere, STDERR_FILENO);
}

// Fills arrays and runs the code twice, in the child process. The first run binds the functions of libraries.
// The second one is between two stops.
void run_in_child(const std::string& image, const Description& description, const DescribedVariant& variant,
                  const Problem& problem) {
  void* library = dlopen(image.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  const std::vector<std::int64_t> sizes = size_values(description, problem);
  std::vector<std::int64_t> values = sizes;
  for (const DescribedTunable& one : variant.tunables) values.push_back(one.preferred);
  HostState state = host_state(description, variant, values, {problem.type, problem.type},
                               reinterpret_cast<HostState::Step>(dlsym(library, "sextant_step")));
  std::vector<std::unique_ptr<std::byte[]>> arrays;
  for (std::size_t i = 0; i < description.arrays.size(); ++i) {
    const DescribedArray& array = description.arrays[i];
    const ElementType type = array.element_type(problem.type);
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(array.elements(sizes), 0));
    arrays.push_back(std::make_unique<std::byte[]>(count * element_size(type) + 64));
    state.arrays[i] = arrays.back().get();
    if (array.role != Role::out) fill_array(array, description.folder, type, sizes, i + 1, state.arrays[i]);
  }
  if (const auto prepare = reinterpret_cast<void (*)()>(dlsym(library, "sextant_prepare"))) prepare();
  run_steps(&state, nullptr);
  raise(SIGSTOP);
  run_steps(&state, nullptr);
  raise(SIGSTOP);
}

// Lets the child run to its next stop. Returns the signal that stopped it, or 0 if it ended.
int stopped_by(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return 0;
  return WSTOPSIG(status);
}

// Steps of the child between its two stops.
std::optional<std::int64_t> steps_of(pid_t child, std::int64_t most) {
  if (stopped_by(child) != SIGSTOP) return std::nullopt;
  for (std::int64_t steps = 0; steps <= most; ++steps) {
    if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) return std::nullopt;
    const int signal = stopped_by(child);
    if (signal == SIGSTOP) return steps;
    if (signal != SIGTRAP) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> counted_at(const std::string& image, const Description& description,
                                 const DescribedVariant& variant, ElementType type, std::int64_t n,
                                 std::int64_t most) {
  Problem problem;
  problem.n = n, problem.type = type, problem.extents = fitted(description, n).extents;
  if (problem.extents.count() <= 0) return std::nullopt;
  const pid_t child = fork();
  if (child < 0) return std::nullopt;
  if (child == 0) {
    limit_child();
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) try {
        run_in_child(image, description, variant, problem);
      } catch (...) {  // the parent sees that it did not stop twice
      }
    _exit(0);
  }
  const std::optional<std::int64_t> steps = steps_of(child, most);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return steps ? std::optional(static_cast<double>(*steps)) : std::nullopt;
}

// Counts of an image, which are kept next to it.
std::string file_of_counts(const Image& image) { return image.path + ".instructions"; }

std::optional<CountedSizes> kept_counts(const Image& image) {
  std::string text;
  CountedSizes sizes;
  if (!read_file(file_of_counts(image), &text)) return std::nullopt;
  std::istringstream words(text);
  words >> sizes.small_n >> sizes.small >> sizes.large_n >> sizes.large;
  return words && sizes.small > 0 ? std::optional(sizes) : std::nullopt;
}

CountedSizes keep_counts(const Image& image, const CountedSizes& sizes) {
  std::ostringstream text;
  text << sizes.small_n << ' ' << sizes.small << ' ' << sizes.large_n << ' ' << sizes.large << '\n';
  write_file(file_of_counts(image), text.str());
  return sizes;
}

std::optional<CountedSizes> counted(const Description& description, ElementType type) {
  const DescribedVariant* variant = serial_variant(description);
  if (!variant) return std::nullopt;
  std::vector<int> tuning;
  for (const DescribedTunable& one : variant->tunables) tuning.push_back(one.preferred);
  const Image image = compile_host({description, *variant, type, tuning.data()});
  if (image.path.empty()) return std::nullopt;
  if (const auto kept = kept_counts(image)) return kept;
  const auto at = [&](std::int64_t n, std::int64_t most = few_steps) {
    return counted_at(image.path, description, *variant, type, n, most);
  };
  // Arrays of fixed lengths may need a larger N.
  std::int64_t small_n = first_n;
  while (small_n < most_n && fitted(description, small_n).extents.count() <= 0) small_n *= 4;
  const std::int64_t begin = small_n;
  std::optional<double> small = at(small_n);
  while (!small && small_n > least_n) small = at(small_n /= 4);
  if (!small) small = at(small_n, more_steps);
  if (!small) small = at(small_n = begin, most_steps);
  if (!small) return std::nullopt;
  const double most = static_cast<double>(few_steps) / std::max(*small, 1.0) / 2;
  const auto large_n = static_cast<std::int64_t>(static_cast<double>(small_n) * std::clamp(most, 1.0, 16.0));
  const std::optional<double> large = large_n >= 2 * small_n ? at(large_n) : std::nullopt;
  if (!large || *large < *small)
    return keep_counts(image, {static_cast<double>(small_n), *small, static_cast<double>(small_n), *small});
  return keep_counts(image, {static_cast<double>(small_n), *small, static_cast<double>(large_n), *large});
}

}  // namespace

double instructions_at(const CountedSizes& counted, double n) {
  if (!(counted.large_n > counted.small_n)) return counted.large * n / counted.large_n;
  const double power = std::log(counted.large / counted.small) / std::log(counted.large_n / counted.small_n);
  constexpr double straight = 0.3;  // a constant part and noise change the power by so much
  if (std::abs(power - 1) > straight)
    return counted.large * std::pow(n / counted.large_n, std::min(power, 2.0));
  const double slope = (counted.large - counted.small) / (counted.large_n - counted.small_n);
  return std::max(counted.large + slope * (n - counted.large_n), 1.0);
}

std::optional<double> counted_instructions(const std::string& kernel, const Problem& problem) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, ElementType>, std::optional<CountedSizes>> known;
  const Description* description = description_of_kernel(kernel);
  if (!description || problem.n <= 0) return std::nullopt;
  const std::lock_guard lock(mutex);
  const auto [place, fresh] = known.try_emplace({kernel, problem.type});
  if (fresh) try {
      place->second = counted(*description, problem.type);
    } catch (const UserError&) {  // the description has no such small size
    }
  if (!place->second) return std::nullopt;
  return instructions_at(*place->second, static_cast<double>(problem.n));
}

}  // namespace sextant::own
