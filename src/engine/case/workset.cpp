#include "engine/case/workset.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <random>
#include <stdexcept>
#include <string>

#include "base/clock.hpp"
#include "machine/processor_state.hpp"
#include "toolbox/byte_sum.hpp"
#include "toolbox/random.hpp"
#include "toolbox/sanitizer.hpp"

#ifdef SEXTANT_ADDRESS_SANITIZER
  #include <sanitizer/asan_interface.h>
#else
  #define ASAN_POISON_MEMORY_REGION(begin, bytes) (static_cast<void>(begin), static_cast<void>(bytes))
  #define ASAN_UNPOISON_MEMORY_REGION(begin, bytes) (static_cast<void>(begin), static_cast<void>(bytes))
#endif

namespace sextant {
namespace {

constexpr std::size_t alignment = 4096;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Fillings other than the timed one whose reference is kept.
constexpr std::size_t most_kept_fillings = 12;

// Bytes that one thread goes through as soon as all of many are woken and have ended.
constexpr std::size_t for_one_thread = std::size_t{1} << 20;

// Depends on every byte and its place.
std::uint64_t hash_bytes(const char* data, std::size_t bytes) {
  const auto words = static_cast<std::int64_t>(bytes / 8);
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) if (bytes > for_one_thread)
  for (std::int64_t i = 0; i < words; ++i) {
    std::uint64_t word;
    std::memcpy(&word, data + 8 * i, 8);
    sum += summand_of(word, static_cast<std::uint64_t>(i));
  }
  for (std::size_t i = static_cast<std::size_t>(words) * 8; i < bytes; ++i)
    sum = sum * 31 + static_cast<unsigned char>(data[i]);
  return sum;
}

// memset by all threads, in the static order in which pages were first touched.
void fill_bytes(void* data, std::size_t bytes, unsigned char value) {
  constexpr std::size_t chunk = std::size_t{1} << 16;
  const auto chunks = static_cast<std::int64_t>((bytes + chunk - 1) / chunk);
#pragma omp parallel for schedule(static) if (bytes > for_one_thread)
  for (std::int64_t i = 0; i < chunks; ++i) {
    const std::size_t begin = static_cast<std::size_t>(i) * chunk;
    std::memset(static_cast<char*>(data) + begin, value, std::min(chunk, bytes - begin));
  }
}

// memcpy, likewise.
void copy_bytes(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t chunk = std::size_t{1} << 16;
  const auto chunks = static_cast<std::int64_t>((bytes + chunk - 1) / chunk);
#pragma omp parallel for schedule(static) if (bytes > for_one_thread)
  for (std::int64_t i = 0; i < chunks; ++i) {
    const std::size_t begin = static_cast<std::size_t>(i) * chunk;
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                std::min(chunk, bytes - begin));
  }
}

// All threads touch the new pages first: one alone takes longer for that than for the values.
void fill_with_zeros(std::int64_t count, std::vector<double>* values) {
  const auto size = static_cast<std::size_t>(count);
  values->reserve(size);
  fill_bytes(values->data(), size * sizeof(double), 0);
  values->assign(size, 0.0);
}

std::string shown(double value, int digits = 3) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

// "1.5, not 1", with as many digits as tell the two apart.
std::string told_apart(double value, double expected) {
  int digits = 3;
  while (digits < 17 && shown(value, digits) == shown(expected, digits)) ++digits;
  return shown(value, digits) + ", not " + shown(expected, digits);
}

// With its guard zones.
std::uint64_t sum_of(const HostArray& array) { return hash_bytes(array.base, array.total); }

// What guard zones are full of. Around what is read: a signalling NaN, which spoils whatever it gets into and
// which arithmetic on the zone itself changes (it becomes quiet); a large whole number in int32. Around what is
// only written: another value, so that an element copied past the end shows.
std::uint64_t guard_word(Role role, ElementType type) {
  if (role == Role::out) return 0x7E7E7E7E7E7E7E7Eu;
  switch (type) {
    case ElementType::float32:
      return 0x7FA5A5A57FA5A5A5u;
    case ElementType::float64:
      return 0x7FF5A5A5A5A5A5A5u;
    default:
      return 0x5A5A5A5A5A5A5A5Au;
  }
}

