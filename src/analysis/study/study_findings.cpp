// Tests the source study's findings with other measurements. The wording of the claims follows the thesis. A
// kernel's description lists the claims that concern it (StudyPlace::claims). This project chose the ratios
// that confirm a claim; the evidence states them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "analysis/study/findings.hpp"

namespace sextant {
namespace {

using Answer = StudyFinding::Answer;
using Rows = std::vector<const StudyRow*>;

std::string text_of(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", ratio);
  return text;
}

// True if one of the claims concerns the row's kernel.
bool is_about(const StudyRow& row, std::initializer_list<const char*> any_of) {
  if (!row.description || row.description->study.study != default_study) return false;
  const std::vector<std::string>& claims = row.description->study.claims;
  return std::any_of(any_of.begin(), any_of.end(), [&](const char* name) {
    return std::find(claims.begin(), claims.end(), name) != claims.end();
  });
}

// Returns the rows of the kernels that the claims concern, by N. Only rows with type float, a warm cache
// and the usual inputs are used.
std::map<std::int64_t, Rows> rows_by_size(const std::vector<StudyRow>& rows,
                                          std::initializer_list<const char*> claims) {
  std::map<std::int64_t, Rows> result;
  for (const StudyRow& row : rows)
    if (is_about(row, claims) && row.type == ElementType::float32 && row.cache == CacheMode::warm &&
        row.fill == InputFill::uniform && row.plain() && !row.best.empty())
      result[row.n].push_back(&row);
  return result;
}

const Summary* best_of(const StudyRow& row, const std::string& column) {
  const auto found = row.best.find(column);
  return found == row.best.end() ? nullptr : found->second;
}

const Summary* best_on_gpu(const StudyRow& row) {
  const Summary* best = nullptr;
  for (const char* column : {"openacc", "cuda"})
    if (const Summary* s = best_of(row, column))
      if (!best || s->call_time.median < best->call_time.median) best = s;
  return best;
}

// The measured value for a claim at one size, and whether the claim holds there.
struct AtSize {
  std::int64_t n = 0;
  double value = 0;
  bool holds = false;
};

Answer answer_of(const std::vector<AtSize>& sizes) {
  const auto holding = std::count_if(sizes.begin(), sizes.end(), [](const AtSize& one) { return one.holds; });
  if (sizes.empty()) return Answer::unknown;
  if (holding == 0) return Answer::refuted;
  return static_cast<std::size_t>(holding) == sizes.size() ? Answer::confirmed : Answer::depends;
}

// Lists the values by N: "7936: 3.02, 130560: 1.2".
std::string values_of(const std::vector<AtSize>& sizes) {
  std::string text;
  for (const AtSize& one : sizes)
    text += (text.empty() ? "" : ", ") + text_of(one.value) + " at N = " + std::to_string(one.n);
  return text;
}

// Lists the sizes at which a claim holds: "; it holds at N = 7936, 130560". Empty unless it holds at some
// sizes only.
std::string where_it_holds(const std::vector<AtSize>& sizes) {
  if (answer_of(sizes) != Answer::depends) return "";
  std::string text;
  for (const AtSize& one : sizes)
    if (one.holds) text += (text.empty() ? "; it holds at N = " : ", ") + std::to_string(one.n);
  return text;
}

// Returns the geometric mean of OpenACC's call time over CUDA's, or 0 if unknown. It equals the ratio of
// their speed-ups over serial, which the study reports.
double openacc_over_cuda(const Rows& rows) {
  double logs = 0;
  std::size_t kernels = 0;
  for (const StudyRow* row : rows) {
    const Summary *openacc = best_of(*row, "openacc"), *cuda = best_of(*row, "cuda");
    if (!openacc || !cuda) continue;
    logs += std::log(openacc->call_time.median / cuda->call_time.median);
    ++kernels;
  }
  return kernels ? std::exp(logs / static_cast<double>(kernels)) : 0;
}

StudyFinding unknown(const char* claim, const char* missing) {
  return {claim, Answer::unknown, std::string("Not measured here: ") + missing + "."};
}

StudyFinding close_without_reuse(const std::vector<StudyRow>& rows) {
  const char* claim = "OpenACC is close to CUDA where data is not reused.";
  std::vector<AtSize> sizes;
  for (const auto& [n, at] : rows_by_size(rows, {claim::without_reuse}))
    if (const double ratio = openacc_over_cuda(at); ratio > 0) sizes.push_back({n, ratio, ratio < 1.25});
  if (sizes.empty()) return unknown(claim, "OpenACC and CUDA on copy, scale, add or triad");
  return {claim, answer_of(sizes),
          "OpenACC's call time over CUDA's is " + values_of(sizes) + " (geometric means; close: below 1.25)" +
              where_it_holds(sizes) + "."};
}

StudyFinding ahead_with_shared_memory(const std::vector<StudyRow>& rows) {
  const char* claim = "CUDA pulls ahead where shared memory pays (stencil3d, matmul_naive).";
  const auto shared = rows_by_size(rows, {claim::shared_memory}),
             streams = rows_by_size(rows, {claim::without_reuse});
  std::vector<AtSize> sizes;
  std::string raw;
  for (const auto& [n, at] : shared) {
    const auto plain = streams.find(n);
    const double ratio = openacc_over_cuda(at),
                 other = plain == streams.end() ? 0 : openacc_over_cuda(plain->second);
    if (!(ratio > 0) || !(other > 0)) continue;
    sizes.push_back({n, ratio / other, ratio / other > 1.1});
    raw += (raw.empty() ? "" : ", ") + text_of(ratio) + " against " + text_of(other);
  }
  if (sizes.empty())
    return unknown(claim, "OpenACC and CUDA on stencil3d_7pt or matmul_naive, and on streams");
  return {claim, answer_of(sizes),
          "OpenACC's call time over CUDA's, compared with that on streams, which do not use shared memory: " +
              raw + "; the effect of shared memory is " + values_of(sizes) + " (ahead: above 1.1)" +
              where_it_holds(sizes) + "."};
}

StudyFinding small_is_slower(const std::vector<StudyRow>& rows) {
  const char* claim = "Small sizes are slower on the GPU than serial, except for matmul.";
  const auto by_size = rows_by_size(rows, {claim::small_slower, claim::small_faster});
  std::size_t slower = 0, others = 0;
  std::string faster;
  bool matmul = false, matmul_known = false;
  if (!by_size.empty())
    for (const StudyRow* row : by_size.begin()->second) {
      const Summary* s = best_on_gpu(*row);
      if (!s || !s->speedup_serial.samples) continue;
      const bool wins = s->speedup_serial.low > 1;
      if (is_about(*row, {claim::small_faster})) {
        matmul_known = true;
        matmul = matmul || wins;
        continue;
      }
      ++others;
      if (!wins) ++slower;
      if (wins) faster += (faster.empty() ? "; faster: " : ", ") + row->kernel;
    }
  if (!others || !matmul_known) return unknown(claim, "a GPU and serial.baseline at small sizes");
  return {claim, matmul && slower == others ? Answer::confirmed : Answer::refuted,
          "At N = " + std::to_string(by_size.begin()->first) + " " + std::to_string(slower) + " of " +
              std::to_string(others) +
              " kernels other than matmul are not faster than serial by call time; matmul is " +
              (matmul ? "faster" : "not faster either") + faster + "."};
}

StudyFinding dear_transfers(const std::vector<StudyRow>& rows) {
  const char* claim = "OpenACC's transfers cost far more than CUDA's at small sizes.";
  std::vector<AtSize> sizes;
  std::size_t kernels = 0;
  for (const auto& [n, at] : rows_by_size(rows, {claim::dear_transfers})) {
    std::vector<double> ratios;
    for (const StudyRow* row : at) {
      const Summary *openacc = best_of(*row, "openacc"), *cuda = best_of(*row, "cuda");
      if (!openacc || !cuda) continue;
      const double cost = openacc->h2d_time.value_or(0) + openacc->d2h_time.value_or(0);
      const double other = cuda->h2d_time.value_or(0) + cuda->d2h_time.value_or(0);
      if (cost > 0 && other > 0) ratios.push_back(cost / other);
    }
    if (ratios.empty()) continue;
    if (sizes.empty()) kernels = ratios.size();
    const double ratio = median_interval(ratios).median;
    sizes.push_back({n, ratio, ratio > 3});
  }
  if (sizes.empty()) return unknown(claim, "transfers of both models");
  // The claim concerns the smallest size only. The other sizes are shown as context.
  return {claim, sizes.front().holds ? Answer::confirmed : Answer::refuted,
          "OpenACC's copy times over CUDA's from pageable memory are " + values_of(sizes) + " (medians of " +
              std::to_string(kernels) + " kernels; far more: above 3 at the smallest N)."};
}

StudyFinding matvec_never_pays(const std::vector<StudyRow>& rows) {
  const char* claim = "With transfers counted, matvec never pays.";
  std::vector<AtSize> sizes;
  double over_cpu = 0;
  for (const auto& [n, at] : rows_by_size(rows, {claim::never_pays})) {
    double best = 0;
    for (const StudyRow* row : at)
      for (const auto& [column, s] : row->best_with_transfers) {
        if (s->on_host || !s->speedup_serial_with_transfers.samples) continue;
        best = std::max(best, s->speedup_serial_with_transfers.median);
        over_cpu = std::max(over_cpu, s->speedup_cpu_with_transfers.median);
      }
    if (best > 0) sizes.push_back({n, best, best <= 1.34});
  }
  if (sizes.empty()) return unknown(claim, "matvec with transfers beside serial.baseline");
  return {claim, answer_of(sizes),
          "With transfers the best speed-up of matvec over serial is " + values_of(sizes) +
              " (never: at most 1.34, the study's largest)" + where_it_holds(sizes) +
              "; over the best CPU version it is at most " + text_of(over_cpu) + "."};
}

}  // namespace

std::vector<StudyFinding> study_findings(const std::vector<StudyRow>& rows) {
  return {close_without_reuse(rows), ahead_with_shared_memory(rows), small_is_slower(rows),
          dear_transfers(rows), matvec_never_pays(rows)};
}

}  // namespace sextant
