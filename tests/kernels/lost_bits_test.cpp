// Tests that every kernel's check rejects results with too little precision. Operands are rounded to 11 bits
// of significand (fp16 and TF32), 8 bits (bfloat16), float instead of double, or 8-bit integers. Other tests
// round accumulators to half the width.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "planted.hpp"
#include "problems.hpp"

namespace sextant {
namespace {

// Rounds a value to `bits` significant bits.
double of_bits(double value, int bits) {
  int exponent;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, bits)), exponent - bits);
}

// True for arrays of codes such as flags, letters and states, which need few bits in every type.
bool holds_codes(const Kernel& kernel, std::size_t array) {
  static const std::map<std::string, std::set<std::string>> codes = {{"lbm_d3q15", {"flags"}},
                                                                     {"dfa_converging", {"table", "text"}},
                                                                     {"dfa_permuting", {"table", "text"}},
                                                                     {"needleman_wunsch", {"a", "b"}},
                                                                     {"viterbi", {"observed"}}};
  const auto found = codes.find(kernel.name);
  return found != codes.end() && found->second.contains(kernel.arrays[array].name);
}

class LostBits : public Planted {
 public:
  using Planted::Planted;

  // Rounds one input array at a time to each narrower type.
  void of_operands() {
    for (std::size_t i = 0; i < inputs_.arrays.size(); ++i) {
      if (kernel_.arrays[i].role == Role::out || kernel_.arrays[i].type || holds_codes(kernel_, i)) continue;
      for (const int bits : {24, 11, 8})
        if (bits < significand())
          operand(i, std::to_string(bits) + " bits", [&](double value) { return of_bits(value, bits); });
      operand(i, "int8", [scale = scale_of(i)](double value) {
        return std::clamp(std::nearbyint(value / scale), -128.0, 127.0) * scale;
      });
    }
  }

  // Expects that the check rejects results with narrow accumulators. `sums` computes them from `values(array,
  // i)` (input) and `round(sum)`, which rounds a sum to half the width.
  template <typename Sums>
  void of_accumulators(const Sums& sums) {
    const int bits = problem_.type == ElementType::float64 ? 24 : 11;
    Values wrong = right_;
    sums(
        problem_, [&](std::size_t array, std::int64_t i) { return input(array, i); },
        [&](double sum) { return of_bits(sum, bits); }, &wrong);
    EXPECT_TRUE(differs(wrong)) << "the plant is right, " << name();
    refuse(wrong, "accumulators of half the width");
  }

 private:
  int significand() const {
    return problem_.type == ElementType::float64 ? 53 : problem_.type == ElementType::float32 ? 24 : 0;
  }
  double input(std::size_t array, std::int64_t i) const {
    return element(inputs_.arrays[array], type_of(array), static_cast<std::size_t>(i));
  }
  std::int64_t count(std::size_t array) const { return kernel_.elements(problem_, static_cast<int>(array)); }

  // Returns the quantization step of int8: 1 for integers, otherwise the largest value / 127.
  double scale_of(std::size_t array) const {
    double largest = 0;
    bool whole = true;
    for (std::int64_t i = 0; i < count(array); ++i) {
      largest = std::max(largest, std::abs(input(array, i)));
      whole = whole && input(array, i) == std::nearbyint(input(array, i));
    }
    return whole || largest == 0 ? 1 : largest / 127;
  }

  template <typename Narrow>
  void operand(std::size_t array, const std::string& as, const Narrow& narrow) {
    Inputs narrower = inputs_;
    for (std::int64_t i = 0; i < count(array); ++i)
      sextant::put(narrow(input(array, i)), type_of(array), i, narrower.arrays[array].data());
    const Values answer = narrower.reference(kernel_, problem_);
    EXPECT_TRUE(differs(answer)) << kernel_.arrays[array].name << " in " << as << " is right, " << name();
    refuse(answer, std::string(kernel_.arrays[array].name) + " in " + as);
  }
};

constexpr ElementType types[] = {ElementType::float32, ElementType::float64, ElementType::int32};

