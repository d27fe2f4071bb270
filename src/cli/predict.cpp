// sextant predict: predicts times for more processes or GPUs than were measured, and states the model that it
// uses.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/summary/filter.hpp"
#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/files/load.hpp"
#include "cli/files/output.hpp"
#include "cli/options/selection.hpp"
#include "present/terminal.hpp"
#include "present/views.hpp"
#include "record/place.hpp"
#include "scaling/model.hpp"
#include "tuner/file_text.hpp"

namespace sextant {
namespace {

using Json = nlohmann::ordered_json;

constexpr int most_parts = 1'000'000;

struct PredictOptions {
  std::string file, devices = "1..4096", network;
  SelectionOptions selection;
  bool json = false;
};

int parse_count(std::string_view text, const std::string& whole) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1 || count > most_parts)
    throw UserError("--devices takes numbers of ranks or GPUs up to " + std::to_string(most_parts) +
                    ", such as 1..4096 (which means 1, 2, 4, …) or 8,64,100. The value `" + whole +
                    "` is not valid.");
  return count;
}

// Parses a list of counts such as "8,64,100" or "1..4096". A range doubles its first number repeatedly and
// always includes its last number.
std::vector<int> parse_counts(const std::string& text) {
  std::vector<int> counts;
  for (const std::string& part : places_in(text)) {
    const std::size_t dots = part.find("..");
    const int first = parse_count(std::string_view(part).substr(0, dots), text);
    const int last =
        dots == std::string::npos ? first : parse_count(std::string_view(part).substr(dots + 2), text);
    if (last < first)
      throw UserError("--devices needs ascending numbers. Write " + std::to_string(last) + ".." +
                      std::to_string(first) + " instead of `" + part + "`.");
    for (int count = first; count < last; count *= 2) counts.push_back(count);
    counts.push_back(last);
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

std::optional<scaling::Network> network_of(const std::string& path) {
  if (path.empty()) return {};
  return scaling::read_network(tuner::text_of_file(path), path);
}

Json json_of_model(const scaling::Model& model, const std::optional<scaling::Network>& network) {
  Json json = {{"kind", "model"}, {"machine", model.machine}, {"curve", model.title}};
  if (!model.why_not.empty()) {
    json["why_not"] = model.why_not;
    return json;
  }
  json["fitted_up_to"] = model.fitted_up_to;
  json["left_out"] = {{"parts", model.left_out}, {"error", model.error}};
  json["latency"] = model.link.tier.latency;
  json["bandwidth"] = model.link.tier.per_byte > 0 ? Json(1 / model.link.tier.per_byte) : Json();
  json["hidden_share"] = model.hidden;
  json["assumed"] = model.assumptions;
  if (network)
    json["network"] = {{"assumed", true},
                       {"latency", network->latency},
                       {"bandwidth", network->bandwidth},
                       {"devices_per_node", network->devices_per_node}};
  json["stops"] = model.stops.empty() ? Json() : Json(model.stops);
  json["rows"] = Json::parse(to_json_rows(model_view({model}).rows));
  return json;
}

std::string model_text(const std::vector<scaling::Model>& models) {
  const Terminal terminal = inspect_terminal(STDOUT_FILENO);
  std::string text;
  for (const Table& table : model_view(models).texts)
    text += (text.empty() ? "" : "\n") +
            to_text(table, terminal.colour, terminal.interactive ? terminal.columns : 120);
  return text;
}

void predict_parts(const PredictOptions& options) {
  const std::vector<int> counts = parse_counts(options.devices);
  const std::optional<scaling::Network> network = network_of(options.network);
  const Selection selection = options.selection.parse();
  const Results results = load_results(options.file);
  // The models are fitted to the results of all sizes, also of sizes that the user did not select. Smaller
  // sizes show the cost of smaller partitions.
  const std::vector<Summary> all = summarise(results);
  std::vector<scaling::Model> models;
  const std::vector<Summary> chosen = filter(all, selection);
  for (const ScalingCurve& curve : scaling_curves(chosen))
    models.push_back(scaling::model_of(curve, all, counts, network));
  if (models.empty())
    throw UserError(
        options.file +
            " holds no case on several ranks or GPUs. `sextant run -v openmp.mpi -d 1xcpu,2xcpu,4xcpu -o " +
            options.file + "` measures such cases.",
        ExitCode::check_failed);
  Json list = Json::array();
  for (const scaling::Model& model : models) list.push_back(json_of_model(model, network));
  write_output(
      options.json ? list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n" : model_text(models),
      "");
}

}  // namespace

void add_predict(Command app, int*) {
  Command command = app.add_subcommand("predict", "Predict times on more ranks or GPUs");
  const auto options = std::make_shared<PredictOptions>();
  command
      .add_option("file", options->file, "Read measurements on several ranks or GPUs from this results file")
      .type_name("FILE")
      .required();
  command
      .add_option("--devices", options->devices,
                  "Predict times for these numbers of ranks or GPUs, such as `8,64,100` or `1..4096` (1, 2, "
                  "4, …, 4096) (default 1..4096)")
      .type_name("LIST");
  command
      .add_option("--network", options->network,
                  "Assume a network between nodes with the latency and bandwidth in this TOML file")
      .type_name("FILE");
  options->selection.add_all(command, true);
  command.add_flag("--json", options->json,
                   "Print the predictions as JSON, one object for each variant (implementation) and problem");
  command.footer(
      "Predictions are not measurements and are not stored. The model is fitted without the largest measured "
      "number of ranks or GPUs, and its error at that number is printed. The range `1..4096` means 1, 2, 4 "
      "and so on up to 4096. The file of `--network` sets `latency` (seconds), `bandwidth` (bytes per second "
      "out of one device) and `devices_per_node`.\n"
      "Examples:\n"
      "  sextant run -k heat3d_r1 -n 4Mi -v openmp.mpi -d 1xcpu,2xcpu,4xcpu --scale weak -o r.sextant\n"
      "  sextant predict r.sextant\n"
      "  sextant predict r.sextant --devices 8..1024 --network cluster.toml\n"
      "  sextant predict r.sextant -k npb_ep --json");
  command.callback([options] { predict_parts(*options); });
}

}  // namespace sextant