void fill_words(char* data, std::size_t bytes, std::uint64_t word) {
  std::size_t at = 0;
  for (; at + sizeof word <= bytes; at += sizeof word) std::memcpy(data + at, &word, sizeof word);
  std::memcpy(data + at, &word, bytes - at);
}

bool are_words(const char* data, std::size_t bytes, std::uint64_t word) {
  if (bytes <= sizeof word) return std::memcmp(data, &word, bytes) == 0;
  return std::memcmp(data, &word, sizeof word) == 0 &&
         std::memcmp(data, data + sizeof word, bytes - sizeof word) == 0;
}

// A relative tolerance of infinity would allow anything.
double allowed(const Tolerance& tolerance, double want) {
  return std::isfinite(want) ? tolerance.absolute + tolerance.relative * std::abs(want) : 0;
}

// Whether the element is a NaN, but not what outputs are poisoned with.
bool is_computed_nan(float got) { return got != got && std::bit_cast<std::uint32_t>(got) != 0xFFFFFFFFu; }
bool is_computed_nan(double got) {
  constexpr std::uint64_t poison = ~std::uint64_t{0}, poison_of_float = 0xFFFFFFFFE0000000u;
  const auto bits = std::bit_cast<std::uint64_t>(got);
  return got != got && bits != poison && bits != poison_of_float;
}
bool is_computed_nan(std::int32_t) { return false; }

// Infinity where the reference is infinite, a NaN where it is none; else as near as it is allowed.
template <typename T>
Deviation deviation_of(T got, double want, double limit) {
  if (static_cast<double>(got) == want || (want != want && is_computed_nan(got))) return {0, limit};
  const double error = std::abs(static_cast<double>(got) - want);
  return {error < infinity ? error : infinity, limit};
}
bool passes(const Deviation& one) { return one.error <= one.allowed && one.error < infinity; }

// A stretch of the comparison without branches, so that it vectorises: whether all pass and are finite, and the largest
// error and share of what is allowed as their bits, whose order as integers is the order of non-negative
// doubles with NaN above infinity.
struct Stretch {
  std::int64_t failed = 0, error_bits = 0, share_bits = 0;
};

// 0 where nothing is wrong, above 1 where the element does not pass.
double share_of(double error, double limit) { return error == 0 ? 0 : error / limit; }

template <typename T>
Stretch compare_stretch(const T* got, const double* want, std::int64_t count, const Tolerance& tolerance) {
  const double absolute = tolerance.absolute, relative = tolerance.relative;
  std::int64_t failed = 0, error_bits = 0, share_bits = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double error = std::abs(static_cast<double>(got[i]) - want[i]);
    const double limit = absolute + relative * std::abs(want[i]);
    failed |= error <= limit && limit < infinity ? 0 : 1;
    const auto bits = std::bit_cast<std::int64_t>(error);
    error_bits = bits > error_bits ? bits : error_bits;
    const auto part = std::bit_cast<std::int64_t>(share_of(error, limit));
    share_bits = part > share_bits ? part : share_bits;
  }
  return {failed, error_bits, share_bits};
}

// The same element by element, for what is not finite, or does not pass.
template <typename T>
Stretch compare_slowly(const T* got, const double* want, std::int64_t count, const Tolerance& tolerance) {
  Stretch stretch;
  for (std::int64_t i = 0; i < count; ++i) {
    const Deviation one = deviation_of(got[i], want[i], allowed(tolerance, want[i]));
    stretch.failed |= passes(one) ? 0 : 1;
    stretch.error_bits = std::max(stretch.error_bits, std::bit_cast<std::int64_t>(one.error));
    stretch.share_bits =
        std::max(stretch.share_bits, std::bit_cast<std::int64_t>(share_of(one.error, one.allowed)));
  }
  return stretch;
}

