#include "engine/case/workset.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>
#include <string>

#include "base/clock.hpp"
#include "machine/processor_state.hpp"
#include "plan/fillable.hpp"
#include "toolbox/byte_sum.hpp"
#include "toolbox/host/fill_elements.hpp"
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

std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Maximum number of input sets, in addition to the timed one, whose reference results are kept.
constexpr std::size_t most_kept_fillings = 12;

// Works as memset, with all threads. The pages were first touched with the same static schedule, so each
// thread writes to nearby memory.
void fill_bytes(void* data, std::size_t bytes, unsigned char value) {
  constexpr std::size_t chunk = std::size_t{1} << 16;
  const auto chunks = static_cast<std::int64_t>((bytes + chunk - 1) / chunk);
#pragma omp parallel for schedule(static) if (bytes > for_one_thread)
  for (std::int64_t i = 0; i < chunks; ++i) {
    const std::size_t begin = static_cast<std::size_t>(i) * chunk;
    std::memset(static_cast<char*>(data) + begin, value, std::min(chunk, bytes - begin));
  }
}

// Fills 64 bytes at every 256 KiB, and the last 64 bytes.
void fill_samples(void* data, std::size_t bytes, unsigned char value) {
  constexpr std::size_t sample = 64, step = std::size_t{1} << 18;
  char* begin = static_cast<char*>(data);
  for (std::size_t at = 0; at < bytes; at += step)
    std::memset(begin + at, value, std::min(sample, bytes - at));
  const std::size_t last = std::min(sample, bytes);
  std::memset(begin + bytes - last, value, last);
}

// Works as memcpy, with all threads and the same schedule.
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

// Touches the new pages with all threads first, because a single thread would be slow.
void fill_with_zeros(std::int64_t count, std::vector<double>* values) {
  const auto size = static_cast<std::size_t>(count);
  values->reserve(size);
  fill_bytes(values->data(), size * sizeof(double), 0);
  values->assign(size, 0.0);
}

// Returns the checksum of an array with its guard zones.
std::uint64_t sum_of(const HostArray& array) { return byte_sum(array.base, array.total); }

// Returns the pattern that fills the guard zones before and after an array. For arrays that are read, it is a
// signalling NaN, or a large integer. It spoils every result that uses it, and arithmetic on the zone changes
// it into a quiet NaN. For arrays that are only written it is another value, so that elements copied from
// beyond the end are detected.
std::uint64_t guard_word(Role role, ElementType type) {
  if (role == Role::out) return 0x7E7E7E7E7E7E7E7Eu;
  switch (type) {
    case ElementType::float32:
      return 0x7FA5A5A57FA5A5A5u;
    case ElementType::float64:
      return 0x7FF5A5A5A5A5A5A5u;
    case ElementType::float16:
      return 0x7DA57DA57DA57DA5u;
    case ElementType::bfloat16:
      return 0x7FA57FA57FA57FA5u;
    default:
      return 0x5A5A5A5A5A5A5A5Au;
  }
}

// Fills an array with the numbers that a run asks for.
void fill_numbers(InputFill fill, ElementType type, std::uint64_t seed, std::int64_t count, void* data) {
  switch (fill) {
    case InputFill::uniform:
      return fill_uniform(type, seed, count, data);
    case InputFill::normal:
      return fill_normal(type, seed, count, data);
    case InputFill::small_integers:
      return fill_small_integers(type, seed, count, data);
    case InputFill::zeros:
      return fill_bytes(data, static_cast<std::size_t>(count) * element_size(type), 0);
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

}  // namespace

std::uint64_t byte_sum(const char* data, std::size_t bytes) {
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

Workset::Workset(const Kernel& kernel, const Problem& problem, std::uint64_t seed, std::size_t guard_bytes,
                 InputFill fill)
    : kernel_(kernel),
      problem_(problem),
      seed_(seed),
      fill_(fill),
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
    // Pages are first touched with the static schedule of the OpenMP variants, so that they lie near the
    // threads that use them.
#pragma omp parallel for schedule(static)
    for (std::int64_t byte = 0; byte < pages; byte += 4096) base[byte] = 0;
    arrays_.push_back(array);
  }
  input_sums_.resize(arrays_.size());
  fixed_inputs_.resize(arrays_.size());
  poison_outputs(0xFF);
  refill(timed_filling);
  timed_data_ = data_hash();
  timed_sums_ = input_sums_;
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
      sum = sum * 31 + byte_sum(static_cast<const char*>(arrays_[i].data), arrays_[i].bytes);
  return sum;
}

