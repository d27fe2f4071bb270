// Kernels whose data lead from place to place: their sizes, inputs and references, held against what their pages say of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "registry/registry.hpp"

namespace sextant {
namespace {

const Kernel& kernel_of(const char* name) { return find_kernel(name)->kernel; }

Problem problem_of(const char* name, std::int64_t n, ElementType type = ElementType::int32) {
  const Kernel& kernel = kernel_of(name);
  return {n, type, kernel.extents(n), kernel.standard_parameters()};
}

std::int64_t elements_of(const char* name, const Problem& problem) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < kernel_of(name).arrays.size(); ++i)
    sum += kernel_of(name).elements(problem, static_cast<int>(i));
  return sum;
}

// An input in its own type.
template <typename T>
std::vector<T> input(const char* name, const Problem& problem, int index, std::uint64_t seed = 5) {
  std::vector<T> values(static_cast<std::size_t>(kernel_of(name).elements(problem, index)));
  kernel_of(name).initialise[problem.type](problem, index, seed, values.data());
  return values;
}

const std::vector<const char*> automata = {"dfa_converging", "dfa_permuting"};

const unsigned char* bytes_of(const std::vector<std::int32_t>& words) {
  return reinterpret_cast<const unsigned char*>(words.data());
}

TEST(Dfa, HasTheMostTextThatFits) {
  for (const char* name : automata) {
    EXPECT_EQ(problem_of(name, 1040).extents.count(), 0);
    EXPECT_EQ(problem_of(name, 1041).extents.x, 16);
    for (const std::int64_t n : {1041, 1042, 1056, 1057, 1058, 7936, 130560, 1 << 28}) {
      Problem problem = problem_of(name, n);
      EXPECT_LE(elements_of(name, problem), n);
      ++problem.extents.x;
      EXPECT_GT(elements_of(name, problem), n) << name << " " << n;
    }
  }
}

// How many states 16 have become after so many bytes.
std::size_t states_left(const unsigned char* table, const unsigned char* text, int count) {
  std::set<int> left;
  for (int q = 0; q < 16; ++q) {
    int state = q;
    for (int i = 0; i < count; ++i) state = table[16 * text[i] + state];
    left.insert(state);
  }
  return left.size();
}

TEST(Dfa, StatesBecomeOneInOneTableAndNeverInTheOther) {
  int ones = 0;
  for (const char* name : automata) {
    const Problem problem = problem_of(name, 1 << 16);
    const auto table = input<std::int32_t>(name, problem, 0), text = input<std::int32_t>(name, problem, 1);
    for (int byte = 0; byte < 256; ++byte)
      for (int q = 0; q < 16; ++q) EXPECT_LT(bytes_of(table)[16 * byte + q], 16);
    for (int from = 0; from < 200 * 64; from += 64) {
      const std::size_t left = states_left(bytes_of(table), bytes_of(text) + from, 64);
      if (std::string(name) == "dfa_permuting") {
        EXPECT_EQ(left, 16);
      } else if (left == 1) {
        ++ones;
      }
    }
  }
  EXPECT_GT(ones, 180);
  EXPECT_LT(ones, 200);
}

TEST(Dfa, TheTableIsTheSameInEveryRunAndTheTextIsNot) {
  for (const char* name : automata) {
    const Problem problem = problem_of(name, 7936);
    EXPECT_EQ(input<std::int32_t>(name, problem, 0, 1), input<std::int32_t>(name, problem, 0, 2));
    EXPECT_NE(input<std::int32_t>(name, problem, 1, 1), input<std::int32_t>(name, problem, 1, 2));
  }
}

// Byte by byte from the first, across the reference's parts.
TEST(Dfa, ReferenceIsAWalk) {
  for (const char* name : automata) {
    const Problem problem = problem_of(name, 200000);
    const auto table = input<std::int32_t>(name, problem, 0), text = input<std::int32_t>(name, problem, 1);
    std::vector<double> states(static_cast<std::size_t>(problem.extents.x / 16), -1);
    const void* in[] = {table.data(), text.data(), nullptr};
    double* out[] = {nullptr, nullptr, states.data()};
    kernel_of(name).reference.int32(problem, in, out);
    int state = 0;
    for (std::size_t i = 0; i < states.size() * 64; ++i) {
      state = bytes_of(table)[16 * bytes_of(text)[i] + state];
      if (i % 64 == 63) {
        ASSERT_EQ(states[i / 64], state) << name << " " << i;
      }
    }
  }
}

TEST(Dfa, CountsWorkAsByHand) {
  const Work work = kernel_of("dfa_permuting").work(problem_of("dfa_permuting", 1024 + 34));
  EXPECT_EQ(work.bytes_read, 4096 + 4 * 32);
  EXPECT_EQ(work.bytes_written, 8);
  EXPECT_EQ(work.items, 128);
  EXPECT_EQ(work.flops, 0);
}

const std::vector<const char*> graphs }  // namespace
}  // namespace sextant