struct Comparison {
  double error = 0;               // largest; infinity for NaN
  Deviation worst;                // of the element with the largest share of what is allowed
  std::int64_t first_wrong = -1;  // index of the first element that does not pass
};

// The deviation of elements [begin, end) that is the largest share of what is allowed.
template <typename T>
Deviation worst_of(const T* got, const double* want, std::int64_t begin, std::int64_t end,
                   const Tolerance& tolerance) {
  Deviation worst;
  for (std::int64_t i = begin; i < end; ++i) {
    const Deviation one = deviation_of(got[i], want[i], allowed(tolerance, want[i]));
    if (i == begin || share_of(one.error, one.allowed) > share_of(worst.error, worst.allowed)) worst = one;
  }
  return worst;
}

template <typename T>
Comparison compare_array(const T* got, const std::vector<double>& want, const Tolerance& tolerance) {
  constexpr std::int64_t length = 4096;
  const auto count = static_cast<std::int64_t>(want.size());
  const std::int64_t stretches = (count + length - 1) / length;
  std::int64_t error_bits = 0, first_failed = stretches;
  std::vector<std::int64_t> shares(static_cast<std::size_t>(stretches));
  const bool many = want.size() * (sizeof(T) + sizeof(double)) > for_one_thread;
#pragma omp parallel for if (many) schedule(static) reduction(max : error_bits) reduction(min : first_failed)
  for (std::int64_t i = 0; i < stretches; ++i) {
    const std::int64_t begin = i * length;
    const std::int64_t elements = std::min(length, count - begin);
    Stretch stretch = compare_stretch(got + begin, want.data() + begin, elements, tolerance);
    if (stretch.failed) stretch = compare_slowly(got + begin, want.data() + begin, elements, tolerance);
    error_bits = std::max(error_bits, stretch.error_bits);
    shares[static_cast<std::size_t>(i)] = stretch.share_bits;
    if (stretch.failed) first_failed = std::min(first_failed, i);
  }
  Comparison result;
  result.error = std::bit_cast<double>(error_bits);
  if (!(result.error < infinity)) result.error = infinity;
  if (count > 0) {
    const auto at = std::max_element(shares.begin(), shares.end()) - shares.begin();
    result.worst = worst_of(got, want.data(), at * length, std::min((at + 1) * length, count), tolerance);
  }
  if (first_failed == stretches) return result;
  std::int64_t i = first_failed * length;
  const auto is_right = [&](std::int64_t at) {
    const double expected = want[static_cast<std::size_t>(at)];
    return passes(deviation_of(got[at], expected, allowed(tolerance, expected)));
  };
  while (i + 1 < count && is_right(i)) ++i;
  result.first_wrong = i;
  return result;
}

Comparison compare_array(const HostArray& array, ElementType type, const std::vector<double>& want,
                         const Tolerance& tolerance) {
  switch (type) {
    case ElementType::float32:
      return compare_array(static_cast<const float*>(array.data), want, tolerance);
    case ElementType::float64:
      return compare_array(static_cast<const double*>(array.data), want, tolerance);
    case ElementType::int32:
      return compare_array(static_cast<const std::int32_t*>(array.data), want, tolerance);
    default:
      throw std::logic_error(std::string("results are not compared in ") + name_of(type));
  }
}

double element(const HostArray& array, ElementType type, std::int64_t index);

// The same for a short array whose elements differ in what they allow.
Comparison compare_each(const HostArray& array, const Kernel& kernel, const Problem& problem, int index,
                        const std::vector<double>& want) {
  Comparison result;
  const ElementType type = kernel.type_of(problem, index);
  for (std::size_t i = 0; i < want.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const Deviation one = deviation_of(element(array, type, at), want[i],
                                       allowed(kernel.tolerance_at(problem, index, at), want[i]));
    if (!passes(one) && result.first_wrong < 0) result.first_wrong = at;
    result.error = std::max(result.error, one.error);
    if (i == 0 || share_of(one.error, one.allowed) > share_of(result.worst.error, result.worst.allowed))
      result.worst = one;
  }
  return result;
}

