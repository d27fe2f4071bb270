#include "engine/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "suite/random.hpp"

namespace sextant {
namespace {

constexpr unsigned char guard_byte = 0xA5;
constexpr unsigned char nan_poison = 0xFF;   // every float or double of these bytes is a NaN
constexpr unsigned char huge_poison = 0x7F;  // 3.4e38 as float, 1.4e306 as double
constexpr std::size_t alignment = 4096;

std::size_t round_up(std::size_t value, std::size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

// A hash that depends on every byte and its place, made in parallel: enough to notice that an input changed.
std::uint64_t hash_bytes(const char* data, std::size_t bytes) {
  const auto words = static_cast<std::int64_t>(bytes / 8);
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::int64_t i = 0; i < words; ++i) {
    std::uint64_t word;
    std::memcpy(&word, data + 8 * i, 8);
    word ^= static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15u;
    word ^= word >> 29;
    sum += word * 0xBF58476D1CE4E5B9u;
  }
  for (std::size_t i = static_cast<std::size_t>(words) * 8; i < bytes; ++i)
    sum = sum * 31 + static_cast<unsigned char>(data[i]);
  return sum;
}

std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

bool all_equal(const char* data, std::size_t bytes, unsigned char value) {
  return std::all_of(data, data + bytes, [value](char c) { return static_cast<unsigned char>(c) == value; });
}

struct Worst {
  double excess = -1;  // largest (error - allowed); > 0 fails
  double error = 0;
  std::int64_t at = -1;
};

template <typename T>
Worst worst_of(const T* got, const double* want, std::int64_t count, Tolerance tolerance) {
  Worst worst;
#pragma omp parallel
  {
    Worst mine;
#pragma omp for schedule(static) nowait
    for (std::int64_t i = 0; i < count; ++i) {
      double error = std::abs(static_cast<double>(got[i]) - want[i]);
      if (!(error < std::numeric_limits<double>::infinity())) error = std::numeric_limits<double>::infinity();
      const double excess = error - (tolerance.absolute + tolerance.relative * std::abs(want[i]));
      mine.error = std::max(mine.error, error);
      if (excess > mine.excess || mine.at < 0) {
        mine.excess = excess;
        mine.at = i;
      }
    }
#pragma omp critical
    {
      worst.error = std::max(worst.error, mine.error);
      if (mine.at >= 0 && (worst.at < 0 || mine.excess > worst.excess)) {
        worst.excess = mine.excess;
        worst.at = mine.at;
      }
    }
  }
  return worst;
}

}  // namespace

Workset::Workset(const Kernel& kernel, const Problem& problem, std::uint64_t seed, std::size_t guard_bytes)
    : kernel_(kernel), problem_(problem), seed_(seed), guard_(round_up(guard_bytes, 256)) {
  for (int i = 0; i < static_cast<int>(kernel.arrays.size()); ++i) {
    HostArray array;
    array.bytes = static_cast<std::size_t>(kernel.elements(problem, i)) * element_size(problem.type);
    array.total = 2 * guard_ + round_up(array.bytes, 256);
    array.base = static_cast<char*>(std::aligned_alloc(alignment, round_up(array.total, alignment)));
    if (!array.base) {
      for (HostArray& made : arrays_) std::free(made.base);
      throw std::bad_alloc();
    }
    array.data = array.base + guard_;
    const auto pages = static_cast<std::int64_t>(array.total);
    char* base = array.base;
    // First touch with the static schedule the OpenMP variants use, so that pages lie near their threads.
#pragma omp parallel for schedule(static)
    for (std::int64_t byte = 0; byte < pages; byte += 4096) base[byte] = 0;
    arrays_.push_back(array);
  }
  references_.resize(arrays_.size());
  reset(0xFF);
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    input_hashes_.push_back(hash_bytes(static_cast<const char*>(arrays_[i].data), arrays_[i].bytes));
}

Workset::~Workset() {
  for (HostArray& array : arrays_) std::free(array.base);
}

std::size_t Workset::total_bytes() const {
  std::size_t sum = 0;
  for (const HostArray& array : arrays_) sum += array.total;
  return sum;
}

void Workset::reset(unsigned char poison) {
  fill_inputs();
  poison_outputs(poison);
}

void Workset::fill_inputs() {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (kernel_.arrays[i].role == Role::out) continue;
    const int index = static_cast<int>(i);
    const std::int64_t count = kernel_.elements(problem_, index);
    const std::uint64_t seed = random_bits(seed_, i);  // each array its own stream
    void* data = arrays_[i].data;
    if (auto* initialise = kernel_.initialise[problem_.type]) initialise(problem_, index, seed, data);
    else if (problem_.type == ElementType::float32) fill_uniform(seed, count, static_cast<float*>(data));
    else if (problem_.type == ElementType::float64) fill_uniform(seed, count, static_cast<double*>(data));
    else fill_uniform(seed, count, static_cast<std::int32_t*>(data));
  }
}

