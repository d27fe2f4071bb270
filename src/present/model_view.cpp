// View of `sextant predict`: predictions for more ranks or GPUs than were measured. Each table's heading says
// that its numbers come from a model.
#include <utility>

#include "present/cells.hpp"
#include "present/format.hpp"
#include "present/views.hpp"

namespace sextant {
namespace {

const std::vector<Column> model_columns = {{"kind", "-"},
                                           {"parts", "", Unit::count},
                                           {"nodes", "", Unit::count},
                                           {"time", "time", Unit::seconds},
                                           {"low", "from", Unit::seconds},
                                           {"high", "to", Unit::seconds},
                                           {"speedup", "over one part", Unit::ratio},
                                           {"efficiency", "", Unit::percent},
                                           {"compute_time", "computing", Unit::seconds},
                                           {"imbalance", "imbalance", Unit::ratio},
                                           {"exchange_time", "exchanging", Unit::seconds},
                                           {"exposed_time", "exposed", Unit::seconds},
                                           {"measured", "measured", Unit::seconds}};

std::string fit_sentence(const scaling::Model& model) {
  std::string text = "Fitted to up to " + std::to_string(model.fitted_up_to) +
                     (model.fitted_up_to == 1 ? " part" : " parts") + "; at " +
                     std::to_string(model.left_out) + " parts, which are not in the fit, it is " +
                     left_out_error(model) + ".";
  if (model.cut.pattern == Exchange::Pattern::none) return text + " Parts do not communicate.";
  text += model.link.one_size ? " A message of " + format_bytes(model.link.message) + " takes " +
                                    format_seconds(model.link.tier.latency)
                              : " A message takes " + format_seconds(model.link.tier.latency);
  if (!model.link.one_size && model.link.tier.per_byte > 0)
    text += " and its bytes at " + format_bandwidth(1 / model.link.tier.per_byte);
  return text + "; " + format_percent(model.hidden) +
         " of the shorter of computing and exchanging is hidden.";
}

std::string note_of(const scaling::Model& model) {
  std::string text = fit_sentence(model);
  for (const std::string& assumption : model.assumptions) text += "\nAssumed: " + assumption;
  if (!model.stops.empty()) text += "\n" + model.stops;
  return text;
}

std::vector<Cell> cells_of_point(const scaling::Predicted& point) {
  return {"model",
          point.parts,
          point.nodes ? Cell(*point.nodes) : Cell(),
          point.time,
          point.low,
          point.high,
          known(point.speedup),
          known(point.efficiency),
          point.compute,
          point.imbalance,
          point.exchange,
          point.exposed,
          known(point.measured)};
}

}  // namespace

std::string left_out_error(const scaling::Model& model) {
  const double error = model.error;
  return format_percent(error < 0 ? -error : error) + (error < 0 ? " below" : " above") +
         " the measured times";
}

View model_view(const std::vector<scaling::Model>& models) {
  View view;
  view.rows.columns = model_columns;
  for (const scaling::Model& model : models) {
    Table table;
    table.title = "Model, no measurement: " + model.title;
    table.columns = model_columns;
    if (!model.why_not.empty()) {
      table.title = model.title;
      table.note = "No model: " + model.why_not + ".";
    } else {
      table.note = note_of(model);
    }
    for (const scaling::Predicted& point : model.points) {
      std::vector<Cell> cells = cells_of_point(point);
      table.rows.push_back(cells);
      view.rows.rows.push_back(std::move(cells));
    }
    hide_empty_columns(&table);
    view.texts.push_back(std::move(table));
  }
  return view;
}

}  // namespace sextant
