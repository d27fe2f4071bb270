// Runs a fuzz target on random mutations of its seeds: fuzz_<target> [SECONDS] [SEED] [FILE…]
// FILEs are inputs that failed before; they run first. A failing input is stored in fuzz-<seed>-<run>.input,
// and the same seed produces it again. The driver measures no coverage, so the seeds must reach the code.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>

#include "fuzz/target.hpp"

extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));

namespace {

using Random = std::mt19937_64;

std::string input;     // the current input
char failed_name[64];  // path at which a failing input is stored

void keep_input() {
  const int file = ::open(failed_name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  if (::write(file, input.data(), input.size()) < 0) return;
  ::close(file);
}

void on_signal(int signal) {
  keep_input();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

std::size_t below(Random& random, std::size_t limit) { return limit ? random() % limit : 0; }

// Makes one random change to the text: changes a bit or byte; removes, doubles or moves a range; inserts a
// word; or truncates.
void mutate(std::string* text, const std::vector<std::string>& words, Random& random) {
  const std::size_t at = below(random, text->size() + 1);
  const std::size_t run = std::min(text->size() - at, 1 + below(random, 16));
  switch (below(random, 8)) {
    case 0:
      if (at < text->size()) (*text)[at] = static_cast<char>((*text)[at] ^ (1 << below(random, 8)));
      break;
    case 1:
      if (at < text->size()) (*text)[at] = static_cast<char>(random());
      break;
    case 2:
      text->erase(at, run);
      break;
    case 3:
      text->insert(at, text->substr(at, run));
      break;
    case 4: {
      const std::string part = text->substr(at, run);
      text->insert(below(random, text->size() + 1), part);
      break;
    }
    case 5:
    case 6:
      if (!words.empty()) text->insert(at, words[below(random, words.size())]);
      break;
    default:
      text->resize(at);
  }
}

std::string next_input(const std::vector<std::string>& seeds, const std::vector<std::string>& words,
                       Random& random) {
  std::string text = seeds[below(random, seeds.size())];
  if (below(random, 8) == 0) {  // joins the start of one seed and the end of another
    const std::string& other = seeds[below(random, seeds.size())];
    text = text.substr(0, below(random, text.size() + 1)) + other.substr(below(random, other.size() + 1));
  }
  for (std::size_t changes = 1 + below(random, 6); changes > 0; --changes) mutate(&text, words, random);
  if (text.size() > (1 << 20)) text.resize(1 << 20);
  return text;
}

void try_input() {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 10;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGTERM}) ::signal(signal, on_signal);
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(keep_input);
  const std::vector<std::string> seeds = sextant::fuzz::seeds(), words = sextant::fuzz::words();
  std::snprintf(failed_name, sizeof failed_name, "fuzz-seed.input");
  for (const std::string& one : seeds) input = one, try_input();
  for (int i = 3; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    input.assign(std::istreambuf_iterator<char>(file), {});
    try_input();
  }
  Random random(seed);
  long long runs = 0;
  for (const std::clock_t end = std::clock() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
       std::clock() < end; ++runs) {
    std::snprintf(failed_name, sizeof failed_name, "fuzz-%llu-%lld.input",
                  static_cast<unsigned long long>(seed), runs);
    input = next_input(seeds, words, random);
    try_input();
  }
  std::printf("%lld inputs, none failed\n", runs);
  return runs > 0 ? 0 : 1;
}