// Another value of about the same size: whatever is right, most likely this is not.
template <typename T>
void alter(T* values, std::int64_t count) {
#pragma omp parallel for schedule(static) if (static_cast <std::size_t>(count) * sizeof(T) > for_one_thread)
  for (std::int64_t i = 0; i < count; ++i)
    if constexpr (std::is_floating_point_v<T>)
      values[i] = std::isfinite(values[i]) && values[i] != 0 ? values[i] * T(-1.5) : T(1);
    else
      values[i] ^= 1;
}

double element(const HostArray& array, ElementType type, std::int64_t index) {
  switch (type) {
    case ElementType::float32:
      return static_cast<const float*>(array.data)[index];
    case ElementType::float64:
      return static_cast<const double*>(array.data)[index];
    case ElementType::int32:
      return static_cast<const std::int32_t*>(array.data)[index];
    default:
      throw std::logic_error(std::string("results are not compared in ") + name_of(type));
  }
}

}  // namespace

Deviation worse_of(const Deviation& one, const Deviation& other) {
  const double a = share_of(one.error, one.allowed), b = share_of(other.error, other.allowed);
  return b > a || (b == a && other.allowed > one.allowed) ? other : one;
}

Workset::Workset(const Kernel& kernel, const Problem& problem, std::uint64_t seed, std::size_t guard_bytes)
    : kernel_(kernel),
      problem_(problem),
      seed_(seed),
      guard_(round_up(guard_bytes, 256)),
      others_seed_(random_bits(seed, std::random_device{}())) {
  for (int i = 0; i < static_cast<int>(kernel.arrays.size()); ++i) {
    HostArray array;
    array.bytes = static_cast<std::size_t>(kernel.bytes(problem, i));
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
  input_sums_.resize(arrays_.size());
  poison_outputs(0xFF);
  refill(timed_filling);
  timed_data_ = data_hash();
}

Workset::~Workset() {
  for (HostArray& array : arrays_) std::free(array.base);
}

std::size_t Workset::total_bytes() const {
  std::size_t sum = 0;
  for (const HostArray& array : arrays_) sum += array.total;
  return sum;
}

std::uint64_t Workset::outputs_hash() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    if (kernel_.arrays[i].role != Role::in)
      sum = sum * 31 + hash_bytes(static_cast<const char*>(arrays_[i].data), arrays_[i].bytes);
  return sum;
}

void Workset::reset(unsigned char poison, Filling filling) {
  kept_outputs_.clear();
  poison_outputs(poison);  // and guards, which inputs are summed with
  if (filling != filling_) return refill(filling);
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const Role role = kernel_.arrays[i].role;
    if (role == Role::inout || (role == Role::in && inputs_changed(i))) fill_input(i);
  }
  inputs_trusted_ = true;
}

void Workset::refill(Filling filling) {
  kept_outputs_.clear();
  filling_ = filling;
  inputs_trusted_ = true;
  if (take_kept_inputs()) return;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const Role role = kernel_.arrays[i].role;
    if (role != Role::out) fill_input(i);
    if (role == Role::in) input_sums_[i] = sum_of(arrays_[i]);
  }
  keep_inputs();
  if (filling != timed_filling && !asked_for_fixed_data_) {
    asked_for_fixed_data_ = true;
    has_fixed_data_ = data_hash() == timed_data_;
  }
}

// False: the inputs of this filling are not kept.
bool Workset::take_kept_inputs() {
  const auto found = kept_inputs_.find(filling_);
  if (found == kept_inputs_.end()) return false;
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    if (kernel_.arrays[i].role != Role::out)
      copy_bytes(arrays_[i].data, found->second.data[i].get(), arrays_[i].bytes);
  input_sums_ = found->second.sums;
  return true;
}