void Workset::reset(unsigned char poison, Filling filling, Poisoned poisoned) {
  kept_outputs_.clear();
  poison_outputs(poison, poisoned);  // also fills the guard zones, which the checksums of inputs include
  if (filling != filling_) return refill(filling);
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const Role role = kernel_.arrays[i].role;
    if (role == Role::inout || (role == Role::in && inputs_changed(i))) fill_input(i);
  }
  inputs_trusted_ = true;
}

void Workset::refill(Filling filling) {
  kept_outputs_.clear();
  filling_ = has_same_inputs_ ? timed_filling : filling;
  on_host_ = true;
  inputs_trusted_ = true;
  if (take_kept_inputs()) return;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const Role role = kernel_.arrays[i].role;
    if (role == Role::out) continue;
    if (const char* fixed = fixed_inputs_[i].get())
      copy_bytes(arrays_[i].data, fixed, arrays_[i].bytes);
    else
      fill_input(i);
    if (role == Role::in) input_sums_[i] = sum_of(arrays_[i]);
  }
  keep_inputs();
  if (filling != timed_filling && !asked_for_fixed_data_) find_fixed_data();
}

// Keeps a copy of the inputs that are the same in this filling and in the timed one, such as the structure of
// a mesh: a copy is faster than computing them. Small ones may be equal by chance.
void Workset::find_fixed_data() {
  constexpr std::size_t small = 4096;  // bytes
  asked_for_fixed_data_ = true;
  has_fixed_data_ = data_hash() == timed_data_;
  has_same_inputs_ = has_fixed_data_;
  std::size_t left = kept_bytes_;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const HostArray& array = arrays_[i];
    if (kernel_.arrays[i].role == Role::out) continue;
    const bool is_fixed =
        kernel_.arrays[i].role == Role::in && array.bytes >= small && input_sums_[i] == timed_sums_[i];
    has_same_inputs_ = has_same_inputs_ && is_fixed;
    if (!is_fixed || array.bytes > left) continue;
    left -= array.bytes;
    fixed_inputs_[i] = std::make_unique_for_overwrite<char[]>(array.bytes);
    copy_bytes(fixed_inputs_[i].get(), array.data, array.bytes);
  }
  if (has_same_inputs_) filling_ = timed_filling;
}

bool Workset::select(Filling filling) {
  const auto kept = kept_inputs_.find(filling);
  if (kept == kept_inputs_.end()) return false;
  kept_outputs_.clear();
  filling_ = filling;
  on_host_ = false;
  inputs_trusted_ = true;
  input_sums_ = kept->second.sums;
  return true;
}

void Workset::bring_inputs() {
  if (!on_host_) refill(filling_);
}

// Restores the inputs of the current filling (numbered set of inputs) from a kept copy. Returns false if
// there is none.
bool Workset::take_kept_inputs() {
  const auto found = kept_inputs_.find(filling_);
  if (found == kept_inputs_.end()) return false;
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    if (kernel_.arrays[i].role != Role::out)
      copy_bytes(arrays_[i].data, found->second.data[i].get(), arrays_[i].bytes);
  input_sums_ = found->second.sums;
  return true;
}

