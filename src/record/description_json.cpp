// Writes and reads kernel descriptions as JSON.
#include <utility>

#include "record/json.hpp"
#include "suite/preparation.hpp"

namespace sextant {
namespace {

// JSON texts of the enumerators, in their order.
constexpr const char* roles[] = {"in", "out", "inout"};
constexpr const char* thread_libraries[] = {"", "none", "openmp", "tbb", "openblas", "fftw"};
constexpr const char* inputs[] = {"sizes", "structure", "values"};
constexpr const char* counts[] = {"items", "flops"};
constexpr const char* patterns[] = {"none", "planes", "all-reduce", "all-to-all"};

template <typename Enumeration, std::size_t size>
Enumeration named(const char* const (&names)[size], const std::string& name) {
  for (std::size_t i = 0; i < size; ++i)
    if (name == names[i]) return static_cast<Enumeration>(i);
  throw UserError("\"" + name + "\" is not a value that this version of Sextant supports");
}

Json json_of_arrays(const std::vector<KernelDescription::Array>& arrays) {
  Json json = Json::array();
  for (const auto& [name, role, type] : arrays) {
    json.push_back({{"name", name}, {"role", roles[static_cast<std::size_t>(role)]}});
    if (!type.empty()) json.back()["type"] = type;
  }
  return json;
}

std::vector<KernelDescription::Array> arrays_from(const Json& json) {
  std::vector<KernelDescription::Array> arrays;
  for (const Json& one : json)  // older files lack the type
    arrays.push_back({one.at("name"), named<Role>(roles, one.at("role")), one.value("type", "")});
  return arrays;
}

Json json_of(const std::map<std::string, ThreadLibrary>& libraries) {
  Json json = Json::object();
  for (const auto& [variant, library] : libraries)
    json[variant] = thread_libraries[static_cast<std::size_t>(library)];
  return json;
}

// Reads the field `thread_libraries`, which older results files lack.
std::map<std::string, ThreadLibrary> thread_libraries_from(const Json& description) {
  std::map<std::string, ThreadLibrary> libraries;
  if (const auto found = description.find("thread_libraries"); found != description.end())
    for (const auto& [variant, library] : found->items())
      libraries[variant] = named<ThreadLibrary>(thread_libraries, library);
  return libraries;
}

Json json_of(const std::map<std::string, DependsOn>& preparations) {
  Json json = Json::object();
  for (const auto& [variant, depends_on] : preparations) json[variant] = name_of(depends_on);
  return json;
}

// Reads the field `preparations`, which older results files lack.
std::map<std::string, DependsOn> preparations_from(const Json& description) {
  std::map<std::string, DependsOn> preparations;
  if (const auto found = description.find("preparations"); found != description.end())
    for (const auto& [variant, depends_on] : found->items())
      preparations[variant] = named<DependsOn>(inputs, depends_on);
  return preparations;
}

// Returns null for a kernel that belongs to no study.
Json json_of(const StudyPlace& study) {
  if (study.study.empty()) return Json();
  return {{"name", study.study}, {"place", study.place}, {"claims", study.claims}};
}

StudyPlace study_from(const Json& json) {
  if (json.is_null()) return {};
  return {json.at("name"), json.at("place"), json.at("claims").get<std::vector<std::string>>()};
}

Json json_of(const std::optional<ReportLayout>& report) {
  if (!report) return Json();
  return {{"name", report->name},
          {"operation_type", report->operation_type},
          {"size_in_items", report->size_in_items},
          {"iterations", report->iterations}};
}

std::optional<ReportLayout> report_from(const Json& json) {
  if (json.is_null()) return {};
  return ReportLayout{json.at("name"), json.at("operation_type"), json.at("size_in_items"),
                      json.at("iterations")};
}

// Returns an array of pairs: [[n, value], …].
Json json_of(const std::vector<FigureAt>& figures) {
  Json json = Json::array();
  for (const FigureAt& figure : figures) json.push_back({figure.n, sextant::json_of(figure.value)});
  return json;
}

std::vector<FigureAt> figures_from(const Json& json) {
  std::vector<FigureAt> figures;
  for (const Json& one : json) figures.push_back({one.at(0), number_from(one.at(1))});
  return figures;
}

Json json_of(const std::vector<PublishedFigures>& published) {
  Json json = Json::array();
  for (const PublishedFigures& one : published)
    json.push_back({{"column", one.column},
                    {"block", one.block},
                    {"speedups", json_of(one.speedups)},
                    {"speedups_with_transfers", json_of(one.speedups_with_transfers)}});
  return json;
}

std::vector<PublishedFigures> published_from(const Json& json) {
  std::vector<PublishedFigures> published;
  for (const Json& one : json)
    published.push_back({one.at("column"), one.at("block"), figures_from(one.at("speedups")),
                         figures_from(one.at("speedups_with_transfers"))});
  return published;
}

}  // namespace

Json json_of(const KernelDescription& description) {
  return {{"group", description.group},
          {"formula", description.formula},
          {"dwarf", description.dwarf},
          {"parameters", description.parameters},
          {"arrays", json_of_arrays(description.arrays)},
          {"unit",
           {{"counts", counts[static_cast<std::size_t>(description.unit.count)]},
            {"millions_per_second", description.unit.millions_per_second}}},
          {"exchange",
           {{"pattern", patterns[static_cast<std::size_t>(description.exchange.pattern)]},
            {"rounds", description.exchange.rounds}}},
          {"problems", description.problems},
          {"aside", description.excluded_from_ranking},
          {"thread_libraries", json_of(description.thread_libraries)},
          {"preparations", json_of(description.preparations)},
          {"texts", description.texts},
          {"study", json_of(description.study)},
          {"report", json_of(description.report)},
          {"published", json_of(description.published)}};
}

KernelDescription description_from(const Json& json) {
  return reading("description of a kernel", [&] {
    KernelDescription description;
    description.group = json.at("group");
    description.formula = json.at("formula");
    description.dwarf = json.value("dwarf", "");
    description.parameters = json.at("parameters").get<std::vector<std::string>>();
    description.arrays = arrays_from(json.at("arrays"));
    const Json& unit = json.at("unit");
    description.unit = {named<UnitOfWork::Count>(counts, unit.at("counts")), unit.at("millions_per_second")};
    if (const auto exchange = json.find("exchange"); exchange != json.end())  // older files lack this field
      description.exchange = {named<Exchange::Pattern>(patterns, exchange->at("pattern")),
                              exchange->at("rounds")};
    description.problems = json.at("problems").get<std::vector<std::string>>();
    description.excluded_from_ranking = json.at("aside").get<std::vector<std::string>>();
    description.thread_libraries = thread_libraries_from(json);
    description.preparations = preparations_from(json);
    description.texts = json.value("texts", ChoiceTexts());  // older sessions lack this field
    description.study = study_from(json.at("study"));
    description.report = report_from(json.at("report"));
    description.published = published_from(json.at("published"));
    return description;
  });
}

}  // namespace sextant