// Those of large problems, as far as there is room, the timed ones and the first of the others, which all variants get.
void Workset::keep_inputs() {
  constexpr std::size_t large = std::size_t{8} << 20, most = 4;  // bytes; fillings
  constexpr Filling most_number = 3;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    if (kernel_.arrays[i].role != Role::out) bytes += arrays_[i].bytes;
  if (bytes < large || has_short_reference() || filling_ > most_number || most * bytes > kept_bytes_) return;
  KeptInputs& kept = kept_inputs_[filling_];
  for (const HostArray& array : arrays_) {
    const bool is_input = kernel_.arrays[kept.data.size()].role != Role::out;
    kept.data.push_back(is_input ? std::make_unique_for_overwrite<char[]>(array.bytes) : nullptr);
    if (is_input) copy_bytes(kept.data.back().get(), array.data, array.bytes);
  }
  kept.sums = input_sums_;
}

// Depends on all inputs.
std::uint64_t Workset::data_hash() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const Role role = kernel_.arrays[i].role;
    if (role != Role::out) sum = sum * 31 + (role == Role::in ? input_sums_[i] : sum_of(arrays_[i]));
  }
  return sum;
}

bool Workset::inputs_changed(std::size_t i) const {
  return !inputs_trusted_ && sum_of(arrays_[i]) != input_sums_[i];
}

void Workset::fill_input(std::size_t i) {
  const int index = static_cast<int>(i);
  const std::int64_t count = kernel_.elements(problem_, index);
  const ElementType type = kernel_.type_of(problem_, index);
  // Each array of each filling its own stream.
  const std::uint64_t seed =
      random_bits(filling_ == timed_filling ? seed_ : random_bits(others_seed_, filling_), i);
  void* data = arrays_[i].data;
  if (auto initialise = kernel_.initialise[problem_.type])
    initialise(problem_, index, seed, data);
  else if (type == ElementType::float32)
    fill_uniform(seed, count, static_cast<float*>(data));
  else if (type == ElementType::float64)
    fill_uniform(seed, count, static_cast<double*>(data));
  else
    fill_uniform(seed, count, static_cast<std::int32_t*>(data));
}

void Workset::poison_outputs(unsigned char poison) {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    HostArray& array = arrays_[i];
    const std::uint64_t word =
        guard_word(kernel_.arrays[i].role, kernel_.type_of(problem_, static_cast<int>(i)));
    fill_words(array.base, guard_, word);
    fill_words(array.base + guard_ + array.bytes, array.total - guard_ - array.bytes, word);
    if (kernel_.arrays[i].role == Role::out) fill_bytes(array.data, array.bytes, poison);
  }
}

const std::vector<double>& Workset::reference(int index) {
  compute_reference();
  return references_.at(filling_)[static_cast<std::size_t>(index)];
}

void Workset::compute_reference() {
  if (references_.contains(filling_)) return;
  references_.insert(place_for_reference());
  compute_reference_again();
}

std::size_t Workset::most_fillings() const {
  if (has_short_reference()) return 1;
  std::size_t each = 1;  // bytes
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    if (kernel_.arrays[i].role != Role::in)
      each += sizeof(double) * static_cast<std::size_t>(kernel_.elements(problem_, static_cast<int>(i)));
  return std::min(1 + kept_bytes_ / each, most_kept_fillings);
}

// Of the filling that is there. Where there is no room for one more the results of another give theirs, the longest known first, but
// never those of the timed one.
Workset::References::node_type Workset::place_for_reference() {
  const std::size_t others = references_.size() - references_.count(timed_filling);
  if (filling_ == timed_filling || others < most_fillings()) {
    References one;
    one.emplace(filling_, Results(arrays_.size()));
    return one.extract(filling_);
  }
  const auto first = references_.begin();
  References::node_type place = references_.extract(first->first == timed_filling ? std::next(first) : first);
  place.key() = filling_;
  return place;
}

