#include "analysis/profile/profile.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace sextant {
namespace {

using Kind = ConstructRecord::Kind;
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

// For each construct: the index of the innermost construct around it, or `nowhere`.
std::vector<std::size_t> parents_of(const std::vector<ConstructRecord>& constructs) {
  std::vector<std::size_t> parents, open;
  for (std::size_t i = 0; i < constructs.size(); ++i) {
    while (!open.empty() && constructs[open.back()].end <= constructs[i].start) open.pop_back();
    parents.push_back(open.empty() ? nowhere : open.back());
    open.push_back(i);
  }
  return parents;
}

// Finds the innermost construct that runs at a given time. Calls must pass times in ascending order.
class Innermost {
 public:
  explicit Innermost(const std::vector<ConstructRecord>& constructs) : constructs_(constructs) {}

  std::size_t at(double time) {
    for (; next_ < constructs_.size() && constructs_[next_].start <= time; ++next_) open_.push_back(next_);
    // Only the top of the stack is checked, because constructs of one thread are nested.
    while (!open_.empty() && constructs_[open_.back()].end < time) open_.pop_back();
    return open_.empty() ? nowhere : open_.back();
  }

 private:
  const std::vector<ConstructRecord>& constructs_;
  std::vector<std::size_t> open_;
  std::size_t next_ = 0;
};

// The regions (directives of the source) found so far, and the region of each construct record.
struct Regions {
  std::vector<ProfiledRegion> list;
  std::vector<std::size_t> of;  // for each construct record: the index of its region in `list`
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> by_place;

  std::size_t find(const std::string& directive, std::uint64_t site) {
    const auto [place, is_new] = by_place.emplace(std::pair(directive, site), list.size());
    if (is_new) {
      list.emplace_back();
      list.back().directive = directive;
    }
    return place->second;
  }
};

bool is_part(const ConstructRecord& record, const ConstructRecord* parent) {
  if (!parent || parent->kind == Kind::call) return false;
  // A launch belongs to the construct around it. So does a copy that a clause of a compute construct
  // requests, because it has the construct's directive.
  return record.kind == Kind::launch || record.directive == parent->directive ||
         (parent->kind != Kind::compute && record.kind == Kind::wait);
}

Regions find_regions(const std::vector<ConstructRecord>& constructs) {
  Regions regions;
  const std::vector<std::size_t> parents = parents_of(constructs);
  struct Visit {
    std::size_t region;
    double seconds;
  };
  std::vector<Visit> open_data;  // data regions that were entered but not left yet
  for (std::size_t i = 0; i < constructs.size(); ++i) {
    const ConstructRecord& record = constructs[i];
    const std::size_t parent = parents[i];
    if (is_part(record, parent == nowhere ? nullptr : &constructs[parent])) {
      regions.of.push_back(regions.of[parent]);
      continue;
    }
    const double seconds = record.end - record.start;
    const bool end_of_data =
        record.directive == "data" && record.kind == Kind::exit_data && !open_data.empty();
    const std::size_t region =
        end_of_data ? open_data.back().region : regions.find(record.directive, record.site);
    if (end_of_data) {  // The entry and the exit of a data region count as one execution.
      regions.list[region].elapsed.add(open_data.back().seconds + seconds);
      open_data.pop_back();
    } else if (record.directive == "data" && record.kind == Kind::enter_data) {
      open_data.push_back({region, seconds});
    } else {
      regions.list[region].elapsed.add(seconds);
    }
    if (record.kind == Kind::compute) regions.list[region].computes = true;
    regions.of.push_back(region);
  }
  for (const Visit& visit : open_data) regions.list[visit.region].elapsed.add(visit.seconds);
  return regions;
}

// Removes the region from a kernel's name: "void once<float>(long, float*) [region 0]" becomes "void
// once<float>(long, float*)".
std::string function_of(const std::string& kernel) {
  const std::size_t region = kernel.find(" [region ");
  return region == std::string::npos ? std::string() : kernel.substr(0, region);
}

ProfiledKernel& kernel_like(ProfiledRegion& region, const ActivityRecord& record) {
  for (ProfiledKernel& kernel : region.kernels)
    if (kernel.name == record.name && kernel.grid == record.grid && kernel.block == record.block)
      return kernel;
  region.kernels.push_back(
      {record.name, record.grid, record.block, record.registers, record.shared_memory, {}, {}});
  return region.kernels.back();
}

void add_activity(ProfiledRegion& region, const ActivityRecord& record) {
  const double seconds = record.end - record.start;
  if (record.kind == ActivityRecord::Kind::kernel) {
    ProfiledKernel& kernel = kernel_like(region, record);
    kernel.device.add(seconds);
    if (record.asked >= 0) kernel.elapsed.add(record.end - record.asked);
    if (region.function.empty()) region.function = function_of(record.name);
    return;
  }
  ProfiledCopies& copies = record.direction == ActivityRecord::Direction::in    ? region.in
                           : record.direction == ActivityRecord::Direction::out ? region.out
                                                                                : region.within;
  copies.bytes += record.bytes;
  copies.device.add(seconds);
}

// Adds kernel launches from the host's records if the device's records are missing.
void add_launches(const std::vector<ConstructRecord>& constructs, Regions* regions) {
  for (std::size_t i = 0; i < constructs.size(); ++i) {
    if (constructs[i].kind != Kind::launch) continue;
    ProfiledRegion& region = regions->list[regions->of[i]];
    ActivityRecord record{};
    record.name = constructs[i].function;
    record.grid = {constructs[i].shape[0], 1, 1};
    record.block = {constructs[i].shape[2], constructs[i].shape[1], 1};
    kernel_like(region, record).elapsed.add(constructs[i].end - constructs[i].start);
    if (region.function.empty()) region.function = function_of(record.name);
  }
}

// Sets the function name of each data region. A data region has no kernel that tells its function, so it gets
// the name of the next region that has one.
void spread_functions(std::vector<ProfiledRegion>* regions) {
  std::string next;
  for (auto region = regions->rbegin(); region != regions->rend(); ++region) {
    if (region->function.empty() && region->directive == "data") region->function = next;
    if (!region->function.empty()) next = region->function;
  }
}

using Json = nlohmann::ordered_json;

Json timeline_event(const std::string& name, int row, double start, double end) {
  return {{"name", name}, {"ph", "X"},         {"pid", 1},
          {"tid", row},   {"ts", start * 1e6}, {"dur", (end - start) * 1e6}};
}

Json row_name(int row, const std::string& name) {
  return {{"name", "thread_name"}, {"ph", "M"}, {"pid", 1}, {"tid", row}, {"args", {{"name", name}}}};
}

std::string name_of(const ConstructRecord& record) {
  switch (record.kind) {
    case Kind::enter_data:
      return record.directive == "data" || record.directive == "enter data" ? record.directive
                                                                            : record.directive + ": data in";
    case Kind::exit_data:
      return record.directive == "data"        ? "end of data"
             : record.directive == "exit data" ? record.directive
                                               : record.directive + ": data out";
    case Kind::launch:
      return record.function.empty() ? "launch" : "launch " + record.function;
    default:
      return record.directive;
  }
}

}  // namespace