std::vector<Problem> problems(const Kernel& kernel, ElementType type) {
  std::vector<Problem> list;
  if (kernel.extents || kernel.shaped)
    for (const std::int64_t n : {std::int64_t{10000}, std::int64_t{1000000}}) {
      list.push_back(problem_of(kernel, n, type));
      keep_iterations_few(kernel, &list.back());
      for (std::size_t i = 0; i < kernel.parameter_list.size();
           ++i)  // few steps, because many may erase the effect of the inputs
        if (kernel.parameter_list[i].name == std::string_view("steps")) list.back().parameters[i] = 5;
    }
  // A sum with as many terms as on a GPU.
  const bool is_one_sum = kernel.group == "reduction" || kernel.group == "scan";
  if (is_one_sum && !address_sanitizer) list.push_back(problem_of(kernel, 25'000'000, type));
  std::erase_if(list, [&](const Problem& problem) {
    return problem.extents.count() == 0 || (kernel.refuse && kernel.refuse(problem)) ||
           takes_long(kernel, problem);
  });
  return list;
}

class LostBitsOf : public testing::TestWithParam<const RegisteredKernel*> {};

TEST_P(LostBitsOf, OperandsAreMissed) {
  const Kernel& kernel = GetParam()->kernel;
  for (const ElementType type : types)
    if (kernel.has(type))
      for (const Problem& problem : problems(kernel, type)) LostBits(kernel, problem).of_operands();
}

INSTANTIATE_TEST_SUITE_P(All, LostBitsOf, testing::ValuesIn(all_kernels()), title_of);

// Computes these kernels with narrow accumulators (`sums`), for both floating-point types, and expects that
// the checks reject the results. Integer sums wrap, so they are left out.
template <typename Sums>
void plant(const std::vector<std::string>& names, const Sums& sums) {
  for (const std::string& name : names) {
    const Kernel& kernel = find_kernel(name)->kernel;
    for (const ElementType type : {ElementType::float32, ElementType::float64})
      for (const Problem& problem : problems(kernel, type)) {
        LostBits planted(kernel, problem);
        planted.of_accumulators(sums);
        EXPECT_EQ(planted.refused(), 1);
      }
  }
}

TEST(NarrowAccumulators, OfOneSumAreMissed) {
  plant({"reduction"}, [](const Problem& p, const auto& in, const auto& round, Values* out) {
    double sum = 0;
    for (std::int64_t i = 0; i < p.extents.x; ++i) sum = round(sum + in(0, i));
    (*out)[1][0] = sum;
  });
  plant({"dot"}, [](const Problem& p, const auto& in, const auto& round, Values* out) {
    double sum = 0;
    for (std::int64_t i = 0; i < p.extents.x; ++i) sum = round(sum + in(0, i) * in(1, i));
    (*out)[2][0] = sum;
  });
  plant({"inclusive_scan"}, [](const Problem& p, const auto& in, const auto& round, Values* out) {
    double sum = 0;
    for (std::int64_t i = 0; i < p.extents.x; ++i)
      (*out)[1][static_cast<std::size_t>(i)] = sum = round(sum + in(0, i));
  });
}

TEST(NarrowAccumulators, OfRowsAreMissed) {
  plant({"matvec"}, [](const Problem& p, const auto& in, const auto& round, Values* out) {
    const std::int64_t n = p.extents.x;
    for (std::int64_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::int64_t j = 0; j < n; ++j) sum = round(sum + in(0, i * n + j) * in(1, j));
      (*out)[2][static_cast<std::size_t>(i)] = sum;
    }
  });
  plant({"matmul", "matmul_naive"}, [](const Problem& p, const auto& in, const auto& round, Values* out) {
    const std::int64_t n = p.extents.x;
    for (std::int64_t at = 0; at < n * n; at += n + 1) {  // the diagonal suffices
      double sum = 0;
      for (std::int64_t k = 0; k < n; ++k) sum = round(sum + in(0, at / n * n + k) * in(1, k * n + at % n));
      (*out)[2][static_cast<std::size_t>(at)] = sum;
    }
  });
  plant({"softmax"}, [](const Problem& p, const auto& in, const auto& round, Values* out) {
    const std::int64_t columns = p.parameters[0];
    for (std::size_t begin = 0; begin < (*out)[1].size(); begin += static_cast<std::size_t>(columns)) {
      const auto x = [&](std::int64_t c) { return in(0, static_cast<std::int64_t>(begin) + c); };
      double most = x(0), sum = 0;
      for (std::int64_t c = 1; c < columns; ++c) most = std::max(most, x(c));
      for (std::int64_t c = 0; c < columns; ++c) sum = round(sum + std::exp(x(c) - most));
      for (std::int64_t c = 0; c < columns; ++c)
        (*out)[1][begin + static_cast<std::size_t>(c)] = std::exp(x(c) - most) / sum;
    }
  });
  plant({"gemm_batched"}, [](const Problem& p, const auto& in, const auto& round, Values* out) {
    const std::int64_t m = p.parameters[0];
    for (std::size_t at = 0; at < (*out)[2].size(); ++at) {
      const auto i = static_cast<std::int64_t>(at);
      double sum = 0;
      for (std::int64_t k = 0; k < m; ++k)
        sum = round(sum + in(0, i / m * m + k) * in(1, i / (m * m) * m * m + k * m + i % m));
      (*out)[2][at] = sum;
    }
  });
}

