#include "own/trial/instructions.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <map>
#include <mutex>
#include <sstream>
#include <string_view>

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
// Additional cost of a division or root, and of a branch that a processor does not expect, in instructions.
constexpr double of_division = 15, of_wrong_branch = 40;

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

// An instruction in the code: whether it is a division or root, and the length of a conditional branch in
// bytes.
struct Instruction {
  bool divides = false;
  unsigned long branch = 0;
};

// Decodes as much of an x86-64 instruction as tells divisions, roots and conditional branches.
Instruction decoded(const std::array<unsigned char, 16>& bytes) {
  constexpr std::string_view prefixes = "\x66\xf2\xf3\xf0\x2e\x36\x3e\x26\x64\x65\x67";
  const auto divides = [](unsigned char opcode) { return opcode == 0x5e || opcode == 0x51; };
  std::size_t i = 0;
  while (i < 8 && prefixes.find(static_cast<char>(bytes[i])) != prefixes.npos) ++i;
  if (bytes[i] == 0xc5) return {divides(bytes[i + 2])};
  if (bytes[i] == 0xc4) return {(bytes[i + 1] & 0x1f) == 1 && divides(bytes[i + 3])};
  if (bytes[i] == 0x62) return {(bytes[i + 1] & 7) == 1 && divides(bytes[i + 4])};
  if ((bytes[i] & 0xf0) == 0x40) ++i;
  if ((bytes[i] & 0xf0) == 0x70) return {false, i + 2};
  if (bytes[i] == 0x0f && (bytes[i + 1] & 0xf0) == 0x80) return {false, i + 6};
  if (bytes[i] == 0x0f) return {divides(bytes[i + 1])};
  return {(bytes[i] == 0xf6 || bytes[i] == 0xf7) && (bytes[i + 1] & 0x30) == 0x30};
}

// Follows a child step by step and adds up what its instructions cost.
class Follower {
 public:
  explicit Follower(pid_t child) : child_(child), at_(address()) {}

  void count_step() {
    const unsigned long before = at_;
    at_ = address();
    const auto [known, fresh] = instructions_.try_emplace(before);
    if (fresh) known->second = read(before);
    cost_ += known->second.divides ? 1 + of_division : 1;
    if (const unsigned long length = known->second.branch;
        length > 0 && !expected(before, at_ != before + length))
      cost_ += of_wrong_branch;
  }
  double cost() const { return cost_; }

 private:
  unsigned long address() const {
#ifdef __x86_64__
    return static_cast<unsigned long>(
        ptrace(PTRACE_PEEKUSER, child_, offsetof(user_regs_struct, rip), nullptr));
#else
    return 0;  // every instruction counts the same
#endif
  }
  Instruction read(unsigned long address) const {
    std::array<long, 2> words = {};
    for (std::size_t i = 0; i < words.size(); ++i)
      words[i] = ptrace(PTRACE_PEEKTEXT, child_, address + i * sizeof(long), nullptr);
    return decoded(std::bit_cast<std::array<unsigned char, 16>>(words));
  }
  // True if a processor expects this outcome of the branch: two-bit counters by branch and its last four
  // outcomes.
  bool expected(unsigned long branch, bool taken) {
    unsigned& last = last_[branch];
    int& counter = counters_[{branch, last}];
    const bool right = (counter >= 0) == taken;
    counter = std::clamp(counter + (taken ? 1 : -1), -2, 1);
    last = (last * 2 + (taken ? 1 : 0)) % 16;
    return right;
  }

  pid_t child_;
  unsigned long at_;
  double cost_ = 0;
  std::map<unsigned long, Instruction> instructions_;  // by address
  std::map<unsigned long, unsigned> last_;             // by branch: its last outcomes
  std::map<std::pair<unsigned long, unsigned>, int> counters_;
};

struct Steps {
  double count = 0, cost = 0;
};

// Steps of the child between its two stops.
std::optional<Steps> steps_of(pid_t child, std::int64_t most) {
  if (stopped_by(child) != SIGSTOP) return std::nullopt;
  Follower follower(child);
  for (std::int64_t steps = 0; steps <= most; ++steps) {
    if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) return std::nullopt;
    const int signal = stopped_by(child);
    if (signal == SIGSTOP) return Steps{static_cast<double>(steps), follower.cost()};
    if (signal != SIGTRAP) return std::nullopt;
    follower.count_step();
  }
  return std::nullopt;
}

std::optional<Steps> counted_at(const std::string& image, const Description& description,
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
  const std::optional<Steps> steps = steps_of(child, most);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return steps;
}

// Counts of an image, which are kept next to it.
std::string file_of_counts(const Image& image) { return image.path + ".instructions"; }

std::optional<CountedSizes> kept_counts(const Image& image) {
  std::string text;
  CountedSizes sizes;
  if (!read_file(file_of_counts(image), &text)) return std::nullopt;
  std::istringstream words(text);
  words >> sizes.small_n >> sizes.small >> sizes.large_n >> sizes.large >> sizes.cost;
  return words && sizes.small > 0 && sizes.cost >= 1 ? std::optional(sizes) : std::nullopt;
}

CountedSizes keep_counts(const Image& image, const CountedSizes& sizes) {
  std::ostringstream text;
  text << sizes.small_n << ' ' << sizes.small << ' ' << sizes.large_n << ' ' << sizes.large << ' '
       << sizes.cost << '\n';
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
  std::optional<Steps> small = at(small_n);
  while (!small && small_n > least_n) small = at(small_n /= 4);
  if (!small) small = at(small_n, more_steps);
  if (!small) small = at(small_n = begin, most_steps);
  if (!small) return std::nullopt;
  const double most = static_cast<double>(few_steps) / std::max(small->count, 1.0) / 2;
  const auto large_n = static_cast<std::int64_t>(static_cast<double>(small_n) * std::clamp(most, 1.0, 16.0));
  std::optional<Steps> large = large_n >= 2 * small_n ? at(large_n) : std::nullopt;
  const bool two = large && large->count >= small->count;
  if (!two) large = small;
  return keep_counts(
      image, {static_cast<double>(small_n), small->count, static_cast<double>(two ? large_n : small_n),
              large->count, large->cost / std::max(large->count, 1.0)});
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
  return place->second->cost * instructions_at(*place->second, static_cast<double>(problem.n));
}

}  // namespace sextant::own
