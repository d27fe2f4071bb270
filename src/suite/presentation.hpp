// How a kernel is presented: its place in a study, the figures published of it, the layout of its report.
// Nothing here takes part in computing or checking.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace sextant {

// The study that an empty selection means (L. Navarro Lorente's thesis on micro-kernels), and its sizes.
inline constexpr const char* default_study = "micro-kernels";
inline constexpr std::int64_t study_sizes[] = {7936, 130560, 1310720, 9437184};

// The sizes of the suite of patterns: the study's, and one that no cache holds.
inline const std::vector<std::int64_t> pattern_sizes = {7936, 130560, 1310720, 9437184,
                                                        std::int64_t{1} << 28};

// What the study claims, to be held against other measurements (analysis/study/study_findings.cpp).
namespace claim {
inline constexpr const char* without_reuse = "without_reuse";  // OpenACC is close to CUDA: no data is reused
inline constexpr const char* shared_memory = "shared_memory";  // CUDA is ahead: shared memory pays
inline constexpr const char* small_slower = "small_slower";  // small sizes are slower on the GPU than serial
inline constexpr const char* small_faster = "small_faster";  // the exception from that
inline constexpr const char* dear_transfers =
    "dear_transfers";                                    // OpenACC's transfers cost far more than CUDA's
inline constexpr const char* never_pays = "never_pays";  // not worth it once transfers are counted
}  // namespace claim

struct StudyPlace {
  std::string study;                     // its name; empty: the kernel is in none
  int place = 0;                         // from 1: the order in which the study reports its kernels
  std::vector<std::string> claims = {};  // those of the study's that speak of this kernel
};

// A published value at one N.
struct FigureAt {
  std::int64_t n = 0;
  double value = 0;
};

// What a publication gives for a kernel in one model: shown beside measured figures, never mixed with them.
struct PublishedFigures {
  std::string column;                                  // the model: "cuda", "openacc"
  std::string block;                                   // best threads per block, "16x16"; may be empty
  std::vector<FigureAt> speedups = {};                 // over serial, by the call alone; may be empty
  std::vector<FigureAt> speedups_with_transfers = {};  // over serial, copies counted; may be empty
};

// How a program's result stands in the layout of the NAS Parallel Benchmarks' own reports (`show --npb`).
struct ReportLayout {
  std::string name;            // "EP"
  std::string operation_type;  // "floating point"
  bool size_in_items = false;  // its size is printed as the number of items, else as extents
  int iterations = -1;         // which of Problem::parameters counts them; -1: none does, 0 is printed
};

struct Presentation {
  StudyPlace study = {};                         // e.g. {default_study, 4, {claim::without_reuse}}
  std::optional<ReportLayout> report = {};       // of programs that have a layout of their own
  std::vector<PublishedFigures> published = {};  // one a model; may be empty
};

// One value for each of the study's sizes.
inline std::vector<FigureAt> at_study_sizes(const std::array<double, std::size(study_sizes)>& values) {
  std::vector<FigureAt> figures;
  for (std::size_t i = 0; i < values.size(); ++i) figures.push_back({study_sizes[i], values[i]});
  return figures;
}

}  // namespace sextant