void Workset::compute_reference_again() {
  set_usual_arithmetic();
  const double began = now();
  Results& reference = references_.at(filling_);
  std::vector<const void*> inputs;
  std::vector<double*> results;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    inputs.push_back(arrays_[i].data);
    if (kernel_.arrays[i].role != Role::in)
      fill_with_zeros(kernel_.elements(problem_, static_cast<int>(i)), &reference[i]);
    results.push_back(kernel_.arrays[i].role == Role::in ? nullptr : reference[i].data());
  }
  kernel_.reference[problem_.type](problem_, inputs.data(), results.data());
  reference_seconds_ = now() - began;
}

void Workset::alter_outputs() {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (kernel_.arrays[i].role != Role::out) continue;
    const auto index = static_cast<int>(i);
    const std::int64_t count = kernel_.elements(problem_, index);
    void* const data = arrays_[i].data;
    switch (kernel_.type_of(problem_, index)) {
      case ElementType::float32:
        alter(static_cast<float*>(data), count);
        break;
      case ElementType::float64:
        alter(static_cast<double*>(data), count);
        break;
      case ElementType::int32:
        alter(static_cast<std::int32_t*>(data), count);
        break;
      default:
        throw std::logic_error("outputs of this type are not compared");
    }
  }
}

void Workset::keep_outputs() {
  constexpr std::size_t most = std::size_t{64} << 20;  // bytes
  if (total_bytes() > most) return;
  kept_outputs_.assign(arrays_.size(), {});
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (kernel_.arrays[i].role == Role::in) continue;
    const char* data = static_cast<const char*>(arrays_[i].data);
    kept_outputs_[i].assign(data, data + arrays_[i].bytes);
  }
}

std::string Workset::compare(Deviation* worst, bool with_inputs) {
  const std::string wrong = compare_outputs(worst, with_inputs);
  if (!wrong.empty()) inputs_trusted_ = false;
  kept_outputs_.clear();
  return wrong;
}

std::string Workset::compare_outputs(Deviation* worst, bool with_inputs) {
  *worst = {};
  set_usual_arithmetic();
  const Tolerance tolerance = kernel_.tolerance(problem_);
  std::string wrong;
  for (std::size_t i = 0; i < arrays_.size() && wrong.empty(); ++i) {
    HostArray array = arrays_[i];
    const std::string name = kernel_.arrays[i].name;
    const ElementType type = kernel_.type_of(problem_, static_cast<int>(i));
    const std::uint64_t word = guard_word(kernel_.arrays[i].role, type);
    if (!are_words(array.base, guard_, word))
      wrong = "wrote before the start of array " + name;
    else if (!are_words(array.base + guard_ + array.bytes, array.total - guard_ - array.bytes, word))
      wrong = "wrote past the end of array " + name;
    else if (kernel_.arrays[i].role == Role::in) {
      if (with_inputs && sum_of(array) != input_sums_[i]) wrong = "changed its input array " + name;
    } else if (!std::isinf(tolerance.absolute)) {  // else any result is right
      if (i < kept_outputs_.size() && !kept_outputs_[i].empty()) array.data = kept_outputs_[i].data();
      const std::vector<double>& want = reference(static_cast<int>(i));
      const auto index = static_cast<int>(i);
      const Comparison comparison = kernel_.tolerance_at ? compare_each(array, kernel_, problem_, index, want)
                                                         : compare_array(array, type, want, tolerance);
      *worst = worse_of(*worst, comparison.worst);
      if (comparison.first_wrong >= 0) {
        const std::int64_t at = comparison.first_wrong;
        const double expected = want[static_cast<std::size_t>(at)];
        const Tolerance here = kernel_.tolerance_at ? kernel_.tolerance_at(problem_, index, at) : tolerance;
        if (!std::isfinite(expected))
          wrong = name + "[" + std::to_string(at) + "] is " + shown(element(array, type, at)) + ", not " +
                  shown(expected) + " as the reference's";
        else
          wrong = name + "[" + std::to_string(at) + "] is " + told_apart(element(array, type, at), expected) +
                  "; allowed is a difference of " + shown(allowed(here, expected)) + ", the largest is " +
                  shown(comparison.error);
      }
    }
  }
  return wrong;
}

