// How reports present a kernel: its position in a published study, published results, report layout.
// Computation and checks do not use this data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace sextant {

// The study whose kernels run by default (L. Navarro Lorente's thesis on micro-kernels), and its sizes N.
inline constexpr const char* default_study = "micro-kernels";
inline constexpr std::int64_t study_sizes[] = {7936, 130560, 1310720, 9437184};

// Default sizes N of the suite `patterns`: the sizes of the study, and one that exceeds every cache.
inline const std::vector<std::int64_t> pattern_sizes = {7936, 130560, 1310720, 9437184,
                                                        std::int64_t{1} << 28};

// Claims of the study about kernels. A report tests them (analysis/study/study_findings.cpp).
namespace claim {
// OpenACC is nearly as fast as CUDA, because no data are reused.
inline constexpr const char* without_reuse = "without_reuse";
// CUDA is faster than OpenACC, because it uses shared memory.
inline constexpr const char* shared_memory = "shared_memory";
// Small problems are slower on the GPU than in serial code.
inline constexpr const char* small_slower = "small_slower";
// Exception: small problems are faster on the GPU.
inline constexpr const char* small_faster = "small_faster";
// Copies to and from the GPU take far longer with OpenACC than with CUDA.
inline constexpr const char* dear_transfers = "dear_transfers";
// The GPU is slower than serial code if copies are included.
inline constexpr const char* never_pays = "never_pays";
}  // namespace claim

struct StudyPlace {
  std::string study;                     // name of the study; empty if no study contains the kernel
  int place = 0;                         // position in the study, from 1
  std::vector<std::string> claims = {};  // what the study says about this kernel
};

// A published value for one size N (number of elements).
struct FigureAt {
  std::int64_t n = 0;
  double value = 0;
};

// Published results of a kernel in one programming model. Reports show them next to measured values.
struct PublishedFigures {
  std::string column;                                  // the programming model: "cuda", "openacc"
  std::string block;                                   // best thread block size, "16x16"; may be empty
  std::vector<FigureAt> speedups = {};                 // over serial code, without copies
  std::vector<FigureAt> speedups_with_transfers = {};  // over serial code, with copies
};

// How a program's result appears in the report format of the NAS Parallel Benchmarks (`show --npb`).
struct ReportLayout {
  std::string name;            // name of the program, such as "EP"
  std::string operation_type;  // such as "floating point"
  bool size_in_items = false;  // true to print the number of items instead of the extents
  // index in Problem::parameters of the number of iterations; -1: prints 0
  int iterations = -1;
};

struct Presentation {
  StudyPlace study = {};                         // e.g. {default_study, 4, {claim::without_reuse}}
  std::optional<ReportLayout> report = {};       // only for programs with their own report format
  std::vector<PublishedFigures> published = {};  // one entry per model; may be empty
};

// Pairs `values` with the sizes N of the default study, in order.
inline std::vector<FigureAt> at_study_sizes(const std::array<double, std::size(study_sizes)>& values) {
  std::vector<FigureAt> figures;
  for (std::size_t i = 0; i < values.size(); ++i) figures.push_back({study_sizes[i], values[i]});
  return figures;
}

}  // namespace sextant