TEST(NarrowAccumulators, OfRaggedRowsAreMissed) {
  plant({"segmented_short", "segmented_ruler"}, [](const Problem& p, const auto& in, const auto& round,
                                                   Values* out) {
    for (std::int64_t j = 0; j < p.extents.x; ++j) {
      double sum = 0;
      for (auto i = static_cast<std::int64_t>(in(0, j)); i < static_cast<std::int64_t>(in(0, j + 1)); ++i)
        sum = round(sum + in(1, i));
      (*out)[2][static_cast<std::size_t>(j)] = sum;
    }
  });
  plant({"spmv_banded", "spmv_uniform", "spmv_powerlaw"}, [](const Problem& p, const auto& in,
                                                             const auto& round, Values* out) {
    for (std::int64_t r = 0; r < p.extents.x; ++r) {
      double sum = 0;
      for (auto e = static_cast<std::int64_t>(in(0, r)); e < static_cast<std::int64_t>(in(0, r + 1)); ++e)
        sum = round(sum + in(2, e) * in(3, static_cast<std::int64_t>(in(1, e))));
      (*out)[4][static_cast<std::size_t>(r)] = sum;
    }
  });
  plant({"mesh_ordered", "mesh_shuffled"}, [](const Problem&, const auto& in, const auto& round,
                                              Values* out) {
    std::vector<double>& r = (*out)[3];
    std::fill(r.begin(), r.end(), 0);
    const auto edges = static_cast<std::int64_t>(3 * r.size() - 4 * std::llround(std::sqrt(r.size())) + 1);
    for (std::int64_t e = 0; e < edges; ++e) {
      const auto i = static_cast<std::size_t>(in(0, 2 * e)), j = static_cast<std::size_t>(in(0, 2 * e + 1));
      const double f = in(1, e) * (in(2, static_cast<std::int64_t>(j)) - in(2, static_cast<std::int64_t>(i)));
      r[i] = round(r[i] + f);
      r[j] = round(r[j] - f);
    }
  });
}

TEST(NarrowAccumulators, OfNeighboursAreMissed) {
  plant({"conv2d"}, [](const Problem& p, const auto& in, const auto& round, Values* out) {
    const std::int64_t n = p.extents.x, R = p.parameters[0], width = 2 * R + 1;
    for (std::int64_t at = 0; at < n * n; ++at) {
      double sum = 0;
      for (std::int64_t tap = 0; tap < width * width; ++tap) {
        const std::int64_t y = at / n + tap / width - R, x = at % n + tap % width - R;
        if (y >= 0 && y < n && x >= 0 && x < n) sum = round(sum + in(1, tap) * in(0, y * n + x));
      }
      (*out)[2][static_cast<std::size_t>(at)] = sum;
    }
  });
  plant({"nbody"}, [](const Problem& p, const auto& in, const auto& round, Values* out) {
    for (std::int64_t i = 0; i < p.extents.x; ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        double sum = 0;
        for (std::int64_t j = 0; j < p.extents.x; ++j) {
          const double dx = in(0, j) - in(0, i), dy = in(1, j) - in(1, i), dz = in(2, j) - in(2, i);
          const double r2 = dx * dx + dy * dy + dz * dz + 1.0 / 64;
          sum = round(sum + in(3, j) * (in(axis, j) - in(axis, i)) / (r2 * std::sqrt(r2)));
        }
        (*out)[4 + axis][static_cast<std::size_t>(i)] = sum;
      }
  });
}

}  // namespace
}  // namespace sextant
