// The source study's findings, held against other measurements. The claims are those of the thesis, and so
// are their words; a kernel's description says which of them speak of it (StudyPlace::claims). From which
// ratio on they count as confirmed is ours and said in the evidence.
#include <algorithm>
#include <cmath>
#include <cstdio>

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

// Whether one of the claims speaks of the row's kernel.
bool is_about(const StudyRow& row, std::initializer_list<const char*> any_of) {
  if (!row.description || row.description->study.study != default_study) return false;
  const std::vector<std::string>& claims = row.description->study.claims;
  return std::any_of(any_of.begin(), any_of.end(), [&](const char* name) {
    return std::find(claims.begin(), claims.end(), name) != claims.end();
  });
}

// The rows of the claims' kernels in float, warm, at their smallest or largest N; a kernel each.
Rows rows_at(const std::vector<StudyRow>& rows, std::initializer_list<const char*> claims, bool largest) {
  Rows result;
  for (const StudyRow& row : rows) {
    if (!is_about(row, claims) || row.type != ElementType::float32 || row.cache != CacheMode::warm ||
        row.n == 0 || row.best.empty())
      continue;
    const auto same = std::find_if(result.begin(), result.end(),
                                   [&](const StudyRow* r) { return r->kernel == row.kernel; });
    if (same == result.end())
      result.push_back(&row);
    else if (largest ? row.n > (*same)->n : row.n < (*same)->n)
      *same = &row;
  }
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

// OpenACC's time over CUDA's: the geometric mean, and each kernel's in words.
struct Comparison {
  double mean = 0;
  std::string each;
  std::size_t kernels = 0;
};

Comparison compare_models(const Rows& rows) {
  Comparison result;
  double logs = 0;
  for (const StudyRow* row : rows) {
    const Summary *openacc = best_of(*row, "openacc"), *cuda = best_of(*row, "cuda");
    if (!openacc || !cuda) continue;
    const bool device = openacc->device_time.samples && cuda->device_time.samples;
    const double ratio = device ? openacc->device_time.median / cuda->device_time.median
                                : openacc->call_time.median / cuda->call_time.median;
    if (!std::isfinite(ratio) || !(ratio > 0)) continue;
    logs += std::log(ratio);
    ++result.kernels;
    result.each += (result.each.empty() ? "" : ", ") + row->kernel + " " + text_of(ratio);
  }
  if (result.kernels) result.mean = std::exp(logs / static_cast<double>(result.kernels));
  return result;
}

StudyFinding unknown(const char* claim, const char* missing) {
  return {claim, Answer::unknown, std::string("Not measured here: ") + missing + "."};
}

Answer answer(bool holds) { return holds ? Answer::confirmed : Answer::refuted; }

StudyFinding close_without_reuse(const std::vector<StudyRow>& rows) {
  const char* claim = "OpenACC is close to CUDA where data is not reused.";
  const Comparison c = compare_models(rows_at(rows, {claim::without_reuse}, true));
  if (!c.kernels) return unknown(claim, "OpenACC and CUDA on copy, scale, add or triad");
  return {claim, answer(c.mean < 1.25),
          "Time of OpenACC over CUDA at the largest N: " + c.each + "; mean " + text_of(c.mean) +
              " (close: below 1.25)."};
}

StudyFinding ahead_with_shared_memory(const std::vector<StudyRow>& rows) {
  const char* claim = "CUDA pulls ahead where shared memory pays (stencil3d, matmul_naive).";
  const Comparison c = compare_models(rows_at(rows, {claim::shared_memory}, true));
  if (!c.kernels) return unknown(claim, "OpenACC and CUDA on stencil3d_7pt or matmul_naive");
  return {claim, answer(c.mean > 1.1),
          "Time of OpenACC over CUDA at the largest N: " + c.each + "; mean " + text_of(c.mean) +
              " (ahead: above 1.1)."};
}

StudyFinding small_is_slower(const std::vector<StudyRow>& rows) {
  const char* claim = "Small sizes are slower on the GPU than serial, except for matmul.";
  const Rows small = rows_at(rows, {claim::small_slower, claim::small_faster}, false);
  std::size_t slower = 0, others = 0;
  std::string faster;
  bool matmul = false, matmul_known = false;
  for (const StudyRow* row : small) {
    const Summary* s = best_on_gpu(*row);
    if (!s || !s->speedup_serial.samples) continue;
    const bool wins = s->speedup_serial.median > 1;
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
  return {claim, answer(matmul && slower == others),
          std::to_string(slower) + " of " + std::to_string(others) +
              " kernels beside matmul are slower than serial at their smallest N, matmul is " +
              (matmul ? "faster" : "slower") + faster + "."};
}

StudyFinding dear_transfers(const std::vector<StudyRow>& rows) {
  const char* claim = "OpenACC's transfers cost far more than CUDA's at small sizes.";
  std::vector<double> ratios;
  for (const StudyRow* row : rows_at(rows, {claim::dear_transfers}, false)) {
    const Summary *openacc = best_of(*row, "openacc"), *cuda = best_of(*row, "cuda");
    if (!openacc || !cuda) continue;
    const double cost = openacc->h2d_time.value_or(0) + openacc->d2h_time.value_or(0);
    const double other = cuda->h2d_time.value_or(0) + cuda->d2h_time.value_or(0);
    if (cost > 0 && other > 0) ratios.push_back(cost / other);
  }
  if (ratios.empty()) return unknown(claim, "transfers of both models");
  const double ratio = median_interval(ratios).median;
  return {claim, answer(ratio > 3),
          "OpenACC's copies take " + text_of(ratio) +
              " times as long as CUDA's from pageable memory at the smallest N, in the median of " +
              std::to_string(ratios.size()) + " kernels (far more: above 3)."};
}

StudyFinding matvec_never_pays(const std::vector<StudyRow>& rows) {
  const char* claim = "With transfers counted, matvec never pays.";
  double best = 0;
  std::size_t measured = 0;
  for (const StudyRow& row : rows) {
    if (!is_about(row, {claim::never_pays})) continue;
    for (const auto& [column, s] : row.best_with_transfers) {
      if (s->on_host || !s->speedup_cpu_with_transfers.samples) continue;
      ++measured;
      best = std::max(best, s->speedup_cpu_with_transfers.median);
    }
  }
  if (!measured) return unknown(claim, "matvec with transfers beside a CPU version");
  return {claim, answer(best <= 1),
          "The best speed-up of matvec with transfers over the best CPU version is " + text_of(best) +
              " here; the study found 1.34 over serial."};
}

}  // namespace

std::vector<StudyFinding> study_findings(const std::vector<StudyRow>& rows) {
  return {close_without_reuse(rows), ahead_with_shared_memory(rows), small_is_slower(rows),
          dear_transfers(rows), matvec_never_pays(rows)};
}

}  // namespace sextant