// Keeps a copy of the inputs if memory allows, because copying is faster than drawing random numbers. It
// keeps the timed filling (set of inputs), the first other fillings, which all variants get, and the latest
// of the rest.
void Workset::keep_inputs() {
  constexpr std::size_t most = 5;  // largest number of input sets that are kept
  constexpr Filling most_number = 3;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    if (kernel_.arrays[i].role != Role::out) bytes += arrays_[i].bytes;
  if (most * bytes > kept_bytes_) return;
  if (filling_ > most_number) {
    kept_inputs_.erase(latest_kept_);
    latest_kept_ = filling_;
  }
  KeptInputs& kept = kept_inputs_[filling_];
  for (const HostArray& array : arrays_) {
    const bool is_input = kernel_.arrays[kept.data.size()].role != Role::out;
    kept.data.push_back(is_input ? std::make_unique_for_overwrite<char[]>(array.bytes) : nullptr);
    if (is_input) copy_bytes(kept.data.back().get(), array.data, array.bytes);
  }
  kept.sums = input_sums_;
}

// Returns a hash of all inputs.
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
  // each array in each set of inputs has a separate stream of random numbers
  const std::uint64_t seed =
      random_bits(filling_ == timed_filling ? seed_ : random_bits(others_seed_, filling_), i);
  void* data = arrays_[i].data;
  if (filling_ == timed_filling && fill_ != InputFill::uniform && is_fillable(kernel_, problem_, index))
    return fill_numbers(fill_, kernel_.type_of(problem_, index), seed, kernel_.elements(problem_, index),
                        data);
  if (auto initialise = kernel_.initialise[problem_.type])
    initialise(problem_, index, seed, data);
  else
    fill_uniform(kernel_.type_of(problem_, index), seed, kernel_.elements(problem_, index), data);
}