void Workset::poison_outputs(unsigned char poison) {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    HostArray& array = arrays_[i];
    std::memset(array.base, guard_byte, guard_);
    std::memset(array.base + guard_ + array.bytes, guard_byte, array.total - guard_ - array.bytes);
    if (kernel_.arrays[i].role == Role::out) std::memset(array.data, poison, array.bytes);
  }
}

const std::vector<double>& Workset::reference(int index) {
  if (!referenced_) {
    std::vector<const void*> inputs;
    std::vector<double*> results;
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      inputs.push_back(arrays_[i].data);
      if (kernel_.arrays[i].role != Role::in)
        references_[i].assign(static_cast<std::size_t>(kernel_.elements(problem_, static_cast<int>(i))), 0.0);
      results.push_back(kernel_.arrays[i].role == Role::in ? nullptr : references_[i].data());
    }
    kernel_.reference[problem_.type](problem_, inputs.data(), results.data());
    referenced_ = true;
  }
  return references_[static_cast<std::size_t>(index)];
}

std::string Workset::compare(double* error) {
  *error = 0;
  const Tolerance tolerance = kernel_.tolerance(problem_);
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const HostArray& array = arrays_[i];
    const std::string name = kernel_.arrays[i].name;
    if (!all_equal(array.base, guard_, guard_byte)) return "wrote before the start of array " + name;
    if (!all_equal(array.base + guard_ + array.bytes, array.total - guard_ - array.bytes, guard_byte))
      return "wrote past the end of array " + name;
    if (kernel_.arrays[i].role == Role::in) {
      if (hash_bytes(static_cast<const char*>(array.data), array.bytes) != input_hashes_[i])
        return "changed its input array " + name;
      continue;
    }
    const std::vector<double>& want = reference(static_cast<int>(i));
    const auto count = static_cast<std::int64_t>(want.size());
    const Worst worst = problem_.type == ElementType::float32
                            ? worst_of(static_cast<const float*>(array.data), want.data(), count, tolerance)
                        : problem_.type == ElementType::float64
                            ? worst_of(static_cast<const double*>(array.data), want.data(), count, tolerance)
                            : worst_of(static_cast<const std::int32_t*>(array.data), want.data(), count, tolerance);
    *error = std::max(*error, worst.error);
    if (worst.at >= 0 && !(worst.excess <= 0))
      return name + "[" + std::to_string(worst.at) + "] is off by " + shown(worst.error) + ", allowed " +
             shown(tolerance.absolute + tolerance.relative * std::abs(want[static_cast<std::size_t>(worst.at)]));
  }
  return {};
}

Mapped::Mapped(Device& device, Workset& workset) : device_(device), workset_(workset) {
  for (HostArray& array : workset.arrays()) {
    bases_.push_back(device_.map(array.base, array.total));
    pointers_.push_back(static_cast<char*>(bases_.back()) + (static_cast<char*>(array.data) - array.base));
  }
}

Mapped::~Mapped() {
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    try {
      device_.unmap(bases_[i], workset_.arrays()[i].total);
    } catch (const DeviceError&) {  // the device failed before, and that was reported; nothing is left to free
    }
  }
}

void Mapped::copy_in() {
  for (std::size_t i = 0; i < bases_.size(); ++i)
    device_.copy_in(bases_[i], workset_.arrays()[i].base, workset_.arrays()[i].total);
}

void Mapped::copy_out() {
  for (std::size_t i = 0; i < bases_.size(); ++i)
    device_.copy_out(workset_.arrays()[i].base, bases_[i], workset_.arrays()[i].total);
}

CheckResult check(const Variant& variant, const Call& call, Device& device, Workset& workset, Mapped& mapped) {
  CheckResult result;
  result.tolerance = workset.kernel().tolerance(workset.problem()).absolute;
  for (const unsigned char poison : {nan_poison, huge_poison}) {
    workset.reset(poison);
    for (std::size_t i = 0; i < workset.arrays().size(); ++i)
      if (workset.kernel().arrays[i].role == Role::inout) workset.reference(static_cast<int>(i));  // from pristine data
    mapped.copy_in();
    if (device.home() != Home::host) workset.poison_outputs(static_cast<unsigned char>(poison ^ 0x10));
    variant.launch[call.problem.type](call);
    device.synchronise();
    mapped.copy_out();
    double error = 0;
    result.reason = workset.compare(&error);
    result.error = std::max(result.error, error);
    if (!result.reason.empty()) return result;
  }
  result.passed = true;
  return result;
}

}  // namespace sextant
