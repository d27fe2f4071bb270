// Tests that a case on the CPU records how many threads ran.
#include "record/threads_ran.hpp"

#include <gtest/gtest.h>
#include <time.h>

#include <optional>
#include <string>
#include <thread>

#include "engine/case/case_runner.hpp"
#include "engine/form/settings.hpp"
#include "machine/thread_count.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

void set_to_one(const Call& call) {
  for (std::int64_t i = 0; i < call.problem.n; ++i) call.array<float>(0)[i] = 1;
}

void spin() {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  for (const double begin = now(); now() < begin + 3e-3;) {
  }
}

void busy_on_one(const Call& call) {
  spin();
  set_to_one(call);
}

void busy_on_two(const Call& call) {
  std::thread other(spin);
  busy_on_one(call);
  other.join();
}

Variant variant(const char* name, Model model, void (*launch)(const Call&), ThreadLibrary library) {
  Variant one;
  one.name = name;
  one.model = model;
  one.launch.float32 = launch;
  one.thread_library = library;
  return one;
}

void add_kernel() {
  static const bool once = [] {
    Kernel kernel;
    kernel.name = "threaded";
    kernel.arrays = {{"a", Role::out}};
    kernel.extents = [](std::int64_t n) { return Extents{n, 1, 1}; };
    kernel.work = [](const Problem& p) { return Work{.bytes_written = 4 * p.n, .items = p.n}; };
    kernel.reference.float32 = [](const Problem& p, const void* const*, double* const* results) {
      for (std::int64_t i = 0; i < p.n; ++i) results[0][i] = 1;
    };
    kernel.tolerance = [](const Problem&) { return Tolerance{}; };
    kernel.tolerance_reason = "ones are exact";
    add_to_registry({kernel,
                     {variant("serial.baseline", Model::serial, set_to_one, ThreadLibrary::of_model),
                      variant("openmp.plain", Model::openmp, set_to_one, ThreadLibrary::of_model),
                      variant("library.one", Model::library, busy_on_one, ThreadLibrary::openblas),
                      variant("library.two", Model::library, busy_on_two, ThreadLibrary::openblas)}});
    return true;
  }();
  (void)once;
}

class ThreadsRan : public testing::Test {
 protected:
  ThreadsRan() : threads_(3) { add_kernel(); }
  Measurement measure(const char* variant, const Tuning& tuning = {}) {
    Case what;
    what.kernel = "threaded";
    what.variant = variant;
    what.problem = {100, ElementType::float32, {100, 1, 1}, {}};
    what.tuning = tuning;
    what.device = "cpu";
    Settings settings;
    settings.seed = 1;
    settings.max_samples = settings.min_samples = 3;
    return runner_.run(what, settings);
  }
  GivenThreads threads_;  // a fixed number of threads on any machine
  CaseRunner runner_{[](Stage) {}};
};

std::optional<double> counter_of(const Measurement& m, const std::string& name) {
  for (const auto& [key, value] : m.counters)
    if (key == name) return value;
  return std::nullopt;
}

TEST_F(ThreadsRan, OfOpenMPIsAskedOfATeam) {
  EXPECT_EQ(threads_of_a_team(), 3);
  int inside = 0;
#pragma omp parallel
#pragma omp master
  inside = threads_of_a_team();
  EXPECT_EQ(inside, 1);  // a nested team has one thread, whatever omp_get_max_threads says
  EXPECT_EQ(counter_of(measure("openmp.plain"), threads_ran), 3);
  EXPECT_EQ(counter_of(measure("openmp.plain", {{"threads", 2}}), threads_ran), 2);
  EXPECT_EQ(counter_of(measure("serial.baseline"), threads_ran), std::nullopt);
}

TEST_F(ThreadsRan, OfALibraryIsMeasuredByProcessorTime) {
  const Measurement one = measure("library.one"), two = measure("library.two");
  EXPECT_EQ(one.status, Status::ok) << one.reason;
  EXPECT_EQ(counter_of(one, threads_ran), 1);
  EXPECT_LT(counter_of(one, processors_busy).value_or(9), 1.2);
  EXPECT_EQ(two.status, Status::ok) << two.reason;
  EXPECT_TRUE(counter_of(two, processors_busy));
  EXPECT_EQ(counter_of(two, threads_ran), std::nullopt);
}

}  // namespace
}  // namespace sextant
