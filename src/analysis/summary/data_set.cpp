#include "analysis/summary/data_set.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <variant>

#include "base/csv.hpp"
#include "base/join.hpp"
#include "record/modes.hpp"
#include "record/place.hpp"

namespace sextant {
namespace {

using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

struct DataColumn {
  std::string name;
  std::function<Value(const Summary&)> value;
};

Value known(const std::optional<double>& value) { return value ? Value(*value) : Value(); }
Value known(const std::optional<std::int64_t>& value) { return value ? Value(*value) : Value(); }
Value known(const std::optional<int>& value) { return value ? Value(std::int64_t{*value}) : Value(); }
Value known(const std::string& text) { return text.empty() ? Value() : Value(text); }
Value known(const Interval& interval, double Interval::*part) {
  return interval.samples ? Value(interval.*part) : Value();
}

Value mean_of(const std::vector<double>& samples) {
  if (samples.empty()) return {};
  double sum = 0;
  for (const double sample : samples) sum += sample;
  return sum / static_cast<double>(samples.size());
}

// Formats extents as 3x5x7, without trailing axes of length 1.
std::string extents_of(const Extents& extents) {
  std::string text = std::to_string(extents.x);
  if (extents.y > 1 || extents.z > 1) text += "x" + std::to_string(extents.y);
  if (extents.z > 1) text += "x" + std::to_string(extents.z);
  return text;
}

const Measurement& of(const Summary& s) { return *s.measurement; }

bool was_checked(const Summary& s) { return of(s).status == Status::ok || of(s).status == Status::wrong; }

bool work_known(const Summary& s) {
  const Work& work = of(s).work;
  return work.bytes_read || work.bytes_written || work.flops || work.items || work.integer_operations;
}

Value from_environment(const Summary& s, const char* key) {
  if (!s.session) return {};
  const auto found = s.session->environment.find(key);
  return found == s.session->environment.end() ? Value() : known(found->second);
}

class Columns {
 public:
  explicit Columns(const std::vector<Summary>& summaries) {
    add_case(summaries);
    add_times();
    add_figures();
    add_more(summaries);
  }
  const std::vector<DataColumn>& list() const { return list_; }

 private:
  void add(std::string name, std::function<Value(const Summary&)> value) {
    list_.push_back({std::move(name), std::move(value)});
  }
  void add_interval(const std::string& name, Interval Summary::*interval) {
    add(name + "_median", [=](const Summary& s) { return known(s.*interval, &Interval::median); });
    add(name + "_low", [=](const Summary& s) { return known(s.*interval, &Interval::low); });
    add(name + "_high", [=](const Summary& s) { return known(s.*interval, &Interval::high); });
    add(name + "_min", [=](const Summary& s) { return known(s.*interval, &Interval::minimum); });
  }
  template <typename Member>
  void add_member(const std::string& name, Member Summary::*member) {
    add(name, [=](const Summary& s) { return known(s.*member); });
  }
  void add_median(const std::string& name, Interval Summary::*interval) {
    add(name, [=](const Summary& s) { return known(s.*interval, &Interval::median); });
  }
  void add_work(const std::string& name, std::int64_t Work::*part) {
    add(name, [=](const Summary& s) { return work_known(s) ? Value(of(s).work.*part) : Value(); });
  }

  void add_case(const std::vector<Summary>& summaries) {
    add("kernel", [](const Summary& s) { return of(s).what.kernel; });
    add("group", [](const Summary& s) { return known(s.group); });
    add("model", [](const Summary& s) { return s.model; });
    add("variant", [](const Summary& s) { return of(s).what.variant; });
    add("type", [](const Summary& s) { return std::string(name_of(of(s).what.problem.type)); });
    add("n", [](const Summary& s) { return of(s).what.problem.n ? Value(of(s).what.problem.n) : Value(); });
    add("extents", [](const Summary& s) { return extents_of(of(s).what.problem.extents); });
    std::set<std::string> tunables;
    for (const Summary& s : summaries)
      for (const auto& [name, value] : of(s).what.tuning) tunables.insert(name);
    for (const std::string& tunable : tunables)
      add("tuning." + tunable, [tunable](const Summary& s) -> Value {
        for (const auto& [name, value] : of(s).what.tuning)
          if (name == tunable)
            return value.text ? Value(std::string(value.text)) : Value(std::int64_t{value});
        return {};
      });
    add("device", [](const Summary& s) { return of(s).what.device; });
    add_member("machine", &Summary::machine);
    add("status", [](const Summary& s) { return std::string(name_of(of(s).status)); });
    add("reason", [](const Summary& s) { return known(of(s).reason); });
    add("error", [](const Summary& s) {
      return was_checked(s) && !std::isnan(of(s).error) ? Value(of(s).error) : Value();
    });
    add("tolerance", [](const Summary& s) {
      return was_checked(s) && !std::isnan(of(s).tolerance) ? Value(of(s).tolerance) : Value();
    });
  }

