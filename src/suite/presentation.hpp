// How results of a kernel are presented: its place in a study, published figures, report layout. Computation
// and checks do not use this data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace sextant {

// The default study, used for an empty selection (L. Navarro Lorente's thesis on micro-kernels), and its
// sizes.
inline constexpr const char* default_study = "micro-kernels";
inline constexpr std::int64_t study_sizes[] = {7936, 130560, 1310720, 9437184};

// Default sizes of the suite `patterns`: those of the study, and one that exceeds every cache.
inline const std::vector<std::int64_t> pattern_sizes = {7936, 130560, 1310720, 9437184,
                                                        std::int64_t{1} << 28};

// Claims of the study, which are compared with measurements (analysis/study/study_findings.cpp).
namespace claim {
inline constexpr const char* without_reuse = "without_reuse";  // OpenACC is close to CUDA: no data is reused
inline constexpr const char* shared_memory = "shared_memory";  // CUDA is ahead: shared memory pays
inline constexpr const char* small_slower = "small_slower";  // small sizes are slower on the GPU than serial
inline constexpr const char* small_faster = "small_faster";  // the exception: small sizes are faster
// OpenACC's transfers cost far more than CUDA's.
inline constexpr const char* dear_transfers = "dear_transfers";
inline constexpr const char* never_pays = "never_pays";  // the GPU does not pay once transfers are counted
}  // namespace claim

struct StudyPlace {
  std::string study;                     // name of the study; empty if the kernel is in none
  int place = 0;                         // position in the study's report, from 1
  std::vector<std::string> claims = {};  // claims of the study about this kernel
};

// A published value for one size N.
struct FigureAt {
  std::int64_t n = 0;
  double value = 0;
};

// Published results for a kernel in one model. They are shown next to measured values and never combined with
// them.
struct PublishedFigures {
  std::string column;                                  // the model: "cuda", "openacc"
  std::string block;                                   // best thread block size, "16x16"; may be empty
  std::vector<FigureAt> speedups = {};                 // over serial, call time only; may be empty
  std::vector<FigureAt> speedups_with_transfers = {};  // over serial, including copies; may be empty
};

// How a program's result appears in the report format of the NAS Parallel Benchmarks (`show --npb`).
struct ReportLayout {
  std::string name;            // "EP"
  std::string operation_type;  // "floating point"
  bool size_in_items = false;  // prints the size as a number of items instead of extents
  int iterations = -1;         // index in Problem::parameters; -1: no such parameter, prints 0
};

struct Presentation {
  StudyPlace study = {};                         // e.g. {default_study, 4, {claim::without_reuse}}
  std::optional<ReportLayout> report = {};       // only for programs with their own report format
  std::vector<PublishedFigures> published = {};  // one entry per model; may be empty
};

// Pairs `values` with the study's sizes, in order.
inline std::vector<FigureAt> at_study_sizes(const std::array<double, std::size(study_sizes)>& values) {
  std::vector<FigureAt> figures;
  for (std::size_t i = 0; i < values.size(); ++i) figures.push_back({study_sizes[i], values[i]});
  return figures;
}

}  // namespace sextant