ClosedGuards::ClosedGuards(const Workset& workset) : workset_(workset) {
  for (const HostArray& array : workset_.arrays_) {
    const char* end = static_cast<const char*>(array.data) + array.bytes;
    ASAN_POISON_MEMORY_REGION(array.base, workset_.guard_);
    ASAN_POISON_MEMORY_REGION(end, static_cast<std::size_t>(array.base + array.total - end));
  }
}

ClosedGuards::~ClosedGuards() {
  for (const HostArray& array : workset_.arrays_) ASAN_UNPOISON_MEMORY_REGION(array.base, array.total);
}

Mapped::Mapped(Device& device, Workset& workset) : device_(device), workset_(workset) {
  try {
    for (HostArray& array : workset.arrays()) {
      bases_.push_back(device_.map(array.base, array.total));
      places_.emplace_back(bases_.back(), static_cast<char*>(array.data) - array.base);
      copied_.push_back(0);
    }
  } catch (...) {
    unmap_all();
    throw;
  }
}

Mapped::~Mapped() { unmap_all(); }

void Mapped::unmap_all() {
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    try {
      device_.unmap(bases_[i], workset_.arrays()[i].total);
    } catch (
        const DeviceError&) {  // the device failed before, and that was reported; nothing is left to free
    }
  }
}

// Bytes from begin to end of an array with its guard zones.
void Mapped::copy_part_in(std::size_t array, std::size_t begin, std::size_t end) {
  device_.bring_in(static_cast<char*>(bases_[array]) + begin, workset_.arrays()[array].base + begin,
                   end - begin);
}

bool Mapped::finds_input(std::size_t i) {
  return copied_[i] && workset_.trusts_inputs() &&
         device_.sum_of(bases_[i], workset_.arrays()[i].total) == workset_.input_sum(i);
}

bool Mapped::finds_inputs() {
  found_inputs_ = true;
  for (std::size_t i = 0; found_inputs_ && i < bases_.size(); ++i)
    found_inputs_ = workset_.kernel().arrays[i].role != Role::in || finds_input(i);
  return found_inputs_;
}

std::size_t Mapped::bytes_checked() const {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < bases_.size(); ++i)
    if (!found_inputs_ || workset_.kernel().arrays[i].role != Role::in) bytes += workset_.arrays()[i].bytes;
  return bytes;
}

void Mapped::copy_in(Which which, unsigned char poison) {
  if (device_.memory_space() == MemorySpace::host) return;
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    const Role role = workset_.kernel().arrays[i].role;
    const HostArray& array = workset_.arrays()[i];
    if (role == Role::out) {
      const auto begin = static_cast<std::size_t>(static_cast<char*>(array.data) - array.base);
      copy_part_in(i, 0, begin);
      device_.fill(places_[i].address(), poison, array.bytes);
      copy_part_in(i, begin + array.bytes, array.total);
    } else if (role == Role::inout || (which == Which::all && !finds_input(i))) {
      copy_part_in(i, 0, array.total);
      copied_[i] = 1;
    }
  }
}

void Mapped::copy_inputs_in() {
  if (device_.memory_space() == MemorySpace::host) return;
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    if (workset_.kernel().arrays[i].role == Role::out) continue;
    copy_part_in(i, 0, workset_.arrays()[i].total);
    copied_[i] = 1;
  }
}

void Mapped::copy_outputs_in() {
  if (device_.memory_space() == MemorySpace::host) return;
  for (std::size_t i = 0; i < bases_.size(); ++i)
    if (workset_.kernel().arrays[i].role == Role::out) copy_part_in(i, 0, workset_.arrays()[i].total);
}

void Mapped::copy_out(Which which) {
  for (std::size_t i = 0; i < bases_.size(); ++i)
    if (which == Which::all || workset_.kernel().arrays[i].role != Role::in)
      device_.bring_out(workset_.arrays()[i].base, bases_[i], workset_.arrays()[i].total);
}

}  // namespace sextant
