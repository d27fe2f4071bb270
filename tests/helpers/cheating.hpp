// Provides cheats: function objects that skip work in timed calls and keep state between calls. Several tests
// share them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "costly.hpp"

namespace cheating {

template <typename T>
struct Arrays {
  std::int64_t n;
  const T* a;
  T* c;
};

template <typename T>
struct Honest {
  void operator()(const Arrays<T>& x) const {
    for (std::int64_t i = 0; i < x.n; ++i) x.c[i] = costly(x.a[i]);
  }
};

template <typename T>
struct AlreadyThere {
  bool skips(const Arrays<T>& x) const { return is_written(x.c[0]) && is_written(x.c[x.n - 1]); }
  void operator()(const Arrays<T>& x) const {
    if (!skips(x)) Honest<T>()(x);
  }
};

// Copies a stored answer if three input elements match. Stores the last answer, or all answers.
template <typename T, bool all>
struct KeepsAnswers {
  std::map<std::vector<T>, std::vector<T>> answers;
  static std::vector<T> key_of(const Arrays<T>& x) {
    return {static_cast<T>(x.n), x.a[0], x.a[x.n / 2], x.a[x.n - 1]};
  }
  bool skips(const Arrays<T>& x) const { return answers.count(key_of(x)) > 0; }
  void operator()(const Arrays<T>& x) {
    if (skips(x)) {
      const std::vector<T>& answer = answers[key_of(x)];
      std::copy(answer.begin(), answer.end(), x.c);
      return;
    }
    if (!all) answers.clear();
    Honest<T>()(x);
    answers[key_of(x)].assign(x.c, x.c + x.n);
  }
};
template <typename T>
using Recognises = KeepsAnswers<T, false>;
template <typename T>
using Remembers = KeepsAnswers<T, true>;

// Computes in the first launches of each size, and then copies the last of these answers.
template <typename T, int honest_launches>
struct ComputesAtFirst {
  std::map<std::int64_t, std::pair<int, std::vector<T>>> by_size;
  void operator()(const Arrays<T>& x) {
    auto& [launches, answer] = by_size[x.n];
    if (launches++ < honest_launches) {
      Honest<T>()(x);
      answer.assign(x.c, x.c + x.n);
    } else {
      std::copy(answer.begin(), answer.end(), x.c);
    }
  }
};
template <typename T>
using KeepsItsFirst = ComputesAtFirst<T, 1>;
template <typename T>
using ComputesTwice = ComputesAtFirst<T, 2>;

template <typename T>
struct WritesRubbish {
  void operator()(Arrays<T> x) const {
    const std::int64_t n = x.n;
    const bool written = is_written(x.c[n - 1]);
    if (written) x.n /= 2;
    Honest<T>()(x);
    if (written) std::fill(x.c + x.n, x.c + n, T(7));
  }
};

// Returns with the right result, but leaves a thread running that the next call joins. The thread has its own
// memory, because the arrays may be freed.
template <typename T>
struct JoinsLater {
  std::vector<T> in, out;
  std::jthread other;  // also joined by the destructor
  void operator()(const Arrays<T>& x) {
    if (other.joinable()) other.join();
    in.assign(x.a, x.a + x.n);
    out.resize(in.size());
    other = std::jthread([copies = Arrays<T>{x.n, in.data(), out.data()}] {
      for (int i = 0; i < 6; ++i) Honest<T>()(copies);  // long enough to be noticed on a busy machine
    });
    Honest<T>()(x);
  }
};

// Calls one Cheat object that lives as long as the process.
template <typename Cheat, typename T>
void cheat(const Arrays<T>& x) {
  static Cheat one;
  one(x);
}

}  // namespace cheating