  void add_times() {
    add("samples", [](const Summary& s) {
      return s.call_time.samples ? Value(static_cast<std::int64_t>(s.call_time.samples)) : Value();
    });
    add_interval("call_time", &Summary::call_time);
    add_interval("device_time", &Summary::device_time);
    add_member("h2d_time", &Summary::h2d_time);
    add_member("d2h_time", &Summary::d2h_time);
    add_member("h2d_bytes", &Summary::h2d_bytes);
    add_member("d2h_bytes", &Summary::d2h_bytes);
    add_median("alloc_time", &Summary::alloc_time);
    add_median("end_to_end_time", &Summary::end_to_end_time);
  }

  void add_figures() {
    add_work("bytes_read", &Work::bytes_read);
    add_work("bytes_written", &Work::bytes_written);
    add_work("flops", &Work::flops);
    add_member("bandwidth", &Summary::bandwidth);
    add_member("flop_rate", &Summary::flop_rate);
    add_member("ceiling_fraction", &Summary::ceiling_fraction);
    add_median("speedup_serial", &Summary::speedup_serial);
    add_median("speedup_cpu", &Summary::speedup_cpu);
    add_median("speedup_serial_with_transfers", &Summary::speedup_serial_with_transfers);
    add_member("registers", &Summary::registers);
    add_member("shared_memory", &Summary::shared_memory);
    add_member("occupancy", &Summary::occupancy);
    add("cache",
        [](const Summary& s) { return std::string(of(s).what.cache == CacheMode::cold ? "cold" : "warm"); });
    add("clock", [](const Summary& s) { return known(of(s).clock); });
    add("timestamp", [](const Summary& s) { return known(of(s).timestamp); });
  }

