// Tests of building blocks of stdpar variants: counting iterator, number of threads, and blockwise sums.
#include "toolbox/host/algorithms.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace sextant {
namespace {

TEST(Algorithms, ACounterIsARandomAccessIteratorOverNumbers) {
  static_assert(
      std::is_same_v<std::iterator_traits<Counter>::iterator_category, std::random_access_iterator_tag>);
  Counter at(5);
  EXPECT_EQ(*at++, 5);
  EXPECT_EQ(*at--, 6);
  EXPECT_EQ(*++at, 6);
  EXPECT_EQ(*--at, 5);
  EXPECT_EQ(at[3], 8);
  EXPECT_EQ(*(at + 2), 7);
  EXPECT_EQ(*(2 + at), 7);
  EXPECT_EQ(*(at - 2), 3);
  EXPECT_EQ(*(at += 4), 9);
  EXPECT_EQ(*(at -= 1), 8);
  EXPECT_EQ(Counter(9) - Counter(4), 5);
  EXPECT_LT(Counter(4), Counter(9));
  EXPECT_EQ(Counter(4), Counter(4));
}

TEST(Algorithms, EveryIndexIsVisitedOnce) {
  for (const std::int64_t count : {0, 1, 7, 10007}) {
    std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
    for_each_index(3, 3 + count, [&](std::int64_t i) { ++visits[static_cast<std::size_t>(i - 3)]; });
    for (const std::atomic<int>& visit : visits) ASSERT_EQ(visit, 1) << count;
  }
  for_each_index(4, 2, [](std::int64_t) { ADD_FAILURE() << "an empty range was visited"; });
}

TEST(Algorithms, SumsCoverEveryElementOnceInBlocks) {
  for (const std::int64_t n : {0, 1, 8191, 8192, 8193, 100003}) {
    const auto sum = sum_of_blocks<double>(n, [](std::int64_t begin, std::int64_t count) {
      double part = 0;
      for (std::int64_t i = begin; i < begin + count; ++i) part += static_cast<double>(i + 1);
      return part;
    });
    EXPECT_EQ(sum, static_cast<double>(n) * static_cast<double>(n + 1) / 2);
  }
}

// Parallel algorithms must use at most as many threads as OpenMP, however much work there is.
TEST(Algorithms, RunOnNoMoreThreadsThanOpenmpHas) {
  std::mutex lock;
  std::set<std::thread::id> threads;
  for_each_index(0, 100000, [&](std::int64_t) {
    const std::scoped_lock held(lock);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_GE(threads.size(), 1u);
  EXPECT_LE(threads.size(), static_cast<std::size_t>(omp_get_max_threads()));
  int most = 0;
  on_algorithm_threads([&] { most = tbb::this_task_arena::max_concurrency(); });
  EXPECT_EQ(most, omp_get_max_threads());
}

// Runs a test again in a process with bound OpenMP threads, as in a worker. Returns the exit code.
int run_bound(const std::string& test) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  return std::system(("OMP_PROC_BIND=close OMP_NUM_THREADS=2 " + self +
                      " --gtest_also_run_disabled_tests --gtest_filter=" + test + " >/dev/null")
                         .c_str());
}

TEST(Algorithms, RunOnAllProcessorsThoughOpenmpBindsTheThreadThatAsks) {
  EXPECT_EQ(run_bound("Algorithms.DISABLED_MasksOfThreads"), 0);
}

TEST(Algorithms, DISABLED_MasksOfThreads) {
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  ++threads;  // some OpenMP runtimes bind the first thread only here
  ASSERT_EQ(threads, 2);
  cpu_set_t mask;
  ASSERT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  if (omp_get_num_places() < 2) GTEST_SKIP() << "one processor";
  ASSERT_EQ(CPU_COUNT(&mask), 1) << "the thread that asks is bound";
  std::mutex lock;
  std::map<std::thread::id, int> processors;
  for (int round = 0; round < 100 && processors.size() < 2; ++round)  // until a second thread takes part
    for_each_index(0, 64, [&](std::int64_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      cpu_set_t own;
      sched_getaffinity(0, sizeof own, &own);
      const std::scoped_lock held(lock);
      processors[std::this_thread::get_id()] = CPU_COUNT(&own);
    });
  processors.erase(std::this_thread::get_id());
  ASSERT_FALSE(processors.empty());
  for (const auto& [thread, count] : processors) EXPECT_GE(count, omp_get_num_places());
}

}  // namespace
}  // namespace sextant
