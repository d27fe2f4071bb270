#include "record/json.hpp"

#include <cmath>
#include <limits>

#include "record/json_text.hpp"
#include "record/place.hpp"

namespace sextant {
namespace {

using sextant::json_of;  // the overloads below convert the members of a measurement

// Returns the enumerator whose name_of is `name`. Throws UserError if there is none.
template <typename All>
auto named(const All& all, const std::string& name) {
  for (const auto value : all)
    if (name == name_of(value)) return value;
  throw UserError("\"" + name + "\" is not a value that this version of Sextant supports");
}

template <typename Enumeration>
Enumeration named(std::initializer_list<Enumeration> all, const std::string& name) {
  return named<std::initializer_list<Enumeration>>(all, name);
}

std::vector<double> numbers_from(const Json& json) {
  std::vector<double> values;
  values.reserve(json.size());
  for (const Json& value : json) values.push_back(number_from(value));
  return values;
}

template <std::size_t size, typename Value>
Json json_of(const std::array<Value, size>& values) {
  Json json = Json::array();
  for (const Value value : values) json.push_back(value);
  return json;
}

template <std::size_t size, typename Value>
void read_into(std::array<Value, size>& values, const Json& json) {
  for (std::size_t i = 0; i < size; ++i) values[i] = json.at(i).get<Value>();
}

Json json_of_optional(const std::optional<double>& value) { return value ? json_of(*value) : Json(); }

std::optional<double> optional_from(const Json& json) {
  if (json.is_null()) return {};
  return number_from(json);
}

Json json_of(const Transfer& transfer) {
  return {{"array", transfer.array},
          {"direction", transfer.to_device ? "to_device" : "from_device"},
          {"method", transfer.method},
          {"bytes", transfer.bytes},
          {"times", json_of(transfer.times)}};
}

Transfer transfer_from(const Json& json) {
  return {json.at("array"), json.at("direction") == "to_device", json.at("method"), json.at("bytes"),
          numbers_from(json.at("times"))};
}

Json json_of(const KernelLaunch& launch) {
  return {{"name", launch.name},
          {"grid", json_of(launch.grid)},
          {"block", json_of(launch.block)},
          {"registers", launch.registers},
          {"shared_memory", launch.shared_memory},
          {"occupancy", json_of(launch.occupancy)},
          {"time", json_of(launch.time)},
          {"count", launch.count}};
}

KernelLaunch launch_from(const Json& json) {
  KernelLaunch launch;
  launch.name = json.at("name");
  read_into(launch.grid, json.at("grid"));
  read_into(launch.block, json.at("block"));
  launch.registers = json.at("registers");
  launch.shared_memory = json.at("shared_memory");
  launch.occupancy = number_from(json.at("occupancy"));
  launch.time = number_from(json.at("time"));
  launch.count = json.at("count");
  return launch;
}

Json json_of(const Phase& phase) { return {{"name", phase.name}, {"times", json_of(phase.times)}}; }

Phase phase_from(const Json& json) { return {json.at("name"), numbers_from(json.at("times"))}; }

Json json_of(const Visit& visit) {
  return {{"process", visit.process}, {"call_times", json_of(visit.call_times)}};
}

Visit visit_from(const Json& json) { return {json.at("process"), numbers_from(json.at("call_times"))}; }

Json json_of(const SampleGroup& group) {
  return {{"samples", group.samples},
          {"clock", json_of_optional(group.clock)},
          {"throttled", group.throttled ? Json(*group.throttled) : Json()}};
}

SampleGroup group_from(const Json& json) {
  SampleGroup group{json.at("samples"), optional_from(json.at("clock")), {}};
  if (!json.at("throttled").is_null()) group.throttled = json.at("throttled").get<bool>();
  return group;
}

Json json_of(const SampledState& state) {
  Json groups = Json::array();
  for (const SampleGroup& group : state.groups) groups.push_back(json_of(group));
  return {{"process", state.process},
          {"groups", groups},
          {"power", json_of_optional(state.power)},
          {"temperature", json_of_optional(state.temperature)},
          {"throttle_reasons", state.throttle_reasons}};
}

SampledState state_from(const Json& json) {
  SampledState state;
  state.process = json.at("process");
  for (const Json& group : json.at("groups")) state.groups.push_back(group_from(group));
  state.power = optional_from(json.at("power"));
  state.temperature = optional_from(json.at("temperature"));
  state.throttle_reasons = json.at("throttle_reasons");
  return state;
}

Json json_of(const Part& part) {
  return {{"device", part.device},
          {"compute", json_of_optional(part.compute)},
          {"exchange", json_of_optional(part.exchange)},
          {"clock", json_of_optional(part.clock)},
          {"power", json_of_optional(part.power)}};
}

Part part_from(const Json& json) {
  return {json.at("device"), optional_from(json.at("compute")), optional_from(json.at("exchange")),
          optional_from(json.at("clock")), optional_from(json.at("power"))};
}

Json json_of(const std::vector<std::pair<std::string, double>>& counters) {
  Json json = Json::array();
  for (const auto& [name, value] : counters) json.push_back({name, json_of(value)});
  return json;
}

Json json_of(const Work& work) {
  return {{"bytes_read", work.bytes_read},
          {"bytes_written", work.bytes_written},
          {"flops", work.flops},
          {"items", work.items},
          {"integer_operations", work.integer_operations},
          {"bytes_sent", work.bytes_sent}};
}

template <typename Value>
Json json_list(const std::vector<Value>& values) {
  Json json = Json::array();
  for (const Value& value : values) json.push_back(json_of(value));
  return json;
}

template <typename Value>
std::vector<Value> list_from(const Json& json, Value (*read)(const Json&)) {
  std::vector<Value> values;
  for (const Json& value : json) values.push_back(read(value));
  return values;
}

}  // namespace

Json json_of(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double number_from(const Json& json) {
  if (json.is_string()) {
    if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (json == "inf") return std::numeric_limits<double>::infinity();
    if (json == "-inf") return -std::numeric_limits<double>::infinity();
  }
  return json.get<double>();
}

Json json_of(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(json_of(value));
  return json;
}

Json json_of(const Case& what) {
  Json tuning = Json::object();
  for (const auto& [name, value] : what.tuning) tuning[name] = value.number;
  const Extents& extents = what.problem.extents;
  Json json = {{"kernel", what.kernel},
               {"variant", what.variant},
               {"class", what.problem_class},
               {"type", name_of(what.problem.type)},
               {"n", what.problem.n},
               {"extents", {extents.x, extents.y, extents.z}},
               {"parameters", json_of(what.problem.parameters)},
               {"tuning", tuning},
               {"device", what.device},
               {"cache", what.cache == CacheMode::cold ? "cold" : "warm"}};
  if (what.fill != InputFill::uniform) json["fill"] = name_of(what.fill);
  return json;
}

Case case_from(const Json& json) {
  return reading("case", [&] {
    Case what;
    what.kernel = json.at("kernel");
    what.variant = json.at("variant");
    what.problem_class = json.at("class");
    what.problem.type = named({ElementType::float32, ElementType::float64, ElementType::int32},
                              json.at("type").get<std::string>());
    what.problem.n = json.at("n");
    const Json& extents = json.at("extents");
    what.problem.extents = {extents.at(0), extents.at(1), extents.at(2)};
    read_into(what.problem.parameters, json.at("parameters"));
    for (const auto& [name, value] : json.at("tuning").items())
      what.tuning.emplace_back(name, value.get<int>());
    what.device = json.at("device");
    what.problem.parts = parts_of(what.device);
    what.cache = json.at("cache") == "cold" ? CacheMode::cold : CacheMode::warm;
    if (json.contains("fill")) what.fill = named(all_input_fills, json.at("fill").get<std::string>());
    return what;
  });
}

Json json_of(const Measurement& m) {
  return {{"case", json_of(m.what)},
          {"status", name_of(m.status)},
          {"reason", m.reason},
          {"effort", name_of(m.effort)},
          {"standard_tuning", m.standard_tuning ? Json(*m.standard_tuning) : Json()},
          {"error", json_of(m.error)},
          {"tolerance", json_of(m.tolerance)},
          {"seed", m.seed},
          {"call_times", json_of(m.call_times)},
          {"seen_times", json_of(m.seen_times)},
          {"visits", json_list(m.visits)},
          {"states", json_list(m.states)},
          {"gap", json_of(m.gap)},
          {"gap_times", json_of(m.gap_times)},
          {"gap_device_times", json_of(m.gap_device_times)},
          {"energies", json_of(m.energies)},
          {"energy_times", json_of(m.energy_times)},
          {"energy_window", json_of(m.energy_window)},
          {"idle_power", json_of_optional(m.idle_power)},
          {"steady_after", json_of_optional(m.steady_after)},
          {"calls_per_sample", m.calls_per_sample},
          {"clock_step", json_of(m.clock_step)},
          {"prepare_times", json_of(m.prepare_times)},
          {"first_call", json_of_optional(m.first_call)},
          {"device_times", json_of(m.device_times)},
          {"transfers", json_list(m.transfers)},
          {"alloc_times", json_of(m.alloc_times)},
          {"end_to_end_times", json_of(m.end_to_end_times)},
          {"launches", json_list(m.launches)},
          {"phases", json_list(m.phases)},
          {"counters", json_of(m.counters)},
          {"work", json_of(m.work)},
          {"compute_times", json_of(m.compute_times)},
          {"exchange_times", json_of(m.exchange_times)},
          {"balance", json_of_optional(m.balance)},
          {"cores", json_of_optional(m.cores)},
          {"nodes", m.nodes ? Json(*m.nodes) : Json()},
          {"each", json_list(m.each)},
          {"isolation", m.isolation ? Json(name_of(*m.isolation)) : Json()},
          {"clock", json_of_optional(m.clock)},
          {"temperature", json_of_optional(m.temperature)},
          {"power", json_of_optional(m.power)},
          {"warnings", m.warnings},
          {"timestamp", m.timestamp}};
}

Measurement measurement_from(const Json& json) {
  return reading("measurement", [&] {
    Measurement m;
    m.what = case_from(json.at("case"));
    m.status = named(
        {Status::ok, Status::wrong, Status::skipped, Status::failed, Status::timed_out, Status::impossible},
        json.at("status").get<std::string>());
    m.reason = json.at("reason");
    if (json.contains("effort"))
      m.effort = named({Effort::measured, Effort::stopped_early, Effort::checked_only},
                       json.at("effort").get<std::string>());
    m.error = number_from(json.at("error"));
    m.tolerance = number_from(json.at("tolerance"));
    m.seed = json.at("seed");
    m.call_times = numbers_from(json.at("call_times"));
    if (json.contains("seen_times")) m.seen_times = numbers_from(json.at("seen_times"));
    if (json.contains("visits")) m.visits = list_from(json.at("visits"), visit_from);
    if (json.contains("states")) {  // older workers do not send these fields
      m.states = list_from(json.at("states"), state_from);
      m.gap = number_from(json.at("gap"));
      m.gap_times = numbers_from(json.at("gap_times"));
      m.gap_device_times = numbers_from(json.at("gap_device_times"));
    }
    if (json.contains("energies")) {  // older workers do not send these fields
      m.energies = numbers_from(json.at("energies"));
      m.energy_times = numbers_from(json.at("energy_times"));
      m.energy_window = number_from(json.at("energy_window"));
      m.idle_power = optional_from(json.at("idle_power"));
      m.steady_after = optional_from(json.at("steady_after"));
    }
    if (json.contains("prepare_times")) {  // older workers do not send these fields
      m.calls_per_sample = json.at("calls_per_sample");
      m.clock_step = number_from(json.at("clock_step"));
      m.prepare_times = numbers_from(json.at("prepare_times"));
      m.first_call = optional_from(json.at("first_call"));
    }
    if (const auto standard = json.find("standard_tuning"); standard != json.end() && !standard->is_null())
      m.standard_tuning = standard->get<bool>();  // older workers do not send it
    m.device_times = numbers_from(json.at("device_times"));
    m.transfers = list_from(json.at("transfers"), transfer_from);
    m.alloc_times = numbers_from(json.at("alloc_times"));
    m.end_to_end_times = numbers_from(json.at("end_to_end_times"));
    m.launches = list_from(json.at("launches"), launch_from);
    m.phases = list_from(json.at("phases"), phase_from);
    for (const Json& counter : json.at("counters"))
      m.counters.emplace_back(counter.at(0), number_from(counter.at(1)));
    const Json& work = json.at("work");
    m.work = {work.at("bytes_read"),
              work.at("bytes_written"),
              work.at("flops"),
              work.at("items"),
              work.value("integer_operations", std::int64_t{0}),
              work.value("bytes_sent", std::int64_t{0})};
    if (json.contains("compute_times")) {  // older workers do not send these fields
      m.compute_times = numbers_from(json.at("compute_times"));
      m.exchange_times = numbers_from(json.at("exchange_times"));
      m.balance = optional_from(json.at("balance"));
      m.cores = optional_from(json.at("cores"));
    }
    if (const auto nodes = json.find("nodes"); nodes != json.end() && !nodes->is_null())
      m.nodes = nodes->get<int>();  // older workers do not send it
    // Older workers do not send it.
    if (json.contains("each")) m.each = list_from(json.at("each"), part_from);
    if (const auto isolation = json.find("isolation"); isolation != json.end() && !isolation->is_null())
      m.isolation = named({Isolation::alone, Isolation::calls_alone, Isolation::undisturbed,
                           Isolation::calls_disturbed, Isolation::not_tried},
                          isolation->get<std::string>());  // older workers do not send it
    m.clock = optional_from(json.at("clock"));
    m.temperature = optional_from(json.at("temperature"));
    m.power = optional_from(json.at("power"));
    m.warnings = json.at("warnings").get<std::vector<std::string>>();
    m.timestamp = json.at("timestamp");
    return m;
  });
}

Json json_of(const Ceiling& ceiling) {
  return {{"device", ceiling.device},
          {"name", ceiling.name},
          {"footprint", ceiling.footprint},
          {"value", json_of(ceiling.value)}};
}

Ceiling ceiling_from(const Json& json) {
  return reading("ceiling", [&] {
    return Ceiling{json.at("device"), json.at("name"), json.at("footprint"), number_from(json.at("value"))};
  });
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json parse_json(const std::string& text) {
  return reading("text", [&] { return Json::parse(text); });
}

std::string to_json(const Case& what) { return text_of(json_of(what)); }
std::string to_json(const Measurement& measurement) { return text_of(json_of(measurement)); }
std::string to_json(const KernelDescription& description) { return text_of(json_of(description)); }
KernelDescription description_from_json(const std::string& text) {
  return description_from(parse_json(text));
}

}  // namespace sextant
