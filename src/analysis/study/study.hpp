// Finds the best variant of each model at each problem size, and the fastest model.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/summary/summary.hpp"

namespace sextant {

// The columns of the study: the programming models, with libraries split into CPU and GPU.
inline constexpr const char* study_columns[] = {"serial",  "openmp", "stdpar", "cpu library",
                                                "openacc", "target", "cuda",   "gpu library"};
std::string column_of(const Summary& summary);

// One problem (kernel, type, size, cache mode, fill) on one machine. If a machine measured with several
// thread counts or bindings, each of them has its own row. `all` and `best` point to the summaries passed to
// study_rows, or to copies in `own`.
struct StudyRow {
  std::string machine, kernel, group;
  // From the newest session that describes the kernel; may be null.
  const KernelDescription* description = nullptr;
  ElementType type = ElementType::float32;
  CacheMode cache = CacheMode::warm;
  InputFill fill = InputFill::uniform;
  std::string threads;  // "4" if the machine's cases have several thread settings; else empty
  std::string size;     // N, the shape (64x32x32) or the class (S)
  std::int64_t n = 0;
  std::int64_t points = 0;  // number of loop iterations (grid points); it orders the sizes of a kernel
  // True if the size is a plain N, so that figures can use it as their axis.
  bool plain() const { return n > 0 && size == std::to_string(n); }
  std::vector<const Summary*> all;  // all current measurements of this problem, also wrong and failed ones
  // Copies of summaries, only in a row of one thread setting. The copies' speed-ups refer to the best CPU
  // version with that setting.
  std::shared_ptr<std::vector<Summary>> own;
  // The fastest correct measurement of each column: `best` by call time, best_with_transfers by time with
  // transfers. Variants excluded from ranking are skipped. Each variant counts with its best tuning.
  std::map<std::string, const Summary*> best, best_with_transfers;

  const std::map<std::string, const Summary*>& best_by(bool with_transfers) const {
    return with_transfers ? best_with_transfers : best;
  }
};

// Sorted by machine, kernel (the study's kernels in its order, then others by name, programs last), type,
// cache mode, fill, threads and size.
std::vector<StudyRow> study_rows(const std::vector<Summary>& summaries);

// Removes the rows whose inputs `run --fill` chose. Advice says how kernels run on their usual inputs.
std::vector<StudyRow> with_usual_inputs(std::vector<StudyRow> rows);

// Splits the rows by thread setting, and names each group of rows ("4 threads"). Rows without a thread
// setting are in every group. With fewer than two settings there is one group without a name.
std::vector<std::pair<std::string, std::vector<StudyRow>>> by_threads(const std::vector<StudyRow>& rows);

// Identifies a row of a table, without the size: "triad float", "triad float cold, 4 threads".
std::string short_name_of(const StudyRow& row);

// Returns the row's conditions as the end of a title: ", cold caches, inputs all zeros, 4 threads". Empty for
// default conditions.
std::string conditions_of(const StudyRow& row);

// The fastest programming model (study column) for a problem. `ties` lists the columns that may be as fast:
// the interval of their time over the winner's contains 1.
struct Winner {
  const Summary* summary = nullptr;
  std::string column;
  std::vector<std::string> ties;  // columns that are tied with the winner
  Interval over_cpu;              // speed-up over the best CPU version; 0 samples: unknown
};
std::optional<Winner> winner(const StudyRow& row, bool with_transfers);

// The best tuning of a column (programming model) for one problem. It is chosen by device time if all tunings
// have one, else by call time.
struct BestTuning {
  const Summary* summary = nullptr;
  std::size_t tried = 0;         // number of tunings of that variant that ran
  double slowest_over_best = 1;  // ratio of the slowest tuning's time to the best; 1 if noise may explain it
};
std::optional<BestTuning> best_tuning(const StudyRow& row, const std::string& column);

// Threads per block of the kernel with the longest time, as it was launched: "256", "16x16", "8x8x8". Without
// a recorded launch, the value comes from the tuning. Empty if the tuning does not set it.
std::string block_of(const Summary& summary);

}  // namespace sextant