  // Adds the columns that the command line's table does not contain.
  void add_more(const std::vector<Summary>& summaries) {
    add("class", [](const Summary& s) { return known(of(s).what.problem_class); });
    add("fill", [](const Summary& s) { return known(text_of(of(s).what.fill)); });
    add("threads", [](const Summary& s) {
      return s.threads.count.empty() ? Value() : Value(std::int64_t{std::atoll(s.threads.count.c_str())});
    });
    add("binding", [](const Summary& s) { return known(s.threads.binding); });
    add_member("h2d_pinned_time", &Summary::h2d_pinned_time);
    add_member("d2h_pinned_time", &Summary::d2h_pinned_time);
    add_work("items", &Work::items);
    add("item_rate", [](const Summary& s) {
      const double time = s.work_time().median;
      const auto items = static_cast<double>(of(s).work.items);
      return s.ok() && time > 0 && items > 0 ? Value(items / time) : Value();
    });
    add_work("integer_operations", &Work::integer_operations);
    add("call_time_mean", [](const Summary& s) { return mean_of(of(s).call_times); });
    add("device_time_mean", [](const Summary& s) { return mean_of(of(s).device_times); });
    add_median("prepare_time", &Summary::prepare_time);
    add_member("first_use", &Summary::first_use);
    add("first_call", [](const Summary& s) { return known(of(s).first_call); });
    add("calls_per_sample", [](const Summary& s) {
      return s.call_time.samples ? Value(std::int64_t{of(s).calls_per_sample}) : Value();
    });
    add("seen_time", [](const Summary& s) {
      const Interval seen = median_interval(of(s).seen_times);
      return seen.samples ? Value(seen.median) : Value();
    });
    add("processes", [](const Summary& s) {
      return s.processes == 0 ? Value() : Value(static_cast<std::int64_t>(s.processes));
    });
    add("outcome", [](const Summary& s) { return known(std::string(s.outcome.name)); });
    add("outcome_by", [](const Summary& s) { return known(std::string(s.outcome.by)); });
    add("over_fastest", [](const Summary& s) { return known(s.outcome.over_fastest, &Interval::median); });
    add("over_fastest_low", [](const Summary& s) { return known(s.outcome.over_fastest, &Interval::low); });
    add("over_fastest_high", [](const Summary& s) { return known(s.outcome.over_fastest, &Interval::high); });
    for (const auto& [name, member] :
         {std::pair("speedup_serial", &Summary::speedup_serial),
          std::pair("speedup_cpu", &Summary::speedup_cpu),
          std::pair("speedup_serial_with_transfers", &Summary::speedup_serial_with_transfers)}) {
      add(std::string(name) + "_low",
          [member = member](const Summary& s) { return known(s.*member, &Interval::low); });
      add(std::string(name) + "_high",
          [member = member](const Summary& s) { return known(s.*member, &Interval::high); });
    }
    add_median("speedup_cpu_with_transfers", &Summary::speedup_cpu_with_transfers);
    add("ceiling",
        [](const Summary& s) { return s.ceiling_fraction ? Value(std::string(name_of(s.limit))) : Value(); });
    add("temperature", [](const Summary& s) { return known(of(s).temperature); });
    add("power", [](const Summary& s) { return known(of(s).power); });
    add("clock_low", [](const Summary& s) { return known(clock_range(of(s)).low); });
    add("clock_high", [](const Summary& s) { return known(clock_range(of(s)).high); });
    add("throttled_share", [](const Summary& s) { return known(throttled_share(of(s))); });
    add("throttle_reasons", [](const Summary& s) { return known(throttle_reasons(of(s))); });
    add("modes", [](const Summary& s) { return known(modes_text(of(s))); });
    add("gap", [](const Summary& s) { return of(s).gap > 0 ? Value(of(s).gap) : Value(); });
    add("gap_time_median",
        [](const Summary& s) { return known(median_interval(of(s).gap_times), &Interval::median); });
    add("gap_device_time_median",
        [](const Summary& s) { return known(median_interval(of(s).gap_device_times), &Interval::median); });
    const auto add_energy = [&](const std::string& name, double Interval::*member) {
      add(name, [=](const Summary& s) { return known(median_interval(of(s).energies), member); });
    };
    add_energy("energy", &Interval::median);
    add_energy("energy_low", &Interval::low);
    add_energy("energy_high", &Interval::high);
    add("energy_time",
        [](const Summary& s) { return known(median_interval(of(s).energy_times), &Interval::median); });
    add("energy_window",
        [](const Summary& s) { return of(s).energies.empty() ? Value() : Value(of(s).energy_window); });
    add("idle_power", [](const Summary& s) { return known(of(s).idle_power); });
    add("steady_after", [](const Summary& s) { return known(of(s).steady_after); });
    add("seed", [](const Summary& s) { return of(s).seed ? Value(std::to_string(of(s).seed)) : Value(); });
    std::set<std::string> phases;
    for (const Summary& s : summaries)
      for (const Phase& phase : of(s).phases) phases.insert(phase.name);
    for (const std::string& name : phases)
      add("phase." + name, [name](const Summary& s) -> Value {
        for (const Phase& phase : of(s).phases)
          if (phase.name == name) return known(median_interval(phase.times), &Interval::median);
        return {};
      });
    std::set<std::string> counters;
    for (const Summary& s : summaries)
      for (const auto& [name, value] : of(s).counters) counters.insert(name);
    for (const std::string& name : counters)
      add("counter." + name, [name](const Summary& s) -> Value {
        for (const auto& [counter, value] : of(s).counters)
          if (counter == name) return value;
        return {};
      });
    add_parts();
    add("array_types", [](const Summary& s) {
      return s.description ? known(array_types(*s.description, of(s).what.problem.type)) : Value();
    });
    add("session", [](const Summary& s) { return s.session ? known(s.session->started) : Value(); });
    add("version", [](const Summary& s) { return s.session ? known(s.session->version) : Value(); });
    add("git_revision", [](const Summary& s) { return from_environment(s, "git_revision"); });
    add("warnings", [](const Summary& s) { return known(join(of(s).warnings, "; ")); });
    add("notes", [](const Summary& s) { return known(join(s.notes, "; ")); });
    add_parameters(summaries);
  }

