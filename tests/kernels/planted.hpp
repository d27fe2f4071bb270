// Plants wrong answers: provides a problem with its right answer, and expects that the kernel's check rejects
// other answers.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "engine/case/workset.hpp"
#include "registry/registry.hpp"
#include "suite/element.hpp"

namespace sextant {

using Values = std::vector<std::vector<double>>;  // one vector per array of the kernel; empty for inputs

// Copies of a kernel's input arrays, for the reference.
struct Inputs {
  std::vector<std::vector<char>> arrays;

  Inputs(const Kernel& kernel, const Problem& problem, std::uint64_t seed) {
    Workset workset(kernel, problem, seed);
    for (const HostArray& array : workset.arrays()) {
      const char* data = static_cast<const char*>(array.data);
      arrays.emplace_back(data, data + array.bytes);
    }
  }
  Values reference(const Kernel& kernel, const Problem& problem) const {
    Values values(arrays.size());
    std::vector<const void*> in;
    std::vector<double*> out;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if (kernel.arrays[i].role != Role::in)
        values[i].resize(static_cast<std::size_t>(kernel.elements(problem, static_cast<int>(i))));
      in.push_back(arrays[i].data());
      out.push_back(kernel.arrays[i].role == Role::in ? nullptr : values[i].data());
    }
    kernel.reference[problem.type](problem, in.data(), out.data());
    return values;
  }
};

inline double rounded(double value, ElementType type) {
  if (type == ElementType::float32) return static_cast<float>(value);
  return type == ElementType::float64 ? value : std::nearbyint(value);
}

inline double element(const std::vector<char>& bytes, ElementType type, std::size_t i) {
  return with_type(type, [&]<typename T>() {
    T value;
    std::memcpy(&value, bytes.data() + sizeof value * i, sizeof value);
    return static_cast<double>(value);
  });
}

inline void put(double value, ElementType type, std::int64_t i, void* data) {
  with_elements(type, data, [&]<typename T>(T* elements) {
    if constexpr (sizeof(T) == 2 && is_floating<T>)
      elements[i] = T(static_cast<float>(value));
    else
      elements[i] = static_cast<T>(value);
  });
}

// All kernels, for tests that are instantiated for each kernel.
inline std::vector<const RegisteredKernel*> all_kernels() {
  std::vector<const RegisteredKernel*> list;
  for (const RegisteredKernel& entry : registry()) list.push_back(&entry);
  return list;
}
inline std::string title_of(const testing::TestParamInfo<const RegisteredKernel*>& info) {
  return info.param->kernel.name;
}

class Planted {
 public:
  static constexpr std::uint64_t seed = 4711;

  Planted(const Kernel& kernel, const Problem& problem)
      : kernel_(kernel), problem_(problem), workset_(kernel, problem, seed), inputs_(kernel, problem, seed) {
    right_.resize(kernel.arrays.size());
    for (std::size_t i = 0; i < right_.size(); ++i)
      if (kernel.arrays[i].role != Role::in) right_[i] = workset_.reference(static_cast<int>(i));
  }

  const Values& right() const { return right_; }
  int refused() const { return refused_; }

 protected:
  ElementType type_of(std::size_t array) const { return kernel_.type_of(problem_, static_cast<int>(array)); }

  // Returns false if the answer equals the right one after rounding to the arrays' types.
  bool differs(const Values& answer) const {
    for (std::size_t array = 0; array < answer.size(); ++array)
      for (std::size_t i = 0; i < answer[array].size(); ++i)
        if (rounded(answer[array][i], type_of(array)) != rounded(right_[array][i], type_of(array)))
          return true;
    return false;
  }

  std::string complaint(const Values& values) {
    workset_.poison_outputs(0xFF);
    for (std::size_t array = 0; array < values.size(); ++array)
      for (std::size_t i = 0; i < values[array].size(); ++i) put(array, i, values[array][i]);
    Deviation deviation;
    return workset_.compare(&deviation, false);
  }
  void put(std::size_t array, std::size_t i, double value) {
    sextant::put(value, type_of(array), static_cast<std::int64_t>(i), workset_.arrays()[array].data);
  }

  void refuse(const Values& wrong, const std::string& what) {
    if (!differs(wrong)) return;
    EXPECT_NE(complaint(wrong), "") << what << " passes, " << name();
    ++refused_;
  }
  std::string name() const {
    const Extents& e = problem_.extents;
    std::string text = kernel_.name + " " + name_of(problem_.type) + " " + std::to_string(e.x) + "x" +
                       std::to_string(e.y) + "x" + std::to_string(e.z);
    for (const std::int64_t value : problem_.parameters) text += " " + std::to_string(value);
    return text;
  }

  const Kernel& kernel_;
  Problem problem_;
  Workset workset_;
  Inputs inputs_;
  Values right_;
  int refused_ = 0;
};

}  // namespace sextant
