#include "store/checksum.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

namespace sextant::store {
namespace {

// The 64-bit hash FNV-1a (Fowler, Noll, Vo). It detects accidental damage.
class Hash {
 public:
  Hash& operator<<(std::uint64_t word) {
    for (int shift = 0; shift < 64; shift += 8) byte(static_cast<unsigned char>(word >> shift));
    return *this;
  }
  Hash& operator<<(std::int64_t value) { return *this << static_cast<std::uint64_t>(value); }
  Hash& operator<<(int value) {
    return *this << static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
  Hash& operator<<(double value) {
    const double kept = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value + 0.0;
    return *this << std::bit_cast<std::uint64_t>(kept);
  }
  Hash& operator<<(const std::optional<double>& value) {
    return *this << value.value_or(std::numeric_limits<double>::quiet_NaN());
  }
  Hash& operator<<(std::string_view text) {
    *this << static_cast<std::uint64_t>(text.size());
    for (const char character : text) byte(static_cast<unsigned char>(character));
    return *this;
  }
  Hash& operator<<(const std::vector<double>& values) {
    *this << static_cast<std::uint64_t>(values.size());
    // BLOBs preserve the exact bits.
    for (const double value : values) *this << std::bit_cast<std::uint64_t>(value);
    return *this;
  }
  std::uint64_t value() const { return state_; }

 private:
  void byte(unsigned char value) { state_ = (state_ ^ value) * 0x100000001B3u; }
  std::uint64_t state_ = 0xCBF29CE484222325u;
};

void add(Hash& hash, const Case& what) {
  hash << what.kernel << what.variant << what.problem_class << what.problem.n
       << static_cast<int>(what.problem.type);
  hash << what.problem.extents.x << what.problem.extents.y << what.problem.extents.z;
  for (const std::int64_t parameter : what.problem.parameters) hash << parameter;
  for (const auto& [name, value] : what.tuning) hash << name << value.number;
  hash << what.device << static_cast<int>(what.cache);
  if (what.fill != InputFill::uniform) hash << static_cast<int>(what.fill);  // files up to version 10 lack it
}

void add(Hash& hash, const SampledState& state) {
  hash << state.process << state.power << state.temperature << state.throttle_reasons;
  for (const SampleGroup& group : state.groups)
    hash << group.samples << group.clock << (group.throttled ? static_cast<int>(*group.throttled) : -1);
}

}  // namespace

std::uint64_t checksum(const Measurement& m) {
  Hash hash;
  add(hash, m.what);
  hash << static_cast<int>(m.status) << m.reason << m.error << m.tolerance << m.seed;
  hash << m.call_times << m.device_times << m.alloc_times << m.end_to_end_times;
  for (const Transfer& transfer : m.transfers)
    hash << transfer.array << static_cast<int>(transfer.to_device) << transfer.method << transfer.bytes
         << transfer.times;
  for (const KernelLaunch& launch : m.launches) {
    hash << launch.name << launch.registers << launch.shared_memory << launch.occupancy << launch.time;
    for (const int extent : launch.grid) hash << extent;
    for (const int extent : launch.block) hash << extent;
    if (launch.count != 1) hash << launch.count;  // files of version 1 lack the count
  }
  for (const Phase& phase : m.phases) hash << phase.name << phase.times;
  for (const auto& [name, value] : m.counters) hash << name << value;
  hash << m.work.bytes_read << m.work.bytes_written << m.work.flops << m.work.items;
  hash << m.clock << m.temperature << m.power;
  for (const std::string& warning : m.warnings) hash << warning;
  hash << m.timestamp;
  // Files up to version 2 lack this field.
  if (m.standard_tuning) hash << static_cast<int>(*m.standard_tuning);
  if (m.calls_per_sample != 1 || m.clock_step > 0 || !m.prepare_times.empty() || m.first_call)
    hash << m.calls_per_sample << m.clock_step << m.prepare_times << m.first_call;
  if (m.work.integer_operations) hash << m.work.integer_operations;  // files up to version 4 lack it
  if (m.work.bytes_sent || m.balance || m.cores || !m.compute_times.empty() || !m.exchange_times.empty())
    hash << m.work.bytes_sent << m.compute_times << m.exchange_times << m.balance
         << m.cores;              // files up to version 5 lack these fields
  if (m.nodes) hash << *m.nodes;  // files up to version 6 lack it
  for (const Part& part : m.each)
    hash << part.device << part.compute << part.exchange << part.clock << part.power;
  if (m.isolation) hash << static_cast<int>(*m.isolation);  // files up to version 7 lack it
  if (!m.seen_times.empty()) hash << m.seen_times;          // files up to version 8 lack it
  // Files up to version 9 lack visits.
  for (const Visit& visit : m.visits) hash << visit.process << visit.call_times;
  // Files up to version 10 lack the state of the GPU and the calls after pauses.
  for (const SampledState& state : m.states) add(hash, state);
  if (m.gap > 0) hash << m.gap << m.gap_times << m.gap_device_times;
  if (!m.energies.empty()) hash << m.energies << m.energy_times << m.energy_window << m.idle_power;
  if (m.steady_after) hash << m.steady_after;
  return hash.value();
}

std::uint64_t checksum(const Session& session) {
  Hash hash;
  hash << session.started << session.command << session.version;
  for (const auto& [key, value] : session.environment) hash << key << value;
  return hash.value();
}

std::uint64_t checksum(const Ceiling& ceiling) {
  Hash hash;
  hash << ceiling.device << ceiling.name << ceiling.footprint << ceiling.value;
  return hash.value();
}

std::uint64_t checksum(const SearchStep& step) {
  Hash hash;
  for (const auto& [name, value] : step.tuning) hash << name << value.number;
  hash << static_cast<int>(step.known) << static_cast<int>(step.effort) << static_cast<int>(step.status);
  hash << step.reason << step.time << step.low << step.high << step.samples << step.cost;
  return hash.value();
}

std::uint64_t checksum(const std::string& kernel, const std::string& description) {
  Hash hash;
  hash << kernel << description;
  return hash.value();
}

}  // namespace sextant::store