  // Adds the columns of problems that are split over ranks or GPUs.
  void add_parts() {
    add("parts", [](const Summary& s) {
      return s.parts > 0 ? Value(std::int64_t{of(s).what.problem.parts}) : Value();
    });
    add("ranks", [](const Summary& s) {
      const int ranks = ranks_of(of(s).what.device);
      return ranks > 0 ? Value(std::int64_t{ranks}) : Value();
    });
    add("nodes", [](const Summary& s) {
      const std::optional<int>& nodes = of(s).nodes;
      return nodes ? Value(std::int64_t{*nodes}) : Value();
    });
    add("cores", [](const Summary& s) { return known(of(s).cores); });
    add("scale", [](const Summary& s) {
      return s.parts > 0 ? Value(std::string(is_weak(of(s).what.problem_class) ? "weak" : "strong"))
                         : Value();
    });
    for (const auto& [name, member] :
         {std::pair("speedup_self", &Summary::speedup_self),
          std::pair("efficiency_self", &Summary::efficiency_self),
          std::pair("speedup_best_single", &Summary::speedup_best_single),
          std::pair("efficiency_best_single", &Summary::efficiency_best_single)}) {
      add_median(name, member);
      add(std::string(name) + "_low",
          [member = member](const Summary& s) { return known(s.*member, &Interval::low); });
      add(std::string(name) + "_high",
          [member = member](const Summary& s) { return known(s.*member, &Interval::high); });
    }
    add_member("compute_time", &Summary::compute_time);
    add_member("exchange_time", &Summary::exchange_time);
    add_member("exposed_time", &Summary::exposed_time);
    add_member("hidden_share", &Summary::hidden_share);
    add("bytes_sent", [](const Summary& s) {
      return s.parts > 0 && work_known(s) ? Value(of(s).work.bytes_sent) : Value();
    });
    add_member("bus_bandwidth", &Summary::bus_bandwidth);
    add("balance", [](const Summary& s) { return known(of(s).balance); });
    add("isolation", [](const Summary& s) {
      const std::optional<Isolation>& isolation = of(s).isolation;
      return isolation ? Value(std::string(name_of(*isolation))) : Value();
    });
  }

  void add_parameters(const std::vector<Summary>& summaries) {
    std::set<std::string> names;
    for (const Summary& s : summaries)
      for (const auto& [name, value] : parameters_of(s)) names.insert(name);
    for (const std::string& name : names)
      add("parameter." + name, [name](const Summary& s) -> Value {
        for (const auto& [parameter, value] : parameters_of(s))
          if (parameter == name) return value;
        return {};
      });
  }

  std::vector<DataColumn> list_;
};

std::string number(double value) {
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[32];
  // The shortest text that parses to the same value.
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string csv_cell(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) return number(*real);
  const auto* text = std::get_if<std::string>(&value);
  return text ? csv_field(*text) : "";
}

nlohmann::ordered_json json_cell(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* real = std::get_if<double>(&value))
    return std::isfinite(*real) ? nlohmann::ordered_json(*real) : nlohmann::ordered_json(number(*real));
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

}  // namespace

std::string to_csv(const std::vector<Summary>& summaries) {
  const Columns columns(summaries);
  std::string text;
  for (const DataColumn& column : columns.list()) text += (text.empty() ? "" : ",") + csv_cell(column.name);
  text += '\n';
  for (const Summary& s : summaries) {
    bool first = true;
    for (const DataColumn& column : columns.list()) {
      if (!first) text += ',';
      text += csv_cell(column.value(s));
      first = false;
    }
    text += '\n';
  }
  return text;
}

std::string to_ndjson(const std::vector<Summary>& summaries) {
  const Columns columns(summaries);
  std::string text;
  for (const Summary& s : summaries) {
    nlohmann::ordered_json row = nlohmann::ordered_json::object();
    for (const DataColumn& column : columns.list()) row[column.name] = json_cell(column.value(s));
    text += row.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  }
  return text;
}

}  // namespace sextant
