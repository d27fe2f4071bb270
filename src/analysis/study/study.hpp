// The study's questions: which variant of each model is best at each size, and which model wins.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/summary/summary.hpp"

namespace sextant {

// What is compared: the models, with libraries on the CPU and on the GPU apart.
inline constexpr const char* study_columns[] = {"serial",  "openmp", "stdpar", "cpu library",
                                                "openacc", "target", "cuda",   "gpu library"};
std::string column_of(const Summary& summary);

// One problem (kernel, type, size, cache) on one machine; a row each where its machine measured with several
// numbers of threads or bindings. The summaries are those given to study_rows, or copies that the row holds.
struct StudyRow {
  std::string machine, kernel, group;
  const KernelDescription* description =
      nullptr;  // of the kernel, by the newest session that has one; may be null
  ElementType type = ElementType::float32;
  CacheMode cache = CacheMode::warm;
  std::string threads;  // "4", where the machine's cases have several; else empty
  std::string size;     // N, the shape (64x32x32) or the class (S)
  std::int64_t n = 0;
  std::int64_t points = 0;  // of the loops' shape: sizes of all three kinds of a kernel are in its order
  bool plain() const {
    return n > 0 && size == std::to_string(n);
  }                                 // N itself, which figures may have as axis
  std::vector<const Summary*> all;  // current ones of any status
  std::shared_ptr<std::vector<Summary>>
      own;  // with `threads`: copies, compared with the row's best CPU version
  // The fastest correct one of each column by its call, and by the time with transfers; asides excluded. Of
  // several tunings of a variant the best stands for it.
  std::map<std::string, const Summary*> best, best_with_transfers;

  const std::map<std::string, const Summary*>& best_by(bool with_transfers) const {
    return with_transfers ? best_with_transfers : best;
  }
};

// By machine, then kernels (those of the study in its order, then others by name, programs last), then type,
// cache, threads and size.
std::vector<StudyRow> study_rows(const std::vector<Summary>& summaries);

// The rows of each of a machine's numbers of threads, with its name ("4 threads"); rows without threads are
// in each. One part without a name where there are not several.
std::vector<std::pair<std::string, std::vector<StudyRow>>> by_threads(const std::vector<StudyRow>& rows);

// "triad float", "triad float cold, 4 threads": what a row of a table is about beside its size.
std::string short_name_of(const StudyRow& row);

// ", cold caches, 4 threads"; empty for what is usual.
std::string conditions_of(const StudyRow& row);

// Who is fastest. Others whose ratio to the winner has an interval that holds 1 are tied with it.
struct Winner {
  const Summary* summary = nullptr;
  std::string column;
  std::vector<std::string> ties;  // columns
  Interval over_cpu;              // speed-up over the best CPU version; 0 samples: not known
};
std::optional<Winner> winner(const StudyRow& row, bool with_transfers);

// The best tuning of a column at one problem, by the device's time where all have one, else by the call's.
struct BestTuning {
  const Summary* summary = nullptr;
  std::size_t tried = 0;         // tunings of that variant that ran
  double slowest_over_best = 1;  // time of its slowest tuning over the best one's, beyond noise
};
std::optional<BestTuning> best_tuning(const StudyRow& row, const std::string& column);

// "256", "16x16", "8x8x8": threads per block as they were launched (of the longest kernel); where no launch
// was recorded, from the tuning; empty if neither says.
std::string block_of(const Summary& summary);

}  // namespace sextant