void Workset::poison_outputs(unsigned char poison, Poisoned poisoned) {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    HostArray& array = arrays_[i];
    const std::uint64_t word =
        guard_word(kernel_.arrays[i].role, kernel_.type_of(problem_, static_cast<int>(i)));
    fill_words(array.base, guard_, word);
    fill_words(array.base + guard_ + array.bytes, array.total - guard_ - array.bytes, word);
    if (kernel_.arrays[i].role != Role::out) continue;
    if (poisoned == Poisoned::whole)
      fill_bytes(array.data, array.bytes, poison);
    else
      fill_samples(array.data, array.bytes, poison);
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

std::size_t Workset::reference_bytes() const {
  std::size_t bytes = 1;
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    if (kernel_.arrays[i].role != Role::in)
      bytes += sizeof(double) * static_cast<std::size_t>(kernel_.elements(problem_, static_cast<int>(i)));
  return bytes;
}

std::size_t Workset::most_fillings() const {
  return std::min(1 + kept_bytes_ / reference_bytes(), most_kept_fillings);
}

// Returns memory for the reference result of the current inputs. If memory is short, it is taken from the
// oldest reference. The reference of the timed inputs is replaced only if there is no memory for a second
// one.
Workset::References::node_type Workset::place_for_reference() {
  if (!references_.empty() && kept_bytes_ < reference_bytes()) {
    References::node_type place = references_.extract(references_.begin());
    place.key() = filling_;
    return place;
  }
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
  bring_inputs();
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

void Workset::read_outputs() const {
  static std::atomic<std::uint64_t> used;  // keeps the compiler from leaving out the reads
  used = outputs_hash();
}

void Workset::alter_outputs() {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const auto index = static_cast<int>(i);
    if (kernel_.arrays[i].role == Role::out)
      alter(kernel_.type_of(problem_, index), arrays_[i].data, kernel_.elements(problem_, index));
  }
}

void Workset::keep_outputs() {
  // largest total size in bytes of arrays whose outputs are copied
  constexpr std::size_t most = std::size_t{64} << 20;
  kept_outputs_.clear();
  kept_outputs_.resize(arrays_.size());
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (kernel_.arrays[i].role == Role::in) continue;
    KeptOutput& kept = kept_outputs_[i];
    kept.sum = sum_of(arrays_[i]);
    if (const Deviation* known = right_output(i, kept.sum)) {
      kept.right = *known;
    } else if (total_bytes() <= most) {
      const char* data = static_cast<const char*>(arrays_[i].data);
      kept.copy.assign(data, data + arrays_[i].bytes);
    }
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
  const bool anything_is_right = std::isinf(kernel_.tolerance(problem_).absolute);
  std::string wrong;
  for (std::size_t i = 0; i < arrays_.size() && wrong.empty(); ++i) {
    const HostArray& array = arrays_[i];
    const std::string name = kernel_.arrays[i].name;
    const ElementType type = kernel_.type_of(problem_, static_cast<int>(i));
    const std::uint64_t word = guard_word(kernel_.arrays[i].role, type);
    if (!are_words(array.base, guard_, word))
      wrong = "wrote before the start of array " + name;
    else if (!are_words(array.base + guard_ + array.bytes, array.total - guard_ - array.bytes, word))
      wrong = "wrote past the end of array " + name;
    else if (kernel_.arrays[i].role == Role::in) {
      if (with_inputs && sum_of(array) != input_sums_[i]) wrong = "changed its input array " + name;
    } else if (!anything_is_right) {
      wrong = compare_output(i, worst);
    }
  }
  return wrong;
}

// Compares an output with the reference, unless the same bytes were found right before.
std::string Workset::compare_output(std::size_t i, Deviation* worst) {
  const KeptOutput kept_none, &kept = i < kept_outputs_.size() ? kept_outputs_[i] : kept_none;
  if (kept.right) {
    *worst = worse_of(*worst, *kept.right);
    return {};
  }
  const bool is_copied = !kept.copy.empty();
  const std::uint64_t sum = is_copied ? kept.sum : sum_of(arrays_[i]);
  if (const Deviation* known = right_output(i, sum)) {
    *worst = worse_of(*worst, *known);
    return {};
  }
  const auto index = static_cast<int>(i);
  const Comparison comparison =
      sextant::compare_output(kernel_, problem_, filling_ == timed_filling ? fill_ : InputFill::uniform,
                              index, is_copied ? kept.copy.data() : arrays_[i].data, reference(index));
  *worst = worse_of(*worst, comparison.worst);
  // Work that goes on after a call may have changed the output between the checksum and the comparison.
  if (comparison.wrong.empty() && sum_of(arrays_[i]) == sum)
    right_outputs_[filling_][{i, sum}] = comparison.worst;
  return comparison.wrong;
}

const Deviation* Workset::right_output(std::size_t index, std::uint64_t sum) const {
  const auto outputs = right_outputs_.find(filling_);
  if (outputs == right_outputs_.end()) return nullptr;
  const auto found = outputs->second.find({index, sum});
  return found == outputs->second.end() ? nullptr : &found->second;
}

namespace {

std::vector<ArrayPlace> places_of(const Workset& workset) {
  if (!finds_overruns()) return {};
  std::vector<ArrayPlace> places;
  for (std::size_t i = 0; i < workset.arrays().size(); ++i) {
    const HostArray& array = workset.arrays()[i];
    places.push_back({workset.kernel().arrays[i].name, static_cast<const char*>(array.data), array.bytes,
                      element_size(workset.kernel().type_of(workset.problem(), static_cast<int>(i)))});
  }
  return places;
}

// Returns the guard zones of all arrays. The list is empty if no AddressSanitizer watches them.
std::vector<KnownArrays::MemoryRange> guards_of(const Workset& workset, std::size_t guard) {
  if (!address_sanitizer && !finds_overruns()) return {};
  std::vector<KnownArrays::MemoryRange> guards;
  for (const HostArray& array : workset.arrays()) {
    const char* end = static_cast<const char*>(array.data) + array.bytes;
    guards.push_back({array.base, guard});
    guards.push_back({end, static_cast<std::size_t>(array.base + array.total - end)});
  }
  return guards;
}

}  // namespace

ClosedGuards::ClosedGuards(const Workset& workset)
    : workset_(workset), known_(places_of(workset), guards_of(workset, workset.guard_)) {
  for (const KnownArrays::MemoryRange& one : guards_of(workset, workset.guard_))
    ASAN_POISON_MEMORY_REGION(one.begin, one.bytes);
}

ClosedGuards::~ClosedGuards() {
  for (const HostArray& array : workset_.arrays_) ASAN_UNPOISON_MEMORY_REGION(array.base, array.total);
}

}  // namespace sextant