void Durations::add(double seconds) {
  longest = count ? std::max(longest, seconds) : seconds;
  shortest = count ? std::min(shortest, seconds) : seconds;
  total += seconds;
  ++count;
}

Profile make_profile(const std::vector<ConstructRecord>& constructs,
                     const std::vector<ActivityRecord>& activities, bool device_records) {
  Regions regions = find_regions(constructs);
  std::vector<const ActivityRecord*> asked;
  for (const ActivityRecord& record : activities) asked.push_back(&record);
  const auto time_of = [](const ActivityRecord* record) {
    return record->asked >= 0 ? record->asked : record->start;
  };
  std::stable_sort(asked.begin(), asked.end(),
                   [&](const auto* a, const auto* b) { return time_of(a) < time_of(b); });
  Innermost innermost(constructs);
  for (const ActivityRecord* record : asked)
    if (const std::size_t at = innermost.at(time_of(record)); at != nowhere)
      add_activity(regions.list[regions.of[at]], *record);
  if (!device_records) add_launches(constructs, &regions);
  spread_functions(&regions.list);
  return {std::move(regions.list), device_records};
}

std::string make_timeline(const std::vector<ConstructRecord>& constructs,
                          const std::vector<ActivityRecord>& activities) {
  Json events = Json::array({row_name(0, "host")});
  for (const ConstructRecord& record : constructs)
    events.push_back(timeline_event(name_of(record), 0, record.start, record.end));
  std::map<int, int> rows;  // by stream: the row of the timeline
  for (const ActivityRecord& record : activities) {
    const auto [row, is_new] = rows.emplace(record.stream, static_cast<int>(rows.size()) + 1);
    if (is_new) events.push_back(row_name(row->second, "device, stream " + std::to_string(record.stream)));
    Json event = timeline_event(record.name, row->second, record.start, record.end);
    if (record.kind == ActivityRecord::Kind::kernel)
      event["args"] = {{"grid", record.grid}, {"block", record.block}, {"registers", record.registers}};
    else
      event["args"] = {{"bytes", record.bytes}};
    events.push_back(event);
  }
  // Replaces invalid UTF-8, so that a malformed kernel name does not make the timeline invalid.
  return Json{{"traceEvents", events}, {"displayTimeUnit", "ns"}}.dump(-1, ' ', false,
                                                                       Json::error_handler_t::replace) +
         "\n";
}

}  // namespace sextant
